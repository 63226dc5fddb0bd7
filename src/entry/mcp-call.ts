import type { McpCall } from "../adapters/mcp/server.ts";
import { type CallResult, sayUnknownTool, toCallResult, toErrorResult } from "../adapters/mcp/tool-result.ts";
import type { Environment } from "../base/environment.ts";
import { toMessage } from "../base/text.ts";
import { CALL_ERRORS } from "../contract/mcp.ts";
import type { Engine } from "../engine/engine.ts";
import { guardOwn } from "../lifecycle/guard.ts";
import { executeToolCall } from "../lifecycle/tool-executor.ts";
import { openToolCalls } from "./call-deps.ts";
import { sendCall } from "./send-trace.ts";
import { makeDoorTools } from "./tools.ts";

/** Time limit of a call: clients give up by then. */
const TIMEOUT_MS = 300_000;

/** The parts of a client's call that its answer depends on. */
export type CallOfTool = Pick<McpCall, "name" | "args" | "signal" | "askUser" | "report">;

/**
 * Runs one call of an MCP client from a folder. Contract: never throws; closes the engine; each call sees the current
 * files.
 */
export async function runMcpCall(
  call: CallOfTool,
  { folder, env, engine }: { readonly folder: string; readonly env: Environment; readonly engine: Engine },
): Promise<CallResult> {
  try {
    const tools = makeDoorTools(env, engine);
    const deps = await openToolCalls({ env, folder, tools, askUser: call.askUser });
    if (!deps.ok) return toErrorResult(CALL_ERRORS.failed(guardOwn(deps.fault.message)));
    // Only listed tools: tools of other servers are offered by those servers.
    const tool = tools.find(({ name }) => name === call.name);
    if (tool === undefined) return toErrorResult(sayUnknownTool(call.name));
    const outcome = await executeToolCall(
      { tool: call.name, args: call.args, origin: "mcp" },
      {
        ...deps.value,
        ruleOf: ({ ceilings }) => ({ timeoutMs: TIMEOUT_MS, ceilings }),
        signal: call.signal,
        report: call.report,
      },
    );
    sendCall(env, outcome.result);
    return toCallResult(tool, outcome);
  } catch (thrown) {
    return toErrorResult(CALL_ERRORS.failed(guardOwn(toMessage(thrown))));
  } finally {
    engine.close();
  }
}
