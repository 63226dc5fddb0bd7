import type { ExitCode } from "../contract/faults.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import type { RunDocument } from "../contract/run-document.ts";
import { type EmptyParts, makeEmptyDocument } from "./document.ts";

/** The kernel's answer: the document and the code that a door in json or text format exits with. */
export interface KernelAnswer {
  readonly document: RunDocument;
  readonly exitCode: ExitCode;
  /** What the document's `limits_text` says, as values. */
  readonly limits: readonly Limit[];
  /** Those of the limits that the injected text does not say itself. */
  readonly unsaid: readonly Limit[];
  /** What the person at the client is told beside the document: why nothing is injected, or that a file is not read. */
  readonly notices: readonly Limit[];
}

/** An answer that injects nothing and says why. */
export function makeEmptyAnswer(
  { limits, ...parts }: EmptyParts,
  { exitCode, notices }: Pick<KernelAnswer, "exitCode" | "notices">,
): KernelAnswer {
  const told = parts.legacy ? [...limits, LIMITS.legacy()] : limits;
  return { document: makeEmptyDocument({ ...parts, limits: told }), exitCode, limits: told, unsaid: told, notices };
}
