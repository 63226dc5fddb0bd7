import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { quoteShell } from "../../base/quote-shell.ts";
import type { ClientId } from "../../contract/clients.ts";
import type { EntryEditor } from "../edit/entry-editor.ts";
import type { HookSpec } from "../edit/settings-edit.ts";
import type { InstalledProgram } from "../launcher.ts";
import { judgeCommand } from "./our-commands.ts";

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

/** A folder of a client, the launcher in it, and what the user asked for. */
interface ClientPlace extends ClientWishes {
  readonly folder: string;
  readonly launcher: string;
  readonly home: string;
}

/** How a client is installed. A new one takes a file, a line in `table.ts`, a row in `contract/clients.ts`, a test. */
export interface ClientInstall {
  /** Returns the client's folder. `named` is the path in its own environment variable, or null. */
  readonly locate: (named: string | null, home: string, env: Environment) => string;
  /** Name of the launcher in the `hooks` folder, which no upgrade changes; by default `groundwork.sh`. */
  readonly launcherName?: string;
  /** The files from which the client reads hooks: in its own folder, and in a repository. */
  readonly hookFiles: { readonly own: readonly string[]; readonly repository: readonly string[] };
  /** Returns what belongs into such a folder besides the launcher. */
  readonly files: (place: ClientPlace) => Partial<Pick<ClientFiles, "own" | "entries">>;
}

/** Timeout of our hook in the clients, in seconds; all our own budgets are shorter. */
export const TIMEOUT_SECONDS = 20;

/** The hook for a client with Claude Code's event, time limits in seconds, and the launcher called by its path. */
export function promptHook({ launcher, home }: ClientPlace): HookSpec {
  const command = quoteShell(launcher);
  return {
    event: "UserPromptSubmit",
    group: {},
    handler: { type: "command", command, timeout: TIMEOUT_SECONDS },
    judge: (found) => judgeCommand(found, command, home),
  };
}

/** Absolute path from an environment variable, with `~` expanded; null if the variable does not contain one. */
export function pathFrom(variable: string, home: string, env: Environment): string | null {
  const value = env[variable] ?? "";
  const path = /^~(?=\/|$)/.test(value) ? join(home, value.slice(1)) : value;
  // A relative path would depend on the folder in which the client is started.
  return isAbsolute(path) ? resolve(path) : null;
}
