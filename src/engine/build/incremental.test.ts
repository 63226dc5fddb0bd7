import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callTool, type IndexedRepo, makeIndexedRepo } from "../../../tests/support/indexed-repo.ts";
import { type Step, TangledRepo } from "../../../tests/support/tangled-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { INDEX_FILES, openReader } from "../store/database.ts";
import { filesDefining } from "../store/files-naming.ts";
import { IndexStore } from "../store/index-store.ts";
import { NO_LINKS } from "../store/links.ts";
import { RepositoryIndex } from "../store/repository-index.ts";

function read<T>({ folder }: IndexedRepo, ask: (store: IndexStore) => T): T {
  const database = openReader(join(folder, INDEX_FILES.database));
  if (database === null) throw new Error("no index");
  try {
    return ask(new IndexStore(database));
  } finally {
    database.close();
  }
}

/** Tables with one row per file. */
const TABLES = ["outlines", "parsed", "facts", "edges", "asked"] as const;

/** All rows of a table by path, as stored, so that a comparison is byte for byte. */
function rowsOf(repo: IndexedRepo, table: (typeof TABLES)[number]): Map<string, string> {
  const rows = read(repo, ({ records }) => records.all(`SELECT * FROM ${table}`));
  const toText = (value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value);
  return new Map(rows.map((row) => [String(row["path"]), Object.values(row).map(toText).join(" ")]));
}

/** Each file with the files that it imports. */
function linksOf(repo: IndexedRepo) {
  const { paths, starts, targets } = read(repo, (store) => store.links());
  return paths.map((path, at) => [path, [...targets.slice(starts[at], starts[at + 1])].map((to) => paths[to])]);
}

/** Rows that differ between the two. */
function differences(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) {
  const paths = [...new Set([...one.keys(), ...other.keys()])];
  return paths
    .filter((path) => one.get(path) !== other.get(path))
    .map((path) => [path, one.get(path), other.get(path)]);
}

const step = fc.record<Step>({
  kind: fc.constantFrom("write", "write", "write", "remove", "rename"),
  file: fc.nat({ max: 1_000 }),
  pieces: fc.nat({ max: 2 ** 14 }),
  shift: fc.nat({ max: 2 }),
});
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 });

/** Builds an index of a tangled repository, changes the repository and brings the index up to date, round by round. */
async function follow(steps: readonly (readonly Step[])[]): Promise<IndexedRepo> {
  const tangled = new TangledRepo(makeFolder());
  const repo = await makeIndexedRepo(tangled.root);
  for (const round of steps) {
    for (const one of round) tangled.change(one);
    await repo.build();
  }
  return repo;
}

describe("an incrementally updated index", () => {
  it("[T-1] has the same rows as one built from scratch, whatever changed", async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (steps) => {
        const repo = await follow(steps);
        const fresh = await makeIndexedRepo(repo.root);
        for (const table of TABLES) expect(differences(rowsOf(repo, table), rowsOf(fresh, table))).toEqual([]);
        expect(linksOf(repo)).toEqual(linksOf(fresh));
      }),
      { numRuns: 25 },
    );
  });

  it("[T-1] numbers its files like one built from scratch, so that ties rank the same", async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (steps) => {
        const repo = await follow(steps);
        const fresh = await makeIndexedRepo(repo.root);
        const ask = (store: IndexStore) => {
          const index = new RepositoryIndex(store.segments(), store.links());
          return {
            paths: Array.from({ length: index.fileCount }, (_, file) => index.pathOf(file)),
            // Terms in files of every segment, of some segments, and in file names.
            postings: ["area", "open", "=taxof", "core", "import"].map((term) => {
              const { files, counts, linesAt } = index.postings(term);
              return Array.from(files, (file, at) => [file, counts.body[at], counts.path[at], linesAt(at)]);
            }),
            named: ["area", "Store", "tax_of"].map((name) => index.definitionsNamed(name)),
          };
        };
        expect(read(repo, ask)).toEqual(read(fresh, ask));
        const search = async (of: IndexedRepo, query: string) =>
          (await callTool(of, "ci_search", { query })).result.data?.["candidates"];
        for (const query of ["how is the area made?", "store", "tax of the sum"])
          expect(await search(repo, query)).toEqual(await search(fresh, query));
      }),
      { numRuns: 15 },
    );
  });

  it("finds every definition by a word of its name in every language", async () => {
    const folder = join(import.meta.dirname, "../../../tests/fixtures/languages");
    const texts = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
    const long = `${"/* a long line */ ".repeat(200)}`;
    const odd = `${long}\nvar x = 1;${long}function atTheEnd() {}\nclass größe { 大小() {} }\n`;
    const repo = await makeIndexedRepo(makeFolder({ ...Object.fromEntries(texts), "odd.js": odd }));
    const missed = read(repo, (store) => {
      const index = new RepositoryIndex(store.segments(), NO_LINKS);
      const paths = Array.from({ length: index.fileCount }, (_, file) => index.pathOf(file));
      return paths.flatMap((path, file) =>
        store.code.symbols(path).flatMap(({ name }) => {
          const files = filesDefining(index, name);
          return files === null || files.includes(file) ? [] : [`${path} ${name}`];
        }),
      );
    });
    expect(missed).toEqual([]);
  });

  it("does not touch files that no change can affect, however many changed", async () => {
    const count = 120;
    const numbers = Array.from({ length: count }, (_, at) => at);
    const far = (at: number, name: string) => `export function ${name}${at}() {\n  return ${at};\n}\n`;
    const near = (at: number) =>
      `import { far${at} } from "../far/f${at}";\nexport const near${at} = () => far${at}();\n`;
    const root = makeFolder(
      Object.fromEntries(
        numbers.flatMap((at) => [
          [`far/f${at}.ts`, far(at, "far")],
          [`near/n${at}.ts`, near(at)],
        ]),
      ),
    );
    const repo = await makeIndexedRepo(root);
    // Ten files define another name, ninety only get different line numbers, ten are deleted.
    for (const at of numbers.slice(0, 100))
      writeFileSync(join(root, `far/f${at}.ts`), `// Moved down.\n${far(at, at < 10 ? "other" : "far")}`);
    for (const at of numbers.slice(100, 110)) rmSync(join(root, `far/f${at}.ts`));
    const resolved: number[] = [];
    await repo.build(undefined, ({ phase, total }) => phase === "graph" && resolved.push(total));
    expect(new Set(resolved)).toEqual(new Set([100 + 10 + 10]));
    expect(differences(rowsOf(repo, "edges"), rowsOf(await makeIndexedRepo(root), "edges"))).toEqual([]);
  });
});
