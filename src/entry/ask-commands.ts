import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { printExplain } from "../adapters/cli/explain.ts";
import { printTry } from "../adapters/cli/results.ts";
import { enrichPrompt, toAddition } from "../adapters/codex/round.ts";
import { toPrompt } from "../adapters/hook/payload.ts";
import { printAnswer, toInjection, userTexts } from "../adapters/hook/print.ts";
import { systemClock } from "../base/clock.ts";
import { onceMore } from "../base/damaged-state.ts";
import { loadSettings } from "../config/load-settings.ts";
import { LIMITS, toLimitsText } from "../contract/limits.ts";
import type { Vocabulary } from "../contract/tool.ts";
import { makeGuardPolicy } from "../lifecycle/lifecycle-deps.ts";
import { isPlan, type KernelAnswer } from "../orchestrator/document.ts";
import { judgePrompt } from "../orchestrator/judge.ts";
import { decideByVocabulary } from "../orchestrator/vocabulary.ts";
import { makeRegistry } from "../tools/registry.ts";
import { readVocabulary } from "../tools/vocabulary.ts";
import { askText } from "./ask-text.ts";
import { makeDoorEngine } from "./engine.ts";
import { orchestrate } from "./orchestrate.ts";
import { failed, misuse, type Printed, printedJson } from "./printed.ts";
import { namedFolder, readInput } from "./process.ts";

/** How long `explain` may wait for the repository's vocabulary. */
const LOOK_MS = 5_000;

/** `groundwork try`: shows a person what a client's hook would do with a question. */
export async function tryQuestion(words: readonly string[], options: OptionsOf<"try">): Promise<Printed> {
  const format = options.json === true ? "json" : (options.format ?? "text");
  const question = await questionFrom(words);
  if (question === "") return misuse("try needs a question", "try");
  const isHook = format === "hook";
  const answer = await askText(question, {
    ...toAsking(options),
    client: { name: "claude-code", event: isHook ? "UserPromptSubmit" : "cli" },
    toInjected: ({ document }) =>
      isHook ? toInjection(document, document.client.name) : document.fused_context.for_model.additional_context,
  });
  const { document, exitCode } = answer;
  if (isHook || format === "json")
    return { text: printAnswer(answer, format, { client: document.client }), exitCode: isHook ? 0 : exitCode };
  return { text: `Question: ${question}\n\n${printTry(document, { verbose: options.verbose === true })}`, exitCode };
}

/**
 * `groundwork explain`: shows how a question is classified and what would run. Reads the repository's vocabulary, but
 * runs no tool.
 */
export async function explain(words: readonly string[], options: OptionsOf<"explain">): Promise<Printed> {
  const question = await questionFrom(words);
  if (question === "") return misuse("explain needs a question", "explain");
  const { env, folder, signal } = toAsking(options);
  const engine = makeDoorEngine(env);
  const loaded = await loadSettings({ env, folder, bounds: makeRegistry(engine) });
  if (!loaded.ok) return failed(loaded.fault);
  const { settings, root } = loaded.value;
  const endMs = systemClock.monotonicMs() + LOOK_MS;
  const budget = {
    signal,
    isExcluded: makeGuardPolicy(loaded.value).isExcluded,
    usesIndex: settings.index === "auto",
    timeLeftMs: () => endMs - systemClock.monotonicMs(),
  };
  const asked = toPrompt(question, { name: "claude-code", event: "cli" });
  const judged = judgePrompt(asked.text, {}, settings.threshold);
  const isWorthALook = judged.analysis.intent !== null || judged.analysis.isOpen;
  const vocabulary: Vocabulary | null = isWorthALook
    ? await onceMore(() => readVocabulary(engine, root.root, asked.text, budget))
    : null;
  const judgement = await decideByVocabulary(judged, settings.threshold, async () => vocabulary);
  const planned = { ...env, CI_AUTO_TOOLS_MODE: "plan" };
  const payload = JSON.stringify({ prompt: question });
  const prompt = { ...asked, judgement };
  const { document, exitCode } = await orchestrate({ prompt, payload, env: planned, folder, signal });
  if (options.json === true) return printedJson(document, exitCode);
  return { text: printExplain({ document, judgement, vocabulary, threshold: settings.threshold }), exitCode };
}

/** `groundwork enrich`: prints the question with its evidence, for another program. */
export async function enrich(words: readonly string[], options: OptionsOf<"enrich">): Promise<Printed> {
  const question = await questionFrom(words);
  if (question === "") return misuse("enrich needs a question", "enrich");
  const isBare = ({ document }: KernelAnswer) => document.fused_context.for_model.additional_context === "";
  const answer = await askText(question, {
    ...toAsking(options),
    client: { name: "claude-code", event: "cli" },
    toInjected: (given) => (isBare(given) ? "" : toAddition(question, given)),
  });
  const { document } = answer;
  const { limits_text } = userTexts(document);
  const planned = isPlan(document) ? toLimitsText([LIMITS.planMode()]) : "";
  const told = [`run_id: ${document.run_id}`, limits_text, planned].filter(Boolean);
  process.stderr.write(`${told.join("\n")}\n`);
  // Fail open: whatever goes wrong, Codex gets at least the question.
  return { text: `${isBare(answer) ? question : enrichPrompt(question, answer)}\n`, exitCode: 0 };
}

function toAsking({ repo }: OptionsOf<"explain">) {
  return { env: process.env, door: "cli", folder: namedFolder(repo), signal: new AbortController().signal } as const;
}

async function questionFrom(words: readonly string[]): Promise<string> {
  return (words.length === 1 && words[0] === "-" ? await readInput() : words.join(" ")).trim();
}
