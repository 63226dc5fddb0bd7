import { join } from "node:path";
import { findProgram } from "../../base/find-program.ts";
import { plainGitEnv } from "../../base/plain-git.ts";
import { type ProgramResult, runProgram } from "../../base/subprocess/run-program.ts";
import { streamProgram } from "../../base/subprocess/stream-program.ts";
import { findHistoryStart, type HistoryStart } from "./git-folder.ts";

/** Environment for reading git's objects. */
export interface GitSettings {
  /** The user's PATH, which is searched for git. */
  readonly path: string;
  /** Folder with the git directories `sha1` and `sha256`, whose configuration replaces the repository's. */
  readonly plainGit: string;
}

/**
 * Runs git with our own git directory, which borrows only the repository's objects: git never opens the repository's
 * configuration, hooks, attributes or refs.
 */
export interface GitObjects {
  /** The checked-out commit. */
  readonly start: HistoryStart;
  readonly ask: (args: readonly string[], maxStdoutBytes: number) => Promise<ProgramResult>;
  /** Prints the objects of these ids, one after the other, as `git cat-file --batch` does. Returns its exit code. */
  readonly printObjects: (ids: readonly string[], onStdout: (chunk: Buffer) => void) => Promise<number | null>;
}

/**
 * Opens the objects of a repository. Contract: null without git or a commit, or if anything about `.git` is unusual.
 */
export function openGitObjects(root: string, settings: GitSettings, signal: AbortSignal): GitObjects | null {
  const program = findProgram("git", settings.path, root);
  const start = program === null ? null : findHistoryStart(root);
  if (program === null || start === null) return null;
  const toStart = (args: readonly string[]) => toPlainGit(program, args, start, settings.plainGit);
  return {
    start,
    ask: (args, maxStdoutBytes) =>
      runProgram({ ...toStart(args), stdin: "", isAlone: true, maxStderrBytes: 4_096, signal, maxStdoutBytes }),
    printObjects: async (ids, onStdout) => {
      const stdin = ids.map((id) => `${id}\n`).join("");
      return (await streamProgram({ ...toStart(["cat-file", "--batch"]), stdin, onStdout })).exitCode;
    },
  };
}

function toPlainGit(
  program: string,
  args: readonly string[],
  { commit, objects, shallow }: HistoryStart,
  plainGit: string,
) {
  const folder = join(plainGit, commit.length === 64 ? "sha256" : "sha1");
  return {
    command: program,
    args: ["--no-pager", "--no-replace-objects", "--literal-pathspecs", ...args],
    cwd: folder,
    env: plainGitEnv({ folder, objects, shallow }),
  };
}
