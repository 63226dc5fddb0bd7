import { wordSet } from "../../base/once.ts";

/**
 * Decides whether a value looks like a secret (generated, or chosen as a password) as opposed to a word, an identifier,
 * a hash, a path, a reference or a placeholder.
 */

/** Values in the position of a secret that are recognisable as placeholders. */
const PLACEHOLDER =
  /^(?:x{3,}|\*{2,}|\.{3,}|#{3,}|-{3,}|_{3,}|0{6,}|(?:x{1,40}[-_.]){2,20}x{0,40})$|^<|>$|^(?:\$\{[^}]*\}|\{\{[^}]*\}\}|\{[\w. -]*\}|%\w+%|\[[\w -]*\])$|^(?:changeme|change_me|example|placeholder|redacted|dummy|secret|password|passwd|token|string|null|none|nil|undefined|true|false|required|optional|hidden|masked|empty|default|test|foo|bar|baz|todo|admin|root|user)[.!;,]?$|x{6,}|X{6,}|\*{4,}|EXAMPLEEXAMPLE|placeholder|replace[-_ ]?me|do[-_ ]not[-_ ]use|[-_](?:here|goes[-_]here)$|<redacted/i;

/** First words of a placeholder, unless something random follows. */
const PLACEHOLDER_START =
  /^(?:your|my|the|an?|some|insert|enter|replace|change|put|add|set|fake|dummy|sample|example|placeholder|redacted|todo|fixme|not)[-_ ](?!\S{0,60}(?=[0-9a-f]{0,8}\d)[0-9a-f]{16})/i;

/** References to the place where the secret is stored (variables, calls, environment), or a pattern for one. */
const REFERENCE =
  /^\$[A-Za-z_({]|^[A-Za-z_$][\w$.:>?!]*(?:\(|\[[-:"'\w\]])|^(?:await|new|typeof|return|function|process|import|env|os|self|this|config|settings|secrets|vars|var|data|args|ctx|req|request|props|options|params)\b[.([ ]|\$\(|\$\{\{|^%\(|^&[A-Za-z]|^\*[A-Za-z]|^@[A-Za-z]|^\{\{|^!(?:Ref|Sub|GetAtt)|^#\{|^\w+\[\]$|^[A-Za-z_]\w*->|^(?:arn|op|vault|ssm|secretsmanager|github|gitlab|bitbucket|npm|workspace|link|magnet|git\+[a-z]+):|^ocid1\.|^-{4,5} ?BEGIN (?![A-Z0-9 ]{0,40}PRIVATE)|^\(|\[[^\]\s]{0,20}[a-z0-9]-[a-z0-9]|\\[bwds]|\{\d+(?:,\d*)?\}|\(\?/i;
/** A UUID that counts up from zero. */
const FIRST_UUID = /^0{8}-0{4}-[0-8]0{3}-[089ab]0{3}-0{8}[0-9a-f]{4}$/i;
/** A fraction, an exponent, or the limit of a numeric type: `tokens` and `keys` are also counted and priced. */
const AMOUNT = /^[-+]?\d{1,20}\.\d{1,20}(?:e[-+]?\d{1,3})?$|^U?(?:INT|LONG|SIZE|DBL|FLT)\d{0,2}_(?:MAX|MIN)$/i;
/** Members: `settings.token`, `Config::KEY`. */
const MEMBER = /^[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*){1,8}[!?;]?$/;

const UUID = /^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/i;
const HEX = /^(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)$|^0x[0-9a-fA-F]+[nuUlL]{1,3}$/;
const HOST = /^(?:[a-z0-9-]{1,40}\.){1,5}[a-z]{2,6}(?::\d+)?$/;
/** A path of words in settings or styles: `font.size.300`. */
const DOTTED_WORDS = /^[a-z]{2,16}(?:\.(?:[a-z]{2,16}|\d{1,4})){1,6}$/i;
/** Words and a version: a package, an archive, a branch. */
const PACKAGE = /^[a-z]{2,20}(?:[-_.][a-z]{1,20}){0,5}[-_]v?\d{1,4}(?:\.\d{1,4}){1,3}(?:[-.][a-z]{1,10}){0,2}$/i;
const SEQUENCE = /abcdefgh|ABCDEFGH|qwertyui|zyxwvuts/;
/** Parts of the names of algorithms and modes, without trailing numbers: `scram-sha-256`, `aes-256-gcm`. */
const ALGORITHM_PARTS = wordSet(
  "scram sha md aes des gcm cbc ctr ecb ccm hmac rsa dsa ecdsa eddsa ecdh dh ed x chacha poly blake bcrypt scrypt argon argon2i argon2id pbkdf hkdf hs rs es ps pkcs oaep pss kms wpa psk sae tls utf ascii latin base hex with plus",
);
/** Encrypted values: sealed secrets and ciphertexts of key services, recognisable by their first letters. */
const SEALED = /^(?:Ag[A-D][A-Za-z0-9+/]{40,}|AQICAH[A-Za-z0-9+/]{30,}|ENC[[(]|\{cipher\})/;
/** A PowerShell command that asks for a value or creates one. */
const CMDLET = /^(?:Read|Get|New|ConvertTo|ConvertFrom|Import|Invoke|Unprotect|Protect|Select|Join)-[A-Z][A-Za-z]+$/;
/** A version or an image tag. */
export const VERSION_TEXT = /^(?:v|rc)?\d{1,4}\.\d{1,4}(?:\.\d{1,4})?(?:[-+._][a-z0-9]{1,14}){0,4}$/i;

/** Counts of the character classes in a value. */
interface Shape {
  /** Number of letters. */
  readonly letters: number;
  readonly digits: number;
  readonly lower: number;
  readonly upper: number;
  /** Runs of one class: lower case (including a leading capital), upper case, digits. */
  readonly chunks: number;
  readonly digitRuns: number;
}

/** Counts classes and runs in one pass. */
export function toShape(value: string): Shape {
  let [lower, upper, digits, chunks, digitRuns] = [0, 0, 0, 0, 0];
  let last = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    const kind = code >= 97 && code <= 122 ? 1 : code >= 65 && code <= 90 ? 2 : code >= 48 && code <= 57 ? 3 : 0;
    if (kind === 1) lower++;
    else if (kind === 2) upper++;
    else if (kind === 3) digits++;
    // A capital and the lower-case letters after it are one run, as in an identifier.
    if (kind !== 0 && kind !== last && !(kind === 1 && last === 2)) chunks++;
    if (kind === 3 && last !== 3) digitRuns++;
    last = kind;
  }
  return { letters: lower + upper, digits, lower, upper, chunks, digitRuns };
}

/** True if at least `enough` different characters occur. Contract: stops as soon as that many are seen. */
export function hasDistinct(value: string, enough: number): boolean {
  const seen = [0, 0, 0, 0];
  let count = 0;
  for (let i = 0; i < value.length && count < enough; i++) {
    const code = value.charCodeAt(i) & 127;
    const word = seen[code >> 5] ?? 0;
    if ((word & (1 << (code & 31))) !== 0) continue;
    seen[code >> 5] = word | (1 << (code & 31));
    count++;
  }
  return count >= enough;
}

/** True for a hexadecimal number, a UUID or a plain number: the shapes of hashes and ids. */
export function isHashLike(value: string): boolean {
  return HEX.test(value) || UUID.test(value);
}

/**
 * A literal in the form in which it is judged. Words joined by dots with a trailing number are a password in quotes,
 * but would be taken for a member access; so the dots are replaced by hyphens.
 */
export function toLiteral(value: string): string {
  return /^[a-z]{3,}(?:\.[a-z]{3,}){1,3}\d{1,6}[!?]?$/i.test(value) ? value.replaceAll(".", "-") : value;
}

/** True for a value in the position of a secret that is recognisable as a placeholder. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || PLACEHOLDER_START.test(value);
}

/** True for a reference to the place where the secret is stored: a variable, a member, a call, a pattern. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value) || (MEMBER.test(value) && !isRandom(value, 12));
}

/** True for a value that only stands for a secret or refers to it. */
export function isStandIn(value: string): boolean {
  if (isPlaceholder(value) || REFERENCE.test(value) || SEALED.test(value) || CMDLET.test(value)) return true;
  if (AMOUNT.test(value) || FIRST_UUID.test(value)) return true;
  // The documentation of a cloud provider ends all its sample keys like this.
  if (/EXAMPLE(?:KEY)?$/.test(value) || isAlgorithm(value)) return true;
  return MEMBER.test(value) && !isRandom(value, 12);
}

/** True for the name of an algorithm or a method that consists of known parts. */
function isAlgorithm(value: string): boolean {
  if (value.length > 40 || value.charCodeAt(0) < 65) return false;
  return value.split(/[-_/+ ]/).every((part) => {
    const name = part.toLowerCase().replace(/\d{1,4}$/, "");
    return name === "" || ALGORITHM_PARTS.has(name) || ALGORITHM_PARTS.has(part);
  });
}

/** True for letters and digits in sequence, as in documentation: `abcdef1234567890`. */
export function isSequence(value: string): boolean {
  if (value.length < 12) return false;
  let steps = 0;
  for (let i = 1; i < value.length; i++) {
    const step = value.charCodeAt(i) - value.charCodeAt(i - 1);
    if (step === 1 || step === 0 || (step === -9 && value.charAt(i) === "0")) steps++;
  }
  return steps >= (value.length - 1) * 0.75;
}

/** Letter pairs that make up most of English and of identifiers; about one random pair in three is among them. */
const PAIRS = wordSet(
  "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke ui fr oo ag ap av bo cr da do ef ep ey fa fu gr gu ib if ki ok ob od pi qu rd rm rn rk sc sp ub uc ue um up ov vo va br bu by ck cl cu dr ds du eg ei eo gi go gn ht hu ip ls lt lu mb mm my nf nk nn nv og oi pp ps pt pu rc rg rl rr rv ru sl sm sn sy tt tw ug xt yp ys ny ff oc ak ew ik ye uf",
);
/** Names with digits that still count as words. */
const ALGORITHM =
  /(?:x|ed|curve)25519|sha\d{1,3}|pkcs\d{1,2}|rsa\d{3,4}|aes\d{3}|md5|utf\d{1,2}|base\d{2}|x509|p12|v\d(?=\D)|i18n|oauth2/gi;

/** Share of the letters and digits that belong to word-like runs, from 0 to 1. */
function toNaturalShare(value: string): number {
  let natural = 0;
  let size = 0;
  for (const [run] of value.replace(ALGORITHM, "").matchAll(/[A-Z]?[a-z]+|[A-Z]+|\d+/g)) {
    size += run.length;
    if (run.length < 3 || run.charCodeAt(0) < 58) continue;
    const low = run.toLowerCase();
    let common = 0;
    for (let i = 1; i < low.length; i++) if (PAIRS.has(low.slice(i - 1, i + 1))) common++;
    if (common >= (low.length - 1) * 0.6) natural += run.length;
  }
  return size === 0 ? 1 : natural / size;
}

/** True for letters and digits that no person would write: hardly any word-like runs. */
export function isRandom(value: string, minLength: number, maxNatural = 0.45): boolean {
  if (value.length < minLength || !hasDistinct(value, Math.min(8, minLength / 2))) return false;
  const shape = toShape(value);
  const size = shape.letters + shape.digits;
  if (size < minLength || shape.letters === 0 || SEQUENCE.test(value)) return false;
  if (size >= 16 && !hasDistinct(value, 8)) return false;
  if (shape.digits === 0 && (shape.lower === 0 || shape.upper === 0) && size < 16) return false;
  // Lower case, capitals and digits that alternate every few characters are not words, whatever pairs occur in them.
  const isBroken = size >= 24 && shape.digitRuns >= 2 && shape.lower > 3 && shape.upper > 3 && shape.chunks * 4 >= size;
  return toNaturalShare(value) < (isBroken ? Math.max(maxNatural, 0.7) : maxNatural);
}

/** True for a value that looks like a password, given that its name announces one. */
export function isPasswordLike(value: string, quoted: boolean): boolean {
  if (value.length < 4 || value.length > 400 || isStandIn(value)) return false;
  if (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(value)) return false;
  if (/^[\d.,:%]+(?:ms|s|m|h|d|px|em|k|kb|mb|gb)?$/i.test(value)) return false;
  const hasDigit = /\d/.test(value);
  const hasSymbol = /[!@#$%^&*+~?=]/.test(value);
  if (/^(?:[~.]{0,2}\/|https?:\/\/|[A-Za-z]:\\)/.test(value) && !/@/.test(value)) return false;
  if (/^[A-Za-z_]+$/.test(value)) return isRandom(value, 8);
  if (/^[a-z]+(?:[-_./: ][a-z]+)*[.:;,!?]?$/i.test(value)) return isRandom(value, 10);
  if (!hasDigit && !hasSymbol) return false;
  if (quoted) return !/\s/.test(value) || (hasDigit && hasSymbol);
  return (hasDigit && value.length >= 6) || (/[!@#$%^&*]/.test(value) && /[A-Za-z]/.test(value));
}

/** True for a value that looks like a generated key, given that its name announces one; hashes and UUIDs count. */
export function isKeyLike(value: string): boolean {
  if (value.length < 8 || isStandIn(value) || isSequence(value) || VERSION_TEXT.test(value)) return false;
  // Several words without a digit are a sentence, in whatever language.
  if (/\p{L}{3,}\s+\p{L}{2,}/u.test(value) && !/\d/.test(value)) return false;
  // Numbers in code and paths of objects in a store are called keys too.
  if (
    /^0x[0-9a-f]{1,16}[nul]{0,3}$|^#[0-9a-f]{3,8}$/i.test(value) ||
    /^[\w.-]+(?:\/(?:[\w.-]|\$\{\w+\})+)+\.[a-z0-9]{2,5}$/i.test(value)
  )
    return false;
  if (isHashLike(value)) return value.length >= 12 && /\d/.test(value) && hasDistinct(value, 6);
  if (/^[a-z]+(?:[-_./:][a-z]+)+$/i.test(value) && !isRandom(value, 20)) return false;
  if (/^(?:[~.]{1,2}\/|https?:\/\/|\/[a-z]{2,10}\/)/.test(value)) return false;
  if (HOST.test(value) || DOTTED_WORDS.test(value) || PACKAGE.test(value)) return false;
  // Random lower-case letters and digits form word-like runs by chance; two separate digits rule out most real words.
  return isRandom(value, 8, value.length >= 10 && /\d\D+\d/.test(value) ? 0.65 : 0.45);
}
