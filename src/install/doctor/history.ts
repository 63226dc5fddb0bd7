import { countOf } from "../../contract/count-of.ts";
import type { HistoryHealth } from "../../contract/run-history.ts";
import type { Examination } from "./examine.ts";
import { checkOf, type UngroupedCheck } from "./ungrouped-check.ts";

/** Inputs for examining the run history. */
export interface HistoryReport {
  /** Null if there is no location for it. */
  readonly folder: string | null;
  /** Null if there is no location for it. */
  readonly health: HistoryHealth | null;
  /** The configured retention; null if the settings cannot be read. */
  readonly setting: { readonly kept: string; readonly days: number; readonly mb: number } | null;
  /** Origin of the setting. */
  readonly origin: string;
  /** Set if figures of runs are shared with a team, with the reason if they cannot be; null if they are not shared. */
  readonly sharing: { readonly obstacle: string } | null;
}

const STORE = checkOf("store", "none, or one that can be read");
const SECTION = "the-history-cannot-be-used";
const MB = 1_000_000;

/** Examines the run history. A missing history is not a fault. */
export function historyExaminations(report: () => HistoryReport): Examination[] {
  return [{ group: "history", name: "store", limitMs: 5_000, look: () => judgeHistory(report()) }];
}

function judgeHistory({ folder, health, setting, origin, sharing }: HistoryReport): UngroupedCheck[] {
  const kept = setting === null ? [] : [checkOf("setting", "any").fine(saySetting(setting, origin))];
  if (folder === null || health === null) return [STORE.fine("no place for one"), ...kept];
  const isOff = setting?.kept === "off";
  return [
    judgeStore(health),
    ...kept,
    ...(health.writeTrouble === "" || isOff ? [] : [sayNotWritable(folder, health.writeTrouble)]),
    ...(health.aside.length === 0 ? [] : [sayAside(health.aside)]),
    ...(sharing === null ? [] : [judgeSharing(sharing.obstacle, health.sharing)]),
  ];
}

function judgeSharing(obstacle: string, state: HistoryHealth["sharing"]): UngroupedCheck {
  const trouble = obstacle || (state?.trouble ?? "");
  const check = checkOf("team figures", "sent to the team's server");
  if (trouble === "") return check.fine(state === null || state.sentAt === 0 ? "nothing sent yet" : "sent");
  const waiting = state === null ? "" : `; ${state.waiting} waiting`;
  return check.poor("warn", `${trouble}${waiting}`, {
    text: "put that right, or set team_figures: off; it is tried again every hour",
    section: "the-teams-figures-are-not-sent",
  });
}

function saySetting({ kept, days, mb }: NonNullable<HistoryReport["setting"]>, origin: string): string {
  return kept === "off" ? `off (${origin})` : `${kept} (${origin}), for ${countOf(days, "day")}, ${mb} MB at most`;
}

function judgeStore({ state, why, runs, bytes }: HistoryHealth): UngroupedCheck {
  switch (state) {
    case "none":
      return STORE.fine("none yet; the first prompt makes one");
    case "readable":
      return STORE.fine(`${countOf(runs, "run")}, ${(bytes / MB).toFixed(1)} MB`);
    case "locked":
      return STORE.poor("warn", "another process is writing it", {
        text: "look again; if it stays so, end the process that has it open",
        section: SECTION,
      });
    case "newer":
      return STORE.poor("fail", `written by a newer Groundwork (${why})`, {
        text: "update Groundwork",
        section: SECTION,
      });
    default:
      return STORE.poor("warn", `it cannot be read: ${why}`, {
        text: 'run "groundwork runs": it recovers it, or sets it aside and starts a new one',
        section: SECTION,
      });
  }
}

function sayNotWritable(folder: string, why: string): UngroupedCheck {
  const text = "give it back to yourself and make it writable, or set GROUNDWORK_HISTORY=off";
  const check = checkOf("folder", "a folder of yours alone");
  return check.poor("fail", `${folder} cannot be written to: ${why}`, { text, section: SECTION });
}

function sayAside(paths: readonly string[]): UngroupedCheck {
  const them = paths.length === 1 ? "it" : "them";
  const text = `delete ${them}; "groundwork runs purge" removes ${them}, too`;
  const check = checkOf("set aside", "none");
  return check.poor("warn", `damaged and set aside: ${paths.join(", ")}`, { text, section: SECTION });
}
