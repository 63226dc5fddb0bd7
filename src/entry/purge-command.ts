import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { shortenPath } from "../adapters/cli/layout.ts";
import { toFigure } from "../adapters/cli/run-words.ts";
import { safeLine } from "../adapters/cli/safe-text.ts";
import { toLocalTime } from "../base/moment.ts";
import { countOf } from "../base/text.ts";
import { findHome, historyFolder } from "../config/places.ts";
import { keyOfTime } from "../run-history/key.ts";
import type { RunHistory } from "../run-history/run-history.ts";
import { listAside } from "../run-history/store.ts";
import { readMoment, readRepo, withHistory } from "./kept-runs.ts";
import { misuse, type Printed } from "./printed.ts";
import { askTerminal, isTerminal } from "./process.ts";

/** Which runs to remove: all, or those that meet every condition given. */
interface Chosen {
  readonly repo?: string;
  readonly before_ms?: number;
}

/** `groundwork runs purge`: removes runs permanently. Asks for confirmation only on a terminal. */
export async function purgeRuns(options: OptionsOf<"runs">): Promise<Printed> {
  const { all, repo, before, yes, json } = options;
  if (all !== true && repo === undefined && before === undefined)
    return misuse("runs purge needs --all, --repo DIR or --before WHEN", "runs");
  if (all === true && (repo !== undefined || before !== undefined))
    return misuse("--all goes with neither --repo nor --before", "runs");
  return withHistory(async (history) => {
    const root = repo === undefined ? null : readRepo(repo, history);
    if (root !== null && !root.ok) return misuse(root.fault.message, "runs");
    const until = before === undefined ? null : readMoment("--before", before);
    if (until !== null && !until.ok) return misuse(until.fault.message, "runs");
    const chosen: Chosen = {
      ...(root === null ? {} : { repo: root.value }),
      ...(until === null ? {} : { before_ms: until.value }),
    };
    const count = countChosen(history, chosen);
    const aside = listAside(historyFolder(process.env) ?? "").length;
    const answer = (removed: number, text: string, exitCode = 0): Printed =>
      json === true
        ? { text: `${JSON.stringify({ removed, aside: removed === 0 && exitCode > 0 ? 0 : aside })}\n`, exitCode }
        : { text, exitCode };
    const asks = yes !== true && count + aside > 0 && isTerminal(0) && isTerminal(2);
    if (asks && !/^y(?:es)?$/i.test(await askTerminal(`${toQuestion(count, aside, chosen)} [y/N] `)))
      return answer(0, "Nothing was removed.\n", 1);
    const removed = history.purge(chosen);
    return answer(removed, `${toReport(removed, aside, chosen)}\n`);
  });
}

function countChosen(history: RunHistory, { repo, before_ms }: Chosen): number {
  return history.count({
    silent: true,
    ...(repo === undefined ? {} : { repo }),
    ...(before_ms === undefined ? {} : { before: keyOfTime(before_ms) }),
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
