import { resolve } from "node:path";
import { printExplain } from "../adapters/cli/explain.ts";
import { toPrompt } from "../adapters/hook/payload.ts";
import { systemClock } from "../base/clock.ts";
import { onceMore } from "../base/damaged-state.ts";
import { loadSettings } from "../config/load-settings.ts";
import type { Vocabulary } from "../contract/tool.ts";
import { makeGuardPolicy } from "../lifecycle/lifecycle-deps.ts";
import { judgePrompt } from "../orchestrator/judge.ts";
import { decideByVocabulary } from "../orchestrator/vocabulary.ts";
import { makeRegistry } from "../tools/registry.ts";
import { readVocabulary } from "../tools/vocabulary.ts";
import { makeDoorEngine } from "./engine.ts";
import { orchestrate } from "./orchestrate.ts";
import { failed, type Printed } from "./printed.ts";
import { projectRoot, workingFolder } from "./process.ts";

/** How long `explain` may wait for the repository's vocabulary. */
const LOOK_MS = 5_000;

/**
 * `groundwork explain`: shows how a question is classified and what would run. Reads the repository's vocabulary, but
 * runs no tool.
 */
export async function explainQuestion(
  question: string,
  { repo, json }: { readonly repo: string | undefined; readonly json: boolean },
): Promise<Printed> {
  const { env } = process;
  const folder = repo === undefined ? workingFolder() : resolve(repo);
  const engine = makeDoorEngine(env);
  const loaded = await loadSettings({ env, folder, bounds: makeRegistry(engine) });
  if (!loaded.ok) return failed(loaded.fault);
  const { settings, root } = loaded.value;
  const endMs = systemClock.monotonicMs() + LOOK_MS;
  const { signal } = new AbortController();
  const budget = {
    signal,
    isExcluded: makeGuardPolicy(loaded.value).isExcluded,
    usesIndex: settings.index === "auto",
    timeLeftMs: () => endMs - systemClock.monotonicMs(),
  };
  const asked = toPrompt(question, { name: "claude-code", event: "cli" }, {});
  const words = judgePrompt(asked.text, {}, settings.threshold);
  const isWorthALook = words.analysis.intent !== null || words.analysis.isOpen;
  const vocabulary: Vocabulary | null = isWorthALook
    ? await onceMore(() => readVocabulary(engine, root.root, asked.text, budget))
    : null;
  const judgement = await decideByVocabulary(words, settings.threshold, async () => vocabulary);
  const prompt = { ...asked, judgement };
  const planned = { ...env, CI_AUTO_TOOLS_MODE: "plan" };
  const payload = JSON.stringify({ prompt: question });
  const { document, exitCode } = await orchestrate({ prompt, payload, env: planned, folder, projectRoot, signal });
  const explanation = { document, judgement, vocabulary, threshold: settings.threshold };
  return { text: json ? `${JSON.stringify(document)}\n` : printExplain(explanation), exitCode };
}
