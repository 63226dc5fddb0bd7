import { isChosen } from "./chosen.ts";
import { isRandom } from "./judge.ts";
import { MARK } from "./rules.ts";

/**
 * Redacts what follows the header name `Authorization`, in headers, data and code. A bearer token is hidden whatever it
 * looks like; for other schemes, a value is hidden unless it is a word of a sentence. Contract: linear; templates are
 * kept.
 */

const HEADER = /authorization/gi;
/** From the header name to the word "bearer" and the separator before its value, with no words of prose in between. */
const BEARER =
  /[\w-]{0,30}[\\"'`\])}]{0,4}(?:\s{0,4}(?:=>|:=|[:=,(>]|%3[aAdD])|\s{1,4}to(?=\s{1,4}["'])|(?=\s{1,4}["'])|(?=\s{1,8}-?\s{0,2}["']?value))(?:\s|%20|\\ ){0,8}(?:-\s{1,4})?(?:\\?["']?\w{1,12}\\?["']?\s{0,2}[:=]\s{0,4}|[^\n"'`:=]{0,50}?[({]\s{0,4})?(?:\\?["'`]|%22)?(bearer)(?:[\\"'`]{0,2}(?:[\s,:+]|%20|\\t|\\ ){1,6}[\\"'`]{0,2})/iy;
/** From the header name to its content. Groups 1 and 2: the opening quote. */
const CONTENT =
  /(?![\w-])[\\"'`\])]{0,4}(?:\s{0,4}(?:=>|:=|[:=]|%3[aAdD])\s{0,4}(?:\[\]\w{1,10}\{|\[)?\\?(["'`]?)|(?:\s{0,4},\s{0,4}|\s{1,4}(?:to\s{1,4})?)\\?(["'`]))/y;
/** A placeholder that is recognisable as such: it is interpolated elsewhere, or meant to be filled in. */
const TEMPLATE =
  /^(?:\$\{|\$\(|#\{|\{\{|%\(|\\\(|<%|<([A-Za-z_][^<>\n]{0,60})>(?!\w)|\{([\w. -]{0,40})\}(?!\w)|\[([A-Za-z_][\w. -]{0,40})\](?!\w)|\$([A-Za-z_]\w{0,60})(?!\w)|%[sdv@](?!\w)|%([A-Za-z_]\w{0,40})%(?!\w))/;
const SCHEME = /^[A-Za-z][\w-]{1,30}$/;
const KNOWN_SCHEME =
  /^(?:basic|bearer|digest|oauth|hmac|hawk|negotiate|ntlm|bot|[\w-]{0,20}(?:token|key|hmac|auth|sha256))$/i;
/** A list of parameters, as in digests and signatures. */
const PARAMETERS = /^(?:[\w-]{1,30}=(?:\\?"[^"\n]{0,400}"|[^\s,"']{1,400})(?:,\s{0,4})?){1,20}/;
/** Words that follow a scheme or the header name in prose. */
const DOC_WORD =
  /^(?:auth\w{0,12}|headers?|schemes?|tokens?|keys?|based|credentials?|only|required|optional|permissions?|roles?|policy|policies|rules?|granted|denied|servers?|code|flows?|services?|types?|checks?|failed|failure|errors?|enabled|disabled|requests?|access|users?|admins?|is|are|and|or|for|with|via|to|in|the|an?|not|see|must|should|using|uses?)[.,:;]?$/i;
const MAX_CONTENT = 500;

/** True for a recognisable placeholder; if the name in the brackets looks random, it is a value instead. */
export function isTemplate(text: string): boolean {
  const match = TEMPLATE.exec(text.slice(0, 80));
  if (match === null) return false;
  const name = match.slice(1).find((part) => part !== undefined) ?? "";
  return !(/\d/.test(name) && isRandom(name, 12));
}

/** A quoted bearer token before the header name: `setValue("Bearer …", forHTTPHeaderField: "Authorization")`. */
const BEFORE_NAME = /(["'`])bearer( {1,4})([^\s"'`]{1,4000})(?=["'`][^\n]{0,60}?authorization)/gi;

/** Hides the credentials of an `Authorization` header. Contract: keeps the number of lines. */
export function hideAuthorization(written: string, hit: (kind: string) => void): string {
  if (!/authorization/i.test(written)) return written;
  const text = written.replace(BEFORE_NAME, (whole, quote: string, gap: string, value: string) => {
    if (isTemplate(value) || value.startsWith(MARK)) return whole;
    hit("bearer-token");
    return `${quote}Bearer${gap}${MARK}`;
  });
  let out = "";
  let copied = 0;
  for (const { index } of text.matchAll(HEADER)) {
    const from = index + "authorization".length;
    if (from < copied) continue;
    const found = findBearer(text, from) ?? findOther(text, index, from);
    if (found === null) continue;
    out += `${text.slice(copied, from)}${found.kept}${MARK}`;
    copied = found.to;
    hit(found.kind);
  }
  return copied === 0 ? text : out + text.slice(copied);
}

interface Found {
  readonly kind: string;
  /** Text between the header name and the value. */
  readonly kept: string;
  /** End of the value. */
  readonly to: number;
}

function findBearer(text: string, from: number): Found | null {
  BEARER.lastIndex = from;
  const tie = BEARER.exec(text);
  if (tie === null) return null;
  const at = from + tie[0].length;
  const value = toWord(text.slice(at, at + 4_000));
  if (!/[\p{L}\d]/u.test(value) || value.startsWith(MARK) || isTemplate(text.slice(at, at + 80))) return null;
  // `"Bearer " + session.token`: what is concatenated is code, not the value.
  if (/["'`]$/.test(tie[0]) && /^[+.,]/.test(value)) return null;
  return { kind: "bearer-token", kept: tie[0].replace(/bearer(?=[^a-z]{0,12}$)/i, "Bearer"), to: at + value.length };
}

/** A word up to whitespace or a quote, without trailing closing punctuation. */
function toWord(text: string): string {
  return (/^[^\s"'`]{1,4000}/.exec(text)?.[0] ?? "").replace(/[,;)\]}>\\]{1,8}$/, "");
}

function findOther(text: string, name: number, from: number): Found | null {
  CONTENT.lastIndex = from;
  const tie = CONTENT.exec(text);
  if (tie === null) return null;
  const quote = tie[1] ?? tie[2] ?? "";
  const at = from + tie[0].length;
  const rest = text.slice(at, at + MAX_CONTENT);
  const line = /^[^\n]*/.exec(rest)?.[0] ?? "";
  const content = quote === "" ? line : (line.split(quote, 1)[0] ?? "");
  const [, scheme = "", gap = ""] = /^([A-Za-z][\w-]{1,30})( {1,4})(?=\S)/.exec(content) ?? [];
  const value = content.slice(scheme.length + gap.length);
  const isHeader =
    quote !== "" || /(?:^|[\n"'`])[ \t]{0,12}(?:Proxy-)?$/i.test(text.slice(Math.max(0, name - 30), name));
  const size =
    scheme === "" ? toBareSize(content, { quoted: quote !== "", isHeader }) : toSchemeSize(scheme, value, isHeader);
  if (size === 0) return null;
  return { kind: "authorization", kept: `${tie[0]}${scheme}${gap}`, to: at + scheme.length + gap.length + size };
}

/** Length of the secret in content without a scheme. */
function toBareSize(content: string, { quoted, isHeader }: { quoted: boolean; isHeader: boolean }): number {
  const word = toWord(content);
  if (!isHeader || word.length < 6 || isTemplate(content) || word.includes(MARK) || !isChosen(word)) return 0;
  // Further words make it a sentence; a comma or a bracket makes it code, where a bare word is a variable.
  if (/\S/.test(content.slice(word.length).replace(/^["'`][^\n]*/, ""))) return 0;
  return quoted || !/[a-z][A-Z]|[_.(]/.test(word) ? word.length : 0;
}

/** Length of the secret after a scheme. */
function toSchemeSize(scheme: string, value: string, isHeader: boolean): number {
  if (isTemplate(value) || value.startsWith(MARK) || !SCHEME.test(scheme)) return 0;
  const isKnown = KNOWN_SCHEME.test(scheme);
  const list =
    isKnown || /^[\w-]{1,30}=[^\n]{1,200},\s{0,4}[\w-]{1,30}=/.test(value)
      ? (PARAMETERS.exec(value)?.[0].length ?? 0)
      : 0;
  if (list > 0) return list;
  const word = toWord(value);
  const others = value
    .slice(word.length)
    .replace(/^["'`][^\n]*/, "")
    .trim();
  if (word.length < 3 || !/[\p{L}\d]/u.test(word) || DOC_WORD.test(word)) return 0;
  if (isKnown) return /^[a-z]+$/i.test(word) && /^[a-z]+ [a-z]/i.test(others) ? 0 : word.length;
  return isHeader && others === "" && word.length >= 6 && !DOC_WORD.test(scheme) && isChosen(word) ? word.length : 0;
}
