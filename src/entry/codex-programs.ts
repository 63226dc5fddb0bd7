import { join, resolve } from "node:path";
import { findHistoryStart } from "../engine/history/git-folder.ts";
import type { Program } from "../jobs/job/start.ts";
import type { GitSource } from "../jobs/run/git-place.ts";
import { projectRoot } from "./process.ts";

/** Runs Codex once, in the foreground; also what start.sh executes. */
export const START_PROGRAM: Program = own("codex-start.cjs");

/** Finishes a run whose supervisor is gone; its argument is the run's mark. */
export const SETTLE_PROGRAM: Program = own("codex-job.cjs", "settle");

/**
 * A program that the environment names as a replacement for one of ours; null if it names none. Contract: only the
 * environment can name one, never a repository; the path is made absolute, because calls run in other current folders.
 */
export function namedProgram(variable: "CODEX_START_SH" | "CODEX_JOB_SH"): string | null {
  const named = process.env[variable];
  if (named === undefined || named === "") return null;
  return named.includes("/") ? resolve(named) : named;
}

/** How jobs read git: with our configuration in place of the repository's. */
export function gitSource(): GitSource {
  return { findStart: findHistoryStart, plainGit: join(projectRoot, "config", "git") };
}

function own(bundle: string, ...args: readonly string[]): Program {
  return { command: process.execPath, args: [join(__dirname, bundle), ...args] };
}
