import { isHashLike } from "./judge.ts";

/** Classifies names of values: which describe a secret or are public, and which announce the secret itself. */

/** Endings of names that only describe a secret: `tokenUrl`, `key_length`, `secretName`, `UserSecretsId`. */
const ABOUT =
  /(?:name|url|uri|endpoint|path|file|dir|limit|count|counts|type|types|length|len|size|budget|kind|label|policy|env|var|list|field|fields|pattern|regex|ttl|header|headers|prefix|suffix|version|index|algorithm|alg|format|class|hash|digest|checksum|s_?id|option_?id|ref|errors?|message|manager|service|provider|handler|hasher|validator|column|title|placeholder|hint|at|bytes|max|min|usage|expiry|expires(?:_?in)?|required|enabled|support|rate|days|input|form|view|fingerprint|fpr|thumbprint|identifier|encryption|sha|rev|revision|commit|tag|audience|issuer|scopes?|used|remaining|total|(?:key|token|credentials?)_?ids?)$/i;
const PUBLIC =
  /^(?:hash|digest|checksum|fingerprint|sha\d{0,3}|md5)_?of_|\.(?:css|[jt]sx?|json|html|svg|png|md|txt|zip|gz|tgz|whl|py|go|rs|java|rb|php|[ch])$|existing_?secret$|colou?r$|^auth0$|pub(?:lic|_|key)|publishable|primary_?key|foreign_?key|(?:cache|sort|partition|row|item|object|storage|query|react|map|site|inchi)[_-]?key|verif(?:y|ication)_?key|authority|certificate|sha-?\d{1,3}$|key_?id$|fingerprint/i;

/** True for a name that describes a secret, or whose value is public. */
export function isAboutName(name: string): boolean {
  return ABOUT.test(name) || PUBLIC.test(name);
}

/** Endings of names that also say whose secret it is: `CLIENT_SECRET`, `x-api-key`, `authToken`. */
const OWNED =
  /(?:[A-Za-z0-9][_.-]|[a-z0-9](?=[A-Z]))(?:secret|token|passphrase)$|secret_?key_?base$|(?:api|secret|private|auth|access|signing|encryption|master|session|app|hmac|service)[_.-]?key$|(?:client|app|shared|consumer|webhook)_?secret$/i;
/** Tokens of languages, lists and models, which are not secrets. */
const OTHER_TOKEN =
  /(?:bos|eos|pad|unk|mask|sep|cls|start|end|stop|special|next|prev(?:ious)?|last|first|current|closing|opening|close|open|image|page|paging|continuation|cursor|separator|begin|delimiter|operator|string|number|comment|keyword|syntax|semantic|design|sub|word|cancel(?:lation)?|injection|di|provider|lexer|parser)[_-]?token$/i;

/** True for a name that says whose secret or token its value is: the value may be a word chosen by a person. */
export function isOwnedName(name: string): boolean {
  return OWNED.test(name) && !OTHER_TOKEN.test(name);
}

const SESSION = /^(?:[\w.-]*[_.-])?(?:session|sess|sid)(?:[_-]?id)?$|[a-z]Session(?:Id)?$/i;

/**
 * True for a public value under a name that contains a word for a secret: the UUID of a session, the address of a
 * contract called a token, a secret that was hashed or encrypted.
 */
export function isPublicValue(name: string, value: string): boolean {
  if (SESSION.test(name) && value.includes("-") && isHashLike(value)) return true;
  if (/^0x[0-9a-f]{40}$/i.test(value)) return !/secret|priv|passw|api|seed/i.test(name);
  return /^(?:hashed|encrypted|masked)[_-]?[a-z]/i.test(name) && isHashLike(value);
}
