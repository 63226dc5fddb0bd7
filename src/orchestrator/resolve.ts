import { mayBecomeCode, readFollowUp } from "./follow-up.ts";
import type { Judgement } from "./judge.ts";
import { recall, type Turn } from "./memory.ts";

/** Confidence of a follow-up that becomes a question about code: equal to one strong signal on top of the prior. */
const FOLLOW_UP_CONFIDENCE = 0.72;

/**
 * Judges a prompt again in the light of earlier turns. Contract: pure; changes only prompts that refer back. The
 * referents are added to the clues and shown as historical signals; a question that is about code only because the
 * previous one was becomes one if evidence for it was given at most two turns ago.
 */
export function resolveFollowUp(judgement: Judgement, text: string, turns: readonly Turn[]): Judgement {
  const { clues, signals, analysis } = judgement;
  const followUp = turns.length === 0 ? null : readFollowUp(text, clues);
  const recalled = followUp === null ? null : recall(turns, followUp);
  if (followUp === null || recalled === null) return judgement;
  if (analysis.intent === null && !(recalled.hasEvidence && mayBecomeCode(text, judgement))) return judgement;
  const meaning = recalled.signals.map(({ match }) => `${match} (earlier in this session)`).join(", ");
  return {
    clues: {
      ...clues,
      symbols: [...new Set([...clues.symbols, ...recalled.symbols])],
      // If the prompt names something itself, the remembered path would restrict the search too much.
      paths: followUp.namesOwn ? clues.paths : [...new Set([...clues.paths, ...recalled.paths])],
    },
    signals: [...signals, ...recalled.signals],
    analysis:
      analysis.intent === null
        ? {
            ...analysis,
            intent: "explore",
            confidence: Math.max(analysis.confidence, FOLLOW_UP_CONFIDENCE),
            why: meaning,
          }
        : { ...analysis, why: [analysis.why, meaning].filter(Boolean).join(", ") },
  };
}
