import { join, resolve } from "node:path";
import type { Environment } from "../base/environment.ts";
import type { ClientId } from "../contract/clients.ts";
import type { ClientWishes } from "./clients/client-install.ts";

/** A request to the installer. */
export interface InstallRequest extends ClientWishes {
  readonly action: "install" | "uninstall";
  /** Clients to install for, or to remove from. */
  readonly clients: readonly ClientId[];
  /** True to handle everything of ours, including link, session file and receipt, not just some clients. */
  readonly everything: boolean;
  /** Continue with the other clients if one is refused; otherwise a refusal stops the run. */
  readonly goOn: boolean;
  /** Link codex-auto into the shared program folder. */
  readonly global: boolean;
  /** Use codex-auto from its own folder; the default if neither flag is given. */
  readonly local: boolean;
  /** Compute and report, but write nothing. */
  readonly dryRun: boolean;
}

/** Locations on this machine, and the time. Contract: the installer uses no other locations. */
export interface InstallPlaces {
  /** The user's home folder. */
  readonly home: string;
  /** The folder that contains this program. */
  readonly projectRoot: string;
  /** The node that runs this program. */
  readonly node: string;
  /** Variables that name the folders of clients, and `PATH`. */
  readonly env: Environment;
  /** GROUNDWORK_HOME. */
  readonly stateFolder: string;
  /** Shared program folder: `/usr/local/bin`. */
  readonly binFolder: string;
  /** Top of the repository that contains the current folder. */
  readonly repoRoot: string;
  /** Milliseconds since the epoch, for backup names. */
  readonly nowMs: number;
}

/** All paths that the installer reads or writes, except those of the clients. */
export type InstallTargets = Readonly<ReturnType<typeof toTargets>>;

/** Derives the paths. Contract: all are absolute. */
export function toTargets(places: InstallPlaces) {
  const root = resolve(places.projectRoot);
  return {
    wrapperLink: resolve(places.binFolder, "codex-auto"),
    wrapperDoor: join(root, "bin", "codex-auto"),
    receiptFile: resolve(places.stateFolder, "install-receipt.json"),
    /** Contains the user's decisions; never removed. */
    ownFolder: resolve(places.home, ".groundwork"),
    sessionFile: resolve(places.repoRoot, ".devbooks", "cache", "auto-tools", "codex-session.json"),
  };
}
