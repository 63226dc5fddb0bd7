import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { systemClock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { openProgram } from "../../base/subprocess/open-program.ts";
import { runProgram } from "../../base/subprocess/run-program.ts";
import type { ClientId } from "../../contract/clients.ts";
import { locateFiles } from "../clients/find-clients.ts";
import type { World } from "./world.ts";

/** Root of this project, which must have been built. */
export const PROJECT = resolve(import.meta.dirname, "../../..");

/** Adds our hook to clients, as the installer writes it into files that do not exist yet. */
export function installHooks(clients: readonly ClientId[], home: string, env: Environment): void {
  for (const { own, entries } of clients.map((client) => locateFiles(client, home, env))) {
    for (const { path, make, mode } of own) writeAt(path, make({ root: PROJECT, node: process.execPath }) ?? "", mode);
    for (const { path, editor } of entries) {
      const added = editor.add(path, null);
      if (!added.ok) throw new Error(added.fault.message);
      writeAt(path, added.value.text);
    }
  }
}

function writeAt(path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

/** A machine in a temporary folder, removed after the test, with the real programs of this project. */
export function makeWorld(changes: Partial<World> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundwork doctor's ")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, "home");
  const bin = join(folder, "bin");
  const state = join(home, ".cache", "groundwork");
  for (const path of [home, bin, join(folder, "repo")]) mkdirSync(path);
  const world: World = {
    env: { HOME: home, PATH: bin },
    home,
    uid: process.getuid?.() ?? null,
    folder: join(folder, "repo"),
    projectRoot: PROJECT,
    node: process.execPath,
    stateFolder: state,
    clock: systemClock,
    thinPath: "/usr/bin:/bin",
    budgetMs: 15_000,
    run: runProgram,
    open: openProgram,
    freeBytes: () => 5_000_000_000,
    ...changes,
  };
  /** Puts a shell script on the PATH. */
  const addProgram = (name: string, body: string) => writeAt(join(bin, name), `#!/bin/sh\n${body}\n`, 0o755);
  return { world, folder, home, bin, state, write: writeAt, addProgram };
}
