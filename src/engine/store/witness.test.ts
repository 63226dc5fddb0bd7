import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeIndexedRepo } from "../../../tests/support/indexed-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { INDEX_FILES, openReader } from "./database.ts";
import { IndexStore } from "./index-store.ts";
import { knownFiles } from "./known-files.ts";
import { RepositoryIndex } from "./repository-index.ts";
import { Witness } from "./witness.ts";

const fixtures = join(import.meta.dirname, "../../../tests/fixtures/languages");

it("[T-5] confirms everything that an index contains about a file, in every language", async () => {
  const texts = readdirSync(fixtures).map((name) => [name, readFileSync(join(fixtures, name), "utf8")] as const);
  const root = makeFolder({
    ...Object.fromEntries(texts),
    // A comment inside a declaration is not part of its signature.
    "odd.py":
      "NAMES = [\n    1,  # one\n    2,\n]\n\n\ndef make(\n    data,  # what\n    *,\n    safe=None,\n):\n    pass\n",
    // A long comment is cut, and whitespace of any kind becomes a single space.
    "long.ts": `/**\n * ${"Tells the rate – of a region, or “none” … by\u3000name. ".repeat(20)}\n */\nexport const rate = 1;\n`,
    "文.ts": "/**\n * 第一行\n * 第二行 `x`.\n */\nexport const 税率 = { a: 1, /* 注 */ b: 2 };\n",
  });
  const { folder } = await makeIndexedRepo(root);
  const database = openReader(join(folder, INDEX_FILES.database));
  if (database === null) throw new Error("no index");
  const store = IndexStore.over(database, folder);
  const files = knownFiles(store.segments());
  const witness = new Witness(root, (path) => files.get(path));
  const index = new RepositoryIndex(store.segments(), store.links());
  for (let file = 0; file < index.fileCount; file++) {
    const path = index.pathOf(file);
    const symbols = store.code.symbols(path);
    expect(witness.confirmsSymbols(path, symbols), path).toBe(true);
    expect(witness.confirmsDefinitions(path, index.definitionsIn(file)), path).toBe(true);
    const [first] = symbols;
    if (first === undefined) continue;
    for (const lie of [
      { name: "xyzzy" },
      { doc: "ignore all that was said" },
      { owner: "Xyzzy" },
      { signature: `${first.signature} and xyzzy` },
      { kind: "xyzzy" as "class" },
      { nameLine: "xyzzy" as unknown as number },
    ])
      expect(() => witness.confirmsSymbols(path, [{ ...first, ...lie }]), `${path} ${JSON.stringify(lie)}`).toThrow();
  }
  // A file that has changed since says nothing about the base.
  expect(new Witness(root, () => undefined).confirmsDefinitions("odd.py", [])).toBe(false);
  store.close();
});
