import { wordSet } from "../../base/once.ts";
import { isPasswordLike, isPlaceholder, isStandIn } from "./judge.ts";

/**
 * Classifies a literal in a position that can only hold a password. People choose words and phrases, so the question is
 * not whether the value looks random but whether it is something else that occurs in such positions: a label, a
 * message, a type, a translation key, a path. Contract: linear; the caller bounds the length of values.
 */

function hasWord(value: string, words: Pick<ReadonlySet<string>, "has">, between: RegExp): boolean {
  return value
    .toLowerCase()
    .split(between)
    .some((word) => words.has(word));
}

/** "Password" in the languages of common translations: a value that contains such a word is a label or a name. */
const OWN_WORD =
  /pass|pwd|secret|token|credential|kennwort|contrase|senha|parola|has[lł]o|heslo|wachtwoord|l[oö]senord|[sş]ifre|salasana|jelsz|adgangskode|парол|mot de passe|mật khẩu|密码|密碼|口令|パスワード|暗証|비밀번호|암호|(?:^|[_.-])(?:key|pw|auth)(?:$|[_.-])/i;
/** Words of schemas, forms and code that are never a secret. */
const SCHEMA_WORDS = wordSet(
  "str string text varchar char bool boolean number int integer float bytes any unknown object array void yes no off nullable visible secure sensitive encrypted encode encoded encoder hash hashed plain plaintext raw input output field form label submit button email e-mail username login guest demo sample value data body param params query header local basic digest bearer manual auto never always prompt ask random generate generated new old current invalid valid missing wrong weak strong expired disabled enabled prohibited forbidden deny allow error success failed failure ok unset omitted ignore ignored skip self this write read shadow opaque render plugin native external ldap saml oidc oauth oauth2 kerberos pam peer scram trust ident reject keyring vault env file stdin tty double single first second forward through thru charfield stringfield",
);
/** Words of messages about passwords: "is required", "must be at least 8 characters". */
const MESSAGE_WORDS = wordSet(
  "is are must should cannot can't can doesn't don't didn't not require required requires invalid incorrect wrong enter please least character characters chars match matches mismatch blank empty short long weak your missing failed forgot forgotten change changed confirm update expired use type choose field min max minimum maximum length upper lower digit digits symbol symbols optional default none value string number column see read given provided stored user",
);
/** Parts of the names of styles, icons, classes and events: `icon-lock`, `form-control`. */
const INTERFACE_WORDS = wordSet(
  "icon icons input field form btn button control label text error errors lock login page screen view modal dialog change reset update submit click event type class style css col row grid file path url name id json yaml yml ts js py html validation required optional",
);
/** Words that names and labels of secrets consist of: a value with no other words is such a name. */
const LABEL_WORDS = wordSet(
  "pass password passwords passwd passwort pwd pw passphrase passcode secret secrets token tokens key keys api apikey auth authentication authorization oauth oauth2 access refresh client user users username login signin admin root app application service bearer jwt session cookie csrf xsrf id name names value values my your our new old current next confirm confirmation confirmed repeat again private public shared master signing signed encryption encrypted the a an this that for of to and or no not is as in on by with from enter here insert put example sample test testing demo dummy fake placeholder label title hint message credential credentials basic personal default provider providers get set has create update delete reset forgot forgotten change changed generate generated verify verified validate validation invalid valid missing required expired wrong incorrect min max length strength policy manager store storage hash hashed hasher encoder rotate rotation revoke revoked expiry expires expiration count limit type types field fields input form page screen view button column header headers url uri path file config settings option options param params request response result results data info error errors env var string text number github gitlab google azure aws slack stripe openai",
);
const TYPE_NAME =
  /^(?:[A-Z][a-z]+){1,4}(?:Field|Input|Type|Error|Exception|View|Component|Widget|Validator|Provider|Service|Handler|Encoder|Controller|Model|Props|String|Text|Value|Column|Schema)$/;
const TEMPLATE =
  /\$\{|\{\{|\{\}|%[sdv@]|\$\(|<[^<>]{0,40}>|^[:$%@#][A-Za-z_]|\{[a-z_.0-9]{1,30}\}|^\\|\\\(|^\$\d|^\?|<redacted/i;
const PLACE =
  /^(?:[~.]{0,2}\/|[A-Za-z]:\\|[a-z][a-z0-9+.-]{1,10}:\/\/|[.#][a-z]|file:|env:|vault:|arn:|op:|ssm:|secretsmanager:)/i;
const DOTTED = /^[A-Za-z_]\w{0,40}(?:[./][A-Za-z_]\w{0,40}){1,8}$/;
const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** Names of algorithms and encodings, which occur next to passwords in calls and comments. */
export const ALGORITHM =
  /^(?:sha|md|aes|des|hs|rs|es|ps|rsa|hmac|utf|base|hex|ascii|latin|binary|chacha|blake|pbkdf|argon|scrypt|HmacSHA|bcrypt)[-_]?\d{0,4}\b/i;

/**
 * True for a value that is a name or a label as a whole: a sentence, a word in another script, or only words that names
 * of secrets consist of. `mysecretpassword` contains such words but is not a label.
 */
function isLabel(value: string): boolean {
  return /[\s\x80-\uffff]/.test(value) || /^[\w$]+\.[\w.$]+$/.test(value) || isLabelWords(value);
}

/** True for a name that consists only of words for secrets, users and forms: `newPassword2`, `admin_token`. */
export function isLabelWords(value: string): boolean {
  return value
    .replace(/([a-z0-9])(?=[A-Z])/g, "$1-")
    .toLowerCase()
    .split(/[^a-z]+/)
    .every((part) => part.length < 2 || LABEL_WORDS.has(part));
}

/** True for text that names, labels or explains a password instead of being one. */
function isAbout(value: string): boolean {
  const hasDigit = /\d/.test(value);
  const isSigned = /[!@#$%^&+]/.test(value) && !/\s/.test(value);
  if (!hasDigit && !isSigned && OWN_WORD.test(value) && isLabel(value)) return true;
  if (CJK.test(value) && !(hasDigit && /[A-Za-z]/.test(value))) return true;
  if (/\s/.test(value)) {
    if (hasWord(value, MESSAGE_WORDS, /[^a-z']+/) || /[,;:(){}[\]]|[.?…]$/.test(value)) return true;
    return !hasDigit && /^\p{Lu}/u.test(value) && !/[!@#$%^&*]/.test(value);
  }
  if (hasDigit) return false;
  // A capital followed by lower-case letters is a label; only capitals are a constant.
  return /^\p{Lu}[\p{Ll}'’]*[:.?…*]?$/u.test(value) || /^\p{Lu}[\p{Lu}_]*$/u.test(value);
}

/** Markers around a value: that it is plaintext, or that a key is pressed after it. */
const FRAME = /^\{(?:noop|plain\w{0,6}|clear\w{0,6})\}|\{(?:enter|tab|esc|selectall|return)\}|(?:\\[nr]){1,2}$/gi;

/** True for an actual literal: no variable, template, placeholder or path. Contract: the position leaves no doubt. */
function isLiteral(value: string): boolean {
  return value.length >= 4 && value.length <= 200 && !isStandIn(value) && !TEMPLATE.test(value) && !PLACE.test(value);
}

/** True for a literal that a person may have chosen as a password. Contract: the position indicates a password. */
export function isChosen(written: string): boolean {
  const value = written.replace(FRAME, "");
  if (value.length > 120 || !isLiteral(value)) return false;
  if (SCHEMA_WORDS.has(value.toLowerCase()) || TYPE_NAME.test(value)) return false;
  if (!/[\p{L}\d]/u.test(value) || isAbout(value)) return false;
  if (/^\d+$/.test(value)) return value.length <= 12 && !/^(\d)\1*$/.test(value);
  if (/^[\d.,:%+-]+[a-z]{0,2}$/i.test(value)) return false;
  if (!/\d/.test(value) && (DOTTED.test(value) || hasWord(value, INTERFACE_WORDS, /[-_. ]/))) return false;
  return true;
}

/** True for a bare word that cannot be a variable, because of a symbol or digit that identifiers do not have. */
export function isChosenBare(value: string): boolean {
  if (!isChosen(value) || /[()[\]{};,<>|\\`"']/.test(value) || /^[-+*/=!&|?]/.test(value)) return false;
  if (/^\d+$/.test(value)) return true;
  if (/^[A-Za-z_$][\w$]*$/.test(value)) return false;
  return /[-@!#%^&*+~]/.test(value) || /\d/.test(value);
}

/**
 * True for a password after a word for "password" in another script: since that label is not Latin, a Latin word after
 * it is not a label. `linked`: a colon or the like comes in between; without one, the word must contain a symbol or a
 * digit.
 */
export function isLabelled(value: string, { linked }: { linked: boolean }): boolean {
  if (!/^[\x21-\x7e]{4,80}$/.test(value) || /[()[\]{}<>|\\`"']/.test(value) || TEMPLATE.test(value)) return false;
  if (SCHEMA_WORDS.has(value.toLowerCase()) || isPlaceholder(value) || (!/\d/.test(value) && OWN_WORD.test(value)))
    return false;
  if (/^\d{1,3}[-~]\d{1,3}$|^[/~]|^https?:/.test(value)) return false;
  if (ALGORITHM.test(value) || (!linked && OWN_WORD.test(value))) return false;
  return linked
    ? !/^[A-Za-z_$]\w*\.\w+[A-Z]\w*$/.test(value)
    : isChosenBare(value) || (/^[\w@.-]{6,}$/.test(value) && /[a-z]/i.test(value) && /\d/.test(value));
}

/** True for a password argument next to a user name: not an email address, not a path, not an algorithm. */
export function isArgument(value: string): boolean {
  return isChosen(value) && !ALGORITHM.test(value) && !/^[\w.+-]{1,60}@[\w-]{1,60}\.[a-z.]{2,20}$/.test(value);
}

/** The same for calls with other uses: the value must contain a symbol, a digit or mixed case. */
export function isMarkedArgument(value: string): boolean {
  return isArgument(value) && !/\s/.test(value) && /[\d!@#$%^&*]|[a-z][A-Z]/.test(value) && !/^[\d.]+$/.test(value);
}

/** The same on a line that mentions a password: words joined by hyphens count as well. */
export function isSpoken(value: string): boolean {
  return isMarkedArgument(value) || (isArgument(value) && /^[a-z]+(?:-[a-z]+){2,}$/i.test(value));
}

/** Accepts values in a position that can only hold a password; schema words are placeholders even there. */
export function isFree(value: string): boolean {
  return (
    isPasswordLike(value, true) ||
    isChosen(value) ||
    (isLiteral(value.replace(FRAME, "")) && /[\s!@#$%^&*]/.test(value))
  );
}

/** A word on a command line that is not an option, a path or a variable. */
export function isWord(value: string): boolean {
  return !/^[-/$<{]|^\w+=/.test(value) && isFree(value);
}
