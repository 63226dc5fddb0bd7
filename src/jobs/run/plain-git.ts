import { join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { plainGitEnv } from "../../base/plain-git.ts";
import { type ProgramResult, runProgram } from "../../base/subprocess/run-program.ts";
import { withTimeLimit } from "../../base/timers.ts";
import { entryKindOf } from "./files.ts";
import type { GitPlace } from "./git-place.ts";

/** The environment of a git command, and when it ends. */
export interface GitCall {
  /** The user's environment: contains their name, and the location of their settings. */
  readonly env: Environment;
  readonly signal: AbortSignal;
}

interface GitInput {
  /** The index file; the work tree's own by default. */
  readonly index?: string;
  readonly stdin?: string;
  readonly env?: Environment;
}

/** Runs git in a work tree, with a configuration that names no program. Contract: never throws. */
export type AskGit = (args: readonly string[], input?: GitInput) => Promise<ProgramResult>;

const TIMEOUT_MS = 120_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** Settings for how files are compared and stored: their values are words that git could not execute. */
const PLAIN_SETTINGS = /^core\.(?:filemode|autocrlf|eol|ignorecase|symlinks|precomposeunicode)$/;
const PLAIN_VALUE = /^(?:true|false|input|lf|crlf|native|yes|no|on|off|0|1)?$/i;
const PERSON = /^user\.(?:name|email)$/;

/** Runs git with a time limit. */
export function runGit(
  { program, root }: Pick<GitPlace, "program" | "root">,
  args: readonly string[],
  call: GitCall & { readonly stdin?: string },
): Promise<ProgramResult> {
  const caps = { maxStdoutBytes: MAX_BYTES, maxStderrBytes: MAX_BYTES };
  const { env, stdin = "" } = call;
  return withTimeLimit(call.signal, TIMEOUT_MS, (signal) =>
    runProgram({ command: program, args, cwd: root, env, stdin, signal, ...caps }),
  );
}

/**
 * Prepares git for a work tree. From the repository's configuration, only the settings for comparing files and the
 * committer apply; from the user's, these and the list of ignored files. Contract: never throws; starts no program that
 * a repository names, be it a monitor, a filter, a hook or a signature.
 */
export async function openPlainGit(place: GitPlace, call: GitCall): Promise<AskGit> {
  const { root, own, common, folder, objects, shallow } = place;
  const plain = { ...plainGitEnv({ folder, objects, shallow }), GIT_WORK_TREE: root };
  const users = { ...plain, ...pick(call.env, ["HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"]) };
  const list = async (which: readonly string[], env: Environment) =>
    parseSettings((await runGit(place, ["config", ...which, "--null", "--list"], { ...call, env })).stdout);
  const config = join(common, "config");
  const ofUser = call.env["HOME"] === undefined ? [] : await list(["--global", "--includes"], users);
  const ofRepository = entryKindOf(config) === "file" ? await list(["--file", config, "--no-includes"], plain) : [];
  const ignored = await findIgnored(place, call, users);
  const settings = [
    "core.bare=false",
    ...(ignored === null ? [] : [`core.excludesFile=${ignored}`]),
    ...[...ofUser, ...ofRepository].filter(isPlain).map(([key, value]) => `${key}=${value}`),
  ];
  const options = ["--no-pager", "--no-replace-objects", "--literal-pathspecs"];
  return (args, { index = join(own, "index"), stdin = "", env = {} } = {}) =>
    runGit(place, [...settings.flatMap((setting) => ["-c", setting]), ...options, ...args], {
      signal: call.signal,
      stdin,
      env: { ...plain, ...pickPerson(call.env), GIT_INDEX_FILE: index, ...env },
    });
}

function isPlain([key, value]: readonly [string, string]): boolean {
  return PERSON.test(key) || (PLAIN_SETTINGS.test(key) && PLAIN_VALUE.test(value));
}

/** Returns the user's list of ignored files, found as git does; null if there is none. */
async function findIgnored(place: GitPlace, call: GitCall, env: Environment): Promise<string | null> {
  const { HOME: home, XDG_CONFIG_HOME: folder } = call.env;
  if (home === undefined) return null;
  const args = ["config", "--global", "--includes", "--type=path", "--get", "core.excludesFile"];
  const named = (await runGit(place, args, { ...call, env })).stdout.replace(/\n$/, "");
  const file = named === "" ? join(folder || join(home, ".config"), "git", "ignore") : named;
  return entryKindOf(file) === "file" ? file : null;
}

/** Parses the output of `git config --list --null`: key, newline, value. */
function parseSettings(text: string): (readonly [string, string])[] {
  return text.split("\0").flatMap((entry) => {
    const at = entry.indexOf("\n");
    return at <= 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1)] as const];
  });
}

function pickPerson(env: Environment): Environment {
  const names = ["NAME", "EMAIL", "DATE"].flatMap((word) => [`GIT_AUTHOR_${word}`, `GIT_COMMITTER_${word}`]);
  return pick(env, [...names, "EMAIL"]);
}

function pick(env: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
