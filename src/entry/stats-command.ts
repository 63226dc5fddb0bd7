import { printSafeJson } from "../adapters/cli/safe-text.ts";
import { printStats } from "../adapters/cli/stats.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { readMoment, readRepo, sayEmpty, withHistory } from "./kept-runs.ts";
import { misuse, type Printed } from "./printed.ts";
import { screenOf } from "./screen.ts";
import { countTeam } from "./team-figures.ts";

/** Options of `groundwork stats`. */
export interface StatsOptions {
  readonly repo?: string | undefined;
  readonly since?: string | undefined;
  readonly team?: boolean | undefined;
  readonly days?: string | undefined;
  readonly pending?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly color?: string | undefined;
}

/** `groundwork stats`: prints statistics of all kept runs, of some of them, or of a team. */
export async function countKept(
  words: readonly string[],
  options: StatsOptions,
  tools: readonly ToolDeclaration[],
): Promise<Printed> {
  if (words.length > 0) return misuse("stats takes no arguments", "stats");
  if (options.team === true) return countTeam(options, tools);
  if (options.days !== undefined || options.pending === true)
    return misuse("--days and --pending go with --team", "stats");
  return withHistory(async (history) => {
    const root = options.repo === undefined ? null : readRepo(options.repo, history);
    if (root !== null && !root.ok) return misuse(root.fault.message, "stats");
    const from = options.since === undefined ? null : readMoment("--since", options.since);
    if (from !== null && !from.ok) return misuse(from.fault.message, "stats");
    const stats = history.stats({
      ...(root === null ? {} : { repo: root.value }),
      ...(from === null ? {} : { since_ms: from.value }),
    });
    if (options.json === true) return { text: printSafeJson(stats), exitCode: 0 };
    if (stats.runs > 0) return { text: printStats(stats, screenOf(options)), exitCode: 0 };
    const isEmpty = history.count({ silent: true }) === 0;
    return { text: isEmpty ? await sayEmpty() : "No kept run is like that.\n", exitCode: 0 };
  });
}
