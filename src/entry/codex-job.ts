import { JOB_MISUSE } from "../adapters/cli/codex-job-texts.ts";
import { runJobCommand } from "../adapters/cli/codex-jobs.ts";
import { isAboutTeam } from "../adapters/cli/team-job-arguments.ts";
import { runTeamJobCommand } from "../adapters/cli/team-jobs.ts";
import { systemClock } from "../base/clock.ts";
import { ENDING_SIGNALS } from "../base/signals.ts";
import { toMessage } from "../base/text.ts";
import { makeTerminalFilter } from "../jobs/job/terminal-text.ts";
import { namedProgram, SETTLE_PROGRAM, START_PROGRAM } from "./codex-programs.ts";
import { readStandardInput } from "./codex-stdin.ts";
import { printAndExit, writeAll } from "./process.ts";
import { screenOf } from "./screen.ts";

const tell = (line: string) => writeAll(2, `${line}\n`);
const interruption = new AbortController();

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    // The current folder was deleted; code that needs it reports that it is not a folder.
    return ".";
  }
}

const startStandIn = namedProgram("CODEX_START_SH");

/**
 * Logs may contain arbitrary output, so escape sequences are filtered for a terminal. A pipe gets every byte unchanged.
 */
const toShown = process.stdout.isTTY === true ? makeTerminalFilter() : (text: string | Buffer) => text;

/** Exit code for the signal that asked us to stop; null if there was none. */
let askedToGo: number | null = null;
// Only following a log waits; everything else finishes quickly or must not be interrupted halfway.
for (const [signal, code] of ENDING_SIGNALS) {
  process.on(signal, () => {
    if (askedToGo !== null) process.exit(askedToGo);
    askedToGo = code;
    interruption.abort();
  });
}

const argv = process.argv.slice(2);
const shared = {
  write: (text: string | Buffer) => void writeAll(1, toShown(text)),
  tell,
  signal: interruption.signal,
  screen: screenOf({}),
};

async function runTeam(): Promise<number> {
  // Loaded lazily, because most jobs are local.
  const { openTeamJobs } = await import("./team-jobs-command.ts");
  const open = () => openTeamJobs(currentFolder(), interruption.signal);
  return runTeamJobCommand(argv, { ...shared, open, nowMs: systemClock.nowMs });
}

const runLocal = () =>
  runJobCommand(argv, {
    ...shared,
    env: process.env,
    clock: systemClock,
    startProgram: startStandIn === null ? START_PROGRAM : { command: startStandIn, args: [] },
    settleProgram: SETTLE_PROGRAM,
    cwd: currentFolder(),
    readStdin: async () => {
      const text = await readStandardInput(interruption.signal);
      // After an interruption the input may be incomplete and must not be used.
      return askedToGo === null ? text : printAndExit("", askedToGo);
    },
  });

(isAboutTeam(argv) ? runTeam() : runLocal()).then(
  (exitCode) => printAndExit("", askedToGo ?? exitCode),
  (thrown) => {
    tell(JOB_MISUSE.refused(toMessage(thrown)));
    printAndExit("", 1);
  },
);
