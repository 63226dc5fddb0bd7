import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { commit, git } from "../../tests/support/git-repo.ts";
import { describeIndex, readAll } from "../../tests/support/index-contents.ts";
import { makeIndexedRepo } from "../../tests/support/indexed-repo.ts";
import { chainFile, makeClient, makeTeam } from "../../tests/support/team.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";

const POINTER =
  "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

const { root, publish, store, pair } = makeTeam(12);
let base = "";

beforeAll(async () => {
  // A submodule as the outer repository sees it: a commit without files.
  git(root, ["update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},vendor/lib`]);
  base = commit(root, {
    files: { "assets/model.ts": POINTER, "notes/read.txt": "one\ntwo\n", ".gitattributes": "*.txt text\n" },
    subject: "more",
    at: "2026-01-02T00:00:00Z",
  });
  await publish(base);
  git(root, ["tag", "published"]);
  for (const at of [3, 4])
    commit(root, {
      files: { [`src/f${at}.ts`]: chainFile(at, "later()") },
      subject: `after ${at}`,
      at: `2026-01-0${at}T00:00:00Z`,
    });
});

function clone(...options: readonly string[]): string {
  const folder = join(makeFolder(), "clone");
  git(root, ["clone", "--quiet", ...options, `file://${root}`, folder]);
  return folder;
}

/** Clones in various states, by description. */
const STATES: Record<string, () => string> = {
  "as it was published": () => {
    const folder = clone();
    git(folder, ["checkout", "--quiet", "-B", "main", "published"]);
    return folder;
  },
  "two commits later": () => clone(),
  "with a detached head": () => {
    const folder = clone();
    git(folder, ["checkout", "--quiet", "--detach", "HEAD~1"]);
    return folder;
  },
  "a shallow clone": () => clone("--depth", "3"),
  "a branch that was rebased": () => {
    const folder = clone();
    git(folder, ["checkout", "--quiet", "-b", "side", "published"]);
    commit(folder, { files: { "src/side.ts": chainFile(1) }, subject: "side", at: "2026-01-05T00:00:00Z" });
    git(folder, ["rebase", "--quiet", "main"]);
    return folder;
  },
  "with other line endings": () => clone("--config", "core.eol=crlf"),
  "a sparse checkout": () => {
    const folder = clone("--sparse");
    git(folder, ["sparse-checkout", "set", "--no-cone", "src/f1*.ts", "notes/*"]);
    return folder;
  },
  "with large files fetched in place of their pointers": () => {
    const folder = clone();
    writeFileSync(join(folder, "assets/model.ts"), "export function trainedModel() {\n  return fun1();\n}\n");
    return folder;
  },
  "with a submodule checked out": () => {
    const folder = clone();
    mkdirSync(join(folder, "vendor/lib"), { recursive: true });
    git(join(folder, "vendor/lib"), ["init", "--quiet", "--template="]);
    commit(join(folder, "vendor/lib"), {
      files: { "lib.ts": "export function fromTheSubmodule() {}\n" },
      subject: "lib",
      at: "2026-01-05T00:00:00Z",
    });
    return folder;
  },
  "with files edited, removed and renamed": () => {
    const folder = clone();
    writeFileSync(join(folder, "src/f5.ts"), chainFile(5, "edited()"));
    rmSync(join(folder, "src/f6.ts"));
    git(folder, ["mv", "src/f7.ts", "src/renamed.ts"]);
    return folder;
  },
};

describe("[T-4] an index over the nearest base equals a local one", () => {
  it.each(Object.entries(STATES))("%s", async (_, make) => {
    const folder = make();
    const client = makeClient(folder, store, [pair.publicKey]);
    const brought = await client.bring();
    expect(brought).toMatchObject({ state: "attached", reason: "", base: { commit: base } });
    const index = client.indexOver(brought.base?.names ?? []);
    expect((await index.build()).taken).toBeGreaterThan(0);
    expect(describeIndex(index)).toEqual({ bases: 1, mended: undefined });
    expect(readAll(index)).toEqual(readAll(await makeIndexedRepo(folder)));
  });
});

/** Repositories whose objects are not all in their own git folder. */
const ELSEWHERE: Record<string, () => string> = {
  "a partial clone": () => {
    git(root, ["config", "uploadpack.allowFilter", "true"]);
    return clone("--filter=blob:none");
  },
  "a clone that borrows objects": () => {
    const folder = join(makeFolder(), "borrowing");
    git(root, ["clone", "--quiet", "--shared", root, folder]);
    return folder;
  },
  "a work tree of a bare repository": () => {
    const bare = join(makeFolder(), "bare.git");
    git(root, ["clone", "--quiet", "--bare", `file://${root}`, bare]);
    const tree = join(makeFolder(), "tree");
    git(bare, ["worktree", "add", "--quiet", tree, "main"]);
    return tree;
  },
};

describe("[T-4] no base is used, with a reason, for", () => {
  it.each(Object.entries(ELSEWHERE))("%s", async (_, make) => {
    const brought = await makeClient(make(), store, [pair.publicKey]).bring();
    expect(brought).toMatchObject({
      state: "no_ancestor",
      reason: expect.stringContaining("partial clones"),
      base: null,
    });
  });
});
