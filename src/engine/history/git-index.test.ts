import { linkSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { git, makeRepo } from "../../../tests/support/git-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { GitIndex } from "./git-index.ts";

const FILES = {
  "a.ts": "export const a = 1;\n",
  "deep/er/b.ts": "b\n",
  "deep/er/bb.ts": "bb\n",
  "文/件.md": "# 标题\n",
};

/** A repository whose files git examined some time after they were written. */
async function makeSettled(files: Record<string, string> = FILES): Promise<string> {
  const root = makeRepo([{ files, subject: "start", at: "2026-01-01T00:00:00Z" }]);
  await sleep(20);
  git(root, ["update-index", "--refresh"]);
  // Rewrites the index, so that it is newer than all files.
  git(root, ["update-index", "--force-write-index"]);
  return root;
}

const timeOf = (root: string, path: string, id = idOf(root, path)) =>
  new GitIndex(root).timeOf(path, id, Buffer.byteLength(FILES[path as keyof typeof FILES] ?? ""));
const idOf = (root: string, path: string) => git(root, ["rev-parse", `HEAD:${path}`]);

function listKnown(root: string): string[] {
  return Object.keys(FILES).filter((path) => {
    const ms = timeOf(root, path);
    if (ms !== null) expect(ms).toBe(statSync(join(root, path)).mtimeMs);
    return ms !== null;
  });
}

describe("[T-4] files that git knows to be unmodified", () => {
  it.each([2, 4])("are all files of a clean work tree, with an index of version %i", async (version) => {
    const root = await makeSettled();
    git(root, ["update-index", `--index-version=${version}`, "--force-write-index"]);
    expect(listKnown(root)).toEqual(Object.keys(FILES));
    expect(timeOf(root, "a.ts", "0".repeat(40))).toBeNull();
    expect(timeOf(root, "none.ts", idOf(root, "a.ts"))).toBeNull();
  });

  it("exclude files that were touched, linked, removed or marked as unchanged", async () => {
    const root = await makeSettled();
    const path = join(root, "a.ts");
    const { atime, mtime } = statSync(path);
    // Same size and modification time: only the ctime reveals the change.
    writeFileSync(path, "export const a = 2;\n");
    utimesSync(path, atime, mtime);
    linkSync(join(root, "deep/er/b.ts"), join(root, "second"));
    rmSync(join(root, "deep/er/bb.ts"));
    git(root, ["update-index", "--assume-unchanged", "文/件.md"]);
    expect(listKnown(root)).toEqual([]);
  });

  it("exclude files with converted line endings", async () => {
    const source = await makeSettled({ ...FILES, ".gitattributes": "*.ts text eol=crlf\n" });
    const root = join(makeFolder(), "clone");
    git(source, ["clone", "--quiet", source, root]);
    await sleep(20);
    git(root, ["update-index", "--force-write-index"]);
    expect(listKnown(root)).toEqual(["文/件.md"]);
  });

  it("exclude files written while git compared them", async () => {
    const root = await makeSettled();
    const index = join(root, ".git/index");
    const { mtime } = statSync(join(root, "a.ts"));
    utimesSync(index, mtime, new Date(mtime.getTime() - 1));
    expect(listKnown(root)).toEqual([]);
  });

  it.each(["*.ts filter=secret\n", "deep/** working-tree-encoding=UTF-16\n"])(
    "are none if attributes may convert texts: %s",
    async (text) => {
      expect(listKnown(await makeSettled({ ...FILES, "deep/.gitattributes": text }))).toEqual([]);
      const root = await makeSettled();
      mkdirSync(join(root, ".git/info"), { recursive: true });
      writeFileSync(join(root, ".git/info/attributes"), text);
      expect(listKnown(root)).toEqual([]);
    },
  );

  it("are none if the index is damaged, truncated or missing", async () => {
    const root = await makeSettled();
    const file = join(root, ".git/index");
    const whole = readFileSync(file);
    for (const bytes of [Buffer.alloc(0), whole.subarray(0, 90), Buffer.alloc(500, 7), Buffer.from("DIRC")]) {
      writeFileSync(file, bytes);
      expect(timeOf(root, "a.ts")).toBeNull();
    }
    rmSync(file);
    expect(timeOf(root, "a.ts")).toBeNull();
  });
});
