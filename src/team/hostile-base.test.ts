import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commit, git, makeRepo } from "../../tests/support/git-repo.ts";
import { describeIndex } from "../../tests/support/index-contents.ts";
import { callTool, type IndexedRepo } from "../../tests/support/indexed-repo.ts";
import { makeClient, makeTeam } from "../../tests/support/team.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { openDatabase } from "../base/sqlite.ts";
import { confirmBases } from "../engine/build/confirm-bases.ts";
import { BASE_FILES } from "../engine/store/bases.ts";
import { INDEX_FILES, openWriter, readMark } from "../engine/store/database.ts";
import { IndexStore } from "../engine/store/index-store.ts";
import { sealText } from "../engine/store/sealed.ts";
import { makeFolderStore } from "./folder-store.ts";
import { makeKeyPair } from "./keys.ts";

/** All files of a store that are needed; `lists` are not. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("lists"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

describe("[T-5] a store that was tampered with", () => {
  it("no base is accepted with an altered, truncated, exchanged or removed file, in 200 attempts", async () => {
    const { root, store, pair, publish } = makeTeam();
    await publish();
    const files = filesOf(store.place);
    const accepted: string[] = [];
    for (let at = 0; at < 200; at++) {
      const file = files[at % files.length] ?? "";
      const bytes = readFileSync(file);
      const place = (at * 7_919) % bytes.length;
      const ways = [
        () =>
          writeFileSync(
            file,
            Buffer.concat([bytes.subarray(0, place), Buffer.of((bytes[place] ?? 0) ^ 0x41), bytes.subarray(place + 1)]),
          ),
        () => truncateSync(file, place),
        () => writeFileSync(file, readFileSync(files[(at + 1) % files.length] ?? "")),
        () => rmSync(file),
        () => writeFileSync(file, Buffer.concat([bytes, Buffer.from("more")])),
      ];
      ways[Math.floor(at / files.length) % ways.length]?.();
      const { base, state, reason } = await makeClient(root, store, [pair.publicKey]).bring();
      // Data appended to a JSON document makes it invalid JSON.
      if (base !== null) accepted.push(`${file} ${at}`);
      else
        expect([state, reason]).toEqual([
          expect.stringMatching(/^(?:refused|unreachable|waiting|too_new)$/),
          expect.stringMatching(/./),
        ]);
      writeFileSync(file, bytes);
    }
    expect(accepted).toEqual([]);
    expect(await makeClient(root, store, [pair.publicKey]).bring()).toMatchObject({ state: "attached" });
  });

  it("is refused if signed with another key, rolled back, of another repository or of a newer program", async () => {
    const { root, store, pair, publish } = makeTeam();
    await publish();
    const client = makeClient(root, store, [pair.publicKey]);
    const old = readFileSync(join(store.place, "list.json"));
    const second = commit(root, { files: { "a.txt": "1" }, subject: "more", at: "2026-01-02T00:00:00Z" });
    await publish(second);
    expect(await client.bring()).toMatchObject({ state: "attached", base: { sequence: 2 } });
    writeFileSync(join(store.place, "list.json"), old);
    expect(await client.bring()).toMatchObject({
      state: "refused",
      reason: expect.stringContaining("older than one seen before"),
    });

    const stranger = makeKeyPair();
    expect(await makeClient(root, store, [stranger.publicKey]).bring()).toMatchObject({
      state: "refused",
      reason: expect.stringContaining("a key that was not named"),
    });
    const other = makeRepo([{ files: { "a.txt": "1" }, subject: "other", at: "2026-01-01T00:00:00Z" }]);
    expect(await makeClient(other, store, [pair.publicKey]).bring()).toMatchObject({ state: "no_ancestor" });
    const grammars = "0".repeat(64);
    expect(await makeClient(root, store, [pair.publicKey]).bring({ schema: 5, grammars })).toMatchObject({
      state: "too_new",
    });
    expect(await makeClient(root, store, [pair.publicKey]).bring({ schema: 7, grammars })).toMatchObject({
      state: "refused",
    });
    const empty = makeFolderStore(makeFolder());
    expect(await makeClient(root, empty, [pair.publicKey]).bring()).toMatchObject({ state: "waiting" });
  });

  it("[T-4] an older branch uses the newest base that is its ancestor", async () => {
    const { root, store, pair, publish } = makeTeam();
    const first = git(root, ["rev-parse", "HEAD"]);
    await publish(first);
    git(root, ["checkout", "--quiet", "-b", "side"]);
    commit(root, { files: { "side.txt": "1" }, subject: "side", at: "2026-01-02T00:00:00Z" });
    git(root, ["checkout", "--quiet", "main"]);
    const second = commit(root, { files: { "a.txt": "1" }, subject: "more", at: "2026-01-02T00:00:00Z" });
    await publish(second);
    git(root, ["checkout", "--quiet", "side"]);
    expect(await makeClient(root, store, [pair.publicKey]).bring()).toMatchObject({
      base: { commit: first, sequence: 2 },
    });
  });
});

const EVIL = "xyzzyplugh";

/** Changes the rows of a base as an attacker with the key could: all seals are valid. */
function poison(bases: string, name: string, file: string, sql: string, label: (path: string) => string): void {
  const database = openDatabase(join(bases, name, file));
  const [select, update] = sql.split(";") as [string, string];
  for (const row of database.prepare(select).all() as { path: string; data: Uint8Array }[]) {
    const text = Buffer.from(row.data).subarray(0, -4).toString("utf8");
    const evil = text.replace(/fun\d+/g, (found) => `${EVIL}${found}`).replace(/Does step/g, `${EVIL} orders you`);
    database.prepare(update).run(sealText(label(row.path), evil), row.path);
  }
  database.close();
}

const POISONS = {
  outlines: [
    BASE_FILES.text,
    "SELECT path, data FROM outlines; UPDATE outlines SET data = ? WHERE path = ?",
    (path: string) => `outline of ${path}`,
  ],
  symbols: [
    BASE_FILES.code,
    "SELECT path, symbols AS data FROM facts; UPDATE facts SET symbols = ? WHERE path = ?",
    (path: string) => `symbols of ${path}`,
  ],
  edges: [
    BASE_FILES.code,
    "SELECT path, data FROM edges; UPDATE edges SET data = ? WHERE path = ?",
    (path: string) => `edges of ${path}`,
  ],
} as const;

const QUESTIONS = [
  ["ci_search", { query: "who calls fun7?" }],
  ["ci_search", { query: "how is step 12 done?" }],
  ["ci_call_chain", { symbol: "fun9", direction: "both", depth: 3 }],
  // Nothing has this name, so similar names are suggested.
  ["ci_call_chain", { symbol: "fun9x", direction: "both", depth: 3 }],
  ["ci_impact", { symbol: "fun9" }],
  ["ci_graph_rag", { query: "fun9 fun10" }],
  ["ci_complexity", { path: "src/f9.ts" }],
] as const;

/** Asks all questions; returns everything shown to a model or a person. */
async function askAll(repo: IndexedRepo): Promise<string> {
  const told: string[] = [];
  for (const [tool, args] of QUESTIONS) {
    const { result, limits } = await callTool(repo, tool, args);
    told.push(JSON.stringify([result, limits]));
  }
  return told.join("\n");
}

describe("[T-5] a base forged with the right key", () => {
  it("is not attached, because a sample of its files is compared with the commit", async () => {
    const { root, store, pair, publish } = makeTeam();
    await publish();
    for (const [file, sql, label] of [POISONS.outlines, POISONS.symbols]) {
      const client = makeClient(root, store, [pair.publicKey]);
      const [name = ""] = (await client.bring()).base?.names ?? [];
      poison(client.bases, name, file, sql, label);
      const index = client.indexOver([name]);
      await index.build();
      expect(describeIndex(index)).toEqual({ bases: 0, mended: expect.stringContaining("does not match a file") });
      expect(await client.bring()).toMatchObject({ state: "refused", reason: expect.stringContaining("put aside") });
      expect(await askAll(index)).not.toContain(EVIL);
    }
  });

  it("is not opened if it has more than our tables", async () => {
    const { root, store, pair, publish } = makeTeam();
    await publish();
    for (const sql of [
      "CREATE VIEW extra AS SELECT 1",
      "CREATE TRIGGER extra AFTER INSERT ON meta BEGIN SELECT 1; END",
      "ALTER TABLE outlines RENAME TO kept; CREATE VIEW outlines AS SELECT * FROM kept",
      "ALTER TABLE facts ADD COLUMN extra TEXT GENERATED ALWAYS AS (upper(path)) VIRTUAL",
      "PRAGMA user_version = 99",
    ]) {
      const client = makeClient(root, store, [pair.publicKey]);
      const [name = ""] = (await client.bring()).base?.names ?? [];
      const database = openDatabase(join(client.bases, name, BASE_FILES.text));
      database.exec(sql);
      database.close();
      const index = client.indexOver([name]);
      expect(await index.build(), sql).toMatchObject({ outcome: "done", files: 40, taken: 0 });
      expect(describeIndex(index).bases, sql).toBe(0);
    }
  });

  it("is compared file by file, except in large repositories, so that questions need not compare", async () => {
    const { root, store, pair, publish } = makeTeam();
    await publish();
    const client = makeClient(root, store, [pair.publicKey]);
    const [name = ""] = (await client.bring()).base?.names ?? [];
    writeFileSync(join(root, "src/f3.ts"), "export function edited() {}\n");
    const index = client.indexOver([name]);
    await index.build();
    expect(JSON.parse(readFileSync(join(client.bases, name, "unconfirmed.json"), "utf8"))).toEqual(["src/f3.ts"]);
    git(root, ["checkout", "--quiet", "src/f3.ts"]);
    for (const [file, sql, label] of [POISONS.outlines, POISONS.symbols]) {
      const other = makeClient(root, store, [pair.publicKey]);
      const [own = ""] = (await other.bring()).base?.names ?? [];
      const built = other.indexOver([own]);
      await built.build();
      poison(other.bases, own, file, `${sql.replace(";", " WHERE path = 'src/f7.ts';")}`, label);
      const database = openWriter(join(built.folder, INDEX_FILES.database));
      const over = IndexStore.over(database, built.folder);
      expect(() => confirmBases(built.folder, over, [own])).toThrow("that is not in it");
      over.close();
    }
  });

  it("is set aside by a question that notices it, without showing any of its words", async () => {
    const { root, store, pair, publish } = makeTeam();
    await publish();
    for (const [what, [file, sql, label]] of Object.entries(POISONS)) {
      const client = makeClient(root, store, [pair.publicKey]);
      const [name = ""] = (await client.bring()).base?.names ?? [];
      const index = client.indexOver([name]);
      await index.build();
      expect(describeIndex(index)).toEqual({ bases: 1, mended: undefined });
      poison(client.bases, name, file, sql, label);
      // Simulates a large repository, where not every file has been compared.
      rmSync(join(client.bases, name, "unconfirmed.json"));
      const told = await askAll(index);
      expect(told, what).not.toContain(EVIL);
      expect(told, what).not.toContain("orders you");
      if (what === "edges") continue;
      expect(readMark(join(client.bases, name, file)), what).toContain("that is not in it");
      await index.build();
      expect(describeIndex(index).bases, what).toBe(0);
    }
  });
});
