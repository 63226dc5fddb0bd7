import { toOneLine } from "../../base/text.ts";
import { makeTerminalFilter } from "../../jobs/job/terminal-text.ts";

/** Invisible characters, some of which reverse the text direction, except those that join letters and emoji. */
const UNSEEN = /(?![\u200c\u200d])\p{Cf}/gu;
/** Characters that JSON does not escape but that a terminal may interpret. */
const OBEYED = /[\u007f-\u009f]|(?![\u200c\u200d])\p{Cf}/gu;
const TAB = "  ";

/** Makes text of a run safe for a terminal, which it cannot control. Line breaks are kept, tabs become spaces. */
export function safeText(text: string): string {
  return makeTerminalFilter()(text).replace(UNSEEN, "").replaceAll("\t", TAB);
}

/** The same in one line. */
export function safeLine(text: string): string {
  return toOneLine(safeText(text));
}

/** Formats a value as a line of JSON that cannot control a terminal either. Contract: parsing gives the value back. */
export function printSafeJson(value: unknown): string {
  const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `${JSON.stringify(value).replace(OBEYED, (sign) => sign.split("").map(toEscape).join(""))}\n`;
}
