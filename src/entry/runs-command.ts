import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { printRuns, printRunsJson, printRunsJsonl } from "../adapters/cli/runs.ts";
import { systemClock } from "../base/clock.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { RunFilter } from "../contract/run-history.ts";
import type { RunHistory } from "../run-history/run-history.ts";
import { followRuns } from "./follow-runs.ts";
import { readSelection, sayEmpty, withHistory } from "./kept-runs.ts";
import { misuse, type Printed } from "./printed.ts";
import { writeAll } from "./process.ts";
import { purgeRuns } from "./purge-command.ts";
import { screenOf } from "./screen.ts";

const USUAL_LIMIT = 20;
const MAX_LIMIT = 1_000_000;
/** Options that are valid for only one of the two commands. */
const OF_PURGE = ["all", "before", "yes"] as const;
const OF_LIST = ["since", "silent", "limit", "jsonl", "follow"] as const;

/** `groundwork runs`: lists the kept runs, follows them, or purges them. */
export async function listRuns(words: readonly string[], options: OptionsOf<"runs">): Promise<Printed> {
  const [word, ...rest] = words;
  if (rest.length > 0 || (word !== undefined && word !== "purge"))
    return misuse(`runs knows one command, purge, not ${words.join(" ")}`, "runs");
  const isPurge = word === "purge";
  const wrong = (isPurge ? OF_LIST : OF_PURGE).find((name) => options[name] !== undefined);
  if (wrong !== undefined) return misuse(`--${wrong} goes with ${isPurge ? '"runs" alone' : '"runs purge"'}`, "runs");
  if (isPurge) return purgeRuns(options);
  if (options.json === true && options.jsonl === true) return misuse("--json and --jsonl do not go together", "runs");
  if (options.json === true && options.follow === true)
    return misuse("--follow goes with --jsonl, not with --json", "runs");
  const limit = readLimit(options);
  if (!limit.ok) return misuse(limit.fault.message, "runs");
  if (options.follow === true) {
    const { jsonl, color } = options;
    const shown = { limit: limit.value, isJsonl: jsonl === true, color };
    return followRuns((history) => readFilter(options, history), shown);
  }
  return withHistory(async (history) => {
    const filter = readFilter(options, history);
    return filter.ok ? list(history, filter.value, limit.value, options) : misuse(filter.fault.message, "runs");
  });
}

async function list(
  history: RunHistory,
  filter: RunFilter,
  limit: number | undefined,
  options: OptionsOf<"runs">,
): Promise<Printed> {
  const rows = history.list({ ...filter, limit });
  const more = history.count(filter) - rows.length;
  if (options.jsonl === true) return { text: printRunsJsonl(rows), exitCode: 0 };
  if (options.json === true) {
    if (more > 0) writeAll(2, `groundwork: ${more} more; all of them: --limit ${rows.length + more}\n`);
    return { text: printRunsJson(rows), exitCode: 0 };
  }
  if (history.count({ silent: true }) === 0) return { text: await sayEmpty(), exitCode: 0 };
  const silent = filter.silent === true ? 0 : history.count({ ...filter, outcome: "silent" });
  if (rows.length === 0) return { text: sayNothingMatches(silent), exitCode: 0 };
  const isOneRepo = filter.repo !== undefined;
  const shown = { rows, nowMs: systemClock.nowMs(), isOneRepo, more, silent };
  return { text: printRuns(shown, screenOf(options)), exitCode: 0 };
}

function sayNothingMatches(silent: number): string {
  if (silent === 0) return "No kept run matches.\n";
  const only = silent === 1 ? "1 silent one does" : `${silent} silent ones do`;
  return `No kept run with evidence matches; ${only}: --silent lists them.\n`;
}

function readFilter(options: OptionsOf<"runs">, history: RunHistory): Outcome<RunFilter> {
  const selection = readSelection(options, history);
  return selection.ok ? succeed({ ...selection.value, silent: options.silent === true }) : selection;
}

/** Number of runs listed; undefined for all. */
function readLimit({ limit, jsonl, follow }: OptionsOf<"runs">): Outcome<number | undefined> {
  if (limit === undefined) return succeed(jsonl === true ? undefined : USUAL_LIMIT);
  const least = follow === true ? 0 : 1;
  const count = /^\d{1,7}$/.test(limit) ? Number(limit) : -1;
  if (count < least || count > MAX_LIMIT)
    return fail("E_INVALID_ARGS", `--limit takes a whole number from ${least} to ${MAX_LIMIT}`);
  return succeed(count);
}
