import { ALGORITHM, isArgument, isChosen, isFree, isMarkedArgument } from "./chosen.ts";
import { hasDistinct, isHashLike, isKeyLike, isRandom, isStandIn } from "./judge.ts";
import { NAMES_PASSWORD, type RedactionRule, rule, STRING, VALUE, WRAP } from "./rules.ts";

/** Arguments that hold a secret according to the name of the call or the field. Contract: every pattern is linear. */

/** One argument of a call: a string, or code without quotes and with at most one pair of parentheses. */
const ARG = "(?:[bfruN@$]?\"[^\"\\n]{0,120}\"|[bfruN]?'[^'\\n]{0,120}'|[^\"',()\\n]{1,60}(?:\\([^()\\n]{0,40}\\))?)";
const OPEN = `(?:new TextEncoder\\(\\)\\.encode\\(|${WRAP})?[bBuUrRLN@$]{0,2}["'\`]`;

/** Words for a password in selectors and field names. */
const FIELD = "(?:passw(?:or)?d|passphrase|pwd|密码|\\bpw\\b)";

const LOGIN =
  "log_?in|sign_?in|log_?on|authenticate|NetworkCredential|PasswordAuthentication|PasswordCredentials?|UsernamePassword\\w{0,30}|UserPass\\w{0,20}|basic_?auth|HTTPBasicAuth|HTTPDigestAuth|set_?basic_?auth|BasicCredentials?|PlainAuth\\w{0,10}|PasswordAuthenticator|PlainTextAuthProvider|set_?credentials|PSCredential|register_?user|sign_?up|add_?credentials?";
const LOGIN_HINTS = [
  "ogin(",
  "ogIn(",
  "og_in(",
  "ogon(",
  "ign",
  "uth",
  "redential",
  "LOGIN",
  "gister",
  "serPass",
  "sernamePassword",
];

/** A number of arguments of any kind, each with its comma. */
function toArgs(quantifier: string): string {
  return `(?:${ARG}\\s{0,4},\\s{0,8})${quantifier}`;
}

/** A call with a secret among its arguments. `before` is a pattern for the arguments before it. */
function call(
  callee: string,
  before: string,
  accepts: (value: string) => boolean,
  hints: readonly string[],
): RedactionRule {
  return rule("call-argument", hints, `((?:${callee})[!?]?\\s{0,2}\\(\\s{0,8}${before}${OPEN})${VALUE}`, {
    flags: "gi",
    // The hints occur in any code, and the arguments make the pattern expensive, so the callee is checked first.
    needs: new RegExp(`(?:${callee})[!?]?\\s{0,2}\\(`, "i"),
    accepts,
  });
}

/** A key in a call that signs or encrypts: words count, names of algorithms and encodings do not. */
function isCryptoKey(value: string): boolean {
  if (isStandIn(value) || ALGORITHM.test(value)) return false;
  return isKeyLike(value) || isChosen(value);
}

/** A generated value, for calls whose name is only a hint. */
function isGenerated(value: string): boolean {
  if (isStandIn(value)) return false;
  if (isHashLike(value)) return value.length >= 24 && /\d/.test(value) && hasDistinct(value, 8) && !value.includes("-");
  return !/[\s/:]/.test(value) && /\d/.test(value) && isRandom(value, 16);
}

/** Logins, connections, hashes, ciphers, clients and form fields, one entry per convention. */
export const CALL_RULES: readonly RedactionRule[] = [
  // (user, password) or (page, user, password); if the user is no literal, isMarkedArgument must accept the password
  call(LOGIN, `(?:${ARG},\\s{0,8})?${STRING},\\s{0,8}`, isArgument, LOGIN_HINTS),
  call(LOGIN, toArgs("{1,2}"), isMarkedArgument, LOGIN_HINTS),
  // (source, user, password) of databases; the generic `connect` and `open` below need a digit, a symbol or mixed case
  call(
    "getConnection|mysqli_connect|mysqli|mysql_connect|pg_connect|PDO|oci_connect|odbc_connect|DBI->connect|PooledDataSource|DriverManagerDataSource|createConnection|create_?pool",
    toArgs("{2}"),
    isArgument,
    ["onnect", "mysqli", "PDO", "DataSource", "ool("],
  ),
  // (network, password); (file, password) of key stores and protected documents
  call(
    "wifi\\w{0,8}\\.(?:begin|softAP|connect|join)\\w{0,8}|add_?ap|connect_?(?:to_?)?wi_?fi|wlan\\w{0,4}\\.connect|join_?network",
    toArgs("{1}"),
    isArgument,
    ["iFi", "ifi", "IFI", "wlan", "WLAN", "addAP", "add_ap"],
  ),
  call(
    "X509Certificate2?(?:Collection)?|X509CertificateLoader\\.\\w{4,30}|(?:load|import|open|read|parse|create)_?(?:pkcs_?12|pfx|p12|key_?store)\\w{0,20}|(?:key_?store|ks|trust_?store)\\.(?:load|getKey|store)|PKCS12\\w{0,16}|PdfReader|ZipFile|open_?encrypted\\w{0,12}",
    toArgs("{1}"),
    isArgument,
    [
      "X509",
      "kcs12",
      "kcs_12",
      "KCS12",
      "pfx",
      "Pfx",
      "p12",
      "P12",
      "tore.",
      "ks.",
      "tore(",
      "PdfReader",
      "ZipFile",
      "ncrypted",
    ],
  ),
  call("connect|open", toArgs("{2}"), isMarkedArgument, ["onnect(", "pen("]),
  // (name, email, password)
  call(
    "create_?super_?user|create_?user|create_?admin\\w{0,10}|add_?user|make_?user|create_?account|new_?user|insert_?user|seed_?user|update_?user_?password|reset_?password|change_?password",
    toArgs("{1,2}"),
    isMarkedArgument,
    ["ser(", "ser_password(", "serPassword(", "dmin", "ccount(", "assword("],
  ),
  // what is hashed or compared is a plaintext password
  call(
    "bcrypt\\w{0,4}[.:]{1,2}\\w{2,24}|Hash::(?:make|check)|hash_?pw|check_?pw|make_?password|password_?(?:hash|verify|matches|hasher\\.\\w{2,12})|hash_?password\\w{0,6}|check_?password\\w{0,6}|set_?password|verify_?password|validate_?password|compare_?password|with_?password|use_?password|(?:password|pw)_?encoder\\(?\\)?\\.(?:encode|matches)|argon2\\w{0,3}\\.\\w{2,12}|pbkdf2\\w{0,8}|scrypt\\w{0,6}|crypt|derive_?key|kdf",
    "",
    isArgument,
    ["crypt", "Hash::", "ashpw", "eckpw", "assw", "rgon2", "bkdf2", "BKDF2", "erive", "kdf("],
  ),
  // keys of signatures and ciphers
  call(
    "create_?hmac|create_?cipher\\w{0,4}|create_?decipher\\w{0,4}|jwt\\.\\w{2,12}|jws\\.\\w{2,8}|jwt_?(?:encode|decode|sign|verify)|jsonwebtoken\\.\\w{2,8}|CryptoJS\\.\\w{2,20}(?:\\.\\w{2,8})?|openssl_(?:en|de)crypt|hash_hmac|hmac_?sha\\d{0,3}|HMAC::\\w{2,12}|AES\\.(?:en|de)crypt|DES\\.(?:en|de)crypt|sign_?with|cookie\\.sign|encrypt|decrypt",
    toArgs("{1,2}"),
    isCryptoKey,
    ["mac", "ipher", "jwt", "jws", "JWT", "json", "Crypto", "openssl", "HMAC", "crypt", "ign"],
  ),
  call(
    "hmac\\.new|AES\\.new|DES3?\\.new|ARC4\\.new|ChaCha20\\w{0,9}\\.new|Fernet|MultiFernet|AESGCM|SecretKeySpec|SymmetricSecurityKey|hmacShaKeyFor|SigningKey|URLSafe\\w{0,20}Serializer|TimestampSigner|cookie_?parser|cookie_?session|CookieStore|NewCookieStore|SecretBox|import_?key|aes\\.NewCipher|hmac\\.New\\([^,\\n]{1,20},\\s{0,2}\\[\\]byte|TokenSigner|HDWalletProvider|Wallet|fromMnemonic|fromPhrase|from_?mnemonic",
    "",
    isCryptoKey,
    [
      "new(",
      "Fernet",
      "AESGCM",
      "SecretKey",
      "SecurityKey",
      "ShaKey",
      "SigningKey",
      "Serializer",
      "Signer",
      "ookie",
      "SecretBox",
      "mport",
      "NewCipher",
      "hmac.New",
      "allet",
      "nemonic",
      "Phrase",
    ],
  ),
  // clients of services take their key as an argument
  call(
    "(?:client|sdk|api|algoliasearch|service|provider|wallet|signer|credentials?|authenticator|connect|auth|authorize|init|configure)|require\\([\"'][\\w@/.-]{1,60}[\"']\\)",
    toArgs("{0,2}"),
    isGenerated,
    [
      "lient",
      "sdk",
      "algoliasearch",
      "SDK",
      "pi(",
      "ervice",
      "rovider",
      "allet",
      "igner",
      "redential",
      "uth",
      "onnect",
      "require(",
      "nit(",
      "onfigure(",
    ],
  ),
  // typed into a field that the selector or the variable calls a password, before the call or in it
  rule(
    "typed-password",
    ["ass", "ASS", "pw", "密码"],
    `((?:\\.(?:type|fill|send_?keys|set_?value|enter_?text|input|press_?sequentially|clear_?and_?type|type_?text|set|val|replace_?text)\\(|\\bwith:|\\btarget:\\s{0,2}\\{\\s{0,2}value:)(?<=${FIELD}[^\\n]{0,100})\\s{0,4}["'\`])${VALUE}`,
    { flags: "gi", needs: NAMES_PASSWORD, accepts: isArgument },
  ),
  rule(
    "typed-password",
    ["type", "fill", "eys(", "Text", "alue"],
    `(\\b(?:type|fill|send_?keys|set_?value|enter_?text|type_?text|fill_in|input_?text)[(\\s][^\\n,]{0,80}?${FIELD}[^\\n,]{0,40},\\s{0,4}(?:with:\\s{0,4})?["'\`])${VALUE}`,
    { flags: "gi", needs: NAMES_PASSWORD, accepts: isArgument },
  ),
  rule(
    "typed-password",
    ['type="password"', "type='password'", "type=password"],
    "(<input\\b[^<>\\n]{0,160}type=[\"']?password[\"']?[^<>\\n]{0,160}\\bvalue=[\"'])[^\"'\\n]{4,120}",
    { flags: "gi", accepts: isFree },
  ),
  rule(
    "typed-password",
    ['type="password"', "type='password'", "type=password"],
    "(<input\\b[^<>\\n]{0,160}\\bvalue=[\"'])[^\"'\\n]{4,120}(?=[\"'][^<>\\n]{0,160}type=[\"']?password)",
    { flags: "gi", accepts: isFree },
  ),
];
