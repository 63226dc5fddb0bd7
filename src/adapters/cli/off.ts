import { toDuration } from "../../base/duration.ts";
import { quoteShell } from "../../base/quote-shell.ts";
import type { OffEntry } from "../../config/off-book.ts";
import { toLine } from "./trust.ts";

/** Result of `groundwork off` as data. */
export function explainOff({ root, until }: Pick<OffEntry, "root" | "until">) {
  return { off: true, scope: toScope(root), root, until, undo: toUndo(root) };
}

/** The same for people: what is off, until when, and how to undo it. */
export function printOff({ root, until }: Pick<OffEntry, "root" | "until">, forMs: number | null): string {
  const time =
    until === null || forMs === null ? "until you switch it on again" : `for ${toDuration(forMs)}, until ${until}`;
  return `Switched off ${toPlace(root)}, ${time}: no prompt gets evidence there, in any client.
Commands and tools that are called by name still work.
Undo: ${toUndo(root)}
`;
}

interface OnReport extends Pick<OffEntry, "root"> {
  readonly wasOff: boolean;
  /** Other entries of `groundwork off` that still apply. */
  readonly left: readonly OffEntry[];
  /** What else keeps it off here, in words; null if nothing does. */
  readonly keptOffBy: string | null;
}

/** Result of `groundwork on` as data. */
export function explainOn({ root, wasOff, left, keptOffBy }: OnReport) {
  const still_off = left.map((entry) => ({ scope: toScope(entry.root), root: entry.root, until: entry.until }));
  return { off: false, scope: toScope(root), root, was_off: wasOff, still_off, kept_off_by: keptOffBy };
}

/** The same for people: what is on again, and what is not. */
export function printOn({ root, wasOff, left, keptOffBy }: OnReport): string {
  const lines = [wasOff ? `Switched on again ${toPlace(root)}.` : `It was not switched off ${toPlace(root)}.`];
  for (const { root: other, until } of left) {
    const end = until === null ? "" : ` until ${until}`;
    const undo = other === null ? "groundwork on" : `groundwork on --repo ${quoteShell(toLine(other))}`;
    lines.push(`Still off ${toPlace(other)}${end}; undo: ${undo}`);
  }
  if (keptOffBy !== null) lines.push(`Something else keeps it off here: ${keptOffBy}.`);
  return `${lines.join("\n")}\n`;
}

const toScope = (root: OffEntry["root"]) => (root === null ? "everywhere" : "repository");
const toPlace = (root: OffEntry["root"]) => (root === null ? "everywhere" : `in ${toLine(root)}`);
const toUndo = (root: OffEntry["root"]) => (root === null ? "groundwork on" : "groundwork on --repo");
