import type { Limit } from "./limits.ts";

/** When a user's command runs beside a tool call; a file of hooks is named after it. */
export const TOOL_HOOK_TYPES = { before: "beforeToolCall", after: "afterToolCall" } as const;

/** Hook types of other programs that share the files' format; we run none of them. */
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

/** Commands for the calls that a matcher names. */
export interface HookRule {
  /** Alternatives of `field:pattern`, `*` standing for anything; null for every call. */
  readonly matcher: readonly HookPattern[] | null;
  readonly actions: readonly HookAction[];
}

/** One alternative of a matcher. */
export interface HookPattern {
  /** Key of the hook's context: `toolName` unless another is named. */
  readonly field: string;
  /** Compared with the whole value, whatever the case of its letters. */
  readonly pattern: string;
}

/** The user's commands around tool calls. */
export interface ToolHooks {
  readonly before: readonly HookRule[];
  readonly after: readonly HookRule[];
  /** What of the files does not count, and why. */
  readonly limits: readonly Limit[];
}

/** No commands at all. */
export const NO_TOOL_HOOKS: ToolHooks = { before: [], after: [], limits: [] };

/** One command that was run, and how it ended. */
export interface HookRun {
  readonly command: string;
  /** 0 success, 1 warning, anything else failure; -1 where it was ended by a signal or its time. */
  readonly exitCode: number;
  readonly output: string;
  /** Its standard error, or why it could not be run. */
  readonly error: string;
}

/** What the hooks of one moment came to. */
export interface HookVerdict {
  /** The first command that failed; null where none did. */
  readonly failure: HookRun | null;
  readonly warnings: readonly HookRun[];
}

/** What the hooks around one call came to. */
export interface HookVerdicts {
  readonly before: HookVerdict;
  readonly after: HookVerdict;
}

const QUIET: HookVerdict = { failure: null, warnings: [] };

/** No hook had anything to say. */
export const NO_HOOK_RAN: HookVerdicts = { before: QUIET, after: QUIET };

/** The hook that stopped a call or failed it afterwards; null where none did. */
export function failureOf({ before, after }: HookVerdicts): HookRun | null {
  return before.failure ?? after.failure;
}
