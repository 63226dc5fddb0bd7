import { statSync } from "node:fs";
import { resolveInside } from "../base/jail.ts";
import { findRepoRoot } from "../base/repo-root.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import { applyFileWithRoot, makeDraft, type SettingsFile } from "./file-settings.ts";
import { listHookCommands } from "./hook-files.ts";
import { describeServer, SERVERS_KEY } from "./mcp-servers.ts";
import { REPOSITORY_FILE, USER_FILE } from "./places.ts";
import { SETTING_NAMES, SETTINGS, type ToolBounds } from "./settings.ts";
import { findPinnable, judgeTrust, type Trust } from "./trust.ts";
import type { PinnedFile } from "./trust-book.ts";
import { readYamlFile } from "./yaml-file.ts";

/** A setting that trust would widen. */
interface Widening {
  readonly key: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The effects of trusting a repository. */
export interface TrustPlan {
  readonly root: string;
  /** Current trust status. */
  readonly trust: Trust;
  /** Files that would be pinned; empty if the repository has no relevant files. */
  readonly files: readonly PinnedFile[];
  /** Settings whose values trust would change, ignoring environment variables. */
  readonly changes: readonly Widening[];
  /** Parts of the settings file that would be refused even with trust, as limits. */
  readonly refused: readonly Limit[];
  /** Commands that its hook files would run before and after tool calls. */
  readonly commands: readonly TrustedCommand[];
}

/** A command that would run once its file is trusted. */
interface TrustedCommand {
  readonly file: string;
  readonly command: string;
  /** Files of the repository that the command names: they are not pinned and may change later. */
  readonly unpinned: readonly string[];
}

/**
 * Determines what trusting the repository around `folder` would change. Contract: only reads; the hashes are of exactly
 * the bytes from which the changes were determined; a folder outside any repository, broken YAML and files too large to
 * pin are faults.
 */
export async function planTrust(
  home: string,
  folder: string,
  bounds: readonly ToolBounds[],
): Promise<Outcome<TrustPlan>> {
  const base = findRepoRoot(folder);
  if (base.source !== "git")
    return fail("E_REPO_ROOT", `${folder} is not inside a git repository`, "only a repository can be trusted");
  const user = await readYamlFile(home, USER_FILE);
  if (!user.ok) return user;
  const own = await readYamlFile(base.root, REPOSITORY_FILE);
  if (!own.ok) return own;
  const seen = own.value === null ? [] : [{ path: REPOSITORY_FILE, bytes: own.value.bytes }];
  const { files, obstacle } = findPinnable(base.root, seen);
  if (obstacle !== null) return fail("E_CONFIG", `${obstacle}; it cannot be trusted`);
  const draftWith = (origin: SettingsFile["origin"]) => {
    const draft = makeDraft(bounds);
    let root = base;
    for (const file of [
      { name: `~/${USER_FILE}`, origin: "user file" as const, content: user.value?.content ?? null },
      { name: REPOSITORY_FILE, origin, content: own.value?.content ?? null },
    ]) {
      // Rejections in the user's own file do not concern this repository.
      draft.limits.length = 0;
      if (file.content !== null)
        root = applyFileWithRoot(draft, { ...file, content: file.content }, { base, current: root });
    }
    return draft;
  };
  const narrow = draftWith("repository file");
  const wide = draftWith("repository file (trusted)");
  const settings = SETTING_NAMES.map((name) => ({
    key: SETTINGS[name].key,
    from: narrow.values[name],
    to: wide.values[name],
  }));
  const servers = [...wide.servers.values()]
    .filter(({ name }) => !narrow.servers.has(name))
    .map((server) => ({
      key: `${SERVERS_KEY}.${server.name}`,
      from: "",
      to: describeServer(server, { values: true }),
    }));
  const changes = [...settings.filter(({ from, to }) => String(from) !== String(to)), ...servers];
  return succeed({
    root: base.root,
    trust: judgeTrust(home, base.root, seen),
    files,
    changes,
    refused: own.value?.content ? [...wide.limits, ...(wide.wantsTier2 ? [LIMITS.tier2ConfigIgnored()] : [])] : [],
    commands: listHookCommands(base.root).map(({ file, command }) => ({
      file,
      command,
      unpinned: filesIn(base.root, command).filter((path) => !files.some((pinned) => pinned.path === path)),
    })),
  });
}

/** True if trust would allow anything. */
export function isWorthTrusting(plan: TrustPlan): boolean {
  return plan.changes.length > 0 || isWithHooks(plan);
}

/** True if hook files would be trusted: all pinned files other than the settings file are hook files. */
export function isWithHooks({ files }: TrustPlan): boolean {
  return files.some(({ path }) => path.endsWith(".json"));
}

/** Returns the files of a repository that are named by the words of a command. */
function filesIn(root: string, command: string): string[] {
  const words = command.split(/[\s;|&()<>'"`]+/).filter((word) => word !== "" && word.length < 1_000);
  const inside = words.flatMap((word) => {
    const place = resolveInside(root, word);
    return place.ok && place.value.path !== "" && statSync(place.value.real).isFile() ? [place.value.path] : [];
  });
  return [...new Set(inside)];
}
