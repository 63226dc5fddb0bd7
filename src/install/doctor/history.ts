import { countOf } from "../../base/text.ts";
import type { HistoryHealth } from "../../contract/run-history.ts";
import type { Examination } from "./examine.ts";
import { fine, poor, type UngroupedCheck } from "./ungrouped-check.ts";

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

const SECTION = "the-history-cannot-be-used";
const MB = 1_000_000;

/** Examines the run history. A missing history is not a fault. */
export function historyExaminations(report: () => HistoryReport): Examination[] {
  return [{ group: "history", name: "store", limitMs: 5_000, look: () => judgeHistory(report()) }];
}

function judgeHistory({ folder, health, setting, origin, sharing }: HistoryReport): UngroupedCheck[] {
  const kept = setting === null ? [] : [fine("setting", saySetting(setting, origin), "any")];
  if (folder === null || health === null)
    return [fine("store", "no place for one", "none, or one that can be read"), ...kept];
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
  const expected = "sent to the team's server";
  if (trouble === "")
    return fine("team figures", state === null || state.sentAt === 0 ? "nothing sent yet" : "sent", expected);
  const waiting = state === null ? "" : `; ${state.waiting} waiting`;
  return poor(
    "warn",
    "team figures",
    { measured: `${trouble}${waiting}`, expected },
    {
      text: "put that right, or set team_figures: off; it is tried again every hour",
      section: "the-teams-figures-are-not-sent",
    },
  );
}

function saySetting({ kept, days, mb }: NonNullable<HistoryReport["setting"]>, origin: string): string {
  return kept === "off" ? `off (${origin})` : `${kept} (${origin}), for ${countOf(days, "day")}, ${mb} MB at most`;
}

function judgeStore({ state, why, runs, bytes }: HistoryHealth): UngroupedCheck {
  const expected = "none, or one that can be read";
  const size = `${(bytes / MB).toFixed(1)} MB`;
  const found = (measured: string) => ({ measured, expected });
  switch (state) {
    case "none":
      return fine("store", "none yet; the first prompt makes one", expected);
    case "readable":
      return fine("store", `${countOf(runs, "run")}, ${size}`, expected);
    case "locked":
      return poor("warn", "store", found("another process is writing it"), {
        text: "look again; if it stays so, end the process that has it open",
        section: SECTION,
      });
    case "newer":
      return poor("fail", "store", found(`written by a newer Groundwork (${why})`), {
        text: "update Groundwork",
        section: SECTION,
      });
    default:
      return poor("warn", "store", found(`it cannot be read: ${why}`), {
        text: 'run "groundwork runs": it recovers it, or sets it aside and starts a new one',
        section: SECTION,
      });
  }
}

function sayNotWritable(folder: string, why: string): UngroupedCheck {
  const found = { measured: `${folder} cannot be written to: ${why}`, expected: "a folder of yours alone" };
  const text = "give it back to yourself and make it writable, or set GROUNDWORK_HISTORY=off";
  return poor("fail", "folder", found, { text, section: SECTION });
}

function sayAside(paths: readonly string[]): UngroupedCheck {
  const found = { measured: `damaged and set aside: ${paths.join(", ")}`, expected: "none" };
  const them = paths.length === 1 ? "it" : "them";
  const text = `delete ${them}; "groundwork runs purge" removes ${them}, too`;
  return poor("warn", "set aside", found, { text, section: SECTION });
}
