import { mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { toCode, toMessage } from "../../base/text.ts";
import { type Outcome, refuse, succeed } from "../../contract/faults.ts";

/** How a caller words what keeps a folder from being made, in whole lines. */
export interface FolderTexts {
  readonly notMade: (path: string, why: string) => readonly string[];
  /** What is wrong with something that stands in the place of a folder of ours; null where nothing is. */
  readonly planted: (path: string) => readonly string[] | null;
  readonly noFreeName: (root: string) => readonly string[];
}

/** A name below a root, taken by one run alone, and the second that it is made of. */
export interface TakenName {
  readonly path: string;
  readonly ms: number;
}

/** Runs of one second each get a second of their own; so many at once are a mistake somewhere. */
const MAX_TRIES = 10_000;

/** Makes our own root, `.codex-father/sessions`, step by step. Contract: never throws; what was planted there is refused. */
export function makeSessionsRoot(root: string, texts: FolderTexts): Outcome<string> {
  for (const folder of [dirname(root), root]) {
    const made = makeExclusively(folder, texts, () => mkdirSync(folder, { mode: 0o700 }));
    if (!made.ok) return made;
    const planted = texts.planted(folder);
    if (planted !== null) return refuse(...planted);
  }
  return succeed(root);
}

/** Makes a folder for one run alone. Contract: as `takeName`. */
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
 * Takes the first free name from a second on. Contract: never throws; two runs never get the same, the later one has the
 * next free second; `make` must fail with EEXIST where the name is taken, and `shown` is what a refusal names.
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
 * Remembers which folder a path leads to, and tells whether it still does: what runs in a repository can move a folder and
 * put a link in its place. Contract: never throws; false from the moment on where the path leads anywhere else, by
 * another name, device or inode.
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
