import { hasDistinct, isHashLike, isKeyLike, isPasswordLike, isRandom, isStandIn } from "./redact-judge.ts";
import { LINK, MARK, SECRET_NAME } from "./redact-rules.ts";

const MAX_VALUE = 500;
const MAX_NESTED = 4;
/** Ends of names that are about a secret, not the secret: `tokenUrl`, `key_length`, `secretName`, `UserSecretsId`. */
const ABOUT =
  /(?:name|url|uri|endpoint|path|file|dir|limit|count|counts|type|types|length|len|size|budget|kind|label|policy|env|var|list|field|fields|pattern|regex|ttl|header|headers|prefix|suffix|version|index|algorithm|alg|format|class|hash|digest|checksum|s_?id|option_?id|ref|errors?|message|manager|service|provider|handler|hasher|validator|column|title|placeholder|hint|at|bytes|max|min|usage|expiry|expires(?:_?in)?|required|enabled|support)$/i;
const STRONG = /(?:key|secret|token|passw(?:or)?d)$/i;
/** An address that a name calls a secret: with a hidden password in it, or of a database. */
const CONNECTION =
  /^[a-z][a-z0-9+.-]{1,20}:\/\/\S{0,200}:$|^[a-z][a-z0-9+.-]{1,20}:\/\/\S{0,200}<redacted>@|^jdbc:[a-z0-9:]{2,40}\/\/[^\s<]{3,}$/i;
const PUBLIC = /pub(?:lic|_|key)|primary_?key|foreign_?key|cache_?key|sort_?key|partition_?key/i;

/** Hides values that a name announces. Contract: linear: names, links and values are bounded in length. */
export function hideNamed(text: string, hit: (kind: string) => void): string {
  const names = SECRET_NAME();
  const link = LINK();
  let out = "";
  let copied = 0;
  // Names inside values of names would make the work grow with the square of a line: only a few of them are tried.
  let refusedEnd = 0;
  let nested = 0;
  for (let name = names.exec(text); name !== null; name = names.exec(text)) {
    const word = name[1] ?? name[2] ?? "";
    const tail = name[3] ?? "";
    const nameEnd = name.index + name[0].length;
    if (!standsAlone(text.charAt(name.index - 1), word, tail)) {
      names.lastIndex = name.index + word.length;
      continue;
    }
    nested = name.index < refusedEnd ? nested + 1 : 0;
    if (nested > MAX_NESTED) continue;
    link.lastIndex = nameEnd;
    const linked = link.exec(text);
    if (linked === null) continue;
    let valueAt = nameEnd + linked[0].length;
    let quote = linked[1] ?? "";
    const whole = toWholeName(text, name.index, nameEnd);
    const place = { password: name[1] !== undefined, quoted: quote !== "", link: linked[0] };
    for (let more = true; more; ) {
      const read = readValue(text, valueAt, quote);
      const value = place.password || quote !== "" ? read : (/^[^,;&|]*/.exec(read)?.[0] ?? "");
      if (!isSecret(value, whole, place)) {
        refusedEnd = Math.max(refusedEnd, valueAt + value.length);
        break;
      }
      out += `${text.slice(copied, valueAt)}${MARK}`;
      copied = valueAt + value.length;
      names.lastIndex = copied;
      hit("assignment");
      ALTERNATIVE.lastIndex = copied;
      const next = ALTERNATIVE.exec(text);
      more = next !== null;
      valueAt = copied + (next?.[0].length ?? 0);
      quote = next?.[1] ?? "";
    }
  }
  return out + text.slice(copied);
}

/** A second value beside the first: `'a' | 'b'`. */
const ALTERNATIVE = /["'`]?\s{0,4}(?:\|{1,2}|\?\?|\bor\b)\s{0,4}(["'`])/y;

/** True unless the word is a piece of a longer one: `author`, `Keyframe`, `mapping`. */
function standsAlone(before: string, word: string, tail: string): boolean {
  if (
    /^[a-z]/.test(tail) &&
    /[a-z]$/.test(word) &&
    !/^(?:s|key|token|secret|pass|id|value|data|string|str|text)(?![a-z])/.test(tail)
  ) {
    return (
      word.length > 5 &&
      !/^[a-z]{1,3}(?:ed|ing|er|izer|ize|lint)/.test(tail) &&
      !/^(?:ary|ory|ization|ize|lint)/.test(tail)
    );
  }
  if (/^[A-Z]/.test(tail) && /^[A-Z]+$/.test(word) && word.length <= 4) return false;
  if (word.length > 4) return true;
  return (
    !(/[a-z]/.test(before) && /^[a-z]/.test(word)) &&
    !(/[A-Z]/.test(before) && /^[A-Z]+$/.test(word) && word.length < 4)
  );
}

/** The identifier that the word is the end of, up to 40 characters back. */
function toWholeName(text: string, from: number, to: number): string {
  const before = text.slice(Math.max(0, from - 40), from);
  let at = before.length;
  while (at > 0 && isNameUnit(before.charCodeAt(at - 1))) at--;
  return before.slice(at) + text.slice(from, to);
}

/** Letters, digits, `_`, `-` and `.`, by code: a pattern per character costs more than all the rest of the pass. */
function isNameUnit(unit: number): boolean {
  if (unit >= 97) return unit <= 122;
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 95 || unit === 45 || unit === 46;
}

/** The value that begins at a place: up to its closing quote, or up to what ends a bare word. */
function readValue(text: string, at: number, quote: string): string {
  const rest = text.slice(at, at + MAX_VALUE);
  if (quote !== "") {
    const close = quote === "“" ? "”" : quote;
    const end = rest.indexOf(close);
    const line = rest.indexOf("\n");
    if (end >= 0 && (line < 0 || end < line)) return rest.slice(0, end);
    return line < 0 ? rest : rest.slice(0, line);
  }
  const bare = /^[^\s"'`<>]{1,600}/.exec(rest)?.[0] ?? "";
  return bare.replace(/[,;)}\]\\.:]{1,4}$/, "");
}

interface Place {
  readonly password: boolean;
  readonly quoted: boolean;
  readonly link: string;
}

function isSecret(value: string, name: string, place: Place): boolean {
  if (STRONG.test(name) && CONNECTION.test(value)) return true;
  if (value.length > 12 && !hasDistinct(value, 5)) return false;
  if (value.length < 4 || value.includes("<redacted") || isStandIn(value)) return false;
  if (ABOUT.test(name) || PUBLIC.test(name)) return false;
  if (!place.quoted && /^[)\]}>.|+*/]/.test(value)) return false;
  const weak = /^[^=:>：＝]*[,|]/.test(place.link);
  if (weak && place.link.includes("\n")) return false;
  if (weak && !place.quoted) return value.length >= 16 && /\d/.test(value) && isKeyLike(value);
  const assigned = /[=:>：＝,是为為]|\bis\b/.test(place.link);
  if (place.password && assigned && isPasswordLike(value, place.quoted)) return true;
  if (place.password && !assigned && /\d/.test(value) && !value.includes("/") && isPasswordLike(value, false)) {
    return value.length >= 8 && (isRandom(value, 8, 0.6) || /[!@#$%^&*]/.test(value));
  }
  if (/id$/i.test(name) && isHashLike(value)) return false;
  if (!assigned && !place.quoted) return isKeyLike(value) && value.length >= 12 && !isHashLike(value);
  if (STRONG.test(name) && /^[\w.+-]{1,60}@[\w-]{1,60}\.[a-z]{2,10}$/.test(value)) return true;
  return isKeyLike(value);
}
