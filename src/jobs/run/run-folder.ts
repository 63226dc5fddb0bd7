import { mkdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { toCode, toMessage } from "../../base/text.ts";
import { type Outcome, refuse, succeed } from "../../contract/faults.ts";

/** A caller's wording of why a folder cannot be created, in whole lines. */
export interface FolderTexts {
  readonly notMade: (path: string, why: string) => readonly string[];
  /** What is wrong with an entry in the place of one of our folders; null if nothing is. */
  readonly planted: (path: string) => readonly string[] | null;
  readonly noFreeName: (root: string) => readonly string[];
}

/** A name below a root, reserved for one run, and the second from which it is derived. */
export interface TakenName {
  readonly path: string;
  readonly ms: number;
}

/** Runs that start within the same second move on to later ones; this many at once indicate an error. */
const MAX_TRIES = 10_000;

/** The folder with the runs of a working folder, `.codex-father/sessions`. */
export function sessionsFolder(cwd: string): string {
  return join(cwd, ".codex-father", "sessions");
}

/** Removes a folder. Contract: never throws; symlinks inside are removed, not followed; false if anything stays. */
export function removeFolder(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates our own root, `.codex-father/sessions`, level by level. Contract: never throws; refuses anything planted
 * there.
 */
export function makeSessionsRoot(root: string, texts: FolderTexts): Outcome<string> {
  for (const folder of [dirname(root), root]) {
    const made = makeExclusively(folder, texts, () => mkdirSync(folder, { mode: 0o700 }));
    if (!made.ok) return made;
    const planted = texts.planted(folder);
    if (planted !== null) return refuse(...planted);
  }
  return succeed(root);
}

/** Creates a folder for one run alone. Contract: as `takeName`. */
export function takeRunFolder(
  root: string,
  { nowMs, toName }: { readonly nowMs: number; readonly toName: (ms: number) => string },
  texts: FolderTexts,
): Outcome<TakenName> {
  return takeName(root, nowMs, texts, (ms) => {
    const folder = join(root, toName(ms));
    return { path: folder, shown: folder, make: () => mkdirSync(folder, { mode: 0o700 }) };
  });
}

/**
 * Takes the first free name, starting at a given second. Contract: never throws; two runs never get the same name, the
 * later one gets the next free second; `make` must fail with EEXIST if the name is taken; refusals mention `shown`.
 */
export function takeName(
  root: string,
  nowMs: number,
  texts: FolderTexts,
  attempt: (ms: number) => { readonly path: string; readonly shown: string; readonly make: () => void },
): Outcome<TakenName> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const ms = nowMs + tries * 1_000;
    const { path, shown, make } = attempt(ms);
    const made = makeExclusively(shown, texts, make);
    if (!made.ok) return made;
    if (made.value === "made") return succeed({ path, ms });
  }
  return refuse(...texts.noFreeName(root));
}

function makeExclusively(path: string, texts: FolderTexts, make: () => void): Outcome<"made" | "taken"> {
  try {
    make();
    return succeed("made");
  } catch (thrown) {
    return toCode(thrown) === "EEXIST" ? succeed("taken") : refuse(...texts.notMade(path, toMessage(thrown)));
  }
}

/**
 * Remembers the folder that a path leads to, and returns a check for whether it still does: code that runs in a
 * repository can move a folder and put a symlink in its place. Contract: never throws; false as soon as the real path,
 * device or inode differs.
 */
export function watchFolder(folder: string): () => boolean {
  const first = identify(folder);
  return () => first !== null && identify(folder) === first;
}

function identify(folder: string): string | null {
  try {
    const { dev, ino } = statSync(folder, { bigint: true });
    return `${dev}:${ino}:${realpathSync.native(folder)}`;
  } catch {
    return null;
  }
}
