import type { Environment } from "../../base/environment.ts";
import { isExecutable } from "../../base/find-program.ts";
import { findRepoRoot, toRealFolder } from "../../base/repo-root.ts";
import { runProgram } from "../../base/subprocess/run-program.ts";
import { isRecord, parseObject } from "../../base/text.ts";
import { type ExitCode, FAULTS, fail, type Outcome, succeed } from "../../contract/faults.ts";
import { LIMITS, LIMITS_PREFIX, type Limit, readLimitsText, toLimitsText } from "../../contract/limits.ts";
import type { Client, RunDocument } from "../../contract/run-document.ts";
import { SCHEMA_VERSION } from "../../contract/schema-version.ts";
import { guard, guardLimits, guardOwn } from "../../lifecycle/guard.ts";
import { type KernelAnswer, makeEmptyDocument } from "../../orchestrator/document.ts";
import { cleanInFrame } from "../../orchestrator/render.ts";
import { userTexts } from "./print.ts";

interface ExternalCall {
  readonly program: string;
  readonly payload: string;
  readonly client: Client;
  readonly folder: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

const MAX_STDOUT_BYTES = 32 * 1024 * 1024;
const EXIT_CODES: readonly number[] = [0, 10, 20, 30, 40, 50];

/** Asks another orchestrator. Contract: never throws; E_OUTPUT without a document, E_ORCHESTRATOR without a start. */
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
    // Another program's block and limits are only available as text.
    unsaid: clean.limits.filter((limit) => !additional_context.includes(toLimitsText([limit]))),
    notices: is_degraded && reason !== "" ? [LIMITS.quoted(reason)] : [],
  });
}

/**
 * Parses a document. Contract: null if parts that every reader needs are missing; of a later major version only the
 * injected text is used, because the meaning of the rest is unknown.
 */
function parseDocument(text: string, client: Client): RunDocument | null {
  const value = parseObject(text);
  if (typeof value?.["schema_version"] !== "string") return null;
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

const HEADINGS = ["[Auto Tools] ", "[Results] "];

/**
 * Applies the guard to another orchestrator's document, as to a tool's answer. Contract: headings, limits and our own
 * frame keep their marks; one of our own documents is returned unchanged; removals are reported in the limits.
 */
function guardDocument(document: RunDocument, folder: string): Pick<KernelAnswer, "document" | "limits"> {
  const real = toRealFolder(folder);
  const policy = { root: real === null ? folder : findRepoRoot(real).root, isExcluded: () => false };
  const told: Limit[] = [];
  const clean = <T>(value: T): T => {
    const { value: own, limits } = guard(value, policy);
    told.push(...limits);
    return own;
  };
  const { inputs, fused_context, ...rest } = document;
  const { for_model } = fused_context;
  const { tool_plan_text, results_text, limits_text } = userTexts(document);
  const context = cleanInFrame(for_model.additional_context, (body) => cleanLines(body, [LIMITS_PREFIX], clean));
  const texts = {
    tool_plan_text: cleanLines(tool_plan_text, HEADINGS, clean),
    results_text: cleanLines(results_text, HEADINGS, clean),
  };
  // The order of the keys is kept, so that comparing documents shows only the changes.
  const whole = {
    ...document,
    ...clean(rest),
    inputs: guardOwn(inputs),
    fused_context: {
      ...fused_context,
      for_model: { ...for_model, ...clean({ ...for_model, additional_context: "" }) },
    },
  };
  const limits = guardLimits([...readLimitsText(limits_text), ...told]);
  whole.fused_context.for_model.additional_context = context;
  whole.fused_context.for_user = { ...texts, limits_text: toLimitsText(limits) };
  return { document: whole, limits };
}

/** Cleans a text, but keeps our own marks at the start of its lines. */
function cleanLines(text: string, marks: readonly string[], clean: (text: string) => string): string {
  const parts: string[] = [];
  let plain: string[] = [];
  const flush = () => {
    if (plain.length > 0) parts.push(clean(plain.join("\n")));
    plain = [];
  };
  for (const line of text.split("\n")) {
    const found = marks.find((mark) => line.startsWith(mark));
    if (found === undefined) plain.push(line);
    else {
      flush();
      parts.push(found + clean(line.slice(found.length)));
    }
  }
  flush();
  return parts.join("\n");
}
