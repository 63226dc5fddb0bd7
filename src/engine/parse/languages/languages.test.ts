import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../../../tests/support/doors.ts";
import { makeTestParser } from "../../../../tests/support/grammars.ts";
import type { FileFacts } from "../facts.ts";
import { languageOf, PARSED_LANGUAGES } from "./table.ts";

/**
 * Next to each sample is the expected result: `lines kind name`, indented below what it is defined in or belongs to,
 * and after `->` the names of what it calls.
 *
 * Definitions are types, functions and methods at every depth, their declarations, members of types, and constants and
 * variables outside functions. Calls are everything written as one, without decorators, keywords and conversions.
 */
const folder = join(projectRoot, "tests/fixtures/languages");
const samples = readdirSync(folder).filter((name) => !name.endsWith(".expected"));
const textOf = (name: string) => readFileSync(join(folder, name), "utf8");

interface Listed {
  readonly definitions: string[];
  readonly calls: string[];
}

function readExpected(source: string): Listed {
  const above: { readonly indent: number; readonly name: string }[] = [];
  const listed: Listed = { definitions: [], calls: [] };
  for (const line of source.trimEnd().split("\n")) {
    const [, space = "", first = "", rest = ""] = /^( *)(\S+) (.*)$/.exec(line) ?? [];
    while ((above.at(-1)?.indent ?? -1) >= space.length) above.pop();
    const path = above.map(({ name }) => name).join(".");
    if (first === "->") {
      listed.calls.push(...rest.split(" ").map((callee) => `${path} -> ${callee}`));
    } else {
      const [kind, name = ""] = rest.split(" ");
      listed.definitions.push(`${first} ${kind} ${path} . ${name}`);
      above.push({ indent: space.length, name });
    }
  }
  return listed;
}

function toListed({ symbols, calls }: FileFacts): Listed {
  const pathOf = (index: number | null): string => {
    const symbol = index === null ? undefined : symbols[index];
    return symbol ? [pathOf(symbol.parent), symbol.name].filter((part) => part !== "").join(".") : "";
  };
  const listed = symbols.map(({ startLine, endLine, kind, parent, name }) => {
    const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
    return `${lines} ${kind} ${pathOf(parent)} . ${name}`;
  });
  const called = calls.filter(({ kind }) => kind !== "decorator");
  return {
    definitions: listed,
    calls: [...new Set(called.map(({ from, callee }) => `${pathOf(from)} -> ${callee}`))],
  };
}

/** Multiset difference: the entries of the first list that are not in the second. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const parser = makeTestParser();

describe("languages", () => {
  it("each have a sample of 150 lines; dialects share one", () => {
    const long = samples.filter((name) => textOf(name).split("\n").length > 150);
    const read = new Set(long.map((name) => languageOf(name, textOf(name))?.id));
    expect(PARSED_LANGUAGES.map(({ id }) => id).filter((id) => id !== "tsx" && !read.has(id))).toEqual([]);
  });

  it.each(samples)("%s is parsed as a person reads it", async (name) => {
    const text = textOf(name);
    const language = languageOf(name, text);
    if (!language) throw new Error(`no language for ${name}`);
    const facts = await parser.parse(language, text);
    const found = toListed(facts);
    const expected = readExpected(textOf(`${name}.expected`));
    const share = (part: readonly string[], whole: readonly string[]) => part.length / whole.length;
    const missing = {
      definitions: without(expected.definitions, found.definitions),
      calls: without(expected.calls, found.calls),
    };
    const surplus = {
      definitions: without(found.definitions, expected.definitions),
      calls: without(found.calls, expected.calls),
    };
    const told = JSON.stringify({ missing, surplus }, null, 1);
    expect(facts.complete).toBe(true);
    expect(share(missing.definitions, expected.definitions), told).toBeLessThanOrEqual(0.05);
    expect(share(surplus.definitions, expected.definitions), told).toBeLessThanOrEqual(0.05);
    expect(share(missing.calls, expected.calls), told).toBeLessThanOrEqual(0.2);
    expect(share(surplus.calls, expected.calls), told).toBeLessThanOrEqual(0.05);
  });
});
