import { toAddition } from "../adapters/codex/round.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { KernelAnswer } from "../orchestrator/document.ts";
import { askText } from "./ask-text.ts";
import type { Question } from "./orchestrate.ts";

/**
 * Finds evidence about a repository for a task, with the same kernel as all entry points; empty if there is none.
 * Contract: a fault says why the search failed.
 */
export async function findContext(
  task: string,
  call: Pick<Question, "env" | "folder" | "signal">,
): Promise<Outcome<string>> {
  const isBare = ({ document }: KernelAnswer) => document.fused_context.for_model.additional_context === "";
  const toInjected = (given: KernelAnswer) => (isBare(given) ? "" : toAddition("", given).trim());
  const client = { name: "codex-cli", event: "cli" } as const;
  const answer = await askText(task, { door: "codex", client, toInjected, ...call });
  if (!isBare(answer)) return succeed(toInjected(answer));
  const { degraded } = answer.document;
  return degraded.is_degraded ? fail("E_ORCHESTRATOR", degraded.reason) : succeed("");
}
