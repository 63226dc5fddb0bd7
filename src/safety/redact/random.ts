import { isHarmlessData } from "./encoded.ts";
import { isHashLike, isRandom, isStandIn, toShape } from "./judge.ts";
import { isPublicToken } from "./public.ts";
import { MARK } from "./rules.ts";
import { isAnnounced, isSpokenOf, SECRET_LINE } from "./speaks.ts";

const TOKEN = /[A-Za-z0-9+/_~.-]{14,}={0,3}/g;
/** Lines where random-looking text is expected: hashes, lock files, embedded data, public keys. */
const HASH_LINE =
  /sha-?(?:1|224|256|384|512)(?![0-9A-Za-z])|(?:[a-z]Hash|_hash|\bhash)\b|integrity|checksum|digest|\bh1:|;base64,|ssh-(?:rsa|dss|ed25519)|ecdsa-sha2|\betag\b|resolved|\bmd5\b|blake|fingerprint|\bcommit\b|\brev(?:ision)?\b|ObjectId|traceparent|BEGIN CERTIFICATE|certificate-authority|client-certificate|ca_?bundle|pin-sha256|Change-Id|thumbprint|DEFINE_\w{0,24}GUID|\bGUID_|\bx5[ct]/i;
const PUBLIC_LINE =
  /public[_ -]?(?:key|token)|pub_?key|_PUBLIC\b|BEGIN PUBLIC|\bgpg: |--recv-keys?\b|keyserver|\.pub\b|signingkey|v=DKIM1|verif(?:y|ication)[_ ]?key/i;
const ID_BEFORE = /id["'`]?\s{0,2}[:=>(]{1,2}\s{0,2}["'`]?$/i;
const ODD_UUID = /^[0-9a-z]{8}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{12}$/i;
/** The extension of a file name or the end of a host name. */
const FILE_END = /\.[a-z]{1,7}\d{0,2}$/;

/** Occurs only in a block of encoded lines, whose first or last line may be a token of any shape. */
const LONG_RUN = /[A-Za-z0-9+/]{60}/;

/** Hides random-looking values that no name announces. Contract: linear; looks at each token once. */
export function hideRandom(text: string, hit: (kind: string) => void): string {
  let line: ReturnType<typeof readLine> | undefined;
  let chain: Chain = { end: -1, column: 0 };
  const hasBlock = LONG_RUN.test(text);
  return text.replace(TOKEN, (token: string, at: number) => {
    if (chain.end < 0 && !hasBlock && isPlain(token)) return token;
    if (line === undefined || at > line.end) line = readLine(text, at);
    const { start, hashy, secretive } = line;
    const place = { line: line.text, from: at - start, to: at - start + token.length };
    const announced = !hashy && isAnnounced(text, start, place);
    // On a line that mentions a secret, a hash counts only if the line refers to this very token.
    const bare = token.replace(/^[+-]{1,2}(?=[0-9a-f])/, "");
    const isHash = isHashLike(bare);
    const certain = announced || (secretive && isSpokenOf(place));
    const spoken = secretive && !isHash && !hashy ? true : certain;
    if (line.isPublic || (isHash && (!spoken || isId(text, at, start)))) return token;
    const from = toSecretStart(token, text.charAt(at - 1), {
      hashy,
      secretive: spoken,
      path: /^[~.]{0,2}\/?(?:[\w.-]{1,60}\/){3}/.test(token),
    });
    const linked = from < 0 && !hashy && isLinked(text, at, token, { chain, column: at - start });
    if ((from < 0 && !linked) || isPublicToken({ text, at, token, secretive: certain })) return token;
    if (!certain && !secretive && isHarmlessData(token, line.text.slice(0, at - start))) return token;
    if (token.length >= 40 || linked) chain = { end: at + token.length, column: at - start };
    hit("random-value");
    return `${token.slice(0, Math.max(0, from))}${MARK}`;
  });
}

/** The line around a position, up to 2,000 characters of it, and what its words suggest about the tokens on it. */
function readLine(text: string, at: number) {
  const start = text.lastIndexOf("\n", at) + 1;
  const next = text.indexOf("\n", at);
  const end = next < 0 ? text.length : next;
  const line = text.slice(start, Math.min(end, start + 2_000));
  return {
    start,
    end,
    text: line,
    hashy: HASH_LINE.test(line),
    isPublic: PUBLIC_LINE.test(line),
    secretive: SECRET_LINE.test(line),
  };
}

/**
 * True for a token that is never a secret, whatever the line: names and paths, which most tokens are. It has hardly any
 * digits, and no long part of it looks random. Contract: if true, {@link toSecretStart} returns -1 for any line.
 */
function isPlain(token: string): boolean {
  if (/\d\D{0,4000}\d/.test(token) || (token.length >= 36 && (/\d/.test(token) || isHashLike(token)))) return false;
  const parts = token.match(/[A-Za-z0-9+]{14,}/g) ?? [];
  return parts.every((part) => !isHashLike(part) && !isRandom(part, 14));
}

/** True for a number that is an id by its name or its statement. */
function isId(text: string, at: number, lineFrom: number): boolean {
  if (ID_BEFORE.test(text.slice(Math.max(0, at - 12), at))) return true;
  return /^\s{0,20}insert into/i.test(text.slice(lineFrom, lineFrom + 40));
}

/** What a token's line and its surroundings suggest. */
interface Context {
  readonly hashy: boolean;
  readonly secretive: boolean;
  /** True if the token is a file system path. */
  readonly path: boolean;
}

/** Where in a token the random part starts, or -1. */
function toSecretStart(token: string, before: string, line: Context): number {
  if (token.length > 4_000 || isStandIn(token)) return -1;
  if (line.hashy && !line.secretive) return -1;
  if (isHashLike(token))
    return line.secretive && !line.hashy && token.length >= 20 && /[\s"'`{=:>]/.test(before) && !/^\d+$/.test(token)
      ? 0
      : -1;
  if (FILE_END.test(token) || before === "$") return -1;
  if (ODD_UUID.test(token) && /\d/.test(token) && !line.hashy) return 0;
  if (isPath(token)) return -1;
  // A line of an encoded block is hidden as a whole; otherwise a slash in it would expose its first part.
  if (!line.hashy && /^[A-Za-z0-9+/]{40,}={0,2}$/.test(token) && /\d/.test(token) && isRandom(token, 40)) return 0;
  let at = 0;
  let previous = "";
  let start = 0;
  let inSlug = false;
  for (const part of token.split(/[_.~/=-]/)) {
    const prefixed = /^[A-Za-z][A-Za-z0-9]{0,15}$/.test(previous) && at > 0 && /[_~-]/.test(token.charAt(at - 1));
    if (isSecretPart(part, prefixed, line)) {
      inSlug = isHashLike(part) && !line.secretive && isSlug(token, at, part);
      if (!inSlug) return Math.min(start, at);
    }
    at += part.length + 1;
    // Preceding parts that do not read like words belong to the random part.
    if (!isRandom(part, 5)) start = at;
    previous = part;
  }
  if (line.hashy || inSlug) return -1;
  const shape = toShape(token);
  const prefix = /^[A-Za-z][A-Za-z0-9]{1,11}[_-]/.exec(token)?.[0].length ?? 0;
  if (prefix > 0 && isSecretRest(token.slice(prefix))) return prefix;
  const mixed = shape.lower > 3 && shape.upper > 3 && shape.digits > 2;
  if (mixed && token.length >= 32 && isRandom(token, 28) && shape.chunks * 2.6 >= token.length) return 0;
  if (
    line.secretive &&
    shape.digitRuns >= 3 &&
    shape.letters + shape.digits >= 20 &&
    /[\s"'`{=:>]/.test(before) &&
    isRandom(token, 20)
  )
    return 0;
  return -1;
}

/**
 * True for a path of folders with a hash among them: `/var/lib/docker/overlay2/<hash>/merged`, `key/<uuid>`,
 * `pages/Some-title-<hash>`.
 */
function isPath(token: string): boolean {
  const parts = token.split("/").filter((part) => part !== "");
  if (!token.includes("/")) return false;
  const isHash = (part: string) => isHashLike(part.replace(/^(?:[A-Za-z]{2,20}-){1,10}(?=[0-9a-f]{32}$)/, ""));
  const isFolder = (part: string) => /^[a-z][a-z0-9._-]{0,30}$|^[A-Z][A-Za-z-]{1,30}$/.test(part);
  return parts.some(isHash) && parts.every((part) => isHash(part) || isFolder(part));
}

/** A prefix that announces a secret: the hash after it is the secret itself. */
const KEY_WORD =
  /^(?:api|keys?|tok|tokens?|sec|secrets?|pat|auth|access|live|prod|bearer|cred\w*|sess|pass\w*|priv\w*)$/;

/**
 * True for a hash inside a name of words: `zeroshot-classifiers-<id>`, `schedule-<hash>`, `gpt2-tiny-<hash>-uint8`. A
 * vendor's token has a single short word before it, or one that says what it is.
 */
function isSlug(token: string, at: number, hash: string): boolean {
  const before =
    /(?:^|[/.])((?:(?:[a-z]{2,16}\d{0,3}|\d{1,4}[a-z]{1,2})-){1,8})$/
      .exec(token.slice(0, at))?.[1]
      ?.split("-")
      .slice(0, -1) ?? [];
  if (before.length === 0 || before.some((word) => KEY_WORD.test(word)) || isRandom(before.join(""), 12)) return false;
  const isFollowed = /^-[a-z]{2,}/.test(token.slice(at + hash.length));
  return before.length > 1 || isFollowed || (before[0] ?? "").length > 6;
}

function isSecretPart(part: string, prefixed: boolean, line: Context): boolean {
  if (part.length < 14) return false;
  if (isHashLike(part)) return prefixed && part.length >= 24 && !line.hashy;
  const shape = toShape(part);
  if (!isRandom(part, 14, part.length >= 24 && shape.digitRuns >= 4 ? 0.6 : 0.45)) return false;
  const short = line.secretive || prefixed;
  if (shape.digits < 2) {
    if (line.secretive) return part.length >= (prefixed ? 20 : 24) && (prefixed || isRandom(part, 24, 0.3));
    return prefixed && part.length >= 20 && !line.path;
  }
  if (shape.lower > 0 && shape.upper > 0) return part.length >= (short ? 16 : 20);
  return part.length >= (short ? 16 : 24) && shape.digitRuns >= 3;
}

/** The body of a token after the prefix of any vendor, for tokens with separators of their own. */
function isSecretRest(rest: string): boolean {
  const shape = toShape(rest);
  if (/^[a-z_]{2,20}=/i.test(rest)) return false;
  if (!isRandom(rest, 16, 0.35) || isHashLike(rest)) return false;
  if (shape.lower >= 3 && shape.upper >= 3) return shape.digits >= 2;
  return shape.letters + shape.digits >= 24 && shape.digitRuns >= 4;
}

/** Text that can separate the lines of an encoded block: line breaks, quotes, line numbers, comment characters. */
const BETWEEN = /^(?:\\[nr]|[\s"'`+,;*#>|:\d-]){1,40}$/;
/** The same after a cut at the start of the text, where the next line starts with a log timestamp or a path. */
const LONG_BELOW = /^["'`,;+\\]{0,4}\n[^\n]{0,72}[\s"'`:][A-Za-z0-9+/]{60}/;
const LONG_NEXT = /^(?:\\[nr]|[\s"'`+,;*#>|:\d-]){1,40}[A-Za-z0-9+/]{60}/;

/** Where the last long random token ended, and the column where it started. */
interface Chain {
  readonly end: number;
  readonly column: number;
}

/** True for the first or last piece of an encoded block, which is too short to be recognised on its own. */
function isLinked(text: string, at: number, token: string, place: { chain: Chain; column: number }): boolean {
  if (!isRandom(token, 12, 0.6) || isHashLike(token)) return false;
  const { end: chainEnd, column } = place.chain;
  if (chainEnd >= 0 && at - chainEnd <= 80) {
    const between = text.slice(chainEnd, at);
    if (BETWEEN.test(between)) return true;
    // The same prefix on every line: a log timestamp, or the path and line number of a search result.
    if (Math.abs(column - place.column) <= 1 && /^[^\n]{0,6}\n[^\n]{0,72}$/.test(between)) return true;
  }
  const end = at + token.length;
  return LONG_NEXT.test(text.slice(end, end + 110)) || (at === 0 && LONG_BELOW.test(text.slice(end, end + 150)));
}
