import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { sayQuestion } from "../adapters/cli/run-words.ts";
import { printSafeJson, safeLine } from "../adapters/cli/safe-text.ts";
import { cutToWidth, displayWidth } from "../base/display-width.ts";
import { sayFault } from "../contract/faults.ts";
import { VERDICTS } from "../contract/run-history.ts";
import { findRun, sayNone, withHistory } from "./kept-runs.ts";
import { misuse, type Printed } from "./printed.ts";
import { screenOf } from "./screen.ts";

const SHOWN_COLUMNS = 60;

/** `groundwork mark`: records a user's verdict on a run, for the statistics. */
export async function markRun(words: readonly string[], options: OptionsOf<"mark">): Promise<Printed> {
  const [word, id = "last", ...rest] = words;
  const verdict = VERDICTS.find((own) => own === word);
  if (verdict === undefined) return misuse("mark takes useful or useless, then a run (default: last)", "mark");
  if (rest.length > 0) return misuse("mark takes one run", "mark");
  return withHistory((history) => {
    const found = findRun(history, id);
    if (!found.ok) return sayNone(sayFault(found.fault));
    const { row } = found.value;
    if (!history.mark(row.key, verdict)) return sayNone(`run ${row.run_id} has just been removed`);
    if (options.json === true)
      return { text: printSafeJson({ run_id: row.run_id, key: row.key, verdict }), exitCode: 0 };
    const question = cutToWidth(sayQuestion(row).text, SHOWN_COLUMNS);
    const said = `Run ${safeLine(row.run_id)} is marked ${verdict}: ${question}`;
    return { text: `${cutToWidth(said, screenOf(options).columns ?? displayWidth(said))}\n`, exitCode: 0 };
  });
}
