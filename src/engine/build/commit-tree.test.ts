import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commit, git, HISTORY_SETTINGS, makeRepo } from "../../../tests/support/git-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { openGitObjects } from "../history/git-objects.ts";
import { type CommitTree, writeTree } from "./commit-tree.ts";
import { textIdOf } from "./read-source.ts";

const files = {
  "src/a.ts": 'import { b } from "./b";\nexport const a = () => b();\n',
  "src/b.ts": "export function b() {\n  return 1;\n}\n",
  "crlf.txt": "one\r\ntwo\r\n",
  ".gitattributes": "*.txt text eol=crlf\n*.id ident\n",
  "x.id": "$Id$\n",
  ".gitignore": "/*\n!/src\n!*.txt\n",
  "大/文.md": "# 标题\n",
  empty: "",
  large: "x\n".repeat(400_000),
};

function openObjects(root: string) {
  const objects = openGitObjects(root, HISTORY_SETTINGS, new AbortController().signal);
  if (objects === null) throw new Error("no git");
  return objects;
}

async function write(root: string, id: string, known = new Map<string, string>()): Promise<CommitTree> {
  const tree = await writeTree({ git: openObjects(root), commit: id, folder: makeFolder(), known });
  if (typeof tree === "string") throw new Error(tree);
  return tree;
}

/** Paths of all files that this process has open; none where the system does not tell. */
function openFiles(): string[] {
  const open = "/proc/self/fd";
  if (!existsSync(open)) return [];
  return readdirSync(open).map((fd) => {
    try {
      return readlinkSync(join(open, fd));
    } catch {
      // The listing itself was open as well.
      return "";
    }
  });
}

it("[T-3] writes exactly the blobs of a commit, regardless of attributes and changes in the work tree", async () => {
  const root = makeRepo([{ files, subject: "start", at: "2026-01-01T00:00:00Z" }]);
  git(root, ["add", "--all", "--force"]);
  symlinkSync("/etc/passwd", join(root, "link"));
  const id = commit(root, {
    files: { "src/c.ts": "export const c = 1;\n" },
    subject: "more",
    at: "2026-01-02T00:00:00Z",
  });
  writeFileSync(join(root, "src/b.ts"), "changed");
  const { folder, paths } = await write(root, id);
  const tree = git(root, ["ls-tree", "-r", "--name-only", "-z", id]).split("\0");
  expect(paths.length).toBe(tree.filter((path) => path !== "" && path !== "link").length);
  for (const path of ["src/b.ts", "x.id", "大/文.md", "empty", "src/c.ts"])
    expect(readFileSync(join(folder, path), "utf8")).toBe({ ...files, "src/c.ts": "export const c = 1;\n" }[path]);
  expect(readFileSync(join(folder, "large")).length).toBe(files.large.length);
  expect(readdirSync(folder)).not.toContain("link");
});

it("[T-3] writes files with a known text only when they are read, but always those that affect other files", async () => {
  const known = { ...files, "package.json": '{"name": "x"}\n', "src/script": "#!/bin/sh\n" };
  const root = makeRepo([{ files: known, subject: "start", at: "2026-01-01T00:00:00Z" }]);
  git(root, ["add", "--all", "--force"]);
  const id = commit(root, { files: {}, subject: "all", at: "2026-01-02T00:00:00Z" });
  const idOf = (text: string) => textIdOf({ read: Buffer.from(text), bytes: Buffer.byteLength(text) });
  const texts = new Map(Object.entries({ ...known, "src/b.ts": "another" }).map(([path, text]) => [path, idOf(text)]));
  const tree = await write(root, id, texts);
  const read = (path: string) => readFileSync(join(tree.folder, path), "utf8");
  for (const path of ["src/b.ts", ".gitignore", "package.json", "src/script"])
    expect(read(path)).toBe(known[path as keyof typeof known]);
  expect(existsSync(join(tree.folder, "src/a.ts"))).toBe(false);
  expect(tree.list("src/").map(({ name, isFile }) => [name, isFile()])).toEqual([
    ["a.ts", true],
    ["b.ts", true],
    ["script", true],
  ]);
  expect(tree.list("").filter(({ isDirectory }) => isDirectory())).toHaveLength(2);
  expect([tree.lstat("src/")?.isDirectory(), tree.lstat("none")]).toEqual([true, undefined]);
  const { size, mtimeMs } = tree.lstat("src/a.ts") ?? {};
  expect(tree.timeOf("src/a.ts", idOf(files["src/a.ts"]), files["src/a.ts"].length)).not.toBeNull();
  expect(tree.timeOf("src/a.ts", idOf("other"), 5)).toBeNull();
  expect(await tree.fill(["src/a.ts"])).toBeNull();
  expect(read("src/a.ts")).toBe(files["src/a.ts"]);
  expect(statSync(join(tree.folder, "src/a.ts"))).toMatchObject({ size, mtimeMs });
  expect(await tree.fill()).toBeNull();
  expect(read("大/文.md")).toBe(files["大/文.md"]);
});

it("[T-3] detects a file whose text in the index differs from the commit", async () => {
  const root = makeRepo([
    { files: { "a.ts": "let a;\n", "b.json": "[]" }, subject: "start", at: "2026-01-01T00:00:00Z" },
  ]);
  const tree = await write(root, git(root, ["rev-parse", "HEAD"]));
  const own = { id: textIdOf({ read: Buffer.from("let a;\n"), bytes: 7 }), bytes: 7, modifiedMs: 0 };
  expect(tree.findOther(new Map([["a.ts", own]]))).toBeNull();
  expect(tree.findOther(new Map([["a.ts", { ...own, id: own.id.replace(/^./, "g") }]]))).toBe("a.ts");
  expect(tree.findOther(new Map([["a.ts", { ...own, bytes: 8 }]]))).toBe("a.ts");
  expect(tree.findOther(new Map([["none.ts", own]]))).toBe("none.ts");
});

it("[T-3] reports a git that ends in the middle of a file, and leaves no file open", async () => {
  const root = makeRepo([{ files: { large: files.large }, subject: "start", at: "2026-01-01T00:00:00Z" }]);
  const whole = openObjects(root);
  const half: typeof whole = {
    ...whole,
    printObjects: (ids, onStdout) => {
      let left = files.large.length / 2;
      return whole.printObjects(ids, (chunk) => {
        onStdout(chunk.subarray(0, left));
        left = Math.max(0, left - chunk.length);
      });
    },
  };
  const folder = makeFolder();
  const tree = await writeTree({ git: half, commit: git(root, ["rev-parse", "HEAD"]), folder, known: new Map() });
  expect(tree).toBe("git cannot read all files of the commit");
  expect(openFiles()).not.toContain(join(folder, "large"));
});
