import { isChosen, isMarkedArgument } from "./chosen.ts";
import { isKeyLike, isRandom, toLiteral } from "./judge.ts";
import { MARK } from "./rules.ts";
import { hideSpans } from "./spans.ts";

/** Values whose name is on the line before, alone or at its end, including in search results and logs. */

/** Line prefix of a search result, a log or a listing. */
const LISTING =
  "\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,6})?\\s{1,4}(?:\\[?[A-Za-z]{3,8}\\]?:?\\s{1,4})?|\\[?\\d{4}-\\d\\d-\\d\\d[T ][\\d:.,]{5,15}Z?\\]?\\s{1,4}(?:\\[?[A-Za-z]{3,8}\\]?:?\\s{1,4})?|(?=[^\\s:]{0,120}[./])[\\w./@+-]{1,120}[:-]\\d{1,6}[:-]|\\s{0,6}\\d{1,6}[:|]";
/** The same, followed by the prefix of a comment, a list item or an element. */
const BEFORE = new RegExp(`^(?:${LISTING})?[\\s>#*+|/;-]{0,16}(?:<[a-z]{1,12}>\\s{0,4}){0,2}`);
const LISTED = new RegExp(`^(?:${LISTING})`);

/** True if a line starts with the prefix of a search result, a log or a listing. */
export function isListed(line: string): boolean {
  return LISTED.test(line);
}

const PASSWORD_LABEL = /(?:passw(?:or)?d|pass ?phrase|pass ?code|passwort|kennwort|\bpwd|\bpsk|密码|口令)$/i;
const KEY_LABEL =
  /(?:secret|token|(?:api|access|secret|private|signing|auth|encryption|account|master|license)[ _-]?key|_KEY|\bbearer|密钥|令牌)$/i;
/** Separator between the name and the next line. */
const TIE = /["'`)\]*]{0,3}(?:\s(?:is|was))?\s{0,3}(?:=>|:=|[:=：＝])\s{0,3}(?:\\|\||>-?|\(|["'`]{1,3})?$/;
const TAG_END = /(?:<\/[a-z]{1,12}>\s{0,4}){1,2}$|\s{0,4}\|$/;
/** A line that contains one word and otherwise only quotes, an element and closing punctuation. */
const VALUE = /^([bru]?["'`]?)([^\s"'`<>]{4,200})["'`]?(?:<\/[a-z]{1,12}>\s{0,4}){0,2}\s{0,4}[,;)\\|]{0,3}\s{0,8}$/;
const MAX_LABEL = 100;
const STATEMENTS =
  /^(?:break|return|continue|else|end|endif|pass|done|then|begin|null|none|true|false|todo|default)[;:]?$/i;

/** Hides words that are named by the line before. Contract: linear; keeps the number of lines. */
export function hideBelow(text: string, hit: (kind: string) => void): string {
  if (!text.includes("\n")) return text;
  const lines = text.split("\n");
  for (let at = 0; at + 1 < lines.length; at++) {
    const label = toLabel(lines[at] ?? "");
    if (label === null) continue;
    // One empty line may come in between.
    const below = /^[\s=-]*$/.test(lines[at + 1] ?? "") && (label.tied || lines[at + 1] !== "") ? at + 2 : at + 1;
    const line = lines[below];
    if (line === undefined || line.length > 400) continue;
    const from = BEFORE.exec(line)?.[0].length ?? 0;
    const [, quote = "", value = ""] = VALUE.exec(line.slice(from)) ?? [];
    if (!isValue(value, label)) continue;
    lines[below] = hideSpans(line, [{ at: from + quote.length, value }], () => hit("line-below"));
  }
  return lines.join("\n");
}

interface Label {
  readonly password: boolean;
  /** True if a separator at the end of the line announces a value. */
  readonly tied: boolean;
}

/** The label at the end of a line, or null. Without a separator, the line must consist of the label only. */
function toLabel(line: string): Label | null {
  if (line.length > MAX_LABEL + 120) return null;
  const told = line.slice(BEFORE.exec(line)?.[0].length ?? 0).trimEnd();
  if (told.length < 3 || told.length > MAX_LABEL || told.includes("<redacted")) return null;
  const bare = told.replace(TAG_END, "");
  const name = bare.replace(TIE, "");
  const tied = name !== bare;
  const password = PASSWORD_LABEL.test(name);
  if (!password && !KEY_LABEL.test(name)) return null;
  if (!tied && !/^[\w-]{1,40}(?: [\w-]{1,20}){0,3}$|^[\u3400-\u9fff]{2,12}$/.test(name)) return null;
  return /^(?:case|if|else|for|while|def|function|class|return)\b/.test(name) ? null : { password, tied };
}

function isValue(written: string, { password, tied }: Label): boolean {
  const value = toLiteral(written);
  if (
    value === "" ||
    value.startsWith(MARK) ||
    STATEMENTS.test(value) ||
    /[(){}[\]|\\]|^[-+*/=!&?.]|\w=\w|:\/\/|\.[a-z]{1,6}$/.test(value)
  )
    return false;
  // Another name without a value.
  if (/^[A-Za-z][\w.-]*=$/.test(value) && !isRandom(value, 12)) return false;
  if (isKeyLike(value)) return true;
  if (value.length < 6 || !isChosen(value) || /[.:]$/.test(value)) return false;
  if (/\d/.test(value)) return tied ? password || value.length >= 8 : value.length >= 8 && isMarkedArgument(value);
  if (!tied) return /^[a-z]+-[a-z]+$/.test(value) && value.length >= 10;
  return /^[a-z]+(?:-[a-z]+){0,3}!?$/i.test(value) ? value.length >= 8 : password;
}
