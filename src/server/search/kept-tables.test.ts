import { expect, it } from "vitest";
import { COLUMNS, packNumbers, packPaths } from "../../engine/store/catalogue.ts";
import { makeRecordMemory } from "../../engine/store/record-memory.ts";
import { readTables } from "./kept-tables.ts";

const row = (id: number, paths: readonly string[]) => ({
  ...{ id, paths: packPaths(paths), removed: packPaths([]) },
  numbers: packNumbers(new Int32Array(COLUMNS.length * paths.length)),
});
const makeRepo = (id: number, files: number) => ({
  ...{ id, name: `repo${id}`, segments: [id], files, lengths: [], provides: [], needs: [] },
});

it("[T-12] a repository whose files are evicted while others are read still has them", async () => {
  const segments = [row(1, ["a.ts"]), row(2, ["b.ts", "c.ts"])];
  const transaction = {
    rows: async (_text: string, ids: unknown) => segments.filter(({ id }) => (ids as number[]).includes(id)),
    change: async () => 0,
    note: async () => {},
    database: {},
  };
  const [small, large] = [makeRepo(1, 1), makeRepo(2, 2)];
  const memory = makeRecordMemory(2);
  await readTables(transaction, [small], memory);
  const both = await readTables(transaction, [large, small], memory);
  expect(both.map(({ table }) => table.fileCount)).toEqual([2, 1]);
});
