import { ALGORITHM, isChosen, isChosenBare, isLiteral } from "./redact-chosen.ts";
import { hasDistinct, isHashLike, isKeyLike, isPasswordLike, isRandom, isStandIn } from "./redact-judge.ts";
import { type RedactionRule, rule } from "./redact-rules.ts";

/**
 * Places that hold a secret by convention, without a name beside it: arguments of known calls, options of known
 * commands, clauses of SQL, parts of connection strings. Contract: as in the other tables, every pattern is linear.
 */

/** One argument of a call: a string, or code without quotes and brackets of its own. */
const ARG = "(?:[bfruN@$]?\"[^\"\\n]{0,120}\"|[bfruN]?'[^'\\n]{0,120}'|[^\"',()\\n]{1,60}(?:\\([^()\\n]{0,40}\\))?)";
const OPEN = "(?:\\[\\]byte\\(|Buffer\\.from\\(|bytes\\(|new TextEncoder\\(\\)\\.encode\\()?[bBuUrRN@]?[\"'`]";
const VALUE = "[^\"'`\\n]{4,200}(?=[\"'`])";

/** Words for a password in selectors and names of fields. */
const FIELD = "(?:passw(?:or)?d|passphrase|pwd|密码|\\bpw\\b)";

const STRING = "(?:[bfruN@$]?\"[^\"\\n]{0,120}\"|[bfruN]?'[^'\\n]{0,120}')\\s{0,4}";
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

/** So many arguments of any kind, each with its comma. */
function toArgs(quantifier: string): string {
  return `(?:${ARG}\\s{0,4},\\s{0,8})${quantifier}`;
}

/** A call with a secret among its arguments. `before`: the arguments before it, as a pattern. */
function call(
  callee: string,
  before: string,
  accepts: (value: string) => boolean,
  hints: readonly string[],
): RedactionRule {
  return {
    ...rule("call-argument", hints, `((?:${callee})[!?]?\\s{0,2}\\(\\s{0,8}${before}${OPEN})${VALUE}`, "gi"),
    accepts,
  };
}

/** An argument beside a user's name: not an address, not a path, not a name of a database. */
function isArgument(value: string): boolean {
  return isChosen(value) && !ALGORITHM.test(value) && !/^[\w.+-]{1,60}@[\w-]{1,60}\.[a-z.]{2,20}$/.test(value);
}

/** The same, where the call has other uses too: the value must have a sign, a digit or a hump. */
function isMarkedArgument(value: string): boolean {
  return isArgument(value) && !/\s/.test(value) && /[\d!@#$%^&*]|[a-z][A-Z]/.test(value) && !/^[\d.]+$/.test(value);
}

/** A key in a call that signs or encrypts: words count, names of algorithms and encodings do not. */
function isCryptoKey(value: string): boolean {
  if (isStandIn(value) || ALGORITHM.test(value)) return false;
  return isKeyLike(value) || isChosen(value);
}

/** A generated value where the call's name only hints at it. */
function isGenerated(value: string): boolean {
  if (isStandIn(value)) return false;
  if (isHashLike(value)) return value.length >= 24 && /\d/.test(value) && hasDistinct(value, 8) && !value.includes("-");
  return !/[\s/:]/.test(value) && /\d/.test(value) && isRandom(value, 16);
}

/** What stands where nothing but a password can stand; a word of a schema is a placeholder there. */
const isFree = (value: string) =>
  isPasswordLike(value, true) || isChosen(value) || (isLiteral(value) && /[\s!@#$%^&*]/.test(value));
/** A word on a command line: options, paths and variables are none. */
const isWord = (value: string) => !/^[-/$<{]|^\w+=/.test(value) && isFree(value);

const CALLS: readonly RedactionRule[] = [
  // (user, password) or (page, user, password); where the user is no string, the password must be marked
  call(LOGIN, `(?:${ARG},\\s{0,8})?${STRING},\\s{0,8}`, isArgument, LOGIN_HINTS),
  call(LOGIN, toArgs("{1,2}"), isMarkedArgument, LOGIN_HINTS),
  // (source, user, password) of databases; of anything else where the value is marked
  call(
    "getConnection|mysqli_connect|mysqli|mysql_connect|pg_connect|PDO|oci_connect|odbc_connect|DBI->connect|PooledDataSource|DriverManagerDataSource|createConnection|create_?pool",
    toArgs("{2}"),
    isArgument,
    ["onnect", "mysqli", "PDO", "DataSource", "ool("],
  ),
  call("connect|open", toArgs("{2}"), isMarkedArgument, ["onnect(", "pen("]),
  // (name, mail, password)
  call(
    "create_?super_?user|create_?user|create_?admin\\w{0,10}|add_?user|make_?user|create_?account|new_?user|insert_?user|seed_?user|update_?user_?password|reset_?password|change_?password",
    toArgs("{1,2}"),
    isMarkedArgument,
    ["ser(", "ser_password(", "serPassword(", "dmin", "ccount(", "assword("],
  ),
  // what is hashed or compared is a password in clear
  call(
    "bcrypt\\w{0,4}[.:]{1,2}\\w{2,24}|Hash::(?:make|check)|hash_?pw|check_?pw|make_?password|password_?(?:hash|verify|matches|hasher\\.\\w{2,12})|hash_?password\\w{0,6}|check_?password\\w{0,6}|set_?password|verify_?password|validate_?password|compare_?password|with_?password|use_?password|(?:password|pw)_?encoder\\(?\\)?\\.(?:encode|matches)|argon2\\w{0,3}\\.\\w{2,12}|pbkdf2\\w{0,8}|scrypt\\w{0,6}|crypt|derive_?key|kdf",
    "",
    isArgument,
    ["crypt", "Hash::", "ashpw", "eckpw", "assw", "rgon2", "bkdf2", "erive", "kdf("],
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
    "(?:client|sdk|api|service|provider|wallet|signer|credentials?|authenticator|connect|auth|authorize|init|configure)|require\\([\"'][\\w@/.-]{1,60}[\"']\\)",
    toArgs("{0,2}"),
    isGenerated,
    [
      "lient",
      "sdk",
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
  {
    ...rule(
      "typed-password",
      ["ass", "ASS", "pw", "密码"],
      `((?:\\.(?:type|fill|send_?keys|set_?value|enter_?text|input|press_?sequentially|clear_?and_?type|type_?text|set|val|replace_?text)\\(|\\bwith:|\\btarget:\\s{0,2}\\{\\s{0,2}value:)(?<=${FIELD}[^\\n]{0,100})\\s{0,4}["'\`])${VALUE}`,
      "gi",
    ),
    accepts: isArgument,
  },
  {
    ...rule(
      "typed-password",
      ["type", "fill", "eys(", "Text", "alue"],
      `(\\b(?:type|fill|send_?keys|set_?value|enter_?text|type_?text|fill_in|input_?text)[(\\s][^\\n,]{0,80}?${FIELD}[^\\n,]{0,40},\\s{0,4}(?:with:\\s{0,4})?["'\`])${VALUE}`,
      "gi",
    ),
    accepts: isArgument,
  },
  {
    ...rule(
      "typed-password",
      ['type="password"', "type='password'", "type=password"],
      "(<input\\b[^<>\\n]{0,160}type=[\"']?password[\"']?[^<>\\n]{0,160}\\bvalue=[\"'])[^\"'\\n]{4,120}",
      "gi",
    ),
    accepts: isFree,
  },
  {
    ...rule(
      "typed-password",
      ['type="password"', "type='password'", "type=password"],
      "(<input\\b[^<>\\n]{0,160}\\bvalue=[\"'])[^\"'\\n]{4,120}(?=[\"'][^<>\\n]{0,160}type=[\"']?password)",
      "gi",
    ),
    accepts: isFree,
  },
];

const COMMANDS: readonly RedactionRule[] = [
  {
    ...rule(
      "command-password",
      ["chpasswd", "passwd", "-stdin"],
      "((?:echo|printf|<<<)\\s{1,4}(?:-\\w{1,3}\\s{1,4})?[\"']?(?:[\\w.$@{}-]{1,60}:)?)[^\\s\"'|$]{4,100}(?=[\"']?(?:\\\\n)?[\"']?\\s{0,4}\\|\\s{0,4}(?:sudo\\s{1,4})?(?:chpasswd|passwd\\b(?!-)|docker login|podman login|\\S{1,40}[^\\n]{0,60}-stdin))",
    ),
    accepts: isFree,
  },
  {
    ...rule("command-password", ["chpasswd"], "(chpasswd\\s{0,4}<<<?\\s{0,4}[\"']?[\\w.-]{1,40}:)[^\\s\"'|$]{4,100}"),
    accepts: isFree,
  },
  {
    ...rule(
      "command-password",
      [
        " -w ",
        " -W ",
        " -P ",
        " -pw ",
        " -N ",
        " -pass",
        " -storepass",
        " -keypass",
        " -Password ",
        " -password ",
        "passphrase",
        "wpa_passphrase",
      ],
      "((?:^|[\\s;|&('\"`])(?:ldap\\w{3,10}|ssh-keygen|plink|pscp|psftp|pgpassword|unzip|zip|sqlcmd|bcp|isql|osql|tsql|keytool|jarsigner|openssl|gpg2?|wpa_passphrase|nmcli|ipmitool|mosquitto_\\w{3}|rdesktop|xfreerdp|impacket-\\w{2,20}|evil-winrm|crackmapexec|kinit|dsquery|net|psexec|runas|wmic)\\b[^\\n]{0,160}?\\s(?:-w|-W|-P|-pw|-N|-pass|-storepass|-keypass|--passphrase|-p|-k|password)\\s{1,4}(?:pass:)?[\"']?)(?:(?<=[\"'])[^\"'\\n$]{4,100}(?=[\"'])|[^\\s\"'$<{-][^\\s\"']{3,100})",
      "gm",
    ),
    accepts: isWord,
  },
  // tools whose option is a password whatever it holds: glued to it, or after a blank
  {
    ...rule(
      "command-password",
      [
        "mysql",
        "mariadb",
        "sshpass",
        "redis-cli",
        "7z",
        "unzip",
        "mongo",
        "wpa_passphrase",
        "net use",
        "smbclient",
        "rpcclient",
      ],
      "(\\b(?:(?:mysql|mysqldump|mysqladmin|mariadb|7z[ar]?)\\s[^\\n]{0,120}?\\s?-p|sshpass\\s{1,4}-p\\s{0,4}|redis-cli\\s[^\\n]{0,80}?-a\\s{1,4}|unzip\\s[^\\n]{0,80}?-P\\s{0,4}|mongo(?:sh|dump|restore)?\\s[^\\n]{0,120}?-p\\s{1,4}|wpa_passphrase\\s{1,4}\\S{1,40}\\s{1,4}|net user?\\s[^\\n]{1,60}?\\s(?:/user:\\S{1,60}\\s{1,4}|(?<=user \\S{1,40}\\s))|(?:smbclient|rpcclient)\\s[^\\n]{0,100}?-U\\s{0,4}[\"']?[\\w.\\\\/-]{1,60}%)[\"']?)(?:(?<=[\"'])[^\"'\\n$]{4,100}(?=[\"'])|[^\\s\"'$<{/*-][^\\s\"']{3,100})",
    ),
    accepts: isWord,
  },
  // a flag whose name says password, with a word that no shell takes for anything else
  {
    ...rule(
      "flag-password",
      ["--pass", "-password"],
      "((?:^|\\s)--?[a-z0-9_-]{0,40}(?:password|passwd|passphrase)[ =])(?![$<{-])[^\\s\"'=]{4,200}",
      "gim",
    ),
    accepts: isChosenBare,
  },
  // Windows style: /p:value, /pass:value, /rp value
  {
    ...rule(
      "command-password",
      ["/p", "/P", "/rp"],
      "(\\s/(?:p|pw|pwd|pass|password|rp)(?::|\\s{1,2})[\"']?)(?![$%<{/-])[^\\s\"'/][^\\s\"']{3,100}",
      "gi",
    ),
    accepts: isWord,
  },
  // network devices, brokers and mail: the word after a keyword of their configuration
  {
    ...rule(
      "config-password",
      [
        "community",
        "secret ",
        "requirepass",
        "AUTH ",
        "PASS ",
        "username ",
        "key-string",
        "authentication-key",
        "ey 7 ",
        "ey 0 ",
      ],
      "((?:^|\\n)[ \\t]{0,12}(?:rocommunity6?|rwcommunity6?|snmp-server community|com2sec \\S{1,40} \\S{1,40}|snmp-agent community (?:read|write)(?: cipher| simple)?|enable secret(?: \\d)?|enable password(?: \\d)?|username \\S{1,40} (?:privilege \\d{1,2} )?(?:secret|password)(?: \\d)?|key-string(?: \\d)?|neighbor \\S{1,40} password(?: \\d)?|requirepass|masterauth|authentication-key|PASS|AUTH)[ \\t]{1,4}[\"']?)(?![$<{])[^\\s\"']{4,100}",
    ),
    accepts: (value) => isFree(value) && /[^a-z]/.test(value),
  },
  {
    ...rule(
      "one-time-code",
      ["code", "Code", "OTP", "otp", "验证码", "校验码", "动态码", "TAN"],
      "((?:one[- ]time|verification|security|login|access|sms|auth(?:entication)?|2fa|mfa|backup|recovery|confirmation|pairing|unlock)[- _](?:pass)?code[\"']?\\s{0,2}(?:is|[:=：])\\s{0,2}[\"']?|(?:验证码|校验码|动态码|动态密码)(?:是|为|[:=：])?\\s{0,2}|\\botp\\s{0,2}(?:is|[:=])\\s{0,2}[\"']?)\\d{3,4}[- ]?\\d{1,4}(?!\\w)",
      "gi",
    ),
    accepts: (value) => !/^(\d)\1*$/.test(value),
  },
];

const STRINGS: readonly RedactionRule[] = [
  {
    ...rule(
      "sql-password",
      ["IDENTIFIED"],
      "(\\bIDENTIFIED\\s{1,4}(?:WITH\\s{1,4}\\w{1,40}\\s{1,4})?BY\\s{1,4}(?:VALUES\\s{1,4})?[\"']?)[^\\s\"';,)]{4,120}",
    ),
    accepts: isFree,
  },
  {
    ...rule(
      "sql-password",
      ["dentified by"],
      "(\\b(?:user|grant|role|login)\\s[^\\n;]{0,120}?identified\\s{1,4}(?:with\\s{1,4}\\w{1,40}\\s{1,4})?by\\s{1,4})[^\\s\"';,)]{4,120}",
    ),
    accepts: isMarkedArgument,
  },
  {
    ...rule(
      "sql-password",
      ["PASSWORD", "password", "Password"],
      "((?:create|alter|drop|set|grant)\\s[^\\n;]{0,120}?\\bpassword(?:\\s{1,4}for\\s{1,4}\\S{1,40})?(?:\\s{0,4}=\\s{0,4}|\\s{1,4})(?:password\\(\\s{0,2})?(?:E|N)?['\"])(?![$<{])[^'\"\\n]{4,200}",
      "gi",
    ),
    accepts: isFree,
  },
  {
    ...rule(
      "url-credentials",
      ["@tcp(", "@unix(", "@udp(", "thin:", "sqlplus ", "/nolog", "exp ", "imp ", "expdp ", "impdp ", "rman "],
      "((?:^|[\"'\\s=])[\\w.-]{1,40}:(?=[^\\s@\"']{1,80}@(?:tcp|unix|udp)\\()|thin:[\\w.$-]{1,40}/|\\b(?:sqlplus|sqlldr|expdp|impdp|exp|imp|rman target)\\s(?:-\\w{1,6}\\s)?[\"']?[\\w.$-]{1,40}/)(?![$<{&])[^\\s@\"']{3,80}(?=@)",
      "gim",
    ),
    accepts: (value) => !isStandIn(value),
  },
  // a pair of user and password
  {
    ...rule(
      "pair",
      ["auth", "Auth", "AUTH", "red", "RED", "ogin", "ccount"],
      `(\\b(?:auth|credentials?|creds|login|basic_auth|account)["']?\\s{0,2}[=:]\\s{0,2}[[(]\\s{0,2}${STRING},\\s{0,4}["'])${VALUE}`,
      "gi",
    ),
    accepts: isArgument,
  },
  {
    ...rule(
      "pair",
      ["/"],
      "((?:\\b(?:log|sign)[ -]?in|\\bcredentials?|\\baccount|账号|账户|用户名)[^\\n/]{1,60}/ ?)[^\\s/\"'`,;)]{4,60}(?![\\w/])",
      "gi",
    ),
    accepts: (value) => isMarkedArgument(value) && isChosenBare(`${value}1`) && /[!@#$%^&*\d]/.test(value),
  },
  // a comment at the end of the line says what the string is
  {
    ...rule(
      "commented-password",
      ["#", "//", "--", "/*"],
      `(["'])${VALUE}(?=["'][;,)\\]}]{0,4}[ \\t]{0,8}(?:#|//|--|/\\*)[ \\t]{0,3}(?:[\\w,/+&]{1,16}[ \\t]){0,3}(?:passw(?:or)?d|passphrase|pwd|密码|口令)[ \\t]{0,2}(?:\\*/)?(?:\\n|$))`,
      "gi",
    ),
    accepts: isArgument,
  },
  // a comparison in a test
  {
    ...rule(
      "compared-password",
      ["expect", "assert"],
      `((?:passw(?:or)?d|passphrase|pwd)["'\\]]{0,2}\\)\\s{0,2}\\.(?:not\\.)?(?:to|is|should|eq)[\\w.]{0,20}\\(\\s{0,2}["'])${VALUE}`,
      "gi",
    ),
    accepts: isArgument,
  },
  {
    ...rule(
      "compared-password",
      ["assert"],
      `(\\bassert\\w{0,12}[ (]\\s{0,2}["'])${VALUE}(?=["'],\\s{0,2}[\\w.@()]{0,40}(?:passw(?:or)?d|passphrase)\\b)`,
      "gi",
    ),
    accepts: isArgument,
  },
  // the parts of a connection string: PWD=…; Password=…; within quotes or between semicolons
  {
    ...rule(
      "connection-string",
      ["PWD=", "Pwd=", "pwd=", "assword=", "ASSWORD="],
      "((?:[;\"'\\s]|^)(?:pwd|password)=)(?![$<{%;'\"])[^\\s;\"']{3,120}(?=[;\"']|\\s{0,2}$)",
      "gim",
    ),
    accepts: (value) => !isStandIn(value) && !/^[/~.]|^[A-Za-z_]\w*[.(]|^\w+\)|,$/.test(value) && isFree(value),
  },
  // an account id and its key, side by side
  {
    ...rule(
      "account-key",
      ["AC"],
      "(\\bAC(?:[0-9a-f]{32}|<redacted>)[\"']?\\s{0,2}[,:]\\s{0,4}[\"']?)[0-9a-f]{32}(?![0-9a-f])",
    ),
  },
  // the key of a node or a push service as a part of its address
  {
    ...rule(
      "url-token",
      ["://"],
      "((?:https?|wss?)://[^\\s/\"'<>]{3,100}/(?:[\\w.-]{1,24}/){0,3}(?:v\\d{1,2}|rpc|api|bot|push|send|notify|key|token|ws|t)/)[A-Za-z0-9_-]{20,90}(?![\\w-]|[\\w.-]{0,60}/[a-z]{3,}|\\.[a-z])",
      "gi",
    ),
    accepts: (value) =>
      !/^[a-z]+(?:[-_][a-z]+)*$/i.test(value) &&
      !/^[0-9a-f]{8}-[0-9a-f]{4}-/.test(value) &&
      (isHashLike(value) || isRandom(value, 20)),
  },
  {
    ...rule(
      "eth-key",
      ["accounts", "ccount", "eployer", "igner", "allet"],
      "((?:accounts?|deployer\\w{0,10}|signers?|wallets?)[\"']?\\s{0,2}[:=(]\\s{0,2}\\[?\\s{0,4}[\"'])(?:0x)?[0-9a-fA-F]{64}(?![0-9a-fA-F])",
      "g",
    ),
  },
  // a seed phrase in quotes; an English sentence of the same length has articles
  {
    ...rule("mnemonic", ['"', "'", "`"], "([\"'`])(?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}){0,4}[a-z]{3,8}(?=[\"'`])"),
    accepts: (value) => !/(?:^| )(?:the|and|for|are|was|were|has|had|from|its|into|which|not|but)(?: |$)/.test(value),
  },
];

/** All places, commands first, since their values are the least bounded. */
export const PLACES: readonly RedactionRule[] = [...COMMANDS, ...STRINGS, ...CALLS];
