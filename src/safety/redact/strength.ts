import { ALGORITHM, isChosen, isLabelWords } from "./chosen.ts";
import { isHashLike, isRandom, isSequence, isStandIn, VERSION_TEXT } from "./judge.ts";

/**
 * Rates how likely a word is a chosen password, by its shape alone. People mix words with digits, symbols and capitals;
 * so do versions, addresses, identifiers, product names and file names, which are ruled out first. Contract: linear;
 * the caller bounds the length.
 */

/** Words only: `crisp-lemon-tractor`; names of settings and issues look the same. */
export const WORDS = 1;
/** Possibly a password, but just as well a name: `crisp-lemon-19`, `bluebird42`, `Summer2024`. */
export const POSSIBLE = 2;
/** Most likely a password: `n1ghtTrain`, `Hazelnut_88`, `Winter#Falcon`. */
export const LIKELY = 3;
/** Certainly a password: letters, digits and a symbol within one word, `Zq7$wLm2`. */
export const CERTAIN = 4;

/** Parts of technical names whose digits do not suggest a password. */
const TECHNICAL =
  /(?<![A-Za-z])(?:o?auth[12]|(?:sha|md|aes|rsa|utf|ucs|base|crc|pkcs|pbkdf|argon|ecdsa|ed|curve|secp|win|int|uint|float|amd|arm|ipv|http|tls|ssl|es|mp|ec|vp|ntlm|web|log|wpa|fido|rot|hs|rs|rc|rfc|iso|cve|py|python|node|php|java|jdk|dotnet|net|mysql|postgres|pg|sqlite|redis|vue|microsoft|office|bootstrap|angular|ubuntu|debian|centos|windows|level|step|phase|part|stage|test|user|example|foo|bar|page|section|chapter|table|figure|option|field|input|line|col|row|item|num|id)[-_]?\d{1,5}(?:k1|r1|id|[bsj](?![a-z]))?|[a-z]\d{1,5}[a-z]?(?![a-z]))/gi;
/** An address, a mailbox, a host, a file, a package with its version, a path of names. */
const ADDRESS =
  /:\/\/|^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$|^[a-z][a-z._-]*@[a-z][a-z-]*\d{0,2}$|^@|^[\w.-]+@v?\d{1,3}(?:\.|$)|\.[a-z]{1,5}\d?$|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|%[0-9A-Fa-f]{2}|&[a-z]{2,6}$/;
/** Tickets, standards, dates, times, amounts, ordinals, ranges, constants. */
const NUMBERED =
  /^[A-Z]{1,12}[-_#]?\d[\d.-]*[a-z]?$|^[A-Z][A-Z0-9_-]*$|^\d[\d.,:/_-]*[A-Za-z%]{0,4}$|^[\w/.-]*#\d{1,6}$|^\d{1,4}-[a-z]{2,12}$|^\d{4}-\d\d-\d\dT/;

/** Strips the punctuation of the surrounding sentence from a word. */
export function toWord(written: string): string {
  return written.replace(/^[*_]{2}(?=\w)|[*_]{2}$/g, "").replace(/[.,;:?]{1,3}$|\*$/, "");
}

/** Rates a word: 0, or one of the levels above. */
export function toStrength(written: string): number {
  const value = toWord(written);
  if (value.length < 6 || value.length > 64 || !/[A-Za-z]/.test(value)) return 0;
  if (/[\s(){}<>[\]\\|"'`;,=:/]|[^\x21-\x7e]/.test(value) || /^[-$%&#~^+.]/.test(value)) return 0;
  // A multiplication or a power.
  if (/\*\*|\d\*[a-z]|^[a-z]{1,3}\*/.test(value)) return 0;
  if (VERSION_TEXT.test(value) || ADDRESS.test(value) || NUMBERED.test(value) || isHashLike(value)) return 0;
  if (ALGORITHM.test(value) || isStandIn(value) || !isChosen(value) || isSequence(value)) return 0;
  // A long random word without a symbol is a key or an id, which other rules judge.
  if (value.length >= 18 && !/[!@#$%^&*]/.test(value) && isRandom(value, 16)) return 0;
  if (!/[!@#$%^&*]/.test(value) && isLabelWords(value)) return 0;
  return toLevel(value);
}

function toLevel(value: string): number {
  const rest = value.replace(TECHNICAL, "");
  const hasSign = /[A-Za-z0-9][!@#$%^&*]+[A-Za-z0-9]|^[!*][A-Za-z0-9]/.test(value);
  const endsSigned = /[A-Za-z0-9][!@#$%^&*]$/.test(value);
  if (/\d/.test(rest)) {
    if (hasSign || (endsSigned && value.length >= 8)) return CERTAIN;
    if (isMixed(rest)) return LIKELY;
    return /[a-z]{4}/i.test(rest) && /\d{2}|!/.test(rest) ? POSSIBLE : 0;
  }
  if (/\d/.test(value)) return 0;
  if (hasSign && /[A-Za-z]{3}[!@#$%^&*]+[A-Za-z]{3}/.test(value)) return /[A-Z]/.test(value) ? LIKELY : WORDS;
  return /^[a-z]{3,12}(?:-[a-z]{3,12}){2,6}$/.test(value) ? WORDS : 0;
}

/** True for digits between letters, capitals inside a word, or a capitalised word with a separator and digits. */
function isMixed(value: string): boolean {
  // A numbered identifier: `newUser2`, `UserForm12`, `Foo_Bar_3`.
  if (/^[a-z]+(?:[A-Z][a-z]+)+\d{1,2}$|^(?:[A-Z][a-z]+){2,}\d{1,2}$|^[a-z]+(?:_[a-z]+)+_?\d{1,2}$/.test(value))
    return false;
  if (/[A-Za-z]{1,}\d{1,3}[A-Za-z]{2,}/.test(value) || /^\d{1,2}[a-z]{3,}/i.test(value)) return /[a-z]/.test(value);
  if (/[a-z\d][A-Z]/.test(value) && /[a-z]/.test(value)) return true;
  if (/[a-z].*[-_.].*[A-Z]/.test(value)) return true;
  return /^[A-Z][a-z]{2,}(?:[-_.][A-Za-z]{2,}){0,3}[-_.]\d{2,4}$/.test(value);
}
