import type { Environment } from "../../base/environment.ts";
import { findProgram } from "../../base/find-program.ts";
import { lstatOrNull } from "../../base/lstat-or-null.ts";
import { CLIENT_IDS, CLIENTS, type ClientId } from "../../contract/clients.ts";
import { type Outcome, succeed } from "../../contract/faults.ts";
import type { FoundEntry } from "../edit/entry-editor.ts";
import { readFileState, unreadable } from "../file-state.ts";
import { type ClientFiles, type ClientWishes, NO_WISHES } from "./client-install.ts";
import { CLIENT_INSTALLS } from "./table.ts";

/** A client on this machine. */
export interface FoundClient {
  readonly client: ClientId;
  /** Path of its program; null if it is not on the `PATH`. */
  readonly program: string | null;
  readonly folder: string;
  readonly hasFolder: boolean;
}

/** Entries of ours in one of a client's files. */
export interface FoundIn {
  readonly path: string;
  readonly what: string;
  /** A fault if the file cannot be read or parsed. */
  readonly entries: Outcome<readonly FoundEntry[]>;
}

/** Looks for every client. Contract: read-only; a client is present if its program or its folder exists. */
export function findClients(home: string, env: Environment): readonly FoundClient[] {
  return CLIENT_IDS.map((client) => {
    const folder = CLIENT_INSTALLS[client].locate(home, env);
    const program = findProgram(CLIENTS[client].program, env["PATH"] ?? "", null);
    return { client, program, folder, hasFolder: lstatOrNull(folder) !== null };
  });
}

/** Locates everything of ours for a client. */
export function locateFiles(
  client: ClientId,
  home: string,
  env: Environment,
  wishes: ClientWishes = NO_WISHES,
): ClientFiles {
  const install = CLIENT_INSTALLS[client];
  return install.files(install.locate(home, env), home, wishes);
}

/** Finds our entries in the user's files of a client. Contract: only reads; never throws. */
export function findOurEntries({ entries }: ClientFiles): readonly FoundIn[] {
  return entries.map(({ path, what, editor }) => {
    const file = readFileState(path);
    if (file.kind === "absent") return { path, what, entries: succeed([]) };
    if (file.kind === "blocked") return { path, what, entries: unreadable(path, file.why) };
    return { path, what, entries: editor.find(path, file.bytes) };
  });
}
