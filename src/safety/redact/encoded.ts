import { isRandom } from "./judge.ts";

/**
 * Distinguishes encoded text and pictures from keys. Base64 can be decoded: text is judged by its content, and data
 * with long runs of one character lacks the randomness of a key. Contract: linear.
 */

/** How an OpenSSH private key starts; it contains runs of zeros. */
const KEY_HEAD = /^b3BlbnNzaC1rZXk|^MI[GI]|^LS0tLS1CRUdJTi/;
/** Prefix of an encoded word in a mail header: its character set and encoding show that it is text. */
const MAIL_WORD = /=\?[\w-]{2,20}\?[bB]\?$/;

/** Words of a decoded text that holds a secret; `key` alone does not count, since property lists have such entries. */
const SECRET_TEXT =
  /secret|token|api[_ -]?key|access[_ -]?key|passw|passphrase|credential|PRIVATE|auth|bearer|["']d["']:|^[\w.@-]{1,60}:\S{4,80}$/i;

/**
 * True for a token that is text, a picture or a message boundary. Contract: the caller checks that nothing on the line
 * calls the token a secret.
 */
export function isHarmlessData(token: string, before: string): boolean {
  if (MAIL_WORD.test(before)) return !/^(?:eyJ|LS0tLS1CRUdJTi)/.test(token);
  if (/^\s{0,20}$/.test(before) && /^--[A-Za-z0-9]{1,6}_[0-9a-f]{32}(?:--)?$/.test(token)) return true;
  if (token.length < 32 || KEY_HEAD.test(token)) return false;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(token)) return false;
  return isRepetitive(token) || isText(token);
}

/** True if at least a fifth of the characters are in runs of three or more: a picture, a table, padding. */
function isRepetitive(token: string): boolean {
  let inRuns = 0;
  for (const [run] of token.matchAll(/(.)\1{2,}/g)) inRuns += run.length;
  return inRuns * 5 >= token.length;
}

/** True for base64 of printable text that contains neither a word for a secret nor a random word. */
function isText(token: string): boolean {
  for (let shift = 0; shift < 4; shift++) {
    const text = Buffer.from(token.slice(shift), "base64").toString("latin1");
    if (text.length < 20 || !/^[\t\n\r\x20-\x7e]*[\t\n\r\x20-\x7e]{2}.{0,2}$/s.test(text)) continue;
    return !SECRET_TEXT.test(text) && !text.split(/[^A-Za-z0-9_+/-]/).some((word) => isRandom(word, 16));
  }
  return false;
}
