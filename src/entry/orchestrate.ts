import { join } from "node:path";
import { ORCHESTRATOR_VARIABLE } from "../adapters/hook/arguments.ts";
import { askExternal } from "../adapters/hook/external.ts";
import { toSharedPayload } from "../adapters/hook/payload.ts";
import { systemClock } from "../base/clock.ts";
import { onceMore } from "../base/damaged-state.ts";
import type { Environment } from "../base/environment.ts";
import { isExecutable } from "../base/find-program.ts";
import { findOffIn } from "../config/load-settings.ts";
import type { McpServer } from "../config/mcp-servers.ts";
import { fromVariable } from "../config/settings.ts";
import { FAULTS, type FaultCode } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import type { Client } from "../contract/run-document.ts";
import type { EngineSettings } from "../engine/engine.ts";
import { type KernelAnswer, makeEmptyAnswer } from "../orchestrator/document.ts";
import type { Prompt } from "../orchestrator/judge.ts";
import { runKernel } from "../orchestrator/kernel.ts";
import { claimTurn, isAnswered } from "../orchestrator/turn-claim.ts";
import type { LookUp } from "../orchestrator/vocabulary.ts";
import { makeExternalTools } from "../tools/external/external-tools.ts";
import { makeRegistry } from "../tools/registry.ts";
import { readVocabulary } from "../tools/vocabulary.ts";
import { makeDoorEngine } from "./engine.ts";
import { projectRoot } from "./process.ts";
import { makeTeamSearch } from "./team-search.ts";

/** What an entry point passes to the orchestrator. */
export interface Question {
  readonly prompt: Prompt;
  /** Standard input for an external orchestrator. */
  readonly payload: string;
  readonly env: Environment;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** An answer that injects nothing and gives the reason. */
export function emptyAnswer(
  { code, detail }: { readonly code: FaultCode; readonly detail: string },
  { client, text, env }: { readonly client: Client; readonly text: string; readonly env: Environment },
): KernelAnswer {
  const reason = `${code}: ${detail || FAULTS[code].limit}`;
  const limit = LIMITS.fault(code);
  return makeEmptyAnswer(
    { client, prompt: text, reason, limits: [limit], legacy: fromVariable(env, "legacy") === true },
    { exitCode: FAULTS[code].exit, notices: [limit] },
  );
}

/** What a resident process, or one that had to wait, passes to the kernel besides the question. */
export interface KeptParts extends Partial<Pick<EngineSettings, "readers" | "watches" | "startBuilder">> {
  /** Milliseconds that the question has waited, which count against the budget. */
  readonly waitedMs?: number;
}

/** Asks the kernel in this process. Contract: never throws for anything outside our own code. */
export async function askKernel(
  { prompt, env, folder, signal }: Omit<Question, "payload">,
  { waitedMs = 0, ...kept }: KeptParts = {},
): Promise<KernelAnswer> {
  const engine = makeDoorEngine(env, kept);
  const tools = makeRegistry(engine, null, makeTeamSearch(env));
  const lookUp: LookUp = (root, query, budget) => onceMore(() => readVocabulary(engine, root, query, budget));
  const openExternal = (servers: readonly McpServer[], root: string) => makeExternalTools(servers, { env, root });
  try {
    return await runKernel(prompt, { env, folder, clock: systemClock, tools, openExternal, lookUp, signal, waitedMs });
  } finally {
    // A process that exits after its answer leaves closing to the operating system.
    if (kept.readers !== undefined) engine.close();
  }
}

/**
 * Asks the orchestrator: the program that the environment names, otherwise ours in this process. Our script must exist
 * and be executable even though it is not run, so that removing the file switches everything off.
 */
export async function orchestrate(question: Question, kept?: KeptParts): Promise<KernelAnswer> {
  const { prompt, env } = question;
  if (isAnswered(prompt, env)) return silentAnswer(prompt);
  const answer = await orchestrateAnew(question, kept);
  const isBare = answer.document.fused_context.for_model.additional_context === "";
  return isBare || claimTurn(prompt, env, systemClock.nowMs()) ? answer : silentAnswer(prompt);
}

/** Answer to a prompt that already has its evidence: injects nothing and reports nothing. */
function silentAnswer({ client, text }: Prompt): KernelAnswer {
  const nothing = { client, prompt: text, reason: "", limits: [], legacy: false };
  return { ...makeEmptyAnswer(nothing, { exitCode: 0, notices: [] }), trace: null };
}

async function orchestrateAnew(question: Question, kept?: KeptParts): Promise<KernelAnswer> {
  const { prompt, payload, env, folder, signal } = question;
  const asked = { ...prompt, env };
  const external = env[ORCHESTRATOR_VARIABLE];
  // If nothing is to run, the external orchestrator is not asked; the kernel gives the reason.
  if (prompt.marks?.isOff === true || findOffIn({ env, folder }) !== null) return askKernel(question, kept);
  if (external !== undefined && external !== "") {
    const answered = await askExternal({
      program: external,
      payload: toSharedPayload(payload),
      client: prompt.client,
      folder: folder || "/",
      env,
      signal,
    });
    if (answered.ok) return answered.value;
    const { code, message } = answered.fault;
    return emptyAnswer({ code, detail: message }, asked);
  }
  if (!isExecutable(join(projectRoot, "hooks", "auto-tool-orchestrator.sh"))) {
    const detail = "hooks/auto-tool-orchestrator.sh is missing or not executable";
    return emptyAnswer({ code: "E_ORCHESTRATOR", detail }, asked);
  }
  return askKernel(question, kept);
}
