import type * as z from "zod/mini";
import type { Outcome } from "./faults.ts";
import type { Limit } from "./limits.ts";

/**
 * Origin of a call. Ceilings apply to automatic calls, schema ranges to all; without `writesFor`, only a person at the
 * command line may call a tool that writes.
 */
export type CallOrigin = "auto" | "mcp" | "cli" | "subagent" | "library";

/** Material from the prompt for building arguments; never arguments written in the prompt. */
export interface Clues {
  /** The question in the user's words, redacted and truncated. */
  readonly query: string;
  /** Identifiers named in the prompt, most specific first. */
  readonly symbols: readonly string[];
  /** Words that the question's frame asks about, in any spelling; at most three. */
  readonly asked: readonly string[];
  /** What the question wants to know about the names in it; null if it does not say. */
  readonly wish: Wish | null;
  /** Paths inside the repository that are named in the prompt or on the command line. */
  readonly paths: readonly string[];
  /** Error text or stack trace; empty if there is none. */
  readonly error: string;
}

/** What a question wants to know about the names in it. */
export type Wish = "callers" | "impact" | "path" | "complexity" | "hotspots" | "definition" | "meaning";

/** A possible name in a question, and its occurrences in the repository. */
export interface NameFact {
  readonly text: string;
  /** Number of definitions of that name, and the place of the most likely one; empty if there is none. */
  readonly definitions: number;
  readonly defined_at: string;
  /** Number of files that contain it, and number of files in total. */
  readonly files: number;
  readonly of: number;
}

/** Confidence in an answer: enough for a full block, enough for a guess of a few lines, or nothing related. */
export type Grade = "sure" | "guess" | "none";

/** What a repository knows about the words of a question. */
export interface Vocabulary {
  readonly names: readonly NameFact[];
  readonly grade: Grade;
  readonly confidence: number;
}

/** What a tool gets besides its input. */
export interface ToolContext {
  /** Real path of the repository root. */
  readonly root: string;
  /** Origin of the call: the bar for unrequested results is higher. */
  readonly origin: CallOrigin;
  /** Aborted at the tool's timeout, at the end of the wall-clock budget, or when the caller goes away. */
  readonly signal: AbortSignal;
  /** Milliseconds until that timeout, so that a tool can return early with a partial result. */
  readonly timeLeftMs: () => number;
  /** True for paths that the settings exclude. */
  readonly isExcluded: (path: string) => boolean;
  /** Whether an index may be read and built. */
  readonly usesIndex: boolean;
  /** Asks the person; null if nobody can be asked. */
  readonly askUser: AskUser | null;
  /** The only way to call other tools: within bounds, and otherwise like any other call. */
  readonly startSubAgent: (bounds: SubAgentBounds) => SubAgent;
  /** Reports progress to the caller. */
  readonly report: (progress: ToolProgress) => void;
}

/** A question to the person. */
export interface UserQuestion {
  readonly question: string;
  readonly options: readonly string[];
  readonly multiSelect: boolean;
}

/** The person's answer. */
export interface UserAnswer {
  readonly selected: readonly string[];
  /** An answer in the person's own words. */
  readonly customInput?: string;
  readonly cancelled?: boolean;
}

/** Asks the person a question. */
export type AskUser = (question: UserQuestion, signal: AbortSignal) => Promise<UserAnswer>;

/** Progress of a tool. */
export interface ToolProgress {
  readonly done: number;
  readonly of?: number;
  readonly message?: string;
}

/** A tool's answer: data for machines, one line for people, and what was left out. */
export interface ToolAnswer<Data extends object = Record<string, unknown>> {
  readonly summary: string;
  readonly data: Data;
  readonly limits?: readonly Limit[];
  /** Ids and paths that the tool itself created: callers need them unchanged, even if they look like random secrets. */
  readonly names?: readonly string[];
}

/** Facts about a tool that are known before it is called. */
interface ToolFacts {
  readonly name: string;
  /** What it returns, at most 160 characters. */
  readonly summary: string;
  readonly tier: 0 | 1 | 2;
  /** "read" if it changes nothing; anything else runs only if that very call is requested. */
  readonly effect: "read" | "write";
  /** Origins, besides a person at the command line, that may call it although it writes; absent means none. */
  readonly writesFor?: readonly CallOrigin[];
  /** Version reported with each finding. */
  readonly version: string;
  readonly timeoutMs: number;
  /** Schema of the data that it returns, as far as callers may rely on it; absent if unknown. */
  readonly output?: () => z.ZodMiniObject;
  /** Maximum values for automatic calls. */
  readonly ceilings: Readonly<Record<string, number>>;
  /** Other names of inputs: alias → input. The alias is also used in limits. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Inputs that can be set by environment variables `CI_AUTO_TOOLS_<TOOL>_<SUFFIX>`: suffix → input. */
  readonly requestable?: Readonly<Record<string, string>>;
  /** Resource that its calls share, such as the person or the index, so that they are serialised. */
  readonly resource?: string;
  /** Intents that call for this tool; absent means every code prompt. */
  readonly intents?: readonly Intent[];
  /** Wishes that only this tool meets: it is planned for them regardless of the intent. */
  readonly wishes?: readonly Wish[];
  /** Arguments and reason for these clues, or null if they do not suffice. */
  readonly plan: (clues: Clues) => { readonly args: Record<string, unknown>; readonly reason: string } | null;
}

/** Everything about a tool; declared once, in its own file. */
interface ToolSpec<Input extends z.ZodMiniObject, Data extends object> extends ToolFacts {
  /** Schema of the input; a function, so that only planned tools pay for building it. */
  readonly input: () => Input;
  /** Runs it. Contract: the input has passed its schema: it is in range, and defaults are filled in. */
  readonly run: (input: z.output<Input>, context: ToolContext) => Promise<Outcome<ToolAnswer<Data>>>;
  /** Converts the data of `run`, after the guard, to findings; null if the data contains no places. */
  readonly toFindings: (data: Data) => readonly ToolFinding[] | null;
}

/** A tool with its specific types erased. */
export interface ToolDeclaration extends ToolFacts {
  readonly input: () => z.ZodMiniObject;
  readonly run: (input: Record<string, unknown>, context: ToolContext) => Promise<Outcome<ToolAnswer>>;
  readonly toFindings: (data: Record<string, unknown>) => readonly ToolFinding[] | null;
}

/** Declares a tool: the types of its input and its data are inferred from `input` and `run`. */
export function defineTool<Input extends z.ZodMiniObject, Data extends object>(
  spec: ToolSpec<Input, Data>,
): ToolDeclaration {
  // The lifecycle only passes `run` what `input` has parsed, and `toFindings` what `run` has returned.
  return spec as unknown as ToolDeclaration;
}

/** Finds a tool by its name. Contract: undefined for a name that is not its own; ends at the signal. */
export type FindTool = (name: string, signal: AbortSignal) => Promise<Outcome<ToolDeclaration> | undefined>;

/** Tools that are not ours: their servers are named in the user's settings. */
export interface ExternalTools {
  /** Tools that can be planned from the settings alone; their servers are only asked when they run. */
  readonly planned: readonly ToolDeclaration[];
  readonly find: FindTool;
}

/** Used if the settings name no servers. */
export const NO_EXTERNAL_TOOLS: ExternalTools = { planned: [], find: async () => undefined };

/** What the user wants to do with the code. */
export type Intent = "debug" | "refactor" | "docs" | "test" | "explore" | "feature";

/** Limits of a sub-agent. */
export interface SubAgentBounds {
  /** Names of the tools that it may call. */
  readonly tools: readonly string[];
  readonly maxSteps: number;
  readonly maxMs: number;
  /** Maximum size of the results that it takes in, in characters of JSON. */
  readonly maxChars: number;
}

/** Result of one call by a sub-agent. */
export interface ChainedResult {
  readonly status: "ok" | "timeout" | "skipped" | "error";
  readonly summary: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  /** The places in the data; null if it contains none. */
  readonly findings: readonly ToolFinding[] | null;
  readonly error: string;
}

/** A step as reported in the result. */
export interface SubAgentStep {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly status: ChainedResult["status"];
  /** Why the step was taken. */
  readonly why: string;
  /** Its result in one line. */
  readonly summary: string;
}

/** Why an investigation stopped before it was complete. */
export type SubAgentStop = "steps" | "time" | "size" | "nothing new" | "cancelled";

/** Chains tool calls within limits. */
export interface SubAgent {
  /** Takes one step. Contract: returns null and calls nothing once it is stopped; never throws. */
  readonly step: (tool: string, args: Readonly<Record<string, unknown>>, why: string) => Promise<ChainedResult | null>;
  /** All steps so far, in order. */
  readonly steps: () => readonly SubAgentStep[];
  /** Why there are no further steps; null if there can be. */
  readonly stopped: () => SubAgentStop | null;
}

/** One thing that a tool found, in the common format of all tools. */
export interface Finding {
  readonly tool: string;
  /** Repository-relative path with forward slashes; empty if the finding is not about a file. */
  readonly path: string;
  readonly line: number | null;
  readonly symbol: string;
  readonly title: string;
  /** What it says about the question, in one line. */
  readonly summary: string;
  /** 0 to 1, comparable within one tool only. */
  readonly confidence: number;
  /** How the tool found it ("text match", "caller of rateFor"); may be empty. */
  readonly reason: string;
  /** Lines to quote, 1-based and inclusive. */
  readonly span?: { readonly start: number; readonly end: number };
  readonly claim?: { readonly key: string; readonly polarity: "support" | "oppose" | "unknown" };
}

/** A finding as its tool returns it. */
export type ToolFinding = Omit<Finding, "tool">;

/** Default fields of a finding that is not about a file. */
export const NO_PLACE = { path: "", line: null, symbol: "", title: "", summary: "", reason: "" } as const;
