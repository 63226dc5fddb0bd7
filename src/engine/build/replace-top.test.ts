import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeIndexedRepo } from "../../../tests/support/indexed-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { INDEX_FILES } from "../store/database.ts";
import { replaceTop } from "./replace-top.ts";

it.each([
  ["the history cannot be read", { bases: [], history: "odd.db" }, "not a database"],
  ["a base is missing", { bases: ["base-missing"], history: INDEX_FILES.database }, "missing"],
])("[T-6] if %s, the index stays and nothing is left of the new one", async (_, { bases, history }, why) => {
  const { folder } = await makeIndexedRepo(makeFolder({ "a.ts": "export const a = 1;\n" }));
  writeFileSync(join(folder, "odd.db"), "x".repeat(10_000));
  const file = join(folder, INDEX_FILES.database);
  const work = { file, bases, history: join(folder, history), isHandedOver: false, settle: async () => {} };
  await expect(replaceTop(work)).rejects.toThrow(why);
  expect([existsSync(file), existsSync(`${file}.new`)]).toEqual([true, false]);
});
