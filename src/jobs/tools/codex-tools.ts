import type * as z from "zod/mini";
import { MAX_TIMER_MS } from "../../base/timers.ts";
import type { Outcome } from "../../contract/faults.ts";
import { defineTool, type ToolAnswer, type ToolContext, type ToolDeclaration } from "../../contract/tool.ts";
import { hideInOutcome, makeHide } from "../run/redaction.ts";
import {
  type CodexToolDeps,
  execCodex,
  listAll,
  readLogPart,
  startInBackground,
  stopOne,
  tellStatus,
} from "./codex-calls.ts";
import { ExecInput, ListInput, LogsInput, StartInput, StatusInput, StopInput } from "./codex-inputs.ts";
import { toErrorCode } from "./texts.ts";

const JOB_MS = 60_000;

/**
 * Creates the tools with which an MCP client runs Codex. Contract: never part of a plan; called only by a client or a
 * person; each call reads the disk anew.
 */
export function makeCodexTools(deps: CodexToolDeps): readonly ToolDeclaration[] {
  const declare = <T extends z.ZodMiniObject>(
    name: string,
    summary: string,
    input: () => T,
    run: (input: z.output<T>, context: ToolContext, deps: CodexToolDeps) => Promise<Outcome<ToolAnswer>>,
    timeoutMs = JOB_MS,
  ): ToolDeclaration =>
    defineTool({
      name,
      summary,
      tier: 2,
      effect: "write",
      writesFor: ["mcp"],
      version: "1.0",
      timeoutMs,
      input,
      ceilings: {},
      plan: () => null,
      run: async (given, context) => hideInOutcome(forClients(await run(given, context, deps)), makeHide(deps.env)),
      toFindings: () => null,
    });
  return [
    declare(
      "codex.exec",
      "Run Codex to its end. Returns its exit code, the paths of its files, and its last message.",
      ExecInput,
      execCodex,
      // The run's own options limit its time.
      MAX_TIMER_MS,
    ),
    declare(
      "codex.start",
      "Start Codex in the background. Returns at once with the job's id and the path of its log.",
      StartInput,
      startInBackground,
    ),
    declare(
      "codex.status",
      "Report the state of a job: queued, running, completed or failed, with its exit code and its files.",
      StatusInput,
      tellStatus,
    ),
    declare(
      "codex.logs",
      "Read the log of a job or run: bytes from an offset, or lines: some, the last, those that match.",
      LogsInput,
      readLogPart,
    ),
    declare(
      "codex.stop",
      "Stop a job and everything it started, gently or by force. Returns what was done.",
      StopInput,
      stopOne,
    ),
    declare("codex.list", "List the jobs of a folder with their states, newest first.", ListInput, listAll),
  ];
}

/**
 * Converts a fault for clients: adds one of their error codes and drops the lines for terminals, which repeat the
 * message.
 */
function forClients(outcome: Outcome<ToolAnswer>): Outcome<ToolAnswer> {
  if (outcome.ok) return outcome;
  const { lines: _lines, ...fault } = outcome.fault;
  return { ok: false, fault: { ...fault, detail: toErrorCode(fault) } };
}
