import { join, resolve } from "node:path";

/** What the user asked of the installer. */
export interface InstallRequest {
  readonly action: "install" | "uninstall";
  /** Put the hook into Claude Code's settings. Uninstall takes everything of ours away, whatever the flags say. */
  readonly withHook: boolean;
  /** Link codex-auto into the shared folder of programs. */
  readonly global: boolean;
  /** Use codex-auto from its own folder; the default where neither is named. */
  readonly local: boolean;
  /** Compute and report, write nothing. */
  readonly dryRun: boolean;
}

/** Where things lie on this machine, and the time. Contract: the installer looks nowhere else. */
export interface InstallPlaces {
  /** The user's home. */
  readonly home: string;
  /** The folder that holds this program. */
  readonly projectRoot: string;
  /** GROUNDWORK_HOME. */
  readonly stateFolder: string;
  /** The shared folder of programs: `/usr/local/bin`. */
  readonly binFolder: string;
  /** Top of the repository the user stands in. */
  readonly repoRoot: string;
  /** Milliseconds since the epoch, for the names of backups. */
  readonly nowMs: number;
}

/** Every path the installer reads or writes. */
export interface InstallTargets {
  readonly hookFile: string;
  readonly hookDoor: string;
  readonly settingsFile: string;
  readonly wrapperLink: string;
  readonly wrapperDoor: string;
  readonly receiptFile: string;
  /** Holds what the user decided; never removed. */
  readonly ownFolder: string;
  readonly sessionFile: string;
}

/** Spells out the paths. Contract: all are absolute. */
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
