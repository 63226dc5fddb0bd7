import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commit, git, HISTORY_SETTINGS, makeRepo } from "../../../tests/support/git-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { openGitObjects } from "../history/git-objects.ts";
import { writeTree } from "./write-tree.ts";

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

it("[T-3] writes exactly the blobs of a commit, whatever attributes and changes the work tree has", async () => {
  const root = makeRepo([{ files, subject: "start", at: "2026-01-01T00:00:00Z" }]);
  git(root, ["add", "--all", "--force"]);
  symlinkSync("/etc/passwd", join(root, "link"));
  const id = commit(root, {
    files: { "src/c.ts": "export const c = 1;\n" },
    subject: "more",
    at: "2026-01-02T00:00:00Z",
  });
  writeFileSync(join(root, "src/b.ts"), "changed");
  const folder = makeFolder();
  const count = await writeTree({ git: openObjects(root), commit: id, folder });
  const tree = git(root, ["ls-tree", "-r", "--name-only", "-z", id]).split("\0");
  expect(count).toBe(tree.filter((path) => path !== "" && path !== "link").length);
  for (const path of ["src/b.ts", "x.id", "大/文.md", "empty", "src/c.ts"])
    expect(readFileSync(join(folder, path), "utf8")).toBe({ ...files, "src/c.ts": "export const c = 1;\n" }[path]);
  expect(readFileSync(join(folder, "large")).length).toBe(files.large.length);
  expect(readdirSync(folder)).not.toContain("link");
});
