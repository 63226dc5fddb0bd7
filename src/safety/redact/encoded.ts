import { isRandom } from "./judge.ts";

/**
 * Tells encoded text and pictures from keys. What base64 encodes can be read: a line of a document is judged by what it
 * says, and data with long runs of one sign has none of the randomness of a key. Contract: linear.
 */

/** How an OpenSSH private key starts; it contains runs of zeros. */
const KEY_HEAD = /^b3BlbnNzaC1rZXk|^MI[GI]|^LS0tLS1CRUdJTi/;
/** A word of a mail header: its character set and encoding say that it is text. */
const MAIL_WORD = /=\?[\w-]{2,20}\?[bB]\?$/;
/** The separator of the parts of a message, alone on its line. */
const BOUNDARY = /^\s{0,20}--$/;

/** What an encoded text says if it holds a secret; a `key` alone is an entry of a property list. */
const SECRET_TEXT =
  /secret|token|api[_ -]?key|access[_ -]?key|passw|passphrase|credential|PRIVATE|auth|bearer|["']d["']:|^[\w.@-]{1,60}:\S{4,80}$/i;

/** True for a token that nobody calls a secret and that is text, a picture or a separator. */
export function isHarmlessData(token: string, before: string): boolean {
  if (MAIL_WORD.test(before)) return !/^(?:eyJ|LS0tLS1CRUdJTi)/.test(token);
  if (/^\s{0,20}$/.test(before) && /^--[A-Za-z0-9]{1,6}_[0-9a-f]{32}(?:--)?$/.test(token)) return true;
  if (BOUNDARY.test(before) || token.length < 32 || KEY_HEAD.test(token)) return false;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(token)) return false;
  return isRepetitive(token) || isText(token);
}

/** True if a fifth of the signs stand in runs of three and more: a picture, a table, padding. */
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
