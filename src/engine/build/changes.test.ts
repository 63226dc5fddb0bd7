import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { excludeNothing } from "../../base/exclusions.ts";
import { findChanges, type Known } from "./changes.ts";

const FILE = "src/a.ts";

/** A folder, what an index knows of it, and what it makes of a file that has just been added. */
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

describe("[R-4] a folder whose time cannot be trusted is looked into", () => {
  const UNSURE = Float64Array.of(-1, -1);

  it.each([
    ["as a suspect", ["src/"]],
    ["among everything", null],
    ["below a suspect", [""]],
  ] as const)("the index listed it right after a change, and it has just been changed again: %s", (_, folders) => {
    const { find, addedMs } = addFile(() => UNSURE);
    expect(find(addedMs + 10, folders)).toEqual(["src/b.ts"]);
    expect(find(addedMs + 10_000, folders)).toEqual(["src/b.ts"]);
  });

  it("one that nobody suspects, in a folder that has not changed, is not", () => {
    const { find, addedMs } = addFile((root) => Float64Array.of(statSync(root).mtimeMs, -1));
    expect(find(addedMs + 10_000, [""])).toEqual([]);
  });
});
