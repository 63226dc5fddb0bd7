import { JOB_MISUSE } from "../adapters/cli/codex-job-texts.ts";
import { runJobCommand } from "../adapters/cli/codex-jobs.ts";
import { systemClock } from "../base/clock.ts";
import { ENDING_SIGNALS } from "../base/signals.ts";
import { toMessage } from "../base/text.ts";
import { makeTerminalFilter } from "../jobs/job/terminal-text.ts";
import { namedProgram, SETTLE_PROGRAM, START_PROGRAM } from "./codex-programs.ts";
import { readStandardInput } from "./codex-stdin.ts";
import { printAndExit, writeAll } from "./process.ts";

const tell = (line: string) => writeAll(2, `${line}\n`);
const interruption = new AbortController();

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    // Gone; whoever needs it is told that it is not a folder.
    return ".";
  }
}

const startStandIn = namedProgram("CODEX_START_SH");

/** Logs hold what anybody printed: a terminal must not take it for orders. A pipe gets every byte. */
const toShown = process.stdout.isTTY === true ? makeTerminalFilter() : (text: string | Buffer) => text;

/** The code of the signal that asked us to go; null as long as none did. */
let askedToGo: number | null = null;
// Only a log that is followed waits; everything else is over in a moment, or must not be left half done.
for (const [signal, code] of ENDING_SIGNALS) {
  process.on(signal, () => {
    if (askedToGo !== null) process.exit(askedToGo);
    askedToGo = code;
    interruption.abort();
  });
}

runJobCommand(process.argv.slice(2), {
  env: process.env,
  clock: systemClock,
  startProgram: startStandIn === null ? START_PROGRAM : { command: startStandIn, args: [] },
  settleProgram: SETTLE_PROGRAM,
  cwd: currentFolder(),
  write: (text) => writeAll(1, toShown(text)),
  tell,
  signal: interruption.signal,
  readStdin: async () => {
    const text = await readStandardInput(interruption.signal);
    // Half of what was meant is not what was meant.
    return askedToGo === null ? text : printAndExit("", askedToGo);
  },
}).then(
  (exitCode) => printAndExit("", askedToGo ?? exitCode),
  (thrown) => {
    tell(JOB_MISUSE.refused(toMessage(thrown)));
    printAndExit("", 1);
  },
);
