import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { printSafeJson } from "../adapters/cli/safe-text.ts";
import { printStats } from "../adapters/cli/stats.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { readSelection, sayEmpty, withHistory } from "./kept-runs.ts";
import { misuse, type Printed } from "./printed.ts";
import { screenOf } from "./screen.ts";
import { countTeam } from "./team-figures.ts";

/** `groundwork stats`: prints statistics of all kept runs, of some of them, or of a team. */
export async function countKept(
  words: readonly string[],
  options: OptionsOf<"stats">,
  tools: readonly ToolDeclaration[],
): Promise<Printed> {
  if (words.length > 0) return misuse("stats takes no arguments", "stats");
  if (options.team === true) return countTeam(options, tools);
  if (options.days !== undefined || options.pending === true)
    return misuse("--days and --pending go with --team", "stats");
  return withHistory(async (history) => {
    const selection = readSelection(options, history);
    if (!selection.ok) return misuse(selection.fault.message, "stats");
    const stats = history.stats(selection.value);
    if (options.json === true) return { text: printSafeJson(stats), exitCode: 0 };
    if (stats.runs > 0) return { text: printStats(stats, screenOf(options)), exitCode: 0 };
    const isEmpty = history.count({ silent: true }) === 0;
    return { text: isEmpty ? await sayEmpty() : "No kept run matches.\n", exitCode: 0 };
  });
}
