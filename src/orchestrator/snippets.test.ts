import { expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import type { FusedFinding } from "./fuse.ts";
import { readSnippets } from "./snippets.ts";

const key = ["AKIA", "IOSFODNN7EXAMPLE"].join("");
const at = (path: string): FusedFinding => ({
  tool: "ci_search",
  path,
  line: 1,
  symbol: "",
  title: "",
  summary: "",
  confidence: 1,
  reason: "",
  truncated: false,
  conflict: false,
  at: "-",
  version: "1.0",
});

it("[G D.19] [ATO-BUD-1] a line is cut before it is cleaned, so that what is not shown costs nothing", () => {
  const long = `const table = "${"ab ".repeat(160_000)}"; // ${key}`;
  const root = makeFolder({ "src/long.ts": long, "src/short.ts": `const a = 1; // ${key}\n` });
  const policy = { root, isExcluded: () => false };
  const { items, redactions } = readSnippets([at("src/long.ts")], policy);
  expect(items[0]?.lines[0]).toBe(long.slice(0, 240));
  expect(redactions).toEqual([]);
  const short = readSnippets([at("src/short.ts")], policy);
  expect(short.items[0]?.lines[0]).toBe("const a = 1; // AKIA<redacted>");
  expect(short.redactions).toEqual([{ kind: "aws-key", count: 1 }]);
});
