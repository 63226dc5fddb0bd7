import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { excludeNothing } from "../../base/exclusions.ts";
import { UNSURE } from "../store/catalogue.ts";
import { NO_FOLDERS } from "../store/index-store.ts";
import { findChanges, type Known } from "./changes.ts";

const FILE = "src/a.ts";

/** Creates a folder that an index knows and adds a file to it; `find` returns what then counts as changed. */
function addFile(knownOf: (folder: string) => Known["folders"]["modifiedMs"]) {
  const root = makeFolder({ [FILE]: "export const a = 1;\n" });
  const { size, mtimeMs } = statSync(join(root, FILE));
  const known = {
    files: new Map([[FILE, { bytes: size, modifiedMs: mtimeMs }]]),
    folders: { paths: ["", "src/"], modifiedMs: knownOf(root), sensitive: [] },
  };
  writeFileSync(join(root, "src/b.ts"), "export const b = 2;\n");
  const find = (nowMs: number, folders: readonly string[] | null) =>
    findChanges(root, known, {
      suspects: folders === null ? null : { files: new Set<string>(), folders: new Set(folders) },
      isExcluded: excludeNothing,
      hasTime: () => true,
      nowMs,
    }).changed;
  return { find, addedMs: statSync(join(root, "src")).mtimeMs };
}

describe("[R-4] a folder with an unreliable modification time is listed again", () => {
  const UNSURE_TIMES = Float64Array.of(-1, -1);

  it.each([
    ["as a suspect", ["src/"]],
    ["among everything", null],
    ["below a suspect", [""]],
  ] as const)("it was indexed right after a change and has just changed again: %s", (_, folders) => {
    const { find, addedMs } = addFile(() => UNSURE_TIMES);
    expect(find(addedMs + 10, folders)).toEqual(["src/b.ts"]);
    expect(find(addedMs + 10_000, folders)).toEqual(["src/b.ts"]);
  });

  it("a folder that is not suspected, in an unchanged parent, is not listed again", () => {
    const { find, addedMs } = addFile((root) => Float64Array.of(statSync(root).mtimeMs, -1));
    expect(find(addedMs + 10_000, [""])).toEqual([]);
  });
});

describe("[T-5] files of a base that have just been compared", () => {
  /** Returns the changes found by an index that knows these files but has no folders yet. */
  function find(files: Record<string, string>, known: Record<string, number>, isTracked: (path: string) => boolean) {
    const root = makeFolder({ ".git/HEAD": "ref: refs/heads/main\n", ...files });
    const stamps = Object.entries(known).map(([path, modifiedMs]) => [path, { bytes: 0, modifiedMs }] as const);
    const { changed, removed } = findChanges(
      root,
      { files: new Map(stamps), folders: NO_FOLDERS },
      { isTracked, isExcluded: excludeNothing, hasTime: () => true, nowMs: Date.now() + 10_000 },
    );
    return { changed, removed };
  }

  it("are neither examined again nor tested against ignore rules that already admitted them", () => {
    const files = { ".gitignore": "*.log\n", "a.ts": "a", "b.log": "b", "c.ts": "c" };
    const known = { ".gitignore": 1, "a.ts": 1, "b.log": 1, "c.ts": UNSURE };
    expect(find(files, known, () => true)).toEqual({ changed: ["c.ts"], removed: [] });
  });

  it("stay hidden if they are ignored here and not tracked by git, whatever the base contains", () => {
    const files = { ".gitignore": "*.log\n", "a.ts": "a", "b.log": "b", ".env": "S=1" };
    const known = { ".gitignore": 1, "a.ts": 1, "b.log": UNSURE, ".env": UNSURE };
    const found = find(files, known, (path) => path !== "b.log");
    expect(found).toEqual({ changed: [], removed: [".env", "b.log"] });
  });

  it.each([
    ["changed", { ".gitignore": UNSURE }],
    ["new", {}],
  ])("ignore rules that are %s apply to all files", (_, rules) => {
    const files = { ".gitignore": "*.log\n", "a.ts": "a", "b.log": "b" };
    const found = find(files, { ...rules, "a.ts": 1, "b.log": 1 }, () => true);
    expect(found).toEqual({ changed: [".gitignore"], removed: ["b.log"] });
  });
});
