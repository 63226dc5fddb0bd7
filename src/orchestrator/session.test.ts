import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DAMAGES } from "../../tests/support/damage.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { sessionFileName, stateFolder } from "../config/places.ts";
import { toLimitTexts } from "../contract/limits.ts";
import { findClues } from "./clues.ts";
import { judgePrompt } from "./judge.ts";
import { resolveFollowUp } from "./resolve.ts";
import { openSession, toTurn } from "./session.ts";

const nowMs = Date.now();
const turn = (symbol: string) => ({ subjects: [{ symbol, path: "a.ts", named: true }], paths: [], given: [] });
const policy = { root: "/srv/shop", isExcluded: () => false };
const open = (state: string, root: string, sessionId = "s") =>
  openSession({ env: { GROUNDWORK_HOME: state }, root, sessionId, nowMs });

describe("[decision 9] the location of state", () => {
  const home = makeFolder({ file: "" });
  it.each([
    [{ GROUNDWORK_HOME: "/state", XDG_CACHE_HOME: "/cache", HOME: home }, "/state"],
    [{ GROUNDWORK_HOME: "state", HOME: home }, join(home, ".cache/groundwork")],
    [{ GROUNDWORK_HOME: "", XDG_CACHE_HOME: "/cache", HOME: home }, "/cache/groundwork"],
    [{ XDG_CACHE_HOME: "cache", HOME: home }, join(home, ".cache/groundwork")],
    // At most the folder and its parent are created, so that a missing home is never created.
    [{ HOME: join(home, "missing") }, null],
    [{ HOME: join(home, "file") }, null],
    [{ GROUNDWORK_HOME: join(home, "one/state") }, join(home, "one/state")],
    [{ GROUNDWORK_HOME: join(home, "one/two/state") }, null],
    [{ HOME: "me" }, null],
    [{}, null],
  ])("%j → %s", (env, wanted) => expect(stateFolder(env)).toBe(wanted));

  it("a session's file name depends on its id alone", () => {
    const ids = Array.from({ length: 20_000 }, (_, at) => `session-${at}`);
    const names = new Set(ids.map(sessionFileName));
    expect(names.size).toBe(ids.length);
    for (const id of ["../../etc/passwd", "", "会话", "\ud800", "a".repeat(10_000)])
      expect(sessionFileName(id)).toMatch(/^[0-9a-f]{24}\.json$/);
  });
});

describe("[G C.1] damaged memory of a session", () => {
  // Root can read every file.
  const damages = Object.keys(DAMAGES).filter((name) => name !== "unreadable" || process.getuid?.() !== 0);
  it.each(damages)("%s: counts as empty, is reported, and is written anew", (damage) => {
    const [state, root] = [join(makeFolder(), "state"), makeFolder()];
    open(state, root)?.remember(turn("before"));
    DAMAGES[damage]?.(join(state, "sessions", sessionFileName("s")));
    const session = open(state, root);
    expect(session?.turns).toEqual([]);
    expect(toLimitTexts(session?.limits ?? [])).toEqual([
      expect.stringMatching(/^earlier answers of this session are not known: \w/),
    ]);
    session?.remember(turn("after"));
    expect(open(state, root)?.turns.map(({ subjects }) => subjects[0]?.symbol)).toEqual(["after"]);
    expect(open(state, root)?.limits).toEqual([]);
  });

  it.each(["empty", "a pipe", "a link to nowhere"])("its folder %s: is reported", (damage) => {
    const [state, root] = [join(makeFolder(), "state"), makeFolder()];
    open(state, root)?.remember(turn("before"));
    DAMAGES[damage]?.(join(state, "sessions"));
    expect(toLimitTexts(open(state, root)?.limits ?? [])).toEqual([
      expect.stringContaining("sessions/ is not a folder of your own"),
    ]);
    open(state, root)?.remember(turn("after"));
  });

  it("a missing memory, or one of another repository, is not reported", () => {
    const [state, here, there] = [makeFolder(), makeFolder(), makeFolder()];
    expect(open(state, here)?.limits).toEqual([]);
    open(state, here)?.remember(turn("here"));
    expect(open(state, there)?.limits).toEqual([]);
  });
});

describe("[B-33] a session's memory", () => {
  it("is there for the next prompt, in one file per session", () => {
    const [state, root] = [makeFolder(), makeFolder()];
    expect(open(state, root)?.turns).toEqual([]);
    expect(readdirSync(state)).toEqual([]);
    open(state, root)?.remember(turn("first"));
    open(state, root)?.remember(turn("second"));
    open(state, root, "other")?.remember(turn("third"));
    expect(open(state, root)?.turns.map(({ subjects }) => subjects[0]?.symbol)).toEqual(["first", "second"]);
    expect(readdirSync(join(state, "sessions"))).toHaveLength(2);
  });

  it("belongs to one repository: the same session elsewhere does not know it", () => {
    const [state, here, there] = [makeFolder(), makeFolder(), makeFolder()];
    open(state, here)?.remember(turn("here"));
    open(state, there)?.remember(turn("there"));
    expect(open(state, here)?.turns.map(({ subjects }) => subjects[0]?.symbol)).toEqual(["here"]);
  });

  it("keeps both of two simultaneous prompts if one ends before the other writes", () => {
    const [state, root] = [makeFolder(), makeFolder()];
    const [one, two] = [open(state, root), open(state, root)];
    one?.remember(turn("one"));
    two?.remember(turn("two"));
    expect(open(state, root)?.turns).toHaveLength(2);
  });

  it("does not exist without an id, without a folder, or inside the repository", () => {
    const root = makeFolder();
    expect(open(makeFolder(), root, "")).toBeNull();
    expect(openSession({ env: {}, root, sessionId: "s", nowMs })).toBeNull();
    expect(open(join(root, ".groundwork"), root)).toBeNull();
    expect(open(root, root)).toBeNull();
  });

  it("overwrites a damaged file", () => {
    const [state, root] = [makeFolder({ "sessions/.keep": "" }), makeFolder()];
    const file = join(state, "sessions", sessionFileName("s"));
    writeFileSync(file, '{"version":1,"turns":[{"of":7}]}');
    expect(open(state, root)?.turns).toEqual([]);
    open(state, root)?.remember(turn("anew"));
    expect(JSON.parse(readFileSync(file, "utf8")).turns).toHaveLength(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe("[B-33] [ATO-RED-1] what is stored of a turn", () => {
  // Assembled at run time, so that secret scanners do not report this file.
  const secret = ["sk", "live", "4eC39HqLyjWDarjtT1zdp7dc"].join("_");
  const toText = (text: string) =>
    JSON.stringify(
      toTurn({
        text,
        clues: findClues(text),
        paths: findClues(text).paths,
        findings: [],
        shown: { findings: [], snippets: [] },
        policy,
      }),
    );

  it.each([
    `why does chargeCard refuse ${secret}?`,
    `fix chargeCard, the key is \`${secret}\``,
    `chargeCard reads src/${secret}.ts, why?`,
    `chargeCard 报错，密钥是 ${secret}`,
    `password = "Tr0ub4dor_And3Horses" in chargeCard`,
  ])("a name, never a secret that looks like one: %s", (text) => {
    expect(toText(text)).toContain("chargeCard");
    expect(toText(text)).not.toMatch(/4eC39HqLyj|Tr0ub4dor/);
  });

  it("no text of the prompt", () => {
    expect(toText("why does chargeCard refuse my grandmother's card?")).toBe(
      '{"subjects":[{"symbol":"chargeCard","path":"","named":true}],"paths":[],"given":[]}',
    );
  });
});

describe("[B-33] judging a prompt by earlier turns", () => {
  const of = "0123456789abcdef";
  const before = [{ of, ...turn("nextDelay"), given: ["fedcba9876543210"] }];
  const resolve = (text: string, turns = before) => resolveFollowUp(judgePrompt(text, {}), text, turns);

  it("a follow-up gets names, signals and a reason", () => {
    const { clues, signals, analysis } = resolve("and who calls it?");
    expect([clues.symbols, clues.paths]).toEqual([["nextDelay"], ["a.ts"]]);
    expect(signals).toContainEqual({ type: "historical", match: "symbol: nextDelay", weight: 0.6 });
    expect(analysis.why).toContain("symbol: nextDelay (earlier in this session)");
  });

  it("a prompt becomes a question about code by its session alone", () => {
    expect(judgePrompt("what about the other one?", {}).analysis.intent).toBeNull();
    const { intent, confidence } = resolve("what about the other one?").analysis;
    expect([intent, confidence >= 0.5]).toEqual(["explore", true]);
  });

  it("a prompt does not if nothing was found before, or nothing is remembered", () => {
    const ghost = [{ of, subjects: [{ symbol: "ghost", path: "", named: true }], paths: [], given: [] }];
    expect(resolve("what about the other one?", ghost).analysis.intent).toBeNull();
    expect(resolve("what about the other one?", []).analysis.intent).toBeNull();
  });

  it("a name in the prompt comes first, and stays the only one without a pronoun", () => {
    expect(resolve("does it call parseConfig?").clues.symbols).toEqual(["parseConfig", "nextDelay"]);
    const own = judgePrompt("who calls parseConfig?", {});
    expect(resolveFollowUp(own, "who calls parseConfig?", before)).toBe(own);
  });
});
