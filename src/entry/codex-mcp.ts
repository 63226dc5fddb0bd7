import { toCodexError, toCodexResult } from "../adapters/mcp/codex-result.ts";
import type { McpCall } from "../adapters/mcp/server.ts";
import { toListedTools } from "../adapters/mcp/tool-list.ts";
import { type CallResult, sayUnknownTool } from "../adapters/mcp/tool-result.ts";
import { systemClock } from "../base/clock.ts";
import { once } from "../base/once.ts";
import { ENDING_SIGNALS } from "../base/signals.ts";
import { stopAllPrograms } from "../base/subprocess/spawn.ts";
import { toMessage } from "../base/text.ts";
import { sleep, startTimer } from "../base/timers.ts";
import type { Fault } from "../contract/faults.ts";
import { makeCodexTools } from "../jobs/tools/codex-tools.ts";
import type { StandIn } from "../jobs/tools/stand-in.ts";
import { CODEX_INSTRUCTIONS, CODEX_SERVER_NAME, toErrorCode } from "../jobs/tools/texts.ts";
import { guardOwn } from "../lifecycle/guard.ts";
import { executeToolCall } from "../lifecycle/tool-executor.ts";
import { openToolCalls } from "./call-deps.ts";
import { namedProgram, SETTLE_PROGRAM, START_PROGRAM } from "./codex-programs.ts";
import { projectRoot } from "./process.ts";
import { folderFor, serveMcp } from "./serve-mcp.ts";
import { VERSION } from "./version.ts";

/** Maximum number of concurrent calls; high, so that questions about jobs do not wait for foreground runs to end. */
const WIDTH = 64;
/** How often to check whether the client is still alive after it has closed its end. */
const LOOK_MS = 1_000;
/** Longest time the server takes to exit on request: slightly more than a run may take to end. */
const LEAVE_MS = 35_000;

/** Unanswered calls and unfinished runs; a cancelled run may still be ending. */
const open = new Set<Promise<unknown>>();
const stop = new AbortController();
const { ppid: client } = process;

function toolsOf(folder: string) {
  return makeCodexTools({
    env: process.env,
    clock: systemClock,
    folder,
    home: projectRoot,
    startProgram: START_PROGRAM,
    settleProgram: SETTLE_PROGRAM,
    startStandIn: standIn("CODEX_START_SH"),
    jobStandIn: standIn("CODEX_JOB_SH"),
    runs: { stopping: stop.signal, add: keepOpen },
  });
}

function keepOpen<T>(work: Promise<T>): Promise<T> {
  const kept = work.finally(() => open.delete(kept));
  open.add(kept);
  return kept;
}

function standIn(variable: StandIn["variable"]): StandIn | null {
  const program = namedProgram(variable);
  return program === null ? null : { variable, program };
}

async function callTool(call: McpCall): Promise<CallResult> {
  try {
    const folder = folderFor(call.roots, call.meta);
    const tools = toolsOf(folder);
    const deps = await openToolCalls({ env: process.env, folder, tools, askUser: call.askUser });
    if (!deps.ok) return toFailed(deps.fault);
    // Models write tool names as their client displays them, and some clients display no dots.
    const tool = tools.find(({ name }) => name === call.name || name.replace(".", "_") === call.name);
    if (tool === undefined) return toFailed({ code: "E_INVALID_ARGS", message: sayUnknownTool(call.name) });
    const outcome = await executeToolCall(
      { tool: tool.name, args: call.args, origin: "mcp" },
      { ...deps.value, ruleOf: (rule) => rule, signal: call.signal, report: call.report },
    );
    // Limits about invalid hooks are reported with every call, because the hooks may have been meant for it.
    return toCodexResult(tool, { ...outcome, limits: [...deps.value.hooks.limits, ...outcome.limits] });
  } catch (thrown) {
    return toFailed({ code: "E_UNKNOWN", message: toMessage(thrown) });
  }
}

function toFailed(fault: Fault): CallResult {
  const { message, hint } = guardOwn(fault);
  return toCodexError({ code: toErrorCode(fault), message, ...(hint === undefined ? {} : { hint }) });
}

/** Resolves when every call is answered and every run has ended. */
async function allEnded(): Promise<void> {
  while (open.size > 0) await Promise.allSettled(open);
}

/** Asks all runs to end gracefully and exits once they have. */
function leave(exitCode = 0): void {
  stop.abort();
  const exit = () => setImmediate(() => process.exit(exitCode));
  startTimer(LEAVE_MS, exit);
  allEnded().then(exit, exit);
}

process.once("exit", stopAllPrograms);
for (const [signal, exitCode] of ENDING_SIGNALS) {
  process.once(signal, () => {
    // The input may end before the runs do; the exit code must still reflect the signal then.
    process.exitCode = exitCode;
    leave(exitCode);
    // A second signal exits at once.
    process.once(signal, () => process.exit(exitCode));
  });
}
serveMcp(
  {
    name: CODEX_SERVER_NAME,
    instructions: CODEX_INSTRUCTIONS,
    version: VERSION,
    width: WIDTH,
    clock: systemClock,
    listTools: once(async () => toListedTools(toolsOf(""))),
    callTool: (call) => keepOpen(callTool(call)),
    onReady: () => {},
  },
  {
    afterInput: async (allAnswered) => {
      // A run may take hours and is still answered; if the client has died, all runs are stopped.
      const answered = allAnswered.then(allEnded);
      for (let isOver = false; !isOver; ) {
        isOver = await Promise.race([answered.then(() => true), sleep(LOOK_MS).then(() => false)]);
        if (process.ppid !== client) stop.abort();
      }
    },
    onGone: () => leave(),
  },
);
