import { join } from "node:path";
import { askExternal } from "../adapters/hook/external.ts";
import { ORCHESTRATOR_VARIABLE } from "../adapters/hook/variables.ts";
import { systemClock } from "../base/clock.ts";
import { onceMore } from "../base/damaged-state.ts";
import type { Environment } from "../base/environment.ts";
import { isExecutable } from "../base/find-program.ts";
import type { McpServer } from "../config/mcp-servers.ts";
import { isLegacy } from "../config/settings.ts";
import { FAULTS, type FaultCode } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import type { Client } from "../contract/run-document.ts";
import { type KernelAnswer, makeEmptyAnswer } from "../orchestrator/answer.ts";
import { runKernel } from "../orchestrator/kernel.ts";
import type { Prompt } from "../orchestrator/prompt.ts";
import type { LookUp } from "../orchestrator/vocabulary.ts";
import { makeExternalTools } from "../tools/external/external-tools.ts";
import { makeRegistry } from "../tools/registry.ts";
import { readVocabulary } from "../tools/vocabulary.ts";
import { makeDoorEngine } from "./engine.ts";

/** What an entry point passes to the orchestrator. */
export interface Question {
  readonly prompt: Prompt;
  /** Standard input for an external orchestrator. */
  readonly payload: string;
  readonly env: Environment;
  readonly folder: string;
  readonly projectRoot: string;
  readonly signal: AbortSignal;
}

/** An answer that injects nothing and gives the reason. */
export function emptyAnswer(code: FaultCode, client: Client, prompt: string, detail: string): KernelAnswer {
  const reason = `${code}: ${detail || FAULTS[code].limit}`;
  const limit = LIMITS.fault(code);
  return makeEmptyAnswer(
    { client, prompt, reason, limits: [limit], legacy: isLegacy(process.env) },
    { exitCode: FAULTS[code].exit, notices: [limit] },
  );
}

/** Asks the kernel in this process. Contract: never throws for anything outside our own code. */
export function askKernel({
  prompt,
  env,
  folder,
  signal,
}: Omit<Question, "payload" | "projectRoot">): Promise<KernelAnswer> {
  const engine = makeDoorEngine(env);
  const tools = makeRegistry(engine);
  const lookUp: LookUp = (root, query, budget) => onceMore(() => readVocabulary(engine, root, query, budget));
  const openExternal = (servers: readonly McpServer[], root: string) => makeExternalTools(servers, { env, root });
  return runKernel(prompt, { env, folder, clock: systemClock, tools, openExternal, lookUp, signal });
}

/**
 * Asks the orchestrator: the program that the environment names, otherwise ours in this process. Our script must exist
 * and be executable even though it is not run, so that removing the file switches everything off.
 */
export async function orchestrate(question: Question): Promise<KernelAnswer> {
  const { prompt, payload, env, folder, projectRoot, signal } = question;
  const external = env[ORCHESTRATOR_VARIABLE];
  if (external !== undefined && external !== "") {
    const asked = await askExternal({
      program: external,
      payload,
      client: prompt.client,
      folder: folder || "/",
      env,
      signal,
    });
    return asked.ok ? asked.value : emptyAnswer(asked.fault.code, prompt.client, prompt.text, asked.fault.message);
  }
  if (!isExecutable(join(projectRoot, "hooks", "auto-tool-orchestrator.sh"))) {
    const detail = "hooks/auto-tool-orchestrator.sh is missing or not executable";
    return emptyAnswer("E_ORCHESTRATOR", prompt.client, prompt.text, detail);
  }
  return askKernel(question);
}
