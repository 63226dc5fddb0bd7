import { cutText, toOneLine } from "../../base/text.ts";

const MAX_TITLE = 80;

/**
 * The first line that says something, for lists of runs. Contract: one line of at most 80 characters without the signs of
 * a heading; what Markdown puts around a text (front matter, comments, fences, rules) says nothing; empty for nothing.
 */
export function toTitle(task: string): string {
  const text = task.replace(/^---\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/, "").replace(/<!--[\s\S]*?(?:-->|$)/g, "");
  const lines = (text.trim() === "" ? task : text).split(/\r?\n/);
  const line = lines.find((each) => /[\p{L}\p{N}]/u.test(each) && !/^\s*(?:```|~~~)/.test(each)) ?? task;
  return cutText(toOneLine(line.replace(/^\s*#+\s*/, "").replace(/\s+#+\s*$/, "")), MAX_TITLE).text;
}
