import type { Environment } from "../../base/environment.ts";
import { isExecutable } from "../../base/find-program.ts";
import { runProgram } from "../../base/subprocess/run-program.ts";
import { isRecord } from "../../base/text.ts";
import { type ExitCode, FAULTS, fail, type Outcome, succeed } from "../../contract/faults.ts";
import { LIMITS, toLimitsText } from "../../contract/limits.ts";
import type { Client, RunDocument } from "../../contract/run-document.ts";
import { SCHEMA_VERSION } from "../../contract/schema-version.ts";
import type { KernelAnswer } from "../../orchestrator/answer.ts";
import { makeEmptyDocument } from "../../orchestrator/document.ts";
import { guardDocument } from "./guard-document.ts";

/** What another orchestrator is called with. */
export interface ExternalCall {
  readonly program: string;
  readonly payload: string;
  readonly client: Client;
  readonly folder: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

const MAX_STDOUT_BYTES = 32 * 1024 * 1024;
const EXIT_CODES: readonly number[] = [0, 10, 20, 30, 40, 50];

/** Asks another orchestrator. Contract: never throws; what is no document is E_OUTPUT, what does not start E_ORCHESTRATOR. */
export async function askExternal(call: ExternalCall): Promise<Outcome<KernelAnswer>> {
  if (!isExecutable(call.program)) return fail("E_ORCHESTRATOR", `${call.program} is missing or not executable`);
  const done = await runProgram({
    command: call.program,
    args: [],
    cwd: call.folder,
    env: { ...call.env, CI_ORCH_CLIENT_NAME: call.client.name, CI_ORCH_CLIENT_EVENT: call.client.event },
    stdin: call.payload,
    signal: call.signal,
    maxStdoutBytes: MAX_STDOUT_BYTES,
    maxStderrBytes: 64 * 1024,
  });
  if (call.signal.aborted) return fail("E_TIMEOUT", "the orchestrator did not answer in time");
  if (done.startError !== "") return fail("E_ORCHESTRATOR", done.startError);
  const document = parseDocument(done.stdout, call.client);
  if (document === null) return fail("E_OUTPUT", "the orchestrator printed no run document");
  const code = EXIT_CODES.includes(done.exitCode ?? -1) ? (done.exitCode as ExitCode) : FAULTS.E_UNKNOWN.exit;
  const clean = guardDocument(document, call.folder);
  const { is_degraded = false, reason = "" } = clean.document.degraded ?? {};
  const { additional_context } = clean.document.fused_context.for_model;
  return succeed({
    ...clean,
    exitCode: code,
    // Another program's block and limits are known as texts alone.
    unsaid: clean.limits.filter((limit) => !additional_context.includes(toLimitsText([limit]))),
    notices: is_degraded && reason !== "" ? [LIMITS.quoted(reason)] : [],
  });
}

/**
 * Reads a document. Contract: null where the parts that every reader needs are missing; of a later major version only
 * the injected text is taken over, because what else it means is not known.
 */
function parseDocument(text: string, client: Client): RunDocument | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value) || typeof value["schema_version"] !== "string") return null;
  const fused = isRecord(value["fused_context"]) ? value["fused_context"] : {};
  const context = isRecord(fused["for_model"]) ? fused["for_model"]["additional_context"] : undefined;
  if (typeof context !== "string") return null;
  if (Number.parseInt(value["schema_version"], 10) > Number.parseInt(SCHEMA_VERSION, 10))
    return fromLater(value["schema_version"], context, client);
  return typeof value["run_id"] === "string" && isRecord(value["tool_plan"]) ? (value as RunDocument) : null;
}

function fromLater(version: string, context: string, client: Client): RunDocument {
  const empty = makeEmptyDocument({ client, prompt: "", reason: "", limits: [LIMITS.laterSchema(version)] });
  const { for_model } = empty.fused_context;
  return {
    ...empty,
    fused_context: { ...empty.fused_context, for_model: { ...for_model, additional_context: context } },
    degraded: { is_degraded: false, reason: "", degraded_to: "" },
  };
}
