import type { CallOrigin } from "./tool.ts";
import type { HookRun } from "./tool-hooks.ts";

/** A call of a tool, in the form in which models make it. */
export interface FunctionCall {
  readonly id: string;
  readonly type: "function";
  readonly function: {
    readonly name: string;
    /** JSON; of other text the first object in it counts, else no arguments. */
    readonly arguments: string;
  };
}

/** What became of a call, in the form in which models read it. */
export interface FunctionResult {
  readonly tool_call_id: string;
  readonly role: "tool";
  /** JSON of what the tool found with its `limits`, or `Error: …`; then what hooks after it warned of. Empty where a hook stopped the call. */
  readonly content: string;
  /** What hooks before the call warned of. */
  readonly warnings?: readonly Omit<HookRun, "exitCode">[];
  readonly hookFailed?: true;
  readonly hookErrorDetails?: HookErrorDetails;
}

/** The hook that stopped a call, or failed it afterwards. */
interface HookErrorDetails extends HookRun {
  readonly type: "error";
}

/** How calls are made. */
export interface FunctionOptions {
  /** Folder that the caller stands in; the current one unless given. */
  readonly cwd?: string;
  /** Who asks; unless given, a program that may only read. A person's own `cli` may write as well. */
  readonly origin?: CallOrigin;
  readonly signal?: AbortSignal;
  /** Asks the person; without it there is no one to ask. */
  readonly onUserInteractionNeeded?: (
    question: string,
    options: readonly string[],
    multiSelect: boolean,
  ) => Promise<{
    readonly selected: string | readonly string[];
    readonly customInput?: string;
    readonly cancelled?: boolean;
  }>;
}
