import { isTemplate } from "./redact-authorization.ts";
import { isChosen, isChosenBare, isLabelled } from "./redact-chosen.ts";
import { hasDistinct, isHashLike, isKeyLike, isPasswordLike, isRandom, isReference, isStandIn } from "./redact-judge.ts";
import { isItemKey, isObjectId } from "./redact-public.ts";
import { DECLARED, LINK, MARK, PASSWORD_END, SECRET_NAME, WRAPPED } from "./redact-rules.ts";

const MAX_VALUE = 500;
const MAX_NESTED = 4;
/** Ends of names that are about a secret, not the secret: `tokenUrl`, `key_length`, `secretName`, `UserSecretsId`. */
const ABOUT =
  /(?:name|url|uri|endpoint|path|file|dir|limit|count|counts|type|types|length|len|size|budget|kind|label|policy|env|var|list|field|fields|pattern|regex|ttl|header|headers|prefix|suffix|version|index|algorithm|alg|format|class|hash|digest|checksum|s_?id|option_?id|ref|errors?|message|manager|service|provider|handler|hasher|validator|column|title|placeholder|hint|at|bytes|max|min|usage|expiry|expires(?:_?in)?|required|enabled|support|rate|days|input|form|view|fingerprint|thumbprint|identifier|encryption)$/i;
const STRONG = /(?:key|secret|token|passw(?:or)?d)$/i;
/** An address that a name calls a secret: with a hidden password in it, or of a database. */
const CONNECTION =
  /^[a-z][a-z0-9+.-]{1,20}:\/\/\S{0,200}:$|^[a-z][a-z0-9+.-]{1,20}:\/\/\S{0,200}<redacted>@|^jdbc:[a-z0-9:]{2,40}\/\/[^\s<]{3,}$/i;
const PUBLIC =
  /pub(?:lic|_|key)|publishable|primary_?key|foreign_?key|(?:cache|sort|partition|row|item|object|storage|query|react|map|site|inchi)[_-]?key|verif(?:y|ication)_?key|authority|certificate|sha-?\d{1,3}$|key_?id$|fingerprint/i;
/** Words for a password that have other meanings: a pass of a renderer, the working directory. */
const AMBIGUOUS = /(?:^|[^a-z]|[a-z](?=P))(?:pass|pwd)$/i;
/** Owners that settle the meaning: what has a user has a password. */
const OWNER =
  /(?:db|database|user|root|admin|sql|pg|postgres|redis|mongo|smtp|imap|mail|ftp|ssh|mq|amqp|default|auth|login|http|proxy|ldap|bind|svc|sys|key|store|cert|wifi|vpn|master|replication|basic|account)[_.-]?(?:pass|pw|pwd)\d{0,2}$/i;
/** Names of numbers about passwords: codes of errors, limits. */
const CODE_NAME =
  /err|invalid|wrong|incorrect|code|missing|weak|status|msg|reset|chang|forg[eo]t|expire|max|min|need|no_/i;
/** Calls that take a name and its value, or a name and a default. */
const PAIR_CALL =
  /(?:put|set|set_?property|get_?property|getenv|get|fetch|env|define|property|add|append|param|option|with|withEnv|setenv|putenv|add_?property|string|str|getString|getOrDefault|environ\.get|config|setx|var|arg|secret|setItem|secure_?store)(?:\(|\s)\s{0,2}["'`]?$/i;

/** Statements that set a name without a sign between: `#define NAME value`, `ENV NAME value`. */
const DIRECTIVE = /(?:#\s?define|\bENV|\bsetx|\bsetenv|\bset)\s{1,4}$/;

const LINE_START = /(?:^|\n)[ \t-]*$/;

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
      // The word may begin inside what looked like another: `otP` in `rootPassword`.
      names.lastIndex = name.index + 1;
      continue;
    }
    nested = name.index < refusedEnd ? nested + 1 : 0;
    if (nested > MAX_NESTED) continue;
    const linked = readLink(text, nameEnd, link);
    if (linked === null) continue;
    let valueAt = nameEnd + linked.text.length;
    let quote = linked.quote;
    const whole = toWholeName(text, name.index, nameEnd);
    const before = text.slice(Math.max(0, nameEnd - whole.length - 60), nameEnd - whole.length);
    if (isFrame(before, tail)) continue;
    const exact = PASSWORD_END().test(whole);
    const place: Place = {
      word,
      password: name[1] !== undefined || exact,
      exact,
      quoted: quote !== "",
      link: linked.text,
      before,
    };
    for (let more = true; more; ) {
      const read = isElement(place) ? readElement(text, valueAt) : readValue(text, valueAt, quote);
      const value = place.password || quote !== "" ? read : (/^[^,;&|]*/.exec(read)?.[0] ?? "");
      if (
        !isSecret(value, whole, {
          ...place,
          endsLine: /^[ \t]*(?:\n|$)/.test(text.slice(valueAt + value.length, valueAt + value.length + 40)),
        })
      ) {
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

/** What ties a name to its value, through a declared type and through calls that only wrap a literal. */
function readLink(text: string, from: number, link: RegExp): { text: string; quote: string } | null {
  link.lastIndex = from;
  const tie = link.exec(text);
  if (tie === null) return null;
  const plain = { text: tie[0], quote: tie[1] ?? "" };
  const next = text.charCodeAt(from + plain.text.length);
  // Most values are no calls: the larger patterns are for those that begin like one.
  if (plain.quote !== "" || !(next >= 97 || (next >= 65 && next <= 93) || next === 38 || next === 95)) return plain;
  const pattern = /^\s{1,8}(?:as\s{1,4})?$/.test(plain.text) ? DECLARED() : WRAPPED();
  pattern.lastIndex = from + plain.text.length;
  const more = pattern.exec(text);
  return more === null ? plain : { text: plain.text + more[0], quote: more[1] ?? "" };
}

/** Words that only look like a name: in the name of a resource, in the frame of a key, in "public key: …". */
function isFrame(before: string, tail: string): boolean {
  return tail.endsWith("----") || before.endsWith("</") || /\barn:[\w:./*-]{0,60}$|\bpublic\s$/i.test(before);
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
  // A word that begins small and ends with a capital lies across the hump of another name.
  if (/^[a-z]+[A-Z]$/.test(word) && /^[a-z]/.test(tail)) return false;
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
  const bare = /^(?:->|[^\s"'`<>，。；、！？）】」]){1,600}/.exec(rest)?.[0] ?? "";
  return bare.replace(/[,;)}\]\\.:]{1,4}$/, "");
}

/** The text of an element of markup. */
function readElement(text: string, at: number): string {
  return /^[^<\n]{0,200}(?=<\/)/.exec(text.slice(at, at + 202))?.[0].trimEnd() ?? "";
}

interface Place {
  readonly word: string;
  readonly password: boolean;
  /** True where the name says nothing after the word for a password. */
  readonly exact: boolean;
  readonly quoted: boolean;
  readonly link: string;
  /** What stands before the name, up to 60 characters. */
  readonly before: string;
}

interface ValuePlace extends Place {
  /** True where nothing follows the value on its line. */
  readonly endsLine: boolean;
}

/** The text of markup: `<password>…</`, `<entry key="password">…</`, `<key>password</key><string>…</`. */
function isElement(place: Place): boolean {
  if (place.quoted || !/> ?$/.test(place.link)) return false;
  if (/<\/[\w-]*(?:key|name)>/i.test(place.link)) return true;
  // The value is an element of its own: `<Password><Value>…</Value>`.
  if (/>\s*<\w+[^<>]*>\s*$/.test(place.link)) return true;
  return /^> ?$/.test(place.link) ? place.before.endsWith("<") : /(?:key|name)\s?=\s?["']$/.test(place.before);
}

/** Escaped characters as they read: a label in another script is one in this notation, too. */
function toReadable(value: string): string {
  if (!value.includes("\\u")) return value;
  return value.replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The secret key of a cloud's account: part of the floor, hidden whatever it looks like. */
const ACCOUNT_SECRET = /(?:^|[_.-]|[a-z](?=S))(?:aws[_-]?secret(?:[_-]?(?:access[_-]?)?key)?|secret[_-]?access[_-]?key)$/i;
/** Types and empty values, which stand without quotes where a value would. */
const NO_VALUE = /^(?:str|string|bytes|any|object|none|null|nil|undefined|true|false|optional|required|secret_?str)$/i;

/** True for a value that only a variable, a template or a type is not. */
function isAccountSecret(value: string, { quoted, link, before }: Place, name: string): boolean {
  if (!/[\p{L}\d]/u.test(value) || value.includes("<redacted") || isTemplate(value) || isReference(value)) return false;
  if (quoted) return !ACCOUNT_SECRET.test(value);
  if (/^\s*$/.test(link) && !DIRECTIVE.test(before)) return false;
  // Without quotes a name with humps is code, and so is its value; so is a value of the same name.
  return !/[a-z][A-Z]/.test(name) && !ACCOUNT_SECRET.test(value) && !NO_VALUE.test(value) && /^[\w+/=@!#%.~-]+$/.test(value);
}

function isSecret(written: string, name: string, place: ValuePlace): boolean {
  const value = toReadable(written);
  if (ACCOUNT_SECRET.test(name) && isAccountSecret(value, place, name)) return true;
  if (STRONG.test(name) && CONNECTION.test(value)) return true;
  if (value.length < 4 || value.includes("<redacted")) return false;
  if (ABOUT.test(name) || PUBLIC.test(name) || isItemKey(name, value)) return false;
  if (!place.quoted && /^[)\]}>.|+*/?:]|^![a-z][a-z-]*$/.test(value)) return false;
  // What is compared without quotes is a variable.
  if (!place.quoted && /[!=]=/.test(place.link) && /^[A-Za-z_]\w{0,40}$/.test(value) && !isRandom(value, 12))
    return false;
  if (place.exact && isChosenHere(value, name, place)) return true;
  if (isPin(value, name, place)) return true;
  if (value.length > 12 && !hasDistinct(value, 5)) return false;
  if (isStandIn(value)) return false;
  const weak = isWeak(place);
  if (weak && place.link.includes("\n")) return false;
  if (weak && !place.quoted) return value.length >= 16 && /\d/.test(value) && isKeyLike(value);
  const assigned = isAssigned(place);
  if (place.password && assigned && isPasswordLike(value, place.quoted)) return true;
  if (place.password && !assigned && /\d/.test(value) && !value.includes("/") && isPasswordLike(value, false)) {
    return value.length >= 8 && (isRandom(value, 8, 0.6) || /[!@#$%^&*]/.test(value));
  }
  if (/id$/i.test(name) && (isHashLike(value) || isObjectId(value))) return false;
  if (/\s[[(]$/.test(place.link)) return STRONG.test(name) && isKeyLike(value) && value.length >= 20;
  if (!assigned && !place.quoted) return isKeyLike(value) && value.length >= 12 && !isHashLike(value);
  if (STRONG.test(name) && /^[\w.+-]{1,60}@[\w-]{1,60}\.[a-z]{2,10}$/.test(value)) return true;
  return isKeyLike(value);
}

/** A link by a comma or a bar says little: lists have them too. A `value` in it makes it strong again. */
function isWeak({ link }: Place): boolean {
  return /^[^=:>：＝]*(?:,|(?<!\|)\|(?!\|))/.test(link) && !/value["']?\s{0,4}[:=]/i.test(link);
}

function isAssigned({ link }: Place): boolean {
  return /[=:>：＝,是为為]|\b(?:VALUE|DEFAULT|default)\b|\bis\b|\bor\b|\|\||\?\?|^["']?\(|^ - /.test(link);
}

/** True for `#define NAME value` and the like; constants that name another constant are none. */
function isDirective({ link, before }: Place, value: string): boolean {
  return /^ {1,8}["']?$/.test(link) && DIRECTIVE.test(before) && !/^[A-Z_][A-Z0-9_]+$/.test(value);
}

/** A number that opens something: `SIM_PIN = "8093"`. Pins of a board have fewer digits. */
function isPin(value: string, name: string, place: Place): boolean {
  return (
    /^\d{4,8}$/.test(value) &&
    !/gpio|led|board|adc|pwm|spi|i2c|uart|relay|sensor/i.test(name) &&
    /(?:^|[_.\- ]|[a-z](?=P))pin(?:_?code)?$/i.test(name) &&
    isAssigned(place) &&
    !isWeak(place)
  );
}

/** True where the place holds a password that a person chose: what a literal is depends on the notation. */
function isChosenHere(value: string, name: string, place: ValuePlace): boolean {
  if (/[^\x00-\x7f]/.test(place.word)) {
    return !isWeak(place) && isLabelled(value, { linked: /[:：=＝是为為]|\s["'`“]$/.test(place.link) });
  }
  const certain = !AMBIGUOUS.test(name) || OWNER.test(name) || /\b(?:user|username|login|auth)\b/.test(place.before);
  if (/^\d+$/.test(value) && (CODE_NAME.test(name.replace(/passcode/i, "")) || !certain || /[)>]/.test(place.link)))
    return false;
  if (isElement(place)) return isChosen(value);
  if (!place.quoted) return isChosenUnquoted(value, name, place);
  if (/answer$/i.test(name)) return isAssigned(place);
  return (certain || /[\d!@#$%^&*]|\w[- ]\w|[a-z][A-Z]/.test(value)) && isChosenQuoted(value, name, place);
}

function isChosenQuoted(value: string, name: string, place: ValuePlace): boolean {
  if (!isChosen(value)) return false;
  if (isWeak(place)) return !/[)\n]/.test(place.link) && PAIR_CALL.test(place.before);
  if (isAssigned(place) || isDirective(place, value)) return true;
  // `password "…"` is a statement of its own, an option, or text in which only a marked word means something.
  const isStatement = LINE_START.test(place.before) && !place.link.endsWith("`");
  return isStatement || /-$/.test(place.before) || name.startsWith("--") || /\d|\s\S+\s/.test(value);
}

function isChosenUnquoted(value: string, name: string, place: ValuePlace): boolean {
  if (isWeak(place) || !(isAssigned(place) || isDirective(place, value))) return false;
  // NAME=value and a.b=value are settings; with blanks around, or in small letters, it may be code.
  const isSetting =
    (/^[A-Z][A-Z0-9_]+$/.test(name) || /[.-]/.test(name)) && (/^[=:] ?$/.test(place.link) || isDirective(place, value));
  if (isSetting) return isChosen(value) && !/[()[\]{};,<>|\\`]/.test(value) && !/^[A-Z][A-Za-z]*\./.test(value);
  if (isChosenBare(value)) return true;
  // The only thing on a line of YAML: a word that no code would name a variable.
  const isLine = place.endsLine && /^["']?: $/.test(place.link) && LINE_START.test(place.before);
  return isLine && /^[a-z]{6,}$/.test(value) && isChosen(value);
}
