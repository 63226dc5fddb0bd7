import { join, resolve } from "node:path";

/** What the user asked the installer to do. */
export interface InstallRequest {
  readonly action: "install" | "uninstall";
  /** Add the hook to Claude Code's settings. Uninstall removes everything of ours, whatever the flags say. */
  readonly withHook: boolean;
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
  /** GROUNDWORK_HOME. */
  readonly stateFolder: string;
  /** The shared folder of programs: `/usr/local/bin`. */
  readonly binFolder: string;
  /** Top of the repository that contains the current folder. */
  readonly repoRoot: string;
  /** Milliseconds since the epoch, for the names of backups. */
  readonly nowMs: number;
}

/** All paths that the installer reads or writes. */
export interface InstallTargets {
  readonly hookFile: string;
  readonly hookDoor: string;
  readonly settingsFile: string;
  readonly wrapperLink: string;
  readonly wrapperDoor: string;
  readonly receiptFile: string;
  /** Contains the user's decisions; never removed. */
  readonly ownFolder: string;
  readonly sessionFile: string;
}

/** Derives the paths. Contract: all are absolute. */
export function toTargets(places: InstallPlaces): InstallTargets {
  const claude = resolve(places.home, ".claude");
  const root = resolve(places.projectRoot);
  return {
    hookFile: join(claude, "hooks", "context-inject-global.sh"),
    hookDoor: join(root, "hooks", "context-inject-global.sh"),
    settingsFile: join(claude, "settings.json"),
    wrapperLink: resolve(places.binFolder, "codex-auto"),
    wrapperDoor: join(root, "bin", "codex-auto"),
    receiptFile: resolve(places.stateFolder, "install-receipt.json"),
    ownFolder: resolve(places.home, ".groundwork"),
    sessionFile: resolve(places.repoRoot, ".devbooks", "cache", "auto-tools", "codex-session.json"),
  };
}
