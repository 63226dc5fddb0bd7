import { countOf } from "../../base/text.ts";
import type { Examination } from "./examine.ts";
import { fine, poor, type UngroupedCheck } from "./ungrouped-check.ts";
import type { World } from "./world.ts";

/** What is known of the index of the repository. */
export interface IndexReport {
  /** True where it is not to be used. */
  readonly isOff: boolean;
  /** Why it cannot be read; null where there is none or it can. */
  readonly damage: string | null;
  /** Null where there is none. */
  readonly state: { readonly isDone: boolean; readonly files: number; readonly atMs: number } | null;
  /** How it stands to the bases of the team. */
  readonly base: BaseReport;
  /** Moves a damaged one out of the way; says what it did. */
  readonly setAside: () => string;
}

/** How an index stands to the store of bases that was joined. */
interface BaseReport {
  readonly joined: boolean;
  readonly store: string | null;
  readonly state: string;
  /** What is wrong; empty where nothing is. */
  readonly reason: string;
}

const HOUR_MS = 3_600_000;

/** Looks at the index of the repository. None is no fault: the first question about code makes one. */
export function indexExaminations({ clock }: World, report: () => IndexReport): Examination[] {
  const look = () => {
    const found = report();
    return [judgeIndex(found, clock.nowMs()), ...judgeBase(found.base)];
  };
  return [{ group: "index", name: "index", limitMs: 5_000, look }];
}

function judgeIndex({ isOff, damage, state, setAside }: IndexReport, nowMs: number): UngroupedCheck {
  const expected = "none, or one that can be read";
  if (isOff) return fine("index", "switched off", expected);
  if (damage !== null) {
    const text = 'run "groundwork doctor --fix", then "groundwork index"';
    const remedy = { text, section: "the-index-cannot-be-read", mend: setAside } as const;
    return poor("warn", "index", { measured: damage, expected }, remedy);
  }
  if (state === null) return fine("index", "none yet; the first question about code makes one", expected);
  const files = countOf(state.files, "file");
  return fine("index", `${files}${state.isDone ? "" : ", not finished"}, ${sayAge(nowMs - state.atMs)}`, expected);
}

/** Nothing is said where nobody has joined. */
function judgeBase({ joined, store, state, reason }: BaseReport): UngroupedCheck[] {
  if (!joined && reason === "") return [];
  const expected = "attached, or not joined";
  if (reason === "") return [fine("base", `${state}: ${store ?? ""}`, expected)];
  const text = 'run "groundwork base" and "groundwork index"; questions are answered without a base meanwhile';
  return [
    poor("warn", "base", { measured: `${state}: ${reason}`, expected }, { text, section: "the-base-is-not-used" }),
  ];
}

function sayAge(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  if (hours < 1) return "brought up to date within the last hour";
  return hours < 48
    ? `brought up to date ${countOf(hours, "hour")} ago`
    : `brought up to date ${countOf(Math.floor(hours / 24), "day")} ago`;
}
