import { isHashLike, isSequence, VERSION_TEXT } from "./judge.ts";

/**
 * Recognises values that look random but are public, by their name, their own prefix or their context. Contract:
 * linear; a word for a secret on the same line takes precedence over the shape of the value.
 */

/** Base64 prefixes that are the signature of a file format. */
const FILE_SIGNATURE =
  /^(?:iVBORw0KGgo|R0lGOD|AGFzbQ|UEsDB|\/?9j\/|PHN2Zy|PD94bW|d09GM|d09GR|AAEAAAA|T1RUTw|JVBERi0|AAABAA|UklGR|H4sI|T2dnUw|SUQz|GkXfo|AAAA[A-Za-z0-9+/]{2}Z0eX|Qk[0-9]|N3q8r|QlpoO|KLUv\/)/;

/** Base64 prefix of an SSH public key: the length and name of its type. */
const SSH_PUBLIC = /^AAAA(?:[BC]3Nza|E2Vj|[GI][nH]Nr)/;

/** Ids of accounts, messages, calls, numbers and services, recognisable by two letters; keys have others. */
const OBJECT_SID = /^(?:AC|SM|MM|CA|RE|PN|CH|MG|VA|IS|ZS|WA|CF|QU)[0-9a-f]{32}$/;

/** Values that are public by their own shape. Each row: a description and the pattern. */
const PUBLIC_SHAPES: readonly (readonly [string, RegExp])[] = [
  ["age recipient", /^age1[a-z0-9]{50,70}$/],
  ["minisign public key", /^RW[QRST][A-Za-z0-9+/]{53}$/],
  ["publishable key of a payment service", /^pk_(?:live|test)_[A-Za-z0-9+/]{8,}/],
  ["public key of a social network", /^n(?:pub|ote|profile|event)1[a-z0-9]{20,}$/],
  [
    "address of a chain",
    /^(?:0x[0-9a-fA-F]{40}|[13T][1-9A-HJ-NP-Za-km-z]{25,34}|(?:bc|tb|ltc|cosmos|addr)1[a-z0-9]{20,100})$/,
  ],
  [
    "content id",
    /^\/{0,2}(?:ip[fn]s\/{1,3})?(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|baf[a-z][a-z0-9]{50,60}|k51[a-z0-9]{50,60})(?:[./][\w./-]{1,80})?$/,
  ],
  ["signature of minisign", /^RU[QRST][A-Za-z0-9+/]{97}/],
  ["resource of a cloud", /^ocid1\./],
  ["object id of a message service", OBJECT_SID],
  ["nonce of a page", /^nonce-[A-Za-z0-9+/_-]{8,}={0,2}$/],
  ["ULID", /^01[0-9A-Z]{24}$/],
  [
    "object id of a payment service",
    /^(?:cus|price|prod|pi|evt|sub|in|ch|seti|pm|card|acct|txn|si|plan|we|src|ba|po|tr|il|ii|inv|mandate|du|py|cs|bps|promo|coupon|tax|txr|ord|order|cust|msg|run|asst|thread|file|resp|call|toolu|chatcmpl|cmpl|req|user|usr|org|team|proj|vs|batch|ftjob)[_-](?:(?:test|live)_)?[A-Za-z0-9]{8,40}$/,
  ],
  ["anchor of a change", /^diff-[0-9a-f]{32,64}(?:[LR]\d{1,6}(?:-[LR]?\d{1,6})?)?$/],
  ["mangled name", /^_{1,3}(?:ZN|Z|R|T|s)[A-Za-z0-9_.$]{10,}$|17h[0-9a-f]{16}E$/],
  ["store path of Nix", /^\/nix\/store\/[0-9a-z]{32}-[A-Za-z0-9+._?=-]{2,}(?:\/[\w./+-]{0,200})?$/],
  ["file system's id", /^(?:PART|FS)?UUID=[0-9A-Fa-f-]{4,36}$/],
  [
    "certificate in base64",
    /^(?:MII[A-Za-z0-9+/]{10}|LS0tLS1CRUdJTi(?:BDRVJU|BQVUJM|BSU0EgUFVCT|BYNTA5|BUU0FDR|BQR1AgUFVCT))/,
  ],
];

/** Names directly before a value that mark it as an id, a hash or public. */
const PUBLIC_NAME =
  /(?:(?:^|[^A-Za-z])(?:id|ID|uuid|guid|ulid|cuid|ksuid|nanoid|xid|etag|ETag|nonce|kid|rev|ref|sha|hash|commit|digest|slug|cursor|buildId|x5t|x5c)|[a-z0-9](?:Id|ID|Uuid|UUID|Guid|Hash|Sha|Digest|Etag|Revision|Fingerprint|Thumbprint|Cursor|SiteKey|Sitekey|sitekey)|[a-z0-9][_-](?:id|Id|ID|uuid|guid|hash|sha|digest|fingerprint|thumbprint|revision|cursor|sitekey)|_(?:ID|UUID|HASH|SHA|DIGEST|FINGERPRINT))["'`\]]{0,2}\s{0,2}(?:[:=>(]|=>|:=){1,2}\s{0,2}["'`(]{0,2}$/;
const SECRET_ID =
  /(?:secret|token|session|auth|access_?key|client_?key|password|sess)[a-z_]{0,6}(?:id|hash|digest|sha)["'`\]]{0,2}\s{0,2}[:=>(]/i;
/** A name that says only `key`, before a UUID: rows, items and idempotent requests have such keys. */
const ITEM_KEY = /(?:^|[^A-Za-z_.-]|idempotency[_-])(?:key|Key|KEY)["'`\]]{0,2}\s{0,2}[:=>]{1,2}\s{0,2}["'`{]{0,2}$/i;
/** Parts of addresses that precede the id of a document. */
const DOCUMENT_URL =
  /^\/\/[\w.-]{3,100}\/(?:[\w.@-]{1,60}\/){0,4}(?:d|e|drive|file|files|document|doc|docs|spreadsheets|presentation|forms|folders|watch|embed|playlist|video|design|proto|board|issues|pull|commit|blob|tree|compare|raw|releases|download|assets|static|media|image|images|uploads|share|notebook|page|wiki|track|album|artist|episode|show|photo|post|posts|article|product|item|avatar|attachments)\/[\w-]{10,}/;
/** Revisions on a repository host. */
const REVISION_URL =
  /^\/\/[\w.-]{3,60}\/[\w.-]{1,60}\/[\w.-]{1,60}\/(?:-\/)?(?:commit|commits|compare|blob|tree|pull|blame|raw)\//;
/** The name of an image before its tag. */
const IMAGE = /(?:^|[\s"'=@])[\w.-]{1,60}(?::\d{1,5})?\/[\w./-]{1,100}:$/;
const ID_PREFIX = /[?&]v=$|ipfs:(?:\/\/)?$|magnet:\?xt=urn:[a-z0-9]+:$/;
/** Names whose value is public or encrypted, regardless of other words on the line. */
const OPEN_NAME =
  /(?:publishable[_-]?key|site[_-]?key|verification(?:[_.-]?(?:code|token|id))?["']?\s{1,4}content|site-verification|domain-verification|\bsecure|X509\w{2,20}|SUPublicEDKey|\bSHA-?(?:1|256|384|512)|\bminisign\b[^\n]{0,80}\s-P|\{cipher\}|(?:fingerprint|thumbprint)(?: is)?)["'`\]]{0,2}\s{0,2}[:=>(]{0,2}\s{0,2}["'`]?$/i;
/** Tracking parameters that advertisers add to addresses. */
const TRACKER =
  /[?&](?:fbclid|gclid|gbraid|wbraid|dclid|msclkid|yclid|ttclid|twclid|igshid|li_fat_id|mc_[ce]id|utm_\w{2,12}|_gl|_ga|ved)=$/;
/** Graphics: an embedded picture or font, the path of a drawing. */
const DRAWN =
  /data:(?:image|font|audio|video|application\/(?:x-)?font)[\w/+.;=-]{0,60},$|\b(?:d|points)=["'][MmLlHhVvCcSsQqTtAaZz\d\s.,-]{0,190}$/;
/** The name of a property list entry, before its value. */
const PLIST_KEY = /<key>([^<>\n]{1,80})<\/key>\s{0,20}<(?:string|data)>\s{0,20}$/;
const PUBLIC_PLIST = /SPKI|SHA-?\d|public|fingerprint|certificate|hash|digest/i;
const JWK_PART = /["'](?:n|x|y|e|kid|x5t)["']\s{0,2}:\s{0,2}["']$/;
const JWK_CHARS = 2_500;

/** A random-looking token and its context. */
interface TokenPlace {
  readonly text: string;
  readonly at: number;
  readonly token: string;
  /** True if a word on the line suggests a secret. */
  readonly secretive: boolean;
}

/** True for a token that is public by its shape, its name or its address. */
export function isPublicToken({ text, at, token, secretive }: TokenPlace): boolean {
  if (SSH_PUBLIC.test(token)) return true;
  const before = text.slice(Math.max(0, at - 200), at);
  if (isOpenPlace(before) || (/\bkeys?["']?: ["']?$/.test(before) && isCacheKey(token))) return true;
  if (FILE_SIGNATURE.test(token) && token.length >= 24) return !secretive;
  if (token.startsWith("LS0tLS1CRUdJTi") || token.startsWith("MII")) return isPublicEncoded(token) && !secretive;
  if (JWK_PART.test(before) && isPublicJwk(text, at)) return true;
  if (/\barn:[a-z0-9:./*-]{4,160}$/i.test(before) || /pin-sha256=["']?$/.test(before)) return true;
  if (isAlphabet(token) || isSequence(token) || VERSION_TEXT.test(token)) return true;
  const shape = PUBLIC_SHAPES.find(([, form]) => form.test(token));
  if (shape !== undefined && (!secretive || /^(?:age1|RW[QRST]|pk_|npub1|AC)/.test(token))) return true;
  if (REVISION_URL.test(token) || isProjectId(text, at, token)) return true;
  if (IMAGE.test(before)) return true;
  if (DOCUMENT_URL.test(token) || ID_PREFIX.test(before)) return !secretive;
  if (ITEM_KEY.test(before.slice(-30)) && token.includes("-") && isHashLike(token)) return true;
  return PUBLIC_NAME.test(before.slice(-60)) && !SECRET_ID.test(before.slice(-60));
}

/** True if the text before a value marks it as public, encrypted, a tracking parameter or graphics. */
function isOpenPlace(before: string): boolean {
  // The name of a package cache before its public key.
  if (/(?:^|[\s"'=])[\w-]{1,40}(?:\.[\w-]{1,40}){1,5}-\d:$/.test(before)) return true;
  if (OPEN_NAME.test(before.slice(-160)) || TRACKER.test(before.slice(-40)) || DRAWN.test(before)) return true;
  const key = PLIST_KEY.exec(before)?.[1];
  return key !== undefined && PUBLIC_PLIST.test(key);
}

/** Ids of objects in project files: a GUID in braces, or 24 hex digits before a name in a comment. */
function isProjectId(text: string, at: number, token: string): boolean {
  const next = text.slice(at + token.length, at + token.length + 4);
  if (/^[0-9A-F]{24}$/.test(token)) return next === " /* ";
  return token.includes("-") && isHashLike(token) && text.charAt(at - 1) === "{" && next.startsWith("}");
}

/** A certificate or a public key that is base64-encoded as a whole; a private key is recognisable after decoding. */
function isPublicEncoded(token: string): boolean {
  const head = Buffer.from(token.slice(0, 80), "base64").toString("latin1");
  if (head.startsWith("-----BEGIN")) return !head.includes("PRIVATE") && !head.includes("OPENSSH");
  // SubjectPublicKeyInfo starts with the algorithm, a private key with a version number, a certificate with its body.
  return /^0\x82..0\x0d\x06\x09\x2a\x86H\x86\xf7\r\x01\x01\x01|^0\x81.0\x0d\x06\x09|^0\x82..0\x82/s.test(head);
}

/** True if the JWK object around a position has no private part. */
function isPublicJwk(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - JWK_CHARS), at);
  const after = text.slice(at, at + JWK_CHARS);
  const close = after.indexOf("}");
  const around = before.slice(before.lastIndexOf("{") + 1) + (close < 0 ? after : after.slice(0, close));
  return around.includes("kty") && !/["']d["']\s{0,2}:/.test(around);
}

/** A character set to choose from: long, and without repeated characters. */
function isAlphabet(token: string): boolean {
  return token.length >= 28 && new Set(token).size === token.length;
}

/** The key of a cache: words for a system and a tool, then a hash of what is cached. */
const CACHE_KEY =
  /^(?:[a-z][a-z0-9.]{0,12}|v?\d[\d.]{0,8})(?:[-_](?:[a-z][a-z0-9.]{0,12}|v?\d[\d.]{0,8})){0,6}[-_][0-9a-f]{7,64}$/i;

const CACHED = /linux|macos|windows|node|npm|yarn|pnpm|pip|deps|cache|build|gradle|maven|cargo|go|gems?|v\d/i;

function isCacheKey(value: string): boolean {
  return CACHE_KEY.test(value) && CACHED.test(value);
}

/** True for a UUID or a cache key under a name that says only `key` or `id`: rows, items and caches have such keys. */
export function isItemKey(name: string, value: string): boolean {
  if (/^(?:key|keys|restore-keys?)$/i.test(name) && isCacheKey(value)) return true;
  return (
    /^(?:key|keys|id|_key|(?:item|row|react|idempotency)[_-]?key)$/i.test(name) &&
    value.includes("-") &&
    isHashLike(value)
  );
}

/** True for an object id whose two-letter prefix gives its type. */
export function isObjectId(value: string): boolean {
  return OBJECT_SID.test(value);
}
