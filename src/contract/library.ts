import type { CallOrigin, UserAnswer } from "./tool.ts";
import type { HookRun } from "./tool-hooks.ts";

/** A tool call in the format of model APIs. */
export interface FunctionCall {
  readonly id: string;
  readonly type: "function";
  readonly function: {
    readonly name: string;
    /** JSON. In other text, the first object counts; without one there are no arguments. */
    readonly arguments: string;
  };
}

/** The result of a call in the format of model APIs. */
export interface FunctionResult {
  readonly tool_call_id: string;
  readonly role: "tool";
  /**
   * JSON of the tool's data with its `limits`, or `Error: …`; then warnings of after hooks. Empty if a hook stopped the
   * call.
   */
  readonly content: string;
  /** Warnings of before hooks. */
  readonly warnings?: readonly Omit<HookRun, "exitCode">[];
  readonly hookFailed?: true;
  /** The hook that stopped the call, or made it fail afterwards. */
  readonly hookErrorDetails?: HookRun & { readonly type: "error" };
}

/** Options of calls. */
export interface FunctionOptions {
  /** Working folder of the caller; defaults to the current one. */
  readonly cwd?: string;
  /** Origin of the calls; defaults to a program that may only read. A person's own `cli` may also write. */
  readonly origin?: CallOrigin;
  readonly signal?: AbortSignal;
  /** Asks the person; if absent, nobody can be asked. */
  readonly onUserInteractionNeeded?: (
    question: string,
    options: readonly string[],
    multiSelect: boolean,
  ) => Promise<Omit<UserAnswer, "selected"> & { readonly selected: string | readonly string[] }>;
}
