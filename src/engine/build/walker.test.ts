import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { isIgnoreFile, Walker } from "./walker.ts";

function walk(walker: Walker, folder = ""): string[] {
  const { files, folders } = walker.list(folder);
  return [...files, ...folders.flatMap((inner) => walk(walker, inner))];
}

describe("[ATO-PATH-5] [ATO-PATH-6] which files are read", () => {
  it("lists regular files that no rule excludes, in a stable order", () => {
    const root = makeFolder({
      "b.ts": "",
      "a.ts": "",
      ".gitignore": "*.log\n/generated/\n!keep.log\n",
      "x.log": "",
      "keep.log": "",
      "generated/g.ts": "",
      "sub/.gitignore": "only-here.ts\n",
      "sub/only-here.ts": "",
      "sub/c.ts": "",
      "only-here.ts": "",
      ".groundworkignore": "notes/\n",
      "notes/n.md": "",
      "node_modules/m/index.js": "",
      ".env": "",
      "secrets/s.ts": "",
      "excluded/e.ts": "",
    });
    symlinkSync("/etc", join(root, "etc"));
    execFileSync("mkfifo", [join(root, "pipe.ts")]);
    const walker = new Walker(root, { isExcluded: (path) => path.startsWith("excluded") });
    expect(walk(walker)).toEqual([
      ".gitignore",
      ".groundworkignore",
      "a.ts",
      "b.ts",
      "keep.log",
      "only-here.ts",
      "sub/.gitignore",
      "sub/c.ts",
    ]);
    expect(walker.sensitive).toEqual([".env", "secrets"]);
  });

  it("applies the rules of the parent folders to a folder listed on its own", () => {
    const root = makeFolder({ ".gitignore": "deep/**/x.ts\n", "deep/a/x.ts": "", "deep/a/y.ts": "" });
    expect(new Walker(root, { isExcluded: () => false }).list("deep/a/").files).toEqual(["deep/a/y.ts"]);
  });

  it("applies a root rule that excludes everything only in a git repository", () => {
    const files = {
      ".gitignore": "*.o\n/*\n!/debian/\n",
      "a.c": "",
      "a.o": "",
      "debian/b.c": "",
      "in/.gitignore": "*\n",
    };
    const packed = makeFolder({ ...files, "in/c.c": "" });
    expect(walk(new Walker(packed, { isExcluded: () => false }))).toEqual([".gitignore", "a.c", "debian/b.c"]);
    const tracked = makeFolder({ ...files, ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "" });
    expect(walk(new Walker(tracked, { isExcluded: () => false }))).toEqual(["debian/b.c"]);
  });

  it("lists nothing for folders that are missing or far too deep", () => {
    const root = makeFolder({});
    let folder = root;
    for (let depth = 0; depth < 60; depth++) {
      folder = join(folder, "d");
      mkdirSync(folder);
    }
    expect(walk(new Walker(root, { isExcluded: () => false }))).toEqual([]);
    expect(new Walker(root, { isExcluded: () => false }).list("nowhere/")).toEqual({ files: [], folders: [] });
  });

  it("recognises the files that contain rules", () => {
    expect([".gitignore", "a/.groundworkignore", "gitignore", "a/b.ts"].map(isIgnoreFile)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
