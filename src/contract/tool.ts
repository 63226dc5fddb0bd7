import type * as z from "zod/mini";
import type { Outcome } from "./faults.ts";
import type { Limit } from "./limits.ts";

/** Who asks for a call. Ceilings bite on automatic calls, schema ranges on all; only a person at the command line may write unasked. */
export type CallOrigin = "auto" | "mcp" | "cli" | "subagent" | "library";

/** What the prompt yields for building arguments; never arguments written in the prompt. */
export interface Clues {
  /** The question in the user's words, redacted and cut. */
  readonly query: string;
  /** Identifiers named in the prompt, most telling first. */
  readonly symbols: readonly string[];
  /** Words that the question's frame asks about, however they are written; first three. */
  readonly asked: readonly string[];
  /** What the question wants to know of what it names; null where it does not say. */
  readonly wish: Wish | null;
  /** Paths inside the repository named in the prompt or on the command line. */
  readonly paths: readonly string[];
  /** Error text or stack trace; empty where there is none. */
  readonly error: string;
}

/** What a question wants to know of what it names. */
export type Wish = "callers" | "impact" | "path" | "complexity" | "hotspots" | "definition" | "meaning";

/** A word of a question that is a name in the repository that it is asked in. */
export interface NameFact {
  readonly text: string;
  /** Definitions of that name, and where the likeliest stands; empty where there is none. */
  readonly definitions: number;
  readonly defined_at: string;
  /** Files that have it, of how many. */
  readonly files: number;
  readonly of: number;
}

/** How sure an answer is: worth a full block, worth a guess in a few lines, or nothing related at all. */
export type Grade = "sure" | "guess" | "none";

/** What a repository knows of the words of a question. */
export interface Vocabulary {
  readonly names: readonly NameFact[];
  readonly grade: Grade;
  readonly confidence: number;
}

/** What a tool is handed besides its input. */
export interface ToolContext {
  /** Real path of the repository root. */
  readonly root: string;
  /** Who asks: what nobody asked for should be worth reading. */
  readonly origin: CallOrigin;
  /** Aborted at the tool's timeout, at the end of the wall budget, or when the caller goes away. */
  readonly signal: AbortSignal;
  /** Milliseconds until that timeout, so that a tool can end early with what it has. */
  readonly timeLeftMs: () => number;
  /** True for paths that the settings exclude. */
  readonly isExcluded: (path: string) => boolean;
  /** Whether an index may be read and built. */
  readonly usesIndex: boolean;
  /** Asks the person; null where there is nobody to ask. */
  readonly askUser: AskUser | null;
  /** The only way to call other tools: within bounds, and each call in all like any other. */
  readonly startSubAgent: (bounds: SubAgentBounds) => SubAgent;
  /** Tells whoever waits how far it is. */
  readonly report: (progress: ToolProgress) => void;
}

/** What a person is asked. */
export interface UserQuestion {
  readonly question: string;
  readonly options: readonly string[];
  readonly multiSelect: boolean;
}

/** What a person answered. */
export interface UserAnswer {
  readonly selected: readonly string[];
  /** An answer in the person's own words. */
  readonly customInput?: string;
  readonly cancelled?: boolean;
}

/** A way to ask the person. */
export type AskUser = (question: UserQuestion, signal: AbortSignal) => Promise<UserAnswer>;

/** How far a tool is. */
export interface ToolProgress {
  readonly done: number;
  readonly of?: number;
  readonly message?: string;
}

/** A tool's answer: data for machines, one line for people, and what it had to leave out. */
export interface ToolAnswer<Data extends object = Record<string, unknown>> {
  readonly summary: string;
  readonly data: Data;
  readonly limits?: readonly Limit[];
  /** Ids and paths of what the tool itself has made: whoever asked needs them as they are, however random they look. */
  readonly names?: readonly string[];
}

/** What is to be known of a tool before it is called. */
interface ToolFacts {
  readonly name: string;
  /** What it returns, at most 160 characters. */
  readonly summary: string;
  readonly tier: 0 | 1 | 2;
  /** "read" where it changes nothing; anything else runs only when somebody asks for that very call. */
  readonly effect: "read" | "write";
  /** Who, besides a person at the command line, may ask for a call that changes something; absent means nobody. */
  readonly writesFor?: readonly CallOrigin[];
  /** Version told with each finding. */
  readonly version: string;
  readonly timeoutMs: number;
  /** Schema of the data that it answers with, as far as callers may rely on it; absent where nobody knows. */
  readonly output?: () => z.ZodMiniObject;
  /** Highest values that an automatic call may ask for. */
  readonly ceilings: Readonly<Record<string, number>>;
  /** Other names of inputs: alias → input. The alias is also the word used in limits. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Inputs that the environment may ask for, as `CI_AUTO_TOOLS_<TOOL>_<SUFFIX>`: suffix → input. */
  readonly requestable?: Readonly<Record<string, string>>;
  /** What calls of it share, so that they run one after the other: the person, the index. */
  readonly resource?: string;
  /** Intents that call for this tool; absent means every code prompt. */
  readonly intents?: readonly Intent[];
  /** What a question may want that this tool alone tells: it is planned then, whatever the intent. */
  readonly wishes?: readonly Wish[];
  /** Arguments and reason for these clues, or null where the tool has nothing to go on. */
  readonly plan: (clues: Clues) => { readonly args: Record<string, unknown>; readonly reason: string } | null;
}

/** Everything there is to know about a tool; declared once, in its own file. */
interface ToolSpec<Input extends z.ZodMiniObject, Data extends object> extends ToolFacts {
  /** Schema of the input; a function, so that only tools that are planned pay for building theirs. */
  readonly input: () => Input;
  /** Runs it. Contract: the input has passed its schema: it is in range, and defaults are filled in. */
  readonly run: (input: z.output<Input>, context: ToolContext) => Promise<Outcome<ToolAnswer<Data>>>;
  /** Brings data that `run` answered with, and the guard has cleaned, into findings; null where it tells of no places. */
  readonly toFindings: (data: Data) => readonly ToolFinding[] | null;
}

/** A tool whose own types nobody needs to know any more. */
export interface ToolDeclaration extends ToolFacts {
  readonly input: () => z.ZodMiniObject;
  readonly run: (input: Record<string, unknown>, context: ToolContext) => Promise<Outcome<ToolAnswer>>;
  readonly toFindings: (data: Record<string, unknown>) => readonly ToolFinding[] | null;
}

/** Declares a tool: the types of its input and its data follow from `input` and `run`. */
export function defineTool<Input extends z.ZodMiniObject, Data extends object>(
  spec: ToolSpec<Input, Data>,
): ToolDeclaration {
  // The lifecycle hands `run` what `input` has parsed and `toFindings` what `run` has returned, and nothing else.
  return spec as unknown as ToolDeclaration;
}

/** Finds a tool by its name. Contract: undefined for a name that is not its own; ends at the signal. */
export type FindTool = (name: string, signal: AbortSignal) => Promise<Outcome<ToolDeclaration> | undefined>;

/** Tools that are not ours: the user's settings name where they come from. */
export interface ExternalTools {
  /** Those that may be planned, as far as the settings tell; whoever offers them is asked when they run. */
  readonly planned: readonly ToolDeclaration[];
  readonly find: FindTool;
}

/** Where the settings name none. */
export const NO_EXTERNAL_TOOLS: ExternalTools = { planned: [], find: async () => undefined };

/** What the user wants of the code. */
export type Intent = "debug" | "refactor" | "docs" | "test" | "explore" | "feature";

/** How much a sub-agent may do. */
export interface SubAgentBounds {
  /** Names of the tools that it may call. */
  readonly tools: readonly string[];
  readonly maxSteps: number;
  readonly maxMs: number;
  /** Characters of results, as JSON, that it may take in. */
  readonly maxChars: number;
}

/** What became of one call that a sub-agent made. */
export interface ChainedResult {
  readonly status: "ok" | "timeout" | "skipped" | "error";
  readonly summary: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  /** The places that the data tells of; null where it tells of none. */
  readonly findings: readonly ToolFinding[] | null;
  readonly error: string;
}

/** One step as the result tells it. */
export interface SubAgentStep {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly status: ChainedResult["status"];
  /** Why the step was taken. */
  readonly why: string;
  /** What it came to, one line. */
  readonly summary: string;
}

/** What ended an investigation before it was done. */
export type SubAgentStop = "steps" | "time" | "size" | "nothing new" | "cancelled";

/** Chains tools within bounds. */
export interface SubAgent {
  /** Takes one step. Contract: null, and nothing is called, once it is stopped; never throws. */
  readonly step: (tool: string, args: Readonly<Record<string, unknown>>, why: string) => Promise<ChainedResult | null>;
  /** All steps so far, in order. */
  readonly steps: () => readonly SubAgentStep[];
  /** Why there is no further step; null while there is. */
  readonly stopped: () => SubAgentStop | null;
}

/** One thing that a tool found, in the shape that every tool's answer is brought into. */
export interface Finding {
  readonly tool: string;
  /** Repository-relative path with forward slashes; empty where the finding is about no file. */
  readonly path: string;
  readonly line: number | null;
  readonly symbol: string;
  readonly title: string;
  /** What it says about the question, one line. */
  readonly summary: string;
  /** 0 to 1, comparable within one tool only. */
  readonly confidence: number;
  /** How the tool came to it ("text match", "caller of rateFor"); may be empty. */
  readonly reason: string;
  /** Lines worth quoting, 1-based and inclusive. */
  readonly span?: { readonly start: number; readonly end: number };
  readonly claim?: { readonly key: string; readonly polarity: "support" | "oppose" | "unknown" };
}

/** A finding as its tool tells it. */
export type ToolFinding = Omit<Finding, "tool">;

/** A finding that is about no file, before anything is said. */
export const NO_PLACE = { path: "", line: null, symbol: "", title: "", summary: "", reason: "" } as const;
