import { isArgument, isFree, isMarkedArgument, isSpoken } from "./chosen.ts";
import { hasDistinct, isHashLike, isKeyLike, isRandom, isSequence, isStandIn } from "./judge.ts";
import { type RedactionRule, rule, SPEAKS, VALUE, WRAP } from "./rules.ts";

/**
 * Literals explained by their context instead of their name: a prompt and what is typed, a comment, a table of users, a
 * state that marks a value as sensitive, the only argument of a vendor's client. Contract: every pattern is linear.
 */

const WORD = "(?:passw(?:or)?d|passphrase|pass ?code|\\bpwd\\b|\\bpw\\b|密码|口令|\\bpin\\b)";
const LITERAL = `(?:${WRAP})?[bBuUrRLN@$]{0,2}["'\`]`;
/** Names that rule out a vendor's client: types that hold hashes, ids, numbers and colours; calls in tests. */
const NO_CLIENT =
  "(?![\\w.:]{0,40}(?:[hH]ash|[sS]ha\\d|SHA|MD5|[dD]igest|[cC]ommit|[rR]ev|[oO]id|Id\\b|ID\\b|Address|Checksum|Big|UUID|Guid|Colou?r|Version|[eE]tag|Public|Equal|[aA]ssert|Expect|Contains|Replace|Format|Print|Log|Regex?|[hH]ex|[pP]arse|Pattern|Error|Uint|Int))";

/** A string that may be the key of a service. */
const LONG_LITERAL = /["'][A-Za-z0-9_+=~-]{20,200}["']/;

/** A service key: long, generated, without the punctuation of paths and addresses. */
function isServiceKey(value: string): boolean {
  if (isStandIn(value) || isSequence(value) || /[\s/:.]|^pk_/.test(value)) return false;
  if (isHashLike(value)) return value.length >= 32 && !value.includes("-") && /\d/.test(value) && hasDistinct(value, 8);
  return /\d\D{1,20}\d/.test(value) && isRandom(value, 20);
}

/** An address, a date or a role, which stand in tables of users too. */
const USER_FACT =
  /^\d[\d\-/:. ]*$|^[\w-]+\.[\w.-]+$|^(?:user|role|admin|group|member|level|tier|id)[a-z_-]{0,20}\d{1,3}$/;

/** A password in a table of users: with a symbol, a digit or mixed case. */
function isUserPassword(value: string): boolean {
  return isMarkedArgument(value) && value.length >= 6 && !USER_FACT.test(value);
}

/** Rules by the context of the literal. */
export const TYPED: readonly RedactionRule[] = [
  // a prompt, then what is sent to it
  rule(
    "typed-password",
    ["assword", "ASSWORD", "assphrase", "PIN", "密码"],
    `((?:assword|assphrase|PIN|密码)[^\\n"']{0,16}["'][^\\n"'=]{0,24}[\\s;)&|]{1,40}[^\\n"'=]{0,60}\\b(?:send|write|type|put|say|answer|respond|respon[sd]e|input|exec)\\w{0,10}[\\s(:=]{1,4}(?:--\\s)?${LITERAL})${VALUE}`,
    { accepts: isArgument },
  ),
  // input from a prompt, compared with a literal
  rule(
    "compared-password",
    [") ==", ")==", ") !=", ")!="],
    `((?:getpass\\w{0,8}(?:\\.getpass)?|(?:input|prompt|readline|gets|Read\\w{0,12}|ask|question)(?=\\([^()\\n]{0,40}${WORD}))\\([^()\\n]{0,60}\\)[\\w.()]{0,24}\\s{0,2}[!=]==?\\s{0,2}${LITERAL})${VALUE}`,
    { flags: "gi", needs: SPEAKS, accepts: isArgument },
  ),
  // a plaintext password that is hashed, on a line that mentions a password
  rule(
    "hashed-password",
    ["md5(", "MD5(", "sha1(", "sha256(", "sha512(", "SHA", "igest(", "ash("],
    `((?:md5|sha_?\\d{1,3}|digest|hexdigest|hash\\w{0,8}|ntlm)(?:sum)?\\s{0,2}\\(\\s{0,4}${LITERAL})${VALUE}(?=["'\`][^\\n]{0,80}${WORD}|["'\`](?<=${WORD}[^\\n]{0,140}))`,
    { flags: "gi", needs: SPEAKS, accepts: isSpoken },
  ),
  rule(
    "hashed-password",
    ["sum", "openssl"],
    `((?:echo|printf)\\s{1,4}(?:-\\w{1,3}\\s{1,4})?["']?)[^\\s"'|$]{4,100}(?=["']?\\s{0,4}\\|\\s{0,4}(?:md5|sha\\d{1,3})(?:sum)?\\b[^\\n]{0,60}${WORD})`,
    { flags: "gi", needs: SPEAKS, accepts: isFree },
  ),
  // a comment on the same line, or on the line above an assignment
  rule(
    "commented-password",
    ["assw", "ASSW", "assphrase", "pwd", "pw", "密码", "口令"],
    `(["'])${VALUE}(?=["'][^"'\\n]{0,30}?[ \\t](?:#|//|--|/\\*|<!--)[^\\n"']{0,40}${WORD}(?![^\\n]{0,12}(?:must|should|require|field|valid|hash|length|reset|prompt|\\?)))`,
    { flags: "gi", needs: SPEAKS, accepts: isSpoken },
  ),
  rule(
    "commented-password",
    ["assw", "ASSW", "assphrase", "pwd", "pw", "密码", "口令"],
    `((?:#|//|--|/\\*|<!--|;)[^\\n]{0,60}${WORD}(?![^\\n]{0,20}(?:must|should|require|field|label|input|valid|hash|length|reset|check|\\?))[^\\n]{0,40}\\n[ \\t]{0,20}(?:[\\w.$-]{1,40}[ \\t]{0,2}){0,3}[\\w.$\\]["'-]{0,20}\\s{0,2}[:=]{1,2}>?\\s{0,2}${LITERAL})${VALUE}`,
    { flags: "gi", needs: SPEAKS, accepts: (value) => isSpoken(value) && !/\s/.test(value) },
  ),
  // a table of users and their passwords
  rule(
    "user-table",
    [
      "users",
      "Users",
      "USERS",
      "ccounts",
      "CCOUNTS",
      "ogins",
      "LOGINS",
      "redentials",
      "REDENTIALS",
      "creds",
      "CREDS",
      "asswords",
      "ASSWORDS",
    ],
    `((?:users|accounts|logins|credentials|creds|passwords)["']?\\s{0,2}(?::[^=\\n]{1,40})?[:=]\\s{0,2}(?:new \\w{1,20}\\s?\\{?|dict\\(|\\w{1,10}!?)?[{[(]{1,2}\\s{0,8}(?:["']?[\\w.@-]{1,40}["']?\\s{0,2}(?::|=>|,)\\s{0,4}(?:["'][^"'\\n]{0,60}["']|\\w{1,12})[\\s)\\]]{0,3},[\\s([]{0,8}){0,5}["']?(?:admin\\w{0,12}|root|guest|demo|test\\w{0,10}|user\\d{1,3}|alice|bob|carol|dave|eve|john\\w{0,8}|jane|operator|manager|superuser|dev\\w{0,8}|ops|staff|support|svc\\w{0,12}|service|[\\w.-]{1,30}@[\\w.-]{3,30})["']?\\s{0,2}(?::|=>|,|=)\\s{0,4}["'])${VALUE}`,
    {
      flags: "gi",
      needs:
        /(?:users|accounts|logins|credentials|creds|passwords)["']?\s{0,2}(?::[^=\n]{1,40})?[:=]\s{0,2}(?:new \w{1,20}\s?\{?|dict\(|\w{1,10}!?)?[{[(]/i,
      accepts: isUserPassword,
    },
  ),
  // a state that describes the value in another field
  rule(
    "sensitive-value",
    ["random_password", "random_string"],
    '("(?:result|value|bcrypt_hash)"\\s{0,2}:\\s{0,2}")(?:[^"\\\\\\n]|\\\\.){4,200}',
    { accepts: (value) => !isStandIn(value) },
  ),
  rule(
    "sensitive-value",
    ['"sensitive"'],
    '("sensitive"\\s{0,2}:\\s{0,2}true\\s{0,2},\\s{0,20}(?:"type"\\s{0,2}:\\s{0,2}"string"\\s{0,2},\\s{0,20})?"value"\\s{0,2}:\\s{0,2}"|"value"\\s{0,2}:\\s{0,2}"(?=[^"\\n]{4,200}"\\s{0,2},\\s{0,20}(?:"type"\\s{0,2}:\\s{0,2}"string"\\s{0,2},\\s{0,20})?"sensitive"\\s{0,2}:\\s{0,2}true))[^"\\n]{4,200}',
    { accepts: (value) => !isStandIn(value) },
  ),
  // the first entry of a block whose name says what its entries are
  rule(
    "sensitive-value",
    ["tokens", "secrets", "apiKeys", "api_keys", "credentials"],
    `(\\b(?:tokens|secrets|api_?[kK]eys|credentials)["']?\\s{0,2}[:=]?\\s{0,2}\\{\\s{0,12}["']?[\\w-]{1,40}["']?\\s{0,2}[:=]\\s{0,2}["'])${VALUE}`,
    { accepts: (value) => value.length >= 16 && isKeyLike(value) },
  ),
  // a vendor's client that takes its key as the only or the last string
  rule(
    "call-argument",
    ["("],
    `((?:\\bnew\\s{1,2}|[^\\w.]|^)${NO_CLIENT}[A-Z][A-Za-z0-9]{2,30}(?:(?:\\.|::)[A-Za-z]\\w{1,30}){0,2}\\(\\s{0,8}(?:[\\w."':/@-]{1,60}\\s{0,2},\\s{0,8}){0,2}["'])${VALUE}(?=["']\\s{0,8}(?:\\)|,\\s{0,8}[{\\w]))`,
    { flags: "gm", needs: LONG_LITERAL, accepts: isServiceKey },
  ),
  rule(
    "call-argument",
    ["provider ", "client ", "configure ", "set "],
    `(\\b(?:provider|client|configure|set|use|register)\\s:?\\w{2,30},\\s{0,4}(?:[^,\\n]{1,60},\\s{0,4}){0,2}["'])${VALUE}`,
    { needs: LONG_LITERAL, accepts: isServiceKey },
  ),
  // a character array, which some interfaces require for passwords
  rule("call-argument", [".toCharArray()"], `(")${VALUE}(?="\\.toCharArray\\(\\))`, {
    accepts: (value) => isArgument(value) && !/0123456789|abcdef|\s/i.test(value),
  }),
];
