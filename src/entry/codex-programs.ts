import { join, resolve } from "node:path";
import type { Program } from "../jobs/job/start.ts";

/** Runs Codex once, in the foreground: what start.sh becomes. */
export const START_PROGRAM: Program = own("codex-start.cjs");

/** Brings a run to its end whose supervisor is gone; is given the run's mark. */
export const SETTLE_PROGRAM: Program = own("codex-job.cjs", "settle");

/**
 * A program that the environment names in the place of one of ours; null where it names none. Contract: only the environment
 * does, never a repository; a path is made absolute, because calls have other current folders.
 */
export function namedProgram(variable: "CODEX_START_SH" | "CODEX_JOB_SH"): string | null {
  const named = process.env[variable];
  if (named === undefined || named === "") return null;
  return named.includes("/") ? resolve(named) : named;
}

function own(bundle: string, ...args: readonly string[]): Program {
  return { command: process.execPath, args: [join(__dirname, bundle), ...args] };
}
