import type { Limit } from "../contract/limits.ts";
import type { Client } from "../contract/run-document.ts";
import type { Judgement } from "./judge.ts";
import type { Hints } from "./signals.ts";

/** A prompt as an adapter hands it over. */
export interface Prompt {
  readonly text: string;
  readonly client: Client;
  readonly hints: Hints;
  /** True where the input asked for a tool directly. */
  readonly asksForTool: boolean;
  /** What an adapter has found out already; the kernel finds it out itself otherwise. */
  readonly judgement?: Judgement;
  /** Limits that the adapter has to report. */
  readonly limits: readonly Limit[];
}
