import { closeSync, fstatSync, readSync } from "node:fs";
import { cutText, toOneLine } from "../../base/text.ts";
import { defang } from "../../safety/defang/defang.ts";
import type { Hide } from "./hide-secrets.ts";
import { openPlain } from "./plain-file.ts";

/** More than one line: a secret that goes over lines is not seen in its last one alone. */
const TAIL_BYTES = 16 * 1024;
const MAX_CHARS = 200;

/** The last line of a log with something in it, fit to be shown while the log grows. Contract: never throws or blocks; empty where there is none. */
export function readLastLine(path: string, hide: Hide): string {
  const file = openPlain(path);
  if (file === null) return "";
  try {
    const bytes = Buffer.alloc(TAIL_BYTES);
    const read = readSync(file, bytes, 0, TAIL_BYTES, Math.max(0, fstatSync(file).size - TAIL_BYTES));
    const lines = hide(defang(bytes.toString("utf8", 0, read))).split("\n");
    return cutText(lines.map(toOneLine).findLast(Boolean) ?? "", MAX_CHARS).text;
  } catch {
    return "";
  } finally {
    closeSync(file);
  }
}
