import { toAddition } from "../adapters/codex/round.ts";
import { toPrompt } from "../adapters/hook/payload.ts";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { orchestrate } from "./orchestrate.ts";
import { projectRoot } from "./process.ts";
import { recordRun } from "./record-run.ts";

/** Parameters of a search for evidence. */
export interface ContextCall {
  readonly env: Environment;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/**
 * Finds evidence about a repository for a task, with the same kernel as all entry points; empty if there is none.
 * Contract: a fault says why the search failed.
 */
export async function findContext(task: string, { env, folder, signal }: ContextCall): Promise<Outcome<string>> {
  const prompt = toPrompt(task, { name: "codex-cli", event: "cli" }, {});
  const payload = JSON.stringify({ prompt: task });
  const startMs = systemClock.nowMs();
  const answer = await orchestrate({ prompt, payload, env, folder, projectRoot, signal });
  const { degraded, fused_context } = answer.document;
  const isBare = fused_context.for_model.additional_context === "";
  const injected = isBare ? "" : toAddition("", answer).trim();
  recordRun({ env, door: "codex", folder, answer, injected, startMs });
  if (!isBare) return succeed(injected);
  return degraded.is_degraded ? fail("E_ORCHESTRATOR", degraded.reason) : succeed("");
}
