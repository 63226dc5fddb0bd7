import { countOf } from "../../contract/count-of.ts";
import type { Examination } from "./examine.ts";
import { checkOf, type UngroupedCheck } from "./ungrouped-check.ts";
import type { World } from "./world.ts";

/** State of the repository's index. */
export interface IndexReport {
  /** True if the index is switched off. */
  readonly isOff: boolean;
  /** Why it cannot be read; null if it can, or if there is none. */
  readonly damage: string | null;
  /** Null if there is no index. */
  readonly state: { readonly isDone: boolean; readonly files: number; readonly atMs: number } | null;
  /** Its relation to the team's bases. */
  readonly base: BaseReport;
  /** Moves a damaged index out of the way; returns a sentence about what it did. */
  readonly setAside: () => string;
}

/** Relation of an index to the store of bases that the user joined. */
interface BaseReport {
  readonly joined: boolean;
  readonly store: string | null;
  readonly state: string;
  /** The problem; empty if there is none. */
  readonly reason: string;
}

const HOUR_MS = 3_600_000;

/** Examines the repository's index. A missing index is not a fault: the first question about code creates it. */
export function indexExaminations({ clock }: World, report: () => IndexReport): Examination[] {
  const look = () => {
    const found = report();
    return [judgeIndex(found, clock.nowMs()), ...judgeBase(found.base)];
  };
  return [{ group: "index", name: "index", limitMs: 5_000, look }];
}

function judgeIndex({ isOff, damage, state, setAside }: IndexReport, nowMs: number): UngroupedCheck {
  const check = checkOf("index", "none, or one that can be read");
  if (isOff) return check.fine("switched off");
  if (damage !== null) {
    const text = 'run "groundwork doctor --fix", then "groundwork index"';
    return check.poor("warn", damage, { text, section: "the-index-cannot-be-read", mend: setAside });
  }
  if (state === null) return check.fine("none yet; the first question about code makes one");
  const files = countOf(state.files, "file");
  return check.fine(`${files}${state.isDone ? "" : ", not finished"}, ${sayAge(nowMs - state.atMs)}`);
}

/** Returns nothing if the user has not joined. */
function judgeBase({ joined, store, state, reason }: BaseReport): UngroupedCheck[] {
  if (!joined && reason === "") return [];
  const check = checkOf("base", "attached, or not joined");
  if (reason === "") return [check.fine(`${state}: ${store ?? ""}`)];
  const text = 'run "groundwork base" and "groundwork index"; questions are answered without a base meanwhile';
  return [check.poor("warn", `${state}: ${reason}`, { text, section: "the-base-is-not-used" })];
}

function sayAge(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  if (hours < 1) return "brought up to date within the last hour";
  return hours < 48
    ? `brought up to date ${countOf(hours, "hour")} ago`
    : `brought up to date ${countOf(Math.floor(hours / 24), "day")} ago`;
}
