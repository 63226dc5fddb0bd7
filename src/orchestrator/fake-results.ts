import { readFileSync, statSync } from "node:fs";
import type { Environment } from "../base/environment.ts";
import { isRecord, textOf, toMessage } from "../base/text.ts";
import { FAULTS, type FaultCode, fail, type Outcome, succeed } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { type GuardPolicy, guard } from "../lifecycle/guard.ts";
import { makeOutcome, readForeignData, type ToolOutcome } from "../lifecycle/tool-outcome.ts";

const VARIABLE = "CI_AUTO_TOOLS_FAKE_TOOL_RESULTS_FILE";
const MAX_BYTES = 8 * 1024 * 1024;

/** True if results are read from a file instead of running tools. */
export function usesFakeResults(env: Environment): boolean {
  return env[VARIABLE] !== undefined && env[VARIABLE] !== "";
}

/**
 * Reads results from a file instead of running tools, so that programs that use the document can be tested. Contract:
 * null if the variable is not set; E_OUTPUT for anything but a JSON array; the content passes the guard like a tool's
 * answer.
 */
export function readFakeOutcomes(
  env: Environment,
  policy: GuardPolicy,
  tools: readonly ToolDeclaration[],
): Outcome<ToolOutcome[] | null> {
  const path = env[VARIABLE];
  if (path === undefined || !usesFakeResults(env)) return succeed(null);
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES)
      return fail("E_OUTPUT", `${VARIABLE} is not a file of at most 8 MiB`);
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!Array.isArray(value)) return fail("E_OUTPUT", `${VARIABLE} holds no JSON array`);
    return succeed(value.filter(isRecord).map((item) => toOutcome(item, policy, tools)));
  } catch (thrown) {
    return fail("E_OUTPUT", `${VARIABLE}: ${toMessage(thrown)}`);
  }
}

function toOutcome(item: Record<string, unknown>, policy: GuardPolicy, tools: readonly ToolDeclaration[]): ToolOutcome {
  const { value, redactions, limits } = guard(item, policy);
  const error = isRecord(value["error"]) ? value["error"] : {};
  const code = typeof error["code"] === "string" && error["code"] in FAULTS ? (error["code"] as FaultCode) : undefined;
  const status = (["ok", "timeout", "error", "skipped"] as const).find((known) => known === value["status"]) ?? "ok";
  const fallback: FaultCode | undefined =
    status === "timeout" ? "E_TIMEOUT" : status === "error" ? "E_UNKNOWN" : undefined;
  const faultCode = code ?? fallback;
  const message = textOf(error, "message");
  const tool = textOf(value, "tool") || "unknown";
  const data = isRecord(value["data"]) ? value["data"] : undefined;
  const declared = tools.find(({ name }) => name === tool);
  return makeOutcome({
    tool,
    status,
    fault: faultCode === undefined ? null : { code: faultCode, message },
    startedAt: textOf(value, "started_at") || "1970-01-01T00:00:00Z",
    durationMs: typeof value["duration_ms"] === "number" && value["duration_ms"] >= 0 ? value["duration_ms"] : 0,
    summary: textOf(value, "summary"),
    data,
    message,
    redactions,
    isCut: value["truncated"] === true,
    findings: data === undefined ? null : readForeignData(declared, data),
    limits: [...limits, ...(faultCode === undefined ? [] : [LIMITS.fault(faultCode, tool)])],
    version: "fake",
  });
}
