import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";
import type { InstallPlaces, InstallRequest } from "./request.ts";

/** A request as `install.sh` makes it: to install for Claude Code, or to remove everything. */
export function ask(action: InstallRequest["action"], flags: Partial<InstallRequest> = {}): InstallRequest {
  return {
    action,
    clients: ["claude"],
    everything: true,
    goOn: false,
    subAgents: false,
    statusLine: false,
    global: false,
    local: false,
    dryRun: false,
    ...flags,
  };
}

/** A simulated machine in a temporary folder, removed after the test. */
export function makeScratch() {
  const folder = mkdtempSync(join(tmpdir(), "groundwork install's "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const places: InstallPlaces = {
    home: join(folder, "home"),
    projectRoot: join(folder, "project"),
    node: "/usr/bin/node",
    env: {},
    stateFolder: join(folder, "state"),
    binFolder: join(folder, "bin"),
    repoRoot: join(folder, "repo"),
    nowMs: Date.UTC(2026, 10, 15, 22, 41, 7),
  };
  const write = (path: string, content: string | Buffer, mode = 0o644) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    chmodSync(path, mode);
  };
  const link = (target: string, path: string) => {
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  };
  for (const name of ["home", "repo"]) mkdirSync(join(folder, name));
  write(join(places.projectRoot, "hooks/context-inject-global.sh"), "#!/bin/sh\n", 0o755);
  for (const name of ["codex-auto", "groundwork"]) write(join(places.projectRoot, "bin", name), "#!/bin/sh\n", 0o755);
  const plugin = "hooks/lib/opencode-plugin.js";
  write(join(places.projectRoot, plugin), readFileSync(join(import.meta.dirname, "../..", plugin)));
  const claude = join(places.home, ".claude");
  return {
    folder,
    places,
    write,
    link,
    claude,
    settings: join(claude, "settings.json"),
    hook: join(claude, "hooks", "context-inject-global.sh"),
    receipt: join(places.stateFolder, "install-receipt.json"),
    wrapper: join(places.binFolder, "codex-auto"),
    /** The same places, a number of seconds later. */
    later: (seconds: number): InstallPlaces => ({ ...places, nowMs: places.nowMs + seconds * 1_000 }),
  };
}

/**
 * All files below a folder with their content (symlinks: `-> target`; folders end with a slash), optionally without
 * backups.
 */
export function snapshot(folder: string, { backups = true } = {}): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (!backups && name.includes(".backup.")) continue;
    if (entry.isDirectory()) found[`${name}/`] = "";
    else found[name] = entry.isSymbolicLink() ? `-> ${readlinkSync(path)}` : readFileSync(path, "latin1");
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}
