import { join, resolve } from "node:path";
import type { Environment } from "../base/environment.ts";
import type { ClientId } from "../contract/clients.ts";

/** What the user asked the installer to do. */
export interface InstallRequest {
  readonly action: "install" | "uninstall";
  /** Clients to install for, or to remove from. */
  readonly clients: readonly ClientId[];
  /** True if this is not about some clients, but about everything of ours: link, session file and receipt, too. */
  readonly everything: boolean;
  /** Go on with the other clients where one has to be refused; otherwise a refusal ends all. */
  readonly goOn: boolean;
  /** Evidence for the sub-agents of Claude Code, too. */
  readonly subAgents: boolean;
  /** Our line in the status bar of Claude Code, where it has none. */
  readonly statusLine: boolean;
  /** Link codex-auto into the shared folder of programs. */
  readonly global: boolean;
  /** Use codex-auto from its own folder; the default if neither flag is given. */
  readonly local: boolean;
  /** Compute and report, but write nothing. */
  readonly dryRun: boolean;
}

/** Locations on this machine, and the time. Contract: the installer looks nowhere else. */
export interface InstallPlaces {
  /** The user's home folder. */
  readonly home: string;
  /** The folder that contains this program. */
  readonly projectRoot: string;
  /** The node that runs this program. */
  readonly node: string;
  /** The variables by which clients find their folders, and `PATH`. */
  readonly env: Environment;
  /** GROUNDWORK_HOME. */
  readonly stateFolder: string;
  /** The shared folder of programs: `/usr/local/bin`. */
  readonly binFolder: string;
  /** Top of the repository that contains the current folder. */
  readonly repoRoot: string;
  /** Milliseconds since the epoch, for the names of backups. */
  readonly nowMs: number;
}

/** All paths that the installer reads or writes, those of the clients apart. */
export interface InstallTargets {
  readonly wrapperLink: string;
  readonly wrapperDoor: string;
  readonly receiptFile: string;
  /** Contains the user's decisions; never removed. */
  readonly ownFolder: string;
  readonly sessionFile: string;
}

/** Derives the paths. Contract: all are absolute. */
export function toTargets(places: InstallPlaces): InstallTargets {
  const root = resolve(places.projectRoot);
  return {
    wrapperLink: resolve(places.binFolder, "codex-auto"),
    wrapperDoor: join(root, "bin", "codex-auto"),
    receiptFile: resolve(places.stateFolder, "install-receipt.json"),
    ownFolder: resolve(places.home, ".groundwork"),
    sessionFile: resolve(places.repoRoot, ".devbooks", "cache", "auto-tools", "codex-session.json"),
  };
}
