import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { Parser, type Tree, Language as TreeLanguage } from "web-tree-sitter";
import { projectRoot } from "../../../tests/support/doors.ts";
import { grammarFolder } from "../../../tests/support/grammars.ts";
import { flatten, type Productions, readProductions } from "./flat-tree.ts";
import { grammarFile, LIBRARY_FILE } from "./grammars.ts";
import { languageOf, PARSED_LANGUAGES } from "./languages/table.ts";

const folder = join(projectRoot, "tests/fixtures/languages");
const samples = readdirSync(folder).filter((name) => !name.endsWith(".expected"));
const textOf = (name: string) => readFileSync(join(folder, name), "utf8");

const uncompress = (file: string) => gunzipSync(readFileSync(join(grammarFolder, file)));
const library: { wasmBinary: Uint8Array; HEAPU8?: Uint8Array } = {
  wasmBinary: uncompress(LIBRARY_FILE),
};
const memory = () => library.HEAPU8?.buffer ?? new ArrayBuffer(0);
const grammars = new Map<string, { grammar: TreeLanguage; productions: Productions }>();
let parser: Parser;

beforeAll(async () => {
  await Parser.init(library);
  parser = new Parser();
  for (const { id } of PARSED_LANGUAGES) {
    const grammar = await TreeLanguage.load(uncompress(grammarFile(id)));
    grammars.set(id, { grammar, productions: readProductions(grammar, memory()) });
  }
});

/** Type, field, position and number of descendants of every node, according to the library's own cursor. */
function byCursor(tree: Tree): number[][] {
  const cursor = tree.walk();
  const nodes: number[][] = [];
  const open: number[][] = [];
  for (;;) {
    const node = [cursor.nodeTypeId, cursor.currentFieldId, cursor.startIndex, cursor.endIndex, nodes.length];
    nodes.push(node);
    if (cursor.gotoFirstChild()) {
      open.push(node);
      continue;
    }
    node[4] = nodes.length;
    while (!cursor.gotoNextSibling()) {
      const above = open.pop();
      if (!above) return nodes;
      above[4] = nodes.length;
      cursor.gotoParent();
    }
  }
}

function bothWays(languageId: string, text: string): { flat: number[][]; walked: number[][] } {
  const loaded = grammars.get(languageId);
  if (!loaded) throw new Error(`no grammar for ${languageId}`);
  parser.setLanguage(loaded.grammar);
  const tree = parser.parse(text);
  if (!tree) throw new Error("no tree");
  const { count, type, field, start, end, next } = flatten(tree, memory(), loaded.productions);
  const flat = Array.from({ length: count }, (_, at) =>
    [type, field, start, end, next].map((numbers) => numbers[at] ?? -1),
  );
  const walked = byCursor(tree);
  tree.delete();
  return { flat, walked };
}

describe("flatten", () => {
  it.each(samples)("copies the tree of %s like the library's cursor", (name) => {
    const { flat, walked } = bothWays(languageOf(name, textOf(name))?.id ?? "", textOf(name));
    expect(walked.length).toBeGreaterThan(300);
    expect(flat).toEqual(walked);
  });

  it.each(samples)("copies the trees of truncated versions of %s", (name) => {
    const text = textOf(name);
    const cuts = fc.tuple(fc.nat(text.length), fc.nat(120), fc.constantFrom("", "é漢😀", "}", "((", '"', "\r\n\t"));
    fc.assert(
      fc.property(cuts, ([at, length, instead]) => {
        const broken = text.slice(0, at) + instead + text.slice(at + length);
        const { flat, walked } = bothWays(languageOf(name, text)?.id ?? "", broken);
        expect(flat).toEqual(walked);
      }),
      { numRuns: 12, seed: 7 },
    );
  });

  it("copies the tree of an empty text and of whitespace", () => {
    for (const { id } of PARSED_LANGUAGES) {
      for (const text of ["", "\n\n  \n", "\u{feff}", "x"]) {
        const { flat, walked } = bothWays(id, text);
        expect(flat).toEqual(walked);
      }
    }
  });
});
