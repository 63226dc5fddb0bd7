import { enrichPrompt } from "../adapters/codex/round.ts";
import { toPrompt } from "../adapters/hook/payload.ts";
import { orchestrate } from "./orchestrate.ts";
import { projectRoot } from "./process.ts";

/** Parameters of a search for evidence. */
export interface ContextCall {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/**
 * Finds evidence about a repository for a task, using the same kernel as everywhere else. Contract: returns an empty
 * string if there is none; throws with the reason if the search failed.
 */
export async function findContext(task: string, { env, folder, signal }: ContextCall): Promise<string> {
  const prompt = toPrompt(task, { name: "codex-cli", event: "cli" }, {});
  const payload = JSON.stringify({ prompt: task });
  const { document } = await orchestrate({ prompt, payload, env, folder, projectRoot, signal });
  const { is_degraded, reason } = document.degraded;
  if (document.fused_context.for_model.additional_context !== "") return enrichPrompt("", document).trim();
  if (is_degraded) throw new Error(reason);
  return "";
}
