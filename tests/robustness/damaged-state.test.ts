import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { INDEX_FILES } from "../../src/engine/store/database.ts";
import { DAMAGES, OUTSIDE, restoreFolder } from "../support/damage.ts";
import { callTool, type IndexedRepo, makeIndexedRepo } from "../support/indexed-repo.ts";
import { SHOP } from "../support/shop-repo.ts";
import { makeFolder } from "../support/temp-folder.ts";
import { countUsualMs } from "../support/timed.ts";

/** Every file that an index has, or that could be added to it. */
const FILES = [
  INDEX_FILES.database,
  `${INDEX_FILES.database}-wal`,
  `${INDEX_FILES.database}-shm`,
  `${INDEX_FILES.database}-journal`,
  INDEX_FILES.seal,
  INDEX_FILES.damage,
  INDEX_FILES.lock,
  `${INDEX_FILES.lock}-journal`,
  INDEX_FILES.vectors,
];

/** Time limit of an answer in this process. */
const ANSWER_MS = 3_000;

async function ask(repo: IndexedRepo) {
  const engine = repo.engine();
  const usualMs = countUsualMs();
  const { result, limits } = await callTool(repo, "ci_search", { query: "who computes priceOf" }, { engine });
  const ms = usualMs();
  const status = await callTool(repo, "ci_index_status", {}, { engine });
  engine.close();
  const candidates = (result.data?.["candidates"] ?? []) as { readonly file: string }[];
  return {
    files: candidates.map(({ file }) => file),
    limits,
    ms,
    status: String(status.result.data?.["index_status"]),
  };
}

let repo: IndexedRepo;
let copy: string;
beforeAll(async () => {
  repo = await makeIndexedRepo(makeFolder(SHOP));
  copy = join(makeFolder(), "copy");
  cpSync(repo.folder, copy, { recursive: true, preserveTimestamps: true });
});

const CASES = FILES.flatMap((file) => Object.keys(DAMAGES).map((damage) => ({ file, damage })));

describe("[G C.1] [G D.13] [G D.14] damaged state", () => {
  it.each(CASES)(
    "[G C.1] $file $damage: answered in time, reported, and repaired by the next build",
    async ({ file, damage }) => {
      restoreFolder(repo.folder, copy);
      const path = join(repo.folder, file);
      DAMAGES[damage]?.(path);
      const first = await ask(repo);
      expect(first.files).toContain("src/price.ts");
      expect(first.ms).toBeLessThan(ANSWER_MS);
      if (first.status.startsWith("ready")) expect(first.limits).toEqual([]);
      else {
        expect(first.limits.join("\n")).toContain("the index cannot be read and is being rebuilt: ");
        expect(first.status).toContain("the index cannot be read and is being rebuilt: ");
      }
      expect(await repo.build()).toMatchObject({ outcome: "done" });
      const second = await ask(repo);
      expect(second.limits).toEqual([]);
      expect(second.files).toContain("src/price.ts");
      expect(second.status).toMatch(/^ready/);
      // An invalid journal blocks readers; the next writer discards it, and the index is intact.
      if (!first.status.startsWith("ready") && !file.endsWith("db-journal"))
        expect(second.status).toContain("rebuilt, because");
      // No foreign file is lost, and nothing is written through a link.
      if (damage === "a folder with something in it" && file !== INDEX_FILES.vectors)
        expect(readdirSync(repo.folder).filter((name) => existsSync(join(repo.folder, name, "kept")))).toHaveLength(1);
      if (damage === "a link to a file outside") expect(readFileSync(OUTSIDE.path, "utf8")).toBe(OUTSIDE.text);
    },
  );

  it.each(["index.db a pipe", "builder.lock random"])(
    "[G D.14] a lock held by another process is busy, not broken (%s)",
    async (how) => {
      restoreFolder(repo.folder, copy);
      const [file = "", ...damage] = how.split(" ");
      DAMAGES[damage.join(" ")]?.(join(repo.folder, file));
      const { claimOwn } = await import("../../src/base/file-lock.ts");
      const held = claimOwn(join(repo.folder, INDEX_FILES.lock));
      expect(held).not.toBeNull();
      expect(await repo.build()).toMatchObject({ outcome: "busy" });
      held?.release();
      expect(await repo.build()).toMatchObject({ outcome: "done" });
    },
  );
});

describe("[G C.1] an index that is being rebuilt", () => {
  it("says why until its text is complete", async () => {
    restoreFolder(repo.folder, copy);
    DAMAGES["random"]?.(join(repo.folder, INDEX_FILES.database));
    const stopped = AbortSignal.abort();
    expect(await repo.build(stopped)).toMatchObject({ outcome: "cancelled" });
    const { limits, status } = await ask(repo);
    expect(limits.join("\n")).toContain(
      "the index cannot be read and is being rebuilt: index.db: file is not a database",
    );
    expect(status).toContain("being built");
    expect(status).toContain("file is not a database");
    expect(await repo.build()).toMatchObject({ outcome: "done" });
    expect((await ask(repo)).limits).toEqual([]);
  });
});

describe("[G C.1] the folder of an index", () => {
  it.each(["empty", "a pipe", "a link to nowhere", "a link to /dev/zero"])(
    "%s: answered, and replaced",
    async (damage) => {
      const own = await makeIndexedRepo(makeFolder(SHOP));
      DAMAGES[damage]?.(own.folder);
      expect((await ask(own)).files).toContain("src/price.ts");
      expect(await own.build()).toMatchObject({ outcome: "done" });
      expect(await ask(own)).toMatchObject({ limits: [], status: expect.stringMatching(/^ready/) });
    },
  );
});
