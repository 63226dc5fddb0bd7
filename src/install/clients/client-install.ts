import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../../base/environment.ts";
import type { ClientId } from "../../contract/clients.ts";
import type { EntryEditor } from "../edit/entry-editor.ts";
import { isOurLauncher, makeLauncher, type Program } from "../launcher.ts";

/** A file that is ours as a whole. */
export interface OwnFile {
  readonly path: string;
  /** What it is, for reports. */
  readonly what: string;
  readonly mode: number;
  /** Its content; null if the program lacks what it is made of. */
  readonly make: (program: Program) => string | null;
  /** Whether a file at its path is ours, whichever version wrote it. */
  readonly isOurs: (content: string) => boolean;
}

/** A user's file that gets an entry of ours. */
export interface EntryFile {
  readonly path: string;
  /** What the entry is, for reports. */
  readonly what: string;
  readonly editor: EntryEditor;
}

/** Everything that is installed for a client, in one of its folders. */
export interface ClientFiles {
  readonly client: ClientId;
  readonly folder: string;
  /** The script that the client calls, directly or by a plugin of ours. */
  readonly launcher: string;
  /** In the order in which they are written: what is called before what calls it. */
  readonly own: readonly OwnFile[];
  readonly entries: readonly EntryFile[];
}

/** What the user wants besides the usual. */
export interface ClientWishes {
  /** Evidence for sub-agents of Claude Code. */
  readonly subAgents: boolean;
  /** Our line in the status bar of Claude Code, where it has none. */
  readonly statusLine: boolean;
}

/** The usual. */
export const NO_WISHES: ClientWishes = { subAgents: false, statusLine: false };

/** How a client is installed. Contract: adding a client is one of these, a row in `contract/clients.ts` and a test. */
export interface ClientInstall {
  /** The client's folder: where its own variable says, otherwise its usual place. */
  readonly locate: (home: string, env: Environment) => string;
  /** What belongs into such a folder. */
  readonly files: (folder: string, home: string, wishes: ClientWishes) => ClientFiles;
}

/** Seconds that clients give our hook; every budget of ours is shorter. */
export const TIMEOUT_SECONDS = 20;

/** An absolute path from a variable, `~` expanded; null if it names none. */
export function pathFrom(variable: string, home: string, env: Environment): string | null {
  const value = env[variable] ?? "";
  const path = /^~(?=\/|$)/.test(value) ? join(home, value.slice(1)) : value;
  // A relative path depends on the folder that the client is started in.
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
