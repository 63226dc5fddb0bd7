/** Blocks of text that are declared public or encrypted: certificates, public keys, signatures, sealed values. */

const FRAME =
  /-{4,5} ?(BEGIN|END) (?![A-Z0-9 ]{0,40}PRIVATE)[A-Z0-9 ]{0,40}(?:PUBLIC KEY|CERTIFICATE|PARAMETERS|X509 CRL|PKCS7|CMS|SIGNATURE|MESSAGE)[A-Z ]{0,10}-{4,5}/g;
/**
 * A line of a body: only base64 between decorations, a header, or empty. Stricter than for private keys: there a
 * doubtful line is hidden, here it is not exempted.
 */
const BODY_LINE =
  /^[\s>#*/+|"'`\\;%-]{0,40}(?:[A-Za-z0-9+/]{1,200}={0,3})?(?:\\[nr]|[\s"'`,;+.)]){0,12}$|^(?:Version|Comment|Hash|Subject): [^\n]{0,80}$/;
/** A body on one line: pieces of base64 separated by escaped line breaks or spaces. */
const ONE_LINE = /^(?:\\[nr]|["'`,+\s]|[A-Za-z0-9+/]{1,200}={0,3}(?=\\|["'`\s]|$))*$/;
const MAX_LINE = 20_000;

/** A value that a tool encrypted within its file: the brackets contain only the ciphertext. */
const SEALED = /ENC\[(?:AES256_GCM,data:|PKCS7,|GPG,)[A-Za-z0-9+/=,:_]{8,8000}\]/g;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Applies `hide` to a text except for the bodies of public blocks. Contract: linear if `hide` is. */
export function hideOutsideFrames(text: string, hide: (part: string) => string): string {
  if (!text.includes("BEGIN ") && !text.includes("END ") && !text.includes("ENC[")) return hide(text);
  let out = "";
  let at = 0;
  const sealed = [...text.matchAll(SEALED)].map(({ index, 0: whole }) => ({ from: index, to: index + whole.length }));
  for (const { from, to } of [...findBodies(text), ...sealed].sort((a, b) => a.from - b.from)) {
    if (from < at || to <= from) continue;
    out += hide(text.slice(at, from)) + text.slice(from, to);
    at = to;
  }
  return out + hide(text.slice(at));
}

function findBodies(text: string): Span[] {
  const bodies: Span[] = [];
  let done = 0;
  for (const frame of text.matchAll(FRAME)) {
    const after = frame.index + frame[0].length;
    if (frame[1] === "BEGIN") {
      const to = toBodyEnd(text, after);
      bodies.push({ from: after, to });
      done = to;
    } else if (frame.index > done) {
      // An END whose BEGIN was cut off.
      bodies.push({ from: toBodyStart(text, done, frame.index), to: frame.index });
      done = after;
    }
  }
  return bodies;
}

/** End of a body: at the next frame line, or before the first line that does not belong to it. */
function toBodyEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const ahead = text.slice(at, at + MAX_LINE);
    const next = ahead.indexOf("\n");
    const line = next < 0 ? ahead : ahead.slice(0, next);
    const frame = line.indexOf("-----");
    if (frame >= 0) {
      const piece = line.slice(0, frame);
      return ONE_LINE.test(piece) || BODY_LINE.test(piece) ? at + frame : at;
    }
    if (!BODY_LINE.test(line) && !ONE_LINE.test(line)) return at;
    at += line.length + (next < 0 ? 0 : 1);
  }
  return text.length;
}

/** Start of the body before an END. */
function toBodyStart(text: string, least: number, end: number): number {
  let at = end;
  while (at > least) {
    const lineFrom = Math.max(least, text.lastIndexOf("\n", at - 2) + 1);
    if (at - lineFrom > MAX_LINE || !BODY_LINE.test(text.slice(lineFrom, at).trimEnd())) break;
    at = lineFrom;
  }
  return at;
}
