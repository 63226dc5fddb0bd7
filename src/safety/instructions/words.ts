import { once } from "../../base/once.ts";

/** A gap of at most `max` characters within one sentence. */
export const gap = (max: number): string => `[^.!?。！？\\n]{0,${max}}?`;
/** Alternation of the words. */
const any = (...words: readonly string[]): string => `(?:${words.join("|")})`;

/** A pattern that is matched against all lines of a shadow. */
export interface InstructionRule {
  /** Groups of words, separated by spaces: a text must contain one word of each group, in this order. */
  readonly words: readonly string[];
  /** Maximum distance in characters from the first of these words to the last. */
  readonly within: number;
  /** Pattern that a text must also match, or null. */
  readonly needs: RegExp | null;
  readonly pattern: () => RegExp;
}

/**
 * A rule whose pattern is compiled on first use. Contract: the pattern never matches a text that lacks its
 * preconditions; a word among them has `\\b` before it in the pattern, and after it unless it has six letters or more.
 */
export function instructionRule(
  { words = [], within = 200, needs = null }: Partial<Omit<InstructionRule, "pattern">>,
  source: string,
): InstructionRule {
  return { words, within, needs, pattern: once(() => new RegExp(source, "gmu")) };
}

/** Verbs for setting something aside. */
export const DROP = any(
  "ignor(?:e|ing)",
  "disregard(?:ing)?",
  "forget(?:ting)?",
  "overrid(?:e|ing)",
  "bypass(?:ing)?",
  "neglect",
  "discard",
  "abandon",
  "set aside",
  "put aside",
  "stop (?:following|obeying)",
  "(?:do not|don't|never|no longer) (?:follow|obey|adhere to|comply with|listen to)",
  "pay no attention to",
  "throw (?:away|out)",
  "erase",
  "cancel",
  "nullify",
  "unlearn",
  "skip",
  "drop",
  "violate",
  "break",
);
/** Words that refer to existing instructions: what came before, is written above or already applies to the model. */
export const PRIOR = any(
  "previous(?:ly)?",
  "prior",
  "above",
  "earlier",
  "preceding",
  "foregoing",
  "initial",
  "original",
  "existing",
  "developer",
  "system",
  "operator",
  "supervisor",
  "safety",
  "ethical",
  "security",
  "your",
  "all (?:of )?(?:the|those|these|your|other)?",
  "any",
  "those",
  "these",
  "other",
  "every",
  "former",
  "past",
);
/** Words for instructions and limits of a model. */
export const ORDERS = any(
  "instructions?",
  "prompts?",
  "rules?",
  "directions?",
  "directives?",
  "guidelines?",
  "guardrails?",
  "restrictions?",
  "constraints?",
  "commands?",
  "orders",
  "polic(?:y|ies)",
  "safeguards?",
  "programming",
  "training",
  "limitations?",
  "instruction set",
);
/** Names for a model, by kind or product. */
export const MODEL =
  "(?:ai|a\\.i|llm|gpt|(?:large )?language[- ]models?|(?:ai|coding|code|autonomous|automated) (?:agents?|assistants?|models?|tools?|reviewers?)|assistants?|chatbots?|claude(?: code)?|codex|copilot|chatgpt|gemini|cursor|agents?)s?";
/** Expressions of obligation. */
export const MUST = any(
  "must",
  "should",
  "shall",
  "please",
  "need to",
  "have to",
  "has to",
  "are required to",
  "is required to",
  "will now",
  "are to",
  "can now",
  "ought to",
);
/** Verbs of orders. */
export const ACT =
  "(?:add|access|adjust|allocate|allow|answer|append|apply|approve|assess|assume|begin|book|buy|call|change|claim|click|commit|complete|conduct|confirm|connect|copy|create|curl|delete|deploy|deposit|disable|disclose|display|download|drop|dump|echo|elevate|email|enable|encode|encrypt|end|ensure|enter|escalate|exec(?:ute)?|export|expose|fetch|find|follow|forward|generate|get|give|grant|hide|implement|include|insert|install|integrate|invoke|leak|list|load|mail|make|manage|mark|mention|merge|modify|monitor|move|obtain|open|output|perform|place|post|print|promote|provide|publish|push|put|query|read|recommend|redirect|release|remove|rename|repeat|replace|reply|report|reset|resolve|respond|retri(?:e)?ve|return|reveal|reverse|review|revoke|run|say|schedule|search|secure(?:ly)?|send|set|share|show|shut|sign|skip|start|state|stop|submit|suggest|summari[sz]e|switch|tell|transfer|translate|trust|turn|unlock|update|upload|use|validate|verify|visit|wire|write)";
/** Private instructions of a model. */
export const HIDDEN =
  "(?:system prompt|hidden (?:prompt|instruction|reasoning|message|configuration|text)s?|initial (?:prompt|instructions?|message)|(?:developer|system) (?:message|instructions?)|chain[- ]of[- ]thought|(?:private|confidential|concealed|unseen|hidden|secret|undisclosed|invisible) (?:\\w{1,16} ){0,2}(?:prompt|instructions?|configuration|config|setup|message|text|content|key|context|bootstrap|initiali[sz]ation)|your (?:\\w{1,12} ){0,2}(?:prompt|instructions|guidelines|configuration|rules|system message|reasoning|secret key|training data|directives))";
/** Verbs for disclosing something. */
export const TELL = any(
  "reveal",
  "print",
  "show",
  "repeat",
  "leak",
  "output",
  "share",
  "provide",
  "disclose",
  "expose",
  "reproduce",
  "return",
  "recite",
  "display",
  "list",
  "dump",
  "give",
  "tell me",
  "what (?:is|are|was|were)",
  "copy",
  "translate",
  "summari[sz]e",
  "verbatim from",
  "spell out",
  "describe",
  "write (?:down|out)",
);
