import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { findProgram, outsideOf } from "./find-program.ts";

const root = makeFolder({ git: "", "bin/git": "", "tools/real-git": "" });
const elsewhere = makeFolder({ "bin/git": "", "plain/git": "" });
for (const path of ["git", "bin/git", "tools/real-git"]) chmodSync(join(root, path), 0o755);
chmodSync(join(elsewhere, "bin/git"), 0o755);
mkdirSync(join(elsewhere, "folder/git"), { recursive: true });
mkdirSync(join(elsewhere, "linked"));
symlinkSync(join(root, "tools/real-git"), join(elsewhere, "linked/git"));
symlinkSync(join(root, "bin"), join(elsewhere, "linked-folder"));
const good = join(elsewhere, "bin");

describe("[ATO-SEC-1] a program inside the repository is never found", () => {
  it.each([
    ["an empty entry, which means here", ""],
    ["a point", "."],
    ["a relative folder", "bin"],
    ["a folder of the repository", join(root, "bin")],
    ["the root itself", root],
    ["a link into the repository", join(elsewhere, "linked")],
    ["a folder that is a link into the repository", join(elsewhere, "linked-folder")],
    ["a way round", join(elsewhere, "bin", "..", "linked-folder")],
    ["a file that is no program", join(elsewhere, "plain")],
    ["a folder of that name", join(elsewhere, "folder")],
    ["nothing", join(elsewhere, "missing")],
  ])("%s is skipped", (_, entry) => {
    expect(findProgram("git", entry, root)).toBe(null);
    expect(findProgram("git", [entry, good].join(delimiter), root)).toBe(join(good, "git"));
  });

  it("a sibling folder whose name starts with the name of the root is outside", () => {
    expect(findProgram("git", good, join(elsewhere, "b"))).toBe(join(good, "git"));
    expect(findProgram("git", good, elsewhere)).toBe(null);
  });

  it("without a root, every absolute entry is searched", () => {
    expect(findProgram("git", join(root, "bin"), null)).toBe(join(root, "bin", "git"));
    expect(findProgram("git", "bin", null)).toBe(null);
  });
});

it("[G D.8] removes relative entries and entries inside the repository from PATH", () => {
  const entries = ["bin", "", join(root, "bin"), join(root, "not-there-yet"), join(elsewhere, "linked-folder"), good];
  expect(outsideOf(root, entries.join(delimiter))).toBe(good);
  expect(outsideOf(null, entries.join(delimiter)).split(delimiter)).toEqual(entries.slice(2));
});
