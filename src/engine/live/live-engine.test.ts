import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { findDefinitions } from "./definitions.ts";
import { makeLiveEngine } from "./live-engine.ts";
import { splitIdentifier, toTerms } from "./terms.ts";
import { walkFiles } from "./walk.ts";

const budget = { signal: new AbortController().signal, timeLeftMs: () => 2_000, isExcluded: () => false };

describe("[ATO-PATH-5] [ATO-PATH-6] what a live scan looks at", () => {
  it("regular files that no rule leaves out, in a stable order", () => {
    const root = makeFolder({
      "b.ts": "",
      "a.ts": "",
      ".gitignore": "*.log\n/generated/\n!keep.log\n",
      "x.log": "",
      "keep.log": "",
      "generated/g.ts": "",
      "sub/.gitignore": "only-here.ts\n",
      "sub/only-here.ts": "",
      "sub/c.ts": "",
      "only-here.ts": "",
      ".groundworkignore": "notes/\n",
      "notes/n.md": "",
      "node_modules/m/index.js": "",
      ".env": "",
      "secrets/s.ts": "",
      "excluded/e.ts": "",
    });
    symlinkSync("/etc", join(root, "etc"));
    execFileSync("mkfifo", [join(root, "pipe.ts")]);
    const sensitive: string[] = [];
    const found = [
      ...walkFiles(root, {
        isExcluded: (path) => path.startsWith("excluded"),
        onSensitive: (path) => sensitive.push(path),
      }),
    ].filter((path) => path !== null);
    expect(found).toEqual([
      ".gitignore",
      ".groundworkignore",
      "a.ts",
      "b.ts",
      "keep.log",
      "only-here.ts",
      "sub/.gitignore",
      "sub/c.ts",
    ]);
    expect(sensitive).toEqual([".env", "secrets"]);
  });

  it("a sensitive file is left out under all its names", async () => {
    const root = makeFolder({
      ".env": "needle=1\n",
      "secrets/deep/s.ts": "needle\n",
      "a.ts": "needle\n",
    });
    mkdirSync(join(root, "src"));
    linkSync(join(root, ".env"), join(root, "src/settings.ts"));
    linkSync(join(root, "secrets/deep/s.ts"), join(root, "0.ts"));
    linkSync(join(root, "a.ts"), join(root, "b.ts"));
    const ask = async (timeLeftMs: () => number) => {
      const question = { query: "needle", mode: "keyword", limit: 10 } as const;
      const { scan } = await makeLiveEngine().search(root, question, { ...budget, timeLeftMs });
      return [scan.files.map(({ path }) => path), scan.skipped];
    };
    expect(await ask(() => 2_000)).toEqual([["a.ts", "b.ts"], 2]);
    let left = 2_000;
    // Out of time before the folder of secrets was seen: then nobody knows what else is one.
    expect((await ask(() => (left -= 400)))[0]).toEqual([]);
  });

  it("skips binary, huge and machine-made files, and ends in time", async () => {
    const root = makeFolder({
      "a.ts": "export function needle() {}\n",
      "b.bin": "needle\0",
      "c.min.js": `needle${"x".repeat(6_000)}`,
    });
    writeFileSync(join(root, "huge.ts"), "needle");
    truncateSync(join(root, "huge.ts"), 300 * 1024 * 1024);
    const { hits, scan } = await makeLiveEngine().search(root, { query: "needle", mode: "keyword", limit: 10 }, budget);
    expect([hits.map(({ file }) => file.path), scan.skipped, scan.partial]).toEqual([["a.ts"], 3, ""]);
    const many = makeFolder(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}.ts`, "x"])));
    let left = 100;
    const late = await makeLiveEngine().search(
      many,
      { query: "x", mode: "keyword", limit: 10 },
      { ...budget, timeLeftMs: () => (left -= 20) },
    );
    expect(late.scan.partial).toBe("out of time");
  });
});

describe("ranking", () => {
  const root = makeFolder({
    "src/net/backoff.ts":
      "/** Exponential with jitter. */\nexport function nextDelay(attempt: number) {\n  return base * 2 ** attempt;\n}\n",
    "src/net/retry.ts":
      'import { nextDelay } from "./backoff.ts";\nexport async function retry(work) {\n  await sleep(nextDelay(1));\n}\n',
    "tests/backoff.test.ts": 'test("nextDelay", () => nextDelay(1));\n',
    "docs/backoff.md": "The backoff delay of a retry. nextDelay is described here. backoff backoff\n",
    "src/other.ts": "export const nothing = 1;\n",
  });
  const search = async (query: string, mode: "semantic" | "keyword" = "semantic") =>
    (await makeLiveEngine().search(root, { query, mode, limit: 10 }, budget)).hits;

  it("a definition comes before mentions, code before prose and tests", async () => {
    const hits = await search("nextDelay", "keyword");
    expect(hits[0]).toMatchObject({
      line: 2,
      endLine: 4,
      symbol: "nextDelay",
      summary: "Exponential with jitter.",
      reason: "defines it",
    });
    expect(hits[0]?.file.path).toBe("src/net/backoff.ts");
  });

  it("a question finds the place by its words", async () => {
    expect((await search("where is the retry backoff delay computed?"))[0]?.file.path).toMatch(
      /^src\/net\/(?:backoff|retry)\.ts$/,
    );
  });

  it("nothing is better than noise", async () => {
    expect(await search("invoice numbering for archived customers")).toEqual([]);
  });

  it("relations say what they are", async () => {
    const { relations } = await makeLiveEngine().relate(
      root,
      { query: "nextDelay", mode: "keyword", limit: 10 },
      2,
      budget,
    );
    const said = relations.map(({ file, kind, of }) => `${file.path} ${kind} of ${of}`);
    expect(said.slice(0, 3)).toEqual([
      "src/net/retry.ts caller of nextDelay",
      "tests/backoff.test.ts test of nextDelay",
      "docs/backoff.md mention of nextDelay",
    ]);
    expect(relations[0]).toMatchObject({ symbol: "retry", kind: "caller" });
  });

  it("the same question twice gives the same hits", async () => {
    expect(await search("backoff delay")).toEqual(await search("backoff delay"));
  });
});

describe("reading code by its lines", () => {
  it.each([
    ["export async function load(x) {\n  return x;\n}\n", [["load", 1, 3]]],
    [
      "class A:\n    def run(self):\n        pass\n\ndef main():\n    pass\n",
      [
        ["A", 1, 3],
        ["run", 2, 3],
        ["main", 5, 6],
      ],
    ],
    ["func (s *Server) Start() error {\n\treturn nil\n}\n", [["Start", 1, 3]]],
    ["pub fn parse(input: &str) -> u8 {\n    0\n}\n", [["parse", 1, 3]]],
    [
      "public class B {\n    public int size(int a) {\n        return a;\n    }\n}\n",
      [
        ["B", 1, 5],
        ["size", 2, 5],
      ],
    ],
    ["build() {\n  echo\n}\n", [["build", 1, 3]]],
    ["if (a) {\n}\nfor (;;) {\n}\n", []],
  ])("%j", (text, expected) => {
    expect(findDefinitions(text).map(({ name, line, endLine }) => [name, line, endLine])).toEqual(expected);
  });

  it("splits identifiers and keeps names whole", () => {
    expect(splitIdentifier("parseHTTPHeader_v2")).toEqual(["parse", "http", "header", "v2"]);
    expect(
      toTerms("why does parseArgs fail on the arguments?", "semantic").map(({ stem, weight }) => [stem, weight]),
    ).toEqual([
      ["parseargs", 3],
      ["parse", 1],
      ["args", 1],
      ["fail", 1],
      ["argument", 1],
    ]);
    expect(toTerms("退避时间", "semantic").map(({ stem }) => stem)).toEqual(["退避", "时间"]);
  });
});
