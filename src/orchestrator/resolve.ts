import { mayBecomeCode, readFollowUp } from "./follow-up.ts";
import type { Judgement } from "./judge.ts";
import { recall, type Turn } from "./memory.ts";

/** How sure a follow-up makes of being about code: as sure as one strong signal beside the prior. */
const FOLLOW_UP_CONFIDENCE = 0.72;

/**
 * Judges a prompt again in the light of the turns before it. Contract: pure; only a prompt that refers back changes.
 * What it means is added to its clues and shown as historical signals; a question that is about code only because the
 * one before it was becomes one, where evidence for that was given at most two turns ago.
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
      // Beside a name of its own a place would say too much.
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
