import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { shortenPath } from "../adapters/cli/layout.ts";
import { toFigure } from "../adapters/cli/run-words.ts";
import { safeLine } from "../adapters/cli/safe-text.ts";
import { toLocalTime } from "../base/moment.ts";
import { findHome, historyFolder } from "../config/places.ts";
import { countOf } from "../contract/count-of.ts";
import type { RunHistory } from "../run-history/run-history.ts";
import { listAside } from "../run-history/store.ts";
import { readSelection, withHistory } from "./kept-runs.ts";
import { misuse, type Printed, printedJson } from "./printed.ts";
import { canAsk, confirm } from "./process.ts";

/** Which runs to remove: all, or those that meet every condition given. */
type Chosen = Parameters<RunHistory["purge"]>[0];

/** `groundwork runs purge`: removes runs permanently. Asks for confirmation only on a terminal. */
export async function purgeRuns(options: OptionsOf<"runs">): Promise<Printed> {
  const { all, repo, before, yes, json } = options;
  if (all !== true && repo === undefined && before === undefined)
    return misuse("runs purge needs --all, --repo DIR or --before WHEN", "runs");
  if (all === true && (repo !== undefined || before !== undefined))
    return misuse("--all goes with neither --repo nor --before", "runs");
  return withHistory(async (history) => {
    const selection = readSelection({ repo, before }, history);
    if (!selection.ok) return misuse(selection.fault.message, "runs");
    const chosen: Chosen = selection.value;
    const count = history.count({ ...chosen, silent: true });
    const aside = listAside(historyFolder(process.env) ?? "").length;
    const answer = (removed: number, text: string, exitCode = 0): Printed =>
      json === true
        ? printedJson({ removed, aside: removed === 0 && exitCode > 0 ? 0 : aside }, exitCode)
        : { text, exitCode };
    const asks = yes !== true && count + aside > 0 && canAsk();
    if (asks && !(await confirm(toQuestion(count, aside, chosen)))) return answer(0, "Nothing was removed.\n", 1);
    const removed = history.purge(chosen);
    return answer(removed, `${toReport(removed, aside, chosen)}\n`);
  });
}

function toQuestion(count: number, aside: number, chosen: Chosen): string {
  const damaged = aside === 0 ? "" : ` and ${countOf(aside, "damaged file")}`;
  return `Remove ${countRuns(count)}${sayChosen(chosen)}${damaged} for good?`;
}

function toReport(removed: number, aside: number, chosen: Chosen): string {
  const damaged =
    aside === 0
      ? ""
      : ` ${countOf(aside, "damaged file")} that had been set aside ${aside === 1 ? "was" : "were"} removed, too.`;
  if (removed === 0) return `There were no runs${sayChosen(chosen)} to remove.${damaged}`;
  return `${countRuns(removed)}${sayChosen(chosen)} removed.${damaged}`;
}

function countRuns(count: number): string {
  return `${toFigure(count)} ${count === 1 ? "run" : "runs"}`;
}

function sayChosen({ repo, before_ms }: Chosen): string {
  const home = findHome(process.env);
  const of = repo === undefined ? "" : ` of ${safeLine(shortenPath(repo, { home }))}`;
  return `${of}${before_ms === undefined ? "" : ` from before ${toLocalTime(before_ms).slice(0, -3)}`}`;
}
