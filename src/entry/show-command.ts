import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { compareRuns } from "../adapters/cli/compare-runs.ts";
import { whyOnlyRow } from "../adapters/cli/kept-document.ts";
import { printSafeJson, safeLine } from "../adapters/cli/safe-text.ts";
import { printRun } from "../adapters/cli/show.ts";
import { printComparison } from "../adapters/cli/show-diff.ts";
import { systemClock } from "../base/clock.ts";
import { sayFault } from "../contract/faults.ts";
import type { RunDetail } from "../contract/run-history.ts";
import { findRun, readSelection, sayNone, withHistory } from "./kept-runs.ts";
import { misuse, type Printed } from "./printed.ts";
import { writeAll } from "./process.ts";
import { screenOf } from "./screen.ts";

/** `groundwork show`: prints everything that is kept of one run, or how two runs differ. */
export async function showRun(words: readonly string[], options: OptionsOf<"show">): Promise<Printed> {
  const { repo, injected, json, diff } = options;
  if (injected === true && (json === true || diff === true))
    return misuse("--injected goes with neither --json nor --diff", "show");
  if (diff === true ? words.length !== 2 : words.length > 1)
    return misuse(diff === true ? "show --diff takes two runs" : "show takes one run; two with --diff", "show");
  if (repo !== undefined && words.some((word) => word !== "last"))
    return misuse("--repo goes with last, not with an id", "show");
  return withHistory((history) => {
    const selection = readSelection({ repo }, history);
    if (!selection.ok) return misuse(selection.fault.message, "show");
    const found = (words.length === 0 ? ["last"] : words).map((word) => findRun(history, word, selection.value.repo));
    const details: RunDetail[] = [];
    for (const one of found) {
      // A missing run is an answer, not a failure of the store.
      if (!one.ok) return sayNone(sayFault(one.fault));
      details.push(one.value);
    }
    const [first, second] = details;
    if (first === undefined) return sayNone("no run is kept");
    if (second !== undefined) return showDiff(first, second, options);
    if (injected === true) return showInjected(first);
    if (json === true) return showJson(first);
    return { text: printRun(first, systemClock.nowMs(), screenOf(options)), exitCode: 0 };
  });
}

function showDiff(first: RunDetail, second: RunDetail, options: OptionsOf<"show">): Printed {
  const comparison = compareRuns(first, second);
  const text =
    options.json === true
      ? printSafeJson(comparison)
      : printComparison(comparison, systemClock.nowMs(), screenOf(options));
  return { text, exitCode: 0 };
}

/** Prints exactly the bytes that the model was given. */
function showInjected(detail: RunDetail): Printed {
  const { row, injected } = detail;
  if (injected === "" && row.injected_chars > 0)
    return sayNone(`what run ${row.run_id} injected is not kept: ${whyOnlyRow(detail) ?? "it was cut"}`);
  if (injected === "") writeAll(2, `groundwork: run ${safeLine(row.run_id)} injected nothing\n`);
  return { text: injected, exitCode: 0 };
}

function showJson(detail: RunDetail): Printed {
  const { row, document } = detail;
  if (document !== null) return { text: printSafeJson(document), exitCode: 0 };
  return sayNone(
    `no document of run ${row.run_id} is kept: ${whyOnlyRow(detail)}; "groundwork runs --silent --json" has its row`,
  );
}
