import { isAboutName, isPublicValue } from "./names.ts";

/**
 * Decides whether a line refers to the very token on it as a secret. A hash, an id and a key look alike, so the text
 * before the token decides: the nearest word for a secret, and what comes in between. Contract: linear; lines are
 * bounded.
 */

/** Words for a secret; not in random mixtures of case, which occur only by chance. */
export const SECRET_LINE =
  /[Ss]ecret|SECRET|[Tt]oken|TOKEN|(?:[Aa]pi|API)[_ -]?(?:[Kk]ey|KEY)|[Pp]ass[Ww]|PASSW|\bkey\b|_key\b|Key\b|\b(?:[A-Z0-9]+_)*KEY\b|[Cc]redential|CREDENTIAL|[Aa]uth(?!ority|or\b|ors\b)|AUTH(?!ORITY|OR\b|ORS\b)|密钥|令牌|口令|密码|[Bb]earer|BEARER/;
const SECRET_WORDS = new RegExp(SECRET_LINE.source, "g");
/** What may come between the word and its token: the end of a name, punctuation, and filler words. */
const BETWEEN =
  /^[\w-]{0,24}(?:--?\w{1,12}\b|["'`\]})>*:=,|\s(<[{]|->|=>|\b(?:is|was|are|be|now|set|to|as|or|using|use|with|value|here|new|old|my|your|the|this|that|key|token|secret|password|access|api|auth|bearer|basic|found|got|issued|created|generated|leaked|base64|hex|init|login)\b){0,24}$/i;
/** Endings of a name that turn the word for a secret into the name of something else. */
const OTHER_TOPIC =
  /^(?:[_-]?(?:id|ids|hash|sha|sha\d{3}|uuid|digest|commit|rev|version|count|type|name|file|path|url|request|scan|usage)\b|s?\b[^\w]{0,2}\.[a-z]{1,5}\b)/i;
/** A markup element contains only its secret, whatever precedes it. */
const ELEMENT = /\b(?:secret|password|token|api_?key)>[^<>]{0,60}$/i;
/** Git commands and object data, in which every hexadecimal number is the name of an object. */
const OBJECT_LINE = /^\s{0,8}(?:\$ )?git\s|^\d{6} (?:blob|tree|commit) |^(?:tree|parent|object|commit|index) [0-9a-f]/;
const COMMENT = /(?:^|\s)(?:#|\/\/|--|\/\*|<!--)\s{0,3}([^\n]{0,80})$/;
const ANNOUNCEMENT =
  /(?:secret|api[_ -]?key|access[_ -]?key|signing[_ -]?key|token|passw(?:or)?d|passphrase|credentials?|密钥|密鑰|令牌|口令|密码)(?:\s+[\w().,-]{1,16}){0,3}[\s:：*/>)-]*$/i;

/** The name that a token is assigned to. */
const ASSIGNED = /([\w.-]{2,60})["'`\]]{0,2}\s{0,3}(?::=|=>|[:=])\s{0,3}["'`({]{0,2}$/;

/** Names that do not describe what they hold. */
const GENERIC =
  /^(?:value|val|data|default|string|str|text|result|raw|plain|body|content|key|k|v|x|s|arg\d?|sign|id)$/i;

/** A call that hashes something: what is compared with the result is a hash, whatever was hashed. */
const HASHED =
  /(?:hash|digest|md5|sha\d{1,3}|crc\d{0,2}|blake|fnv|murmur|xxh|keccak|fingerprint|checksum)\w{0,16}(?:\s?\(|\s(?:of|for)\s)[^\n]{0,60}$/i;

/** A line and the token on it. */
interface TokenOnLine {
  readonly line: string;
  /** Where the token starts and ends in the line. */
  readonly from: number;
  readonly to: number;
}

/** True if the words before a token, or a comment after it, say that it is a secret. */
export function isSpokenOf({ line, from, to }: TokenOnLine): boolean {
  if (OBJECT_LINE.test(line)) return false;
  const before = line.slice(Math.max(0, from - 80), from);
  const name = ASSIGNED.exec(before)?.[1];
  if (name !== undefined && (isAboutName(name) || !(SECRET_LINE.test(name) || GENERIC.test(name)))) return false;
  if (isPublicValue(name ?? before.slice(-40), line.slice(from, to))) return false;
  let last: RegExpMatchArray | undefined;
  for (const match of before.matchAll(SECRET_WORDS)) last = match;
  if (last !== undefined) {
    const at = (last.index ?? 0) + last[0].length;
    const between = before.slice(at);
    const isNear = (BETWEEN.test(between) && !OTHER_TOPIC.test(between)) || ELEMENT.test(before);
    if (isNear && !isAboutName(toPhrase(before.slice(0, at)))) return !HASHED.test(before);
  }
  const comment = COMMENT.exec(line.slice(to, to + 120))?.[1];
  return comment !== undefined && ANNOUNCEMENT.test(comment) && /[\s"'`(,:=>[{]$|^$/.test(before);
}

/** The last two words of a text as one name: `cache key` is as public as `cache_key`. */
function toPhrase(text: string): string {
  return (/[\w-]{1,30}(?: [\w-]{1,30})?$/.exec(text)?.[0] ?? "").replace(" ", "_");
}

/**
 * True if the comment on the line above announces the token, and the token's line contains nothing else except a name.
 * Contract: `lineFrom` is the start of the token's line.
 */
export function isAnnounced(text: string, lineFrom: number, { line, from, to }: TokenOnLine): boolean {
  if (lineFrom === 0) return false;
  const previous = text.slice(Math.max(text.lastIndexOf("\n", lineFrom - 2) + 1, lineFrom - 160), lineFrom - 1);
  if (previous.length > 100 || !/^\s{0,20}(?:#|\/\/|--|\*|;|<!--)/.test(previous)) return false;
  if (/<redacted|https?:|[:=]\s?\S{8}/.test(previous) || !ANNOUNCEMENT.test(previous)) return false;
  const name = ASSIGNED.exec(line.slice(Math.max(0, from - 80), from))?.[1];
  if (name !== undefined && isAboutName(name)) return false;
  return (
    /^[\s>*+-]{0,20}(?:[\w.$\]["'-]{1,40}\s?){0,3}(?:[:=]{1,2}>?\s{0,3})?[bru@]?[("'`[]{0,2}$/.test(
      line.slice(0, from),
    ) && /^["'`)\];,\s]{0,6}(?:(?:#|\/\/)[^\n]*)?$/.test(line.slice(to))
  );
}
