import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { CLIENTS, type ClientId } from "../../contract/clients.ts";
import type { EntryEditor } from "../edit/entry-editor.ts";
import { type InstalledProgram, isOurLauncher, makeLauncher } from "../launcher.ts";

/** A file that belongs to us entirely. */
export interface OwnFile {
  readonly path: string;
  /** What it is, for reports. */
  readonly what: string;
  readonly mode: number;
  /** Returns its content; null if the program lacks the source for it. */
  readonly make: (program: InstalledProgram) => string | null;
  /** True if a file at its path is ours, whichever version wrote it. */
  readonly isOurs: (content: string) => boolean;
}

/** A user's file that gets an entry of ours. */
export interface EntryFile {
  readonly path: string;
  /** What the entry is, for reports. */
  readonly what: string;
  readonly editor: EntryEditor;
}

/** Everything that is installed for a client in one of its folders. */
export interface ClientFiles {
  readonly client: ClientId;
  readonly folder: string;
  /** The script that the client calls, directly or through a plugin of ours. */
  readonly launcher: string;
  /** In the order of writing: a file comes before those that call it. */
  readonly own: readonly OwnFile[];
  readonly entries: readonly EntryFile[];
}

/** Optional features that the user asked for. */
export interface ClientWishes {
  /** Evidence for sub-agents of Claude Code. */
  readonly subAgents: boolean;
  /** Our line in the status bar of Claude Code, if it has none. */
  readonly statusLine: boolean;
}

/** Default: no optional features. */
export const NO_WISHES: ClientWishes = { subAgents: false, statusLine: false };

/** How a client is installed. Contract: a new client needs one of these, a row in `contract/clients.ts` and a test. */
export interface ClientInstall {
  /** Returns the client's folder: from its own environment variable, otherwise the default. */
  readonly locate: (home: string, env: Environment) => string;
  /** The files from which the client reads hooks: in its own folder, and in a repository. */
  readonly hookFiles: { readonly own: readonly string[]; readonly repository: readonly string[] };
  /** Returns the files that belong into such a folder. */
  readonly files: (folder: string, home: string, wishes: ClientWishes) => ClientFiles;
}

/** Timeout of our hook in the clients, in seconds; all our own budgets are shorter. */
export const TIMEOUT_SECONDS = 20;

/** Locates a client's folder by its variable; without it, at the given place in the home folder. */
export function folderAt(client: ClientId, usual: string): ClientInstall["locate"] {
  return (home, env) => pathFrom(CLIENTS[client].homeVariable, home, env) ?? resolve(home, usual);
}

/** Absolute path from an environment variable, with `~` expanded; null if the variable does not contain one. */
export function pathFrom(variable: string, home: string, env: Environment): string | null {
  const value = env[variable] ?? "";
  const path = /^~(?=\/|$)/.test(value) ? join(home, value.slice(1)) : value;
  // A relative path would depend on the folder in which the client is started.
  return isAbsolute(path) ? resolve(path) : null;
}

/** The launcher of a client, at a path that no upgrade changes. */
export function launcherFile(client: ClientId, path: string): OwnFile {
  return {
    path,
    what: "hook launcher",
    mode: 0o755,
    make: (program) => makeLauncher(client, program),
    isOurs: isOurLauncher,
  };
}

/** Path of the launcher in the folder of any client but Claude Code. */
export function launcherIn(folder: string): string {
  return join(folder, "hooks", "groundwork.sh");
}
