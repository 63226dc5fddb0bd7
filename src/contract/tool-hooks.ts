import type { Limit } from "./limits.ts";

/** Moments at which a user's command runs for a tool call; the hook files are named after them. */
export const TOOL_HOOK_TYPES = { before: "beforeToolCall", after: "afterToolCall" } as const;

/** Hook types of other programs that use the same file format; we run none of them. */
export const OTHER_HOOK_TYPES = [
  "onUserMessage",
  "toolConfirmation",
  "onSubAgentComplete",
  "beforeCompress",
  "onSessionStart",
  "onStop",
] as const;

/** One command of a rule. */
export interface HookAction {
  readonly command: string;
  readonly timeoutMs: number;
}

/** Commands for the calls that a matcher selects. */
export interface HookRule {
  /** Alternatives of `field:pattern`, in which `*` matches anything; null for every call. */
  readonly matcher: readonly HookPattern[] | null;
  readonly actions: readonly HookAction[];
}

/** One alternative of a matcher. */
export interface HookPattern {
  /** Key of the hook's context; defaults to `toolName`. */
  readonly field: string;
  /** Compared with the whole value, ignoring case. */
  readonly pattern: string;
}

/** The user's commands that run before and after tool calls. */
export interface ToolHooks {
  readonly before: readonly HookRule[];
  readonly after: readonly HookRule[];
  /** The parts of the files that are ignored, and why. */
  readonly limits: readonly Limit[];
}

/** No commands at all. */
export const NO_TOOL_HOOKS: ToolHooks = { before: [], after: [], limits: [] };

/** A command that was run, and how it ended. */
export interface HookRun {
  readonly command: string;
  /** 0 for success, 1 for a warning, anything else for failure; -1 if it was ended by a signal or its timeout. */
  readonly exitCode: number;
  readonly output: string;
  /** Its standard error, or why it could not be run. */
  readonly error: string;
}

/** Result of all before hooks or all after hooks of a call. */
export interface HookVerdict {
  /** The first command that failed; null if none did. */
  readonly failure: HookRun | null;
  readonly warnings: readonly HookRun[];
}

/** Results of the hooks of one call. */
export interface HookVerdicts {
  readonly before: HookVerdict;
  readonly after: HookVerdict;
}

const QUIET: HookVerdict = { failure: null, warnings: [] };

/** Result if no hook has reported anything. */
export const NO_HOOK_RAN: HookVerdicts = { before: QUIET, after: QUIET };

/** The hook that stopped a call or made it fail afterwards; null if there is none. */
export function failureOf({ before, after }: HookVerdicts): HookRun | null {
  return before.failure ?? after.failure;
}
