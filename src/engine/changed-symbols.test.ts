import { beforeAll, describe, expect, it } from "vitest";
import { makeTestParser } from "../../tests/support/grammars.ts";
import { findChangedSymbols } from "./changed-symbols.ts";
import type { FileParser } from "./parse/file-parser.ts";
import { languageOf } from "./parse/languages/table.ts";
import { StoredGraph } from "./stored-graph.ts";

const BEFORE = `import { log } from "./log.ts";

const LIMIT = 3;

export class Box {
  open(): number {
    return LIMIT;
  }

  close(): void {
    log("closed");
  }
}

export function outer(): number {
  function inner(): number {
    return 1;
  }
  return inner() + 1;
}
`;

let parser: FileParser;
beforeAll(() => {
  parser = makeTestParser();
});

/** Names of the symbols that changed between two texts; the file itself is `.`. */
async function changedIn(text: string, before: string | null = BEFORE): Promise<string[]> {
  const language = languageOf("a.ts", text);
  if (language === null) throw new Error("no language");
  const { symbols } = await parser.parse(language, text);
  const index = { pathOf: () => "a.ts" };
  const repository = { index, symbolsOf: () => symbols } as unknown as ConstructorParameters<typeof StoredGraph>[0];
  const graph = new StoredGraph(repository, () => false);
  return findChangedSymbols(graph, 0, text, before).map((node) => (node.symbol === null ? "." : graph.nameOf(node)));
}

describe("changed symbols of a file", () => {
  it.each([
    ["a method, not its type", "return LIMIT;", "return LIMIT + 1;", ["Box.open"]],
    ["the head of a type", "class Box {", "class Box extends Crate {", ["Box"]],
    ["the end of a function, not the one inside of it", "inner() + 1", "inner() + 2", ["outer"]],
    ["the one inside, not the one around", "return 1;", "return 2;", ["outer.inner"]],
    ["what stands outside of all symbols", 'from "./log.ts"', 'from "./logs.ts"', ["."]],
    ["nothing but the place", "const LIMIT", "\n\nconst LIMIT", ["."]],
  ])("%s", async (_, old, now, names) => {
    expect(await changedIn(BEFORE.replace(old, now))).toEqual(names);
  });

  it("ignore line endings", async () => {
    expect(await changedIn(BEFORE.replaceAll("\n", "\r\n").replace("return 1;", "return 2;"))).toEqual(["outer.inner"]);
  });

  it("are all symbols if the previous text is unknown", async () => {
    expect(await changedIn("export function fresh(): void {}\n", null)).toEqual([".", "fresh"]);
  });
});
