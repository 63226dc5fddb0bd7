import { isTemplate } from "./authorization.ts";
import { isChosen, isChosenBare, isLabelled } from "./chosen.ts";
import {
  hasDistinct,
  isHashLike,
  isKeyLike,
  isPasswordLike,
  isRandom,
  isReference,
  isSequence,
  isStandIn,
  toLiteral,
} from "./judge.ts";
import { isAboutName, isOwnedName, isPublicValue } from "./names.ts";
import { isItemKey, isObjectId } from "./public.ts";
import { LIKELY, POSSIBLE, toStrength } from "./strength.ts";

/** Judges a value by its name, by the separator and by the text before: the same word can be a secret or a variable. */

const STRONG = /(?:key|secret|token|passw(?:or)?d)$/i;
/** An address whose name says that it is a secret: with a hidden password in it, or of a database. */
const CONNECTION =
  /^[a-z][a-z0-9+.-]{1,20}:\/\/\S{0,200}:$|^[a-z][a-z0-9+.-]{1,20}:\/\/\S{0,200}<redacted>@|^jdbc:[a-z0-9:]{2,40}\/\/[^\s<]{3,}$/i;
/** Words for a password that have other meanings: a render pass, the working directory. */
const AMBIGUOUS = /(?:^|[^a-z]|[a-z](?=P))(?:pass|pwd)$/i;
/** Owners that resolve the ambiguity: a system with users has passwords. */
const OWNER =
  /(?:db|database|user|root|admin|sql|pg|postgres|redis|mongo|smtp|imap|mail|ftp|ssh|mq|amqp|default|auth|login|http|proxy|ldap|bind|svc|sys|key|store|cert|wifi|vpn|master|replication|basic|account)[_.-]?(?:pass|pw|pwd)\d{0,2}$/i;
/** Names of numbers related to passwords: error codes, limits. */
const CODE_NAME =
  /err|invalid|wrong|incorrect|code|missing|weak|status|msg|reset|chang|forg[eo]t|expire|max|min|need|no_/i;
/** Calls that take a name and its value, or a name and a default. */
const PAIR_CALL =
  /(?:put|set|set_?property|get_?property|getenv|get|fetch|env|define|property|add|append|param|option|with|withEnv|setenv|putenv|add_?property|string|str|getString|getOrDefault|environ\.get|config|setx|var|arg|secret|setItem|secure_?store)(?:\(|\s)\s{0,2}["'`]?$/i;

/** Statements that set a name without an operator: `#define NAME value`, `ENV NAME value`. */
const DIRECTIVE = /(?:#\s?define|\bENV|\bsetx|\bsetenv|\bset)\s{1,4}$/;

const LINE_START = /(?:^|\n)[ \t-]*$/;

/** The context of a value. */
export interface ValueContext {
  /** The word in the name that announces a secret. */
  readonly word: string;
  /** True if that word means a password. */
  readonly password: boolean;
  /** True if nothing significant follows the word for a password in the name. */
  readonly exact: boolean;
  readonly quoted: boolean;
  /** Separator between the name and the value. */
  readonly link: string;
  /** Text before the name, up to 60 characters. */
  readonly before: string;
}

/** The same, after the value was read. */
interface ValuePlace extends ValueContext {
  /** True if nothing follows the value on its line. */
  readonly endsLine: boolean;
}

/** True for the text of markup: `<password>…</`, `<entry key="password">…</`, `<key>password</key><string>…</`. */
export function isElement(place: ValueContext): boolean {
  if (place.quoted || !/> ?$/.test(place.link)) return false;
  if (/<\/[\w-]*(?:key|name)>/i.test(place.link)) return true;
  // The value is an element of its own: `<Password><Value>…</Value>`.
  if (/>\s*<\w+[^<>]*>\s*$/.test(place.link)) return true;
  return /^> ?$/.test(place.link) ? place.before.endsWith("<") : /(?:key|name)\s?=\s?["']$/.test(place.before);
}

/** Decodes `\uXXXX` escape sequences, so that a label in another script is recognised in this notation too. */
function toReadable(value: string): string {
  if (!value.includes("\\u")) return value;
  return value.replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The secret key of a cloud account: part of the guaranteed minimum, hidden whatever it looks like. */
const ACCOUNT_SECRET =
  /(?:^|[_.-]|[a-z](?=S))(?:aws[_-]?secret(?:[_-]?(?:access[_-]?)?key)?|secret[_-]?access[_-]?key)$/i;
/** Types and empty values, which appear without quotes in place of a value. */
const NO_VALUE = /^(?:str|string|bytes|any|object|none|null|nil|undefined|true|false|optional|required|secret_?str)$/i;

/** True for any value except a variable, a template or a type. */
function isAccountSecret(value: string, { quoted, link, before }: ValueContext, name: string): boolean {
  if (!/[\p{L}\d]/u.test(value) || value.includes("<redacted") || isTemplate(value) || isReference(value)) return false;
  if (quoted) return !ACCOUNT_SECRET.test(value);
  if (/^\s*$/.test(link) && !DIRECTIVE.test(before)) return false;
  // Without quotes, a camel-case name is code, and so is its value; a value that is itself such a name is code too.
  return (
    !/[a-z][A-Z]/.test(name) && !ACCOUNT_SECRET.test(value) && !NO_VALUE.test(value) && /^[\w+/=@!#%.~-]+$/.test(value)
  );
}

/** True if its name and context make a value a secret. */
export function isSecretValue(written: string, name: string, place: ValuePlace): boolean {
  const isLiteral = place.quoted || (place.link === "=" && /^[A-Z][A-Z0-9_]+$/.test(name));
  const value = isLiteral ? toLiteral(toReadable(written)) : toReadable(written);
  if (ACCOUNT_SECRET.test(name) && isAccountSecret(value, place, name)) return true;
  if (STRONG.test(name) && CONNECTION.test(value)) return true;
  if (value.length < 4 || value.includes("<redacted")) return false;
  if (isAboutName(name) || isItemKey(name, value)) return false;
  if (isPublicPlace(value, name, place)) return false;
  if (!place.quoted && /^[)\]}>.|+*/?:]|^![a-z][a-z-]*$|^!![a-z_]\w*$/i.test(value)) return false;
  // The quote ended a text that names a password: `", password=").append(…`.
  if (place.quoted && /^\s?[)+;,]/.test(value) && /["'`][^"'`]*$/.test(place.before)) return false;
  // A number of a program.
  if (!place.quoted && /^0x[0-9a-f]{1,16}[nul]{0,3}$/i.test(value)) return false;
  // A sentence in another script, as in translations.
  if (/\s/.test(value) && /(?:[^\x00-\x7f][^\d]*){3}/.test(value) && !/\d/.test(value)) return false;
  // A constant, a kind or a label that is named after itself.
  if (isNamedAlike(value, name)) return false;
  // An unquoted operand of a comparison is a variable.
  if (!place.quoted && /[!=]=/.test(place.link) && /^[A-Za-z_]\w{0,40}$/.test(value) && !isRandom(value, 12))
    return false;
  if (place.exact && isChosenHere(value, name, place)) return true;
  if (isOwnedName(name) || (/^(?:TOKEN|SECRET)$/.test(name) && /\d/.test(value))) {
    if (isChosenKey(value, name, place)) return true;
  } else if (/^(?:token|secret)$/i.test(name) && place.quoted && /^[a-z]{4,}\d{3,}$/i.test(value))
    return isAssigned(place);
  if (isPin(value, name, place)) return true;
  if (isNamedSecret(value, name, place)) return true;
  if (value.length > 12 && !hasDistinct(value, 5)) return false;
  if (isStandIn(value)) return false;
  const weak = isWeak(place);
  if (weak && (place.link.includes("\n") || (!place.quoted && /^[\w-]{2,24}=/.test(value)))) return false;
  if (weak && !place.quoted) return value.length >= 16 && /\d/.test(value) && isKeyLike(value);
  const assigned = isAssigned(place);
  // `[auth] user=…` continues with another name.
  if (!assigned && !place.quoted && /^[\w-]{2,24}=[^=]/.test(value)) return false;
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

/** True for `ShowPassword: "ShowPassword"`; a single word may still be a password. */
function isNamedAlike(value: string, name: string): boolean {
  const bare = (text: string): string => text.replace(/[^a-z0-9]/gi, "").toLowerCase();
  return /[a-z][A-Z]|[a-z][_-][a-z]|[A-Z]_[A-Z]/.test(value) && bare(value) === bare(name);
}

/** A macro or a call that takes a name and its id. */
const IDENTIFYING = /(?:GUID|UUID|CLSID|\bIID)\w{0,4}\(\s{0,2}["']?$/i;

/** Calls that hash their argument; what is compared with the result is a hash. */
const HASHING =
  /(?:hash|digest|md5|sha_?\d{1,3}|crc\d{0,2}|blake\d|fnv|murmur|xxh|keccak|fingerprint|checksum|tokenize)\w{0,16}(?:\s?\(|["']?,|\s(?:of|for)\s)[^\n()]{0,40}$/i;

/** True for a value that looks like a key but is public by its name, an image tag, or compared with a hash. */
function isPublicPlace(value: string, name: string, { before, link, quoted }: ValueContext): boolean {
  if (isPublicValue(name, value)) return true;
  if (!quoted && link === ":" && before.endsWith("/")) return true;
  return isHashLike(value) && (HASHING.test(before) || IDENTIFYING.test(before));
}

/** A comma or a bar is a weak separator, because lists use them too. A `value` key within it makes it strong again. */
function isWeak({ link }: ValueContext): boolean {
  return /^[^=:>：＝]*(?:,|(?<!\|)\|(?!\|))/.test(link) && !/value["']?\s{0,4}[:=]/i.test(link);
}

function isAssigned({ link }: ValueContext): boolean {
  return /[=:>：＝,是为為]|\b(?:VALUE|DEFAULT|default)\b|\bis\b|\bor\b|\|\||\?\?|^["']?\(|^ - /.test(link);
}

/** True for `#define NAME value` and the like, but not for a constant that names another constant. */
function isDirective({ link, before }: ValueContext, value: string): boolean {
  return /^ {1,8}["']?$/.test(link) && DIRECTIVE.test(before) && !/^[A-Z_][A-Z0-9_]+$/.test(value);
}

/** A numeric code that grants access: `SIM_PIN = "8093"`. Pin numbers of a board have fewer digits. */
function isPin(value: string, name: string, place: ValueContext): boolean {
  return (
    /^\d{4,8}$/.test(value) &&
    !/gpio|led|board|adc|pwm|spi|i2c|uart|relay|sensor/i.test(name) &&
    /(?:^|[_.\- ]|[a-z](?=P))pin(?:_?code)?$/i.test(name) &&
    isAssigned(place) &&
    !isWeak(place)
  );
}

/** True for a word whose shape shows that it was chosen, under a name that ends with a word for a secret. */
function isNamedSecret(value: string, name: string, place: ValueContext): boolean {
  if (!/(?:^|[_.-]|[a-z](?=[A-Z]))(?:secret|secret_?word|shared_?secret|psk|keyMaterial)$/i.test(name)) return false;
  if (!isAssigned(place) || isWeak(place) || toStrength(value) < (place.quoted ? POSSIBLE : LIKELY)) return false;
  return place.quoted || isElement(place) || /[-!@#%^&*]/.test(value);
}

/** True if the position holds a password chosen by a person; what counts as a literal depends on the notation. */
function isChosenHere(value: string, name: string, place: ValuePlace): boolean {
  if (/[^\x00-\x7f]/.test(place.word)) {
    return !isWeak(place) && isLabelled(value, { linked: /[:：=＝是为為]|\s["'`“]$/.test(place.link) });
  }
  const isPair = place.quoted && /pwd$/i.test(name) && /^["']\s?[:=]/.test(place.link) && /^[\w-]{8,}$/.test(value);
  const certain =
    isPair || !AMBIGUOUS.test(name) || OWNER.test(name) || /\b(?:user|username|login|auth)\b/.test(place.before);
  if (/^\d+$/.test(value) && (CODE_NAME.test(name.replace(/passcode/i, "")) || !certain || /[)>]/.test(place.link)))
    return false;
  if (isElement(place)) return isChosen(value);
  if (!place.quoted) return isChosenUnquoted(value, name, place);
  if (/answer$/i.test(name)) return isAssigned(place);
  return (certain || /[\d!@#$%^&*]|\w[- ]\w|[a-z][A-Z]/.test(value)) && isChosenQuoted(value, name, place);
}

/** The same for keys and tokens: a word in quotes, in a settings file or in a header that has no other explanation. */
function isChosenKey(value: string, name: string, place: ValuePlace): boolean {
  if (
    value.length < 8 ||
    !isChosen(value) ||
    isSequence(value) ||
    isWeak(place) ||
    !(isAssigned(place) || isDirective(place, value))
  )
    return false;
  if (/[\s/()[\]{};,<>|\\`:]|^_?[A-Z][A-Za-z]*$|\.[a-z]/.test(value)) return false;
  if (isElement(place)) return true;
  // A call that checks for a secret may be given any text: `isSecret("…")`.
  if (/\(/.test(place.link) && /^(?:is|has|check|find|parse|detect|assert|expect|test|mask|redact)[_A-Z]/.test(name))
    return false;
  // The name of a secret stored in a cluster.
  if (/[a-z]Secret$/.test(name) && value.includes("-")) return false;
  if (place.quoted) return !/[!=]==?/.test(place.link) && !/^[\w]+(?:[-_][\w]+){2,}$/.test(value);
  // Without quotes a word is a variable, except in `NAME=value`, `x-name: value` and `name: value` on its own line.
  if (/[?&]$/.test(place.before) && place.link === "=") return true;
  const isSetting =
    /^[A-Z][A-Z0-9_]+$|[.-]/.test(name) && /^[=:：＝] ?$|^ $|\n\s*value["']?\s?[:=]\s?$/.test(place.link);
  const isStart = place.link === "=" ? /(?:^|\n)[ \t-]*\S*$/.test(place.before) : LINE_START.test(place.before);
  const isLine = place.endsLine && /^["']?(?:: |=|：|＝)$/.test(place.link) && isStart;
  if (/^[a-z0-9]+(?:[-_][a-z0-9]+){0,3}$/.test(value)) return isSetting || isLine;
  return (isSetting || isLine) && /[\d!@#%^&*]/.test(value) && /^[\w!@#%^&*+-]+$/.test(value);
}

function isChosenQuoted(value: string, name: string, place: ValuePlace): boolean {
  if (!isChosen(value)) return false;
  if (isWeak(place)) return !/[)\n]/.test(place.link) && PAIR_CALL.test(place.before);
  if (isAssigned(place) || isDirective(place, value)) return true;
  // `password "…"` is a statement of its own, an option, or prose in which only a digit or a phrase counts.
  const isStatement = LINE_START.test(place.before) && !place.link.endsWith("`");
  return isStatement || /-$/.test(place.before) || name.startsWith("--") || /\d|\s\S+\s/.test(value);
}

function isChosenUnquoted(value: string, name: string, place: ValuePlace): boolean {
  if (isWeak(place) || !(isAssigned(place) || isDirective(place, value))) return false;
  // NAME=value and a.b=value are settings; with spaces around the operator, or in lower case, it may be code.
  const isSetting =
    (/^[A-Z][A-Z0-9_]+$/.test(name) || /[.-]/.test(name)) && (/^[=:] ?$/.test(place.link) || isDirective(place, value));
  if (isSetting) return isChosen(value) && !/[()[\]{};,<>|\\`]/.test(value) && !/^[A-Z][A-Za-z]*\./.test(value);
  if (isChosenBare(value)) return true;
  // Alone on a settings line: a word that is not a likely variable name.
  const isLine = place.endsLine && /^["']?: $|^=$/.test(place.link) && LINE_START.test(place.before);
  return isLine && /^[a-z]{6,}$/.test(value) && isChosen(value);
}
