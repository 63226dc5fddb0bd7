import { runJobCommand } from "../adapters/cli/codex-jobs.ts";
import { systemClock } from "../base/clock.ts";
import { toMessage } from "../base/text.ts";
import { JOB_MISUSE } from "../contract/codex-job-texts.ts";
import { namedProgram, SETTLE_PROGRAM, START_PROGRAM } from "./codex-programs.ts";
import { printAndExit, readInput, writeAll } from "./process.ts";

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

// Only a log that is followed waits; everything else is over in a moment, or must not be left half done.
process.on("SIGINT", () => (interruption.signal.aborted ? process.exit(130) : interruption.abort()));

runJobCommand(process.argv.slice(2), {
  env: process.env,
  clock: systemClock,
  startProgram: startStandIn === null ? START_PROGRAM : { command: startStandIn, args: [] },
  settleProgram: SETTLE_PROGRAM,
  cwd: currentFolder(),
  write: (text) => writeAll(1, text),
  tell,
  signal: interruption.signal,
  readStdin: readInput,
}).then(
  (exitCode) => printAndExit("", exitCode),
  (thrown) => {
    tell(JOB_MISUSE.refused(toMessage(thrown)));
    printAndExit("", 1);
  },
);
