import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { projectRoot } from "./doors.ts";
import { makeFolder, writeFiles } from "./temp-folder.ts";

/** Settings for reading history on this machine. */
export const HISTORY_SETTINGS = { path: process.env["PATH"] ?? "", plainGit: join(projectRoot, "config", "git") };

/** Returns an environment for git with an author name and without the machine's configuration. */
export function gitEnv(folder: string): Record<string, string | undefined> {
  return {
    PATH: process.env["PATH"],
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
    GIT_ALLOW_PROTOCOL: "file",
  };
}

/** Runs git in a folder, with only the configuration given here. Returns its output, trimmed. */
export function git(folder: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): string {
  const env = { ...gitEnv(folder), ...more };
  return execFileSync("git", args, { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

/** A commit to make: files to write, subject and time. */
export interface CommitWish {
  readonly files: Readonly<Record<string, string>>;
  readonly subject: string;
  /** ISO 8601. */
  readonly at: string;
  readonly author?: string;
}

/** Writes files and commits them. Returns the id. */
export function commit(folder: string, { files, subject, at, author = "Ada" }: CommitWish): string {
  writeFiles(folder, files);
  git(folder, ["add", "--all"]);
  const made = { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at, GIT_AUTHOR_NAME: author };
  git(folder, ["commit", "--quiet", "--allow-empty", "-m", subject], made);
  return git(folder, ["rev-parse", "HEAD"]);
}

/** Makes a repository with these commits, removed when the test file is done. */
export function makeRepo(commits: readonly CommitWish[], options: readonly string[] = []): string {
  const folder = makeFolder();
  git(folder, ["init", "--quiet", "--template=", "--initial-branch=main", ...options]);
  for (const wish of commits) commit(folder, wish);
  return folder;
}
