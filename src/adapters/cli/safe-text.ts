import { toOneLine } from "../../base/text.ts";
import { makeTerminalFilter } from "../../jobs/job/terminal-text.ts";

/** Characters that nobody sees and that may turn a line around, but for those that join letters and emoji. */
const UNSEEN = /(?![\u200c\u200d])\p{Cf}/gu;
/** What JSON leaves as it is and a terminal may obey. */
const OBEYED = /[\u007f-\u009f]|(?![\u200c\u200d])\p{Cf}/gu;
const TAB = "  ";

/** Text of a run as a terminal may show it. Contract: cannot act on the terminal; lines stay, tabs become spaces. */
export function safeText(text: string): string {
  return makeTerminalFilter()(text).replace(UNSEEN, "").replaceAll("\t", TAB);
}

/** The same in one line. */
export function safeLine(text: string): string {
  return toOneLine(safeText(text));
}

/** A value as JSON that cannot act on a terminal either. Contract: whoever parses it gets the value as it was. */
export function toSafeJson(value: unknown): string {
  return JSON.stringify(value).replace(OBEYED, (sign) =>
    sign
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
