import { join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { lstatOrNull } from "../../base/file-facts.ts";
import { findProgram } from "../../base/find-program.ts";
import { CLIENT_IDS, CLIENTS, type ClientId } from "../../contract/clients.ts";
import { type Outcome, succeed } from "../../contract/faults.ts";
import type { FoundEntry } from "../edit/entry-editor.ts";
import { readFileState, unreadable } from "../file-state.ts";
import { isOurLauncher, makeLauncher } from "../launcher.ts";
import { type ClientFiles, type ClientWishes, type OwnFile, pathFrom } from "./client-install.ts";
import { CLIENT_INSTALLS } from "./table.ts";

interface FoundClient {
  readonly client: ClientId;
  /** Path of its program; null if it is not on the `PATH`. */
  readonly program: string | null;
  readonly hasFolder: boolean;
}

/** Entries of ours in one of a client's files. */
export interface FoundIn {
  readonly path: string;
  readonly what: string;
  /** A fault if the file cannot be read or parsed. */
  readonly entries: Outcome<readonly FoundEntry[]>;
}

const NO_WISHES: ClientWishes = { subAgents: false, statusLine: false };

/** Looks for every client. Contract: read-only; a client is present if its program or its folder exists. */
export function findClients(home: string, env: Environment): readonly FoundClient[] {
  return CLIENT_IDS.map((client) => {
    const program = findProgram(CLIENTS[client].program, env["PATH"] ?? "", null);
    return { client, program, hasFolder: lstatOrNull(locateFolder(client, home, env)) !== null };
  });
}

/** Returns a client's folder: from its own environment variable, otherwise the default. */
export function locateFolder(client: ClientId, home: string, env: Environment): string {
  return CLIENT_INSTALLS[client].locate(pathFrom(CLIENTS[client].homeVariable, home, env), home, env);
}

/** Locates everything of ours for a client. */
export function locateFiles(client: ClientId, home: string, env: Environment, wishes?: ClientWishes): ClientFiles {
  return filesIn(locateFolder(client, home, env), client, home, wishes);
}

/** Locates everything of ours for a client in a folder. */
export function filesIn(folder: string, client: ClientId, home: string, wishes = NO_WISHES): ClientFiles {
  const { launcherName = "groundwork.sh", files } = CLIENT_INSTALLS[client];
  const launcher = join(folder, "hooks", launcherName);
  const { own = [], entries = [] } = files({ ...wishes, folder, launcher, home });
  const launcherFile: OwnFile = {
    path: launcher,
    what: "hook launcher",
    mode: 0o755,
    make: (program) => makeLauncher(client, program),
    isOurs: isOurLauncher,
  };
  return { client, folder, launcher, own: [launcherFile, ...own], entries };
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
