import { resolve } from "node:path";
import { systemClock } from "../base/clock.ts";
import { withSafePath } from "../base/find-program.ts";
import { once } from "../base/once.ts";
import { ENDING_SIGNALS } from "../base/signals.ts";
import { stopAllPrograms } from "../base/subprocess/spawn.ts";
import { toMessage } from "../base/text.ts";
import { EXIT_USAGE } from "../contract/codex-jobs.ts";
import { fail } from "../contract/faults.ts";
import { makeTerminalFilter } from "../jobs/job/terminal-text.ts";
import { sessionsFolder } from "../jobs/run/run-folder.ts";
import { type RunDeps, refuseStart, runSession } from "../jobs/run/session.ts";
import { parseStartOptions } from "../jobs/run/start-options.ts";
import { startUsage } from "../jobs/run/start-texts.ts";
import { NO_FOLDER } from "../jobs/run/texts.ts";
import { gitSource, SETTLE_PROGRAM } from "./codex-programs.ts";
import { readStandardInput } from "./codex-stdin.ts";
import { printAndExit, writeAll } from "./process.ts";

/** start.sh keeps its runs next to itself; every other caller keeps them below the working folder. */
const { GROUNDWORK_START_ROOT: startRoot = "", ...env } = process.env;
const argv = process.argv.slice(2);
const interruption = new AbortController();

/**
 * Commands run by Codex may print anything, so escape sequences are filtered for a terminal. A pipe gets every byte
 * unchanged.
 */
const toShown = process.stdout.isTTY === true ? makeTerminalFilter() : (text: string) => text;

const tell = (line: string) => writeAll(2, `${line}\n`);

function findFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "";
  }
}

async function main(): Promise<void> {
  const cwd = findFolder();
  if (cwd === "") {
    tell(NO_FOLDER);
    return printAndExit("", EXIT_USAGE);
  }
  const deps: RunDeps = {
    argv,
    script: startRoot === "" ? "groundwork codex exec" : "start.sh",
    cwd,
    env: withSafePath(env, cwd),
    home: env["HOME"] ?? "",
    clock: systemClock,
    sessionsRoot: sessionsFolder(startRoot === "" ? cwd : resolve(startRoot)),
    readStdin: once(() => readStandardInput(interruption.signal)),
    enrich: async (task) => {
      try {
        // Loaded lazily, because most runs request no evidence.
        const { findContext } = await import("./codex-context.ts");
        return await findContext(task, { env, folder: cwd, signal: interruption.signal });
      } catch (thrown) {
        // The run continues without evidence if the search for it fails.
        return fail("E_ORCHESTRATOR", toMessage(thrown));
      }
    },
    signal: interruption.signal,
    tell,
    show: (text) => writeAll(1, toShown(text)),
    settleProgram: SETTLE_PROGRAM,
    gitSource: gitSource(),
  };
  const options = parseStartOptions(argv, env);
  if (options.ok && options.value.help) return printAndExit(startUsage(process.env), 0);
  const { exitCode, stdout } = options.ok ? await runSession(options.value, deps) : refuseStart(options.fault, deps);
  printAndExit(stdout, exitCode);
}

process.once("exit", stopAllPrograms);
for (const [signal, code] of ENDING_SIGNALS) {
  process.on(signal, () => {
    // A second signal stops all programs at once; the result is still recorded.
    if (interruption.signal.aborted) stopAllPrograms();
    interruption.abort(code);
  });
}
main().catch((thrown: unknown) => {
  tell(`codex-start: ${toMessage(thrown)}`);
  process.exit(1);
});
