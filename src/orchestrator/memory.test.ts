import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FusedFinding } from "./fuse.ts";
import {
  MAX_MEMORY_BYTES,
  readTurns,
  recall,
  remember,
  splitGiven,
  type Turn,
  toKeys,
  toTurnKey,
  writeTurns,
} from "./memory.ts";
import type { Snippet } from "./snippets.ts";

const of = toTurnKey("/srv/shop", "session");
const turn = (more: Partial<Turn> = {}): Turn => ({ of, subjects: [], paths: [], given: [], ...more });
const subject = (symbol: string, named = true, path = "") => ({ symbol, path, named });
const finding = (more: Partial<FusedFinding> = {}): FusedFinding => ({
  tool: "ci_search",
  path: "src/a.ts",
  line: 12,
  symbol: "parseConfig",
  title: "",
  summary: "Reads the settings.",
  confidence: 0.9,
  reason: "defines it",
  truncated: false,
  conflict: false,
  at: "2026-01-01T00:00:00Z",
  version: "1.0",
  ...more,
});
const snippet: Snippet = { path: "src/b.ts", tool: "ci_search", startLine: 3, lines: ["run();"] };
const PLAIN = { plural: false, namesOwn: false, asks: true, plain: true };

describe("[B-33] the memory of a session", () => {
  it("is bounded: eight turns, six subjects, six paths, 24 keys", () => {
    const keys = Array.from({ length: 40 }, (_, at) => at.toString(16).padStart(16, "0"));
    const many = turn({
      subjects: keys.map((key) => subject(`name${key}`)),
      paths: keys.map((key) => `src/${key}.ts`),
      given: keys,
    });
    const turns = Array.from({ length: 30 }).reduce<readonly Turn[]>((known) => remember(known, many), []);
    expect(turns.map(({ subjects, paths, given }) => [subjects.length, paths.length, given.length])).toEqual(
      Array.from({ length: 8 }, () => [6, 6, 24]),
    );
    expect(writeTurns(turns).length).toBeLessThan(MAX_MEMORY_BYTES);
    expect(readTurns(writeTurns(turns))).toEqual(turns);
  });

  it("is short enough to be read again, even with the longest names", () => {
    const long = turn({
      subjects: Array.from({ length: 6 }, (_, at) => subject(`${at}${"名".repeat(119)}`, true, "长".repeat(300))),
      paths: Array.from({ length: 6 }, () => "长".repeat(300)),
      given: Array.from({ length: 24 }, (_, at) => at.toString(16).padStart(16, "0")),
    });
    const turns = Array.from({ length: 8 }).reduce<readonly Turn[]>((known) => remember(known, long), []);
    expect(Buffer.byteLength(writeTurns(turns))).toBeLessThanOrEqual(MAX_MEMORY_BYTES);
    expect(readTurns(writeTurns(turns)).length).toBeGreaterThanOrEqual(4);
  });

  it("drops a turn without content", () => expect(remember([], turn())).toEqual([]));

  it("drops what is neither a name nor a path", () => {
    const odd = ["a b", "", "<redacted>", "x".repeat(200), "a\nb", "[filtered: instruction-like text]"];
    expect(remember([], turn({ subjects: odd.map((name) => subject(name)), paths: odd }))).toEqual([
      turn({ paths: ["x".repeat(200)] }),
    ]);
  });

  it.each([
    "",
    "null",
    "[]",
    "{",
    '{"version":1}',
    '{"version":2,"turns":[]}',
    '{"version":1,"turns":[null]}',
    '{"version":1,"turns":[{"of":"x","subjects":[],"paths":[],"given":[]}]}',
    `{"version":1,"turns":[{"of":"${of}","subjects":[{"symbol":"a b","path":"","named":true}],"paths":[],"given":[]}]}`,
    `{"version":1,"turns":[{"of":"${of}","subjects":[],"paths":["${"x".repeat(400)}"],"given":[]}]}`,
    `{"version":1,"turns":[{"of":"${of}","subjects":[],"paths":[],"given":["/etc/passwd"]}]}`,
  ])("is empty if damaged: %s", (text) => expect(readTurns(text)).toEqual([]));

  it("any JSON and any text is either a list of turns or empty", () => {
    const shape = (text: string) => readTurns(text).every(({ given }) => Array.isArray(given));
    void fc.assert(fc.property(fc.json(), (text) => shape(text) && shape(text.slice(1))));
    void fc.assert(fc.property(fc.json(), (text) => shape(`{"version":1,"turns":[${text}]}`)));
  });
});

describe("[B-33] the referents of a follow-up", () => {
  it("are what the question named, with its place, before what was found", () => {
    const turns = [
      turn({ subjects: [subject("nextDelay", true, "src/r.ts"), subject("withRetry", false, "src/r.ts")] }),
    ];
    expect(recall(turns, PLAIN)).toEqual({
      symbols: ["nextDelay"],
      paths: ["src/r.ts"],
      signals: [{ type: "historical", match: "symbol: nextDelay", weight: 0.6 }],
      hasEvidence: true,
    });
    expect(recall(turns, { ...PLAIN, plural: true })?.symbols).toEqual(["nextDelay", "withRetry"]);
  });

  it("are the best finding if the question named nothing", () => {
    const turns = [turn({ subjects: [subject("buildReport", false, "r.go"), subject("writeRows", false, "r.go")] })];
    expect(recall(turns, PLAIN)).toMatchObject({ symbols: ["buildReport"], paths: ["r.go"] });
  });

  it("are the file that the question named and the findings in it", () => {
    const subjects = [subject("elsewhere", false, "x.ts"), subject("inside", false, "src/r.ts")];
    expect(recall([turn({ subjects, paths: ["src/r.ts"] })], PLAIN)).toMatchObject({
      symbols: ["inside"],
      paths: ["src/r.ts"],
      signals: [{ match: "symbol: inside" }, { match: "path: src/r.ts" }],
    });
  });

  it("are at most three, or one next to a name of its own", () => {
    const turns = [turn({ subjects: ["a1", "b1", "c1", "d1", "e1"].map((name) => subject(name)) })];
    expect(recall(turns, PLAIN)?.signals).toHaveLength(3);
    expect(recall(turns, { ...PLAIN, namesOwn: true })?.symbols).toEqual(["a1"]);
  });

  it("come from the last two turns only", () => {
    const known = turn({ subjects: [subject("old", true, "o.ts")], given: ["0123456789abcdef"] });
    const blank = turn({ given: ["0123456789abcdef"] });
    expect(recall([known, blank], PLAIN)?.symbols).toEqual(["old"]);
    expect(recall([known, blank, blank], PLAIN)).toBeNull();
    expect(recall([], PLAIN)).toBeNull();
  });

  it("have no evidence if nothing was found", () => {
    expect(recall([turn({ subjects: [subject("ghost")] })], PLAIN)?.hasEvidence).toBe(false);
  });
});

describe("[B-33] evidence that is already in the conversation", () => {
  const evidence = { findings: [finding(), finding({ path: "src/c.ts", symbol: "" })], snippets: [snippet] };
  const given = [turn({ given: toKeys(evidence) })];

  it("is only named, each place once, and the rest is given", () => {
    const fresh = finding({ path: "src/new.ts", symbol: "fresh" });
    const asked = { findings: [finding(), fresh, finding({ path: "src/c.ts", symbol: "" })], snippets: [snippet] };
    expect(splitGiven(asked, given)).toEqual({
      findings: [fresh],
      snippets: [],
      withheld: ["src/a.ts:12 parseConfig", "src/c.ts:12", "src/b.ts:3"],
    });
    expect(splitGiven(asked, [])).toEqual({ ...asked, withheld: [] });
  });

  it.each([
    { summary: "Reads and checks the settings." },
    { line: 13 },
    { path: "src/other.ts" },
    { symbol: "parseSettings" },
  ])("is given again if it changed: %j", (change) => {
    expect(splitGiven({ findings: [finding(change)], snippets: [] }, given).withheld).toEqual([]);
  });

  it("is given again if its lines changed, although the finding is known", () => {
    const changed = { ...snippet, lines: ["run(twice);"] };
    expect(splitGiven({ findings: [finding()], snippets: [changed] }, given)).toMatchObject({
      findings: [],
      snippets: [changed],
    });
  });

  it("is the same evidence from another tool or with another reason", () => {
    const again = finding({ tool: "ci_graph_rag", reason: "caller of x", confidence: 0.4 });
    expect(splitGiven({ findings: [again], snippets: [] }, given).findings).toEqual([]);
  });
});
