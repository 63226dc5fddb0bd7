import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { openDatabase } from "../base/sqlite.ts";
import { LIMITS } from "../contract/limits.ts";
import { makeDocument, makeRun, withoutEvidence } from "./ended-run.test-helper.ts";
import type { EndedRun } from "./record.ts";
import { toRecord } from "./record.ts";
import { openRunHistory, type RunHistory } from "./run-history.ts";
import { toSilentRecord } from "./silent-record.ts";
import { appendToSpool } from "./spool.ts";

const START_MS = Date.UTC(2026, 0, 10, 12);
const HOUR_MS = 3_600_000;

/** A state folder with some runs, oldest first, an hour apart. */
function keep(runs: readonly Partial<EndedRun & { prompt: string; repo: string }>[]) {
  const state = makeFolder();
  const env = { GROUNDWORK_HOME: state };
  const folder = join(state, "history");
  runs.forEach(({ prompt = "where is x?", repo = "/repo", ...changes }, at) => {
    const made = makeDocument(prompt, { inputs: { prompt, signals: [], repo_root: repo } });
    const document = changes.injected === "" ? withoutEvidence(made) : made;
    appendToSpool(folder, toRecord(makeRun(prompt, { document, startMs: START_MS + at * HOUR_MS, ...changes })));
  });
  const open = (more: { nowMs?: number; bounds?: { days: number; mb: number } } = {}): RunHistory => {
    const opened = openRunHistory({ env, nowMs: START_MS + 24 * HOUR_MS, ...more });
    if (!opened.ok) throw new Error(opened.fault.message);
    return opened.value;
  };
  return { env, folder, open };
}

const promptsOf = (rows: readonly { readonly prompt: string }[]) => rows.map(({ prompt }) => prompt);
const bytesIn = (folder: string) =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join("");

describe("[K 1] [AC-015] the history of runs", () => {
  it("finds no run by the end of a key that two runs share", () => {
    const { open, folder } = keep([]);
    const { row, ...rest } = toRecord(makeRun("one"));
    for (const key of ["00000000a-0000beef", "00000000b-1111beef"])
      appendToSpool(folder, { ...rest, row: { ...row, key } });
    const history = open({ bounds: { days: 9_999, mb: 50 } });
    expect(history.find("beef")).toBeNull();
    expect(history.find("1111beef")?.row.key).toBe("00000000b-1111beef");
    history.close();
  });

  it("lists the newest run first, and finds one by key, by run id and as the last", () => {
    const history = keep([{ prompt: "one" }, { prompt: "two" }, { prompt: "three", repo: "/other" }]).open();
    const rows = history.list({});
    expect(promptsOf(rows)).toEqual(["three", "two", "one"]);
    expect(history.find(rows[2]?.key ?? "")?.document?.inputs.prompt).toBe("one");
    // Ids are not unique: the newest run is returned.
    expect(history.find("20260102-030405-abc123")?.row.prompt).toBe("three");
    expect(history.find("last")?.row.prompt).toBe("three");
    expect(history.find("last", "/repo")?.row.prompt).toBe("two");
    expect(history.find("last")).toMatchObject({ injected: "evidence", client_max: 9_500, cut: [] });
    expect(history.find("nothing")).toBeNull();
    // The end of a key is sufficient if only one run has it.
    expect(history.find(rows[1]?.key.slice(-6) ?? "")?.row.prompt).toBe("two");
    expect(history.find("")).toBeNull();
    expect(history.repos()).toEqual(["/other", "/repo"]);
    history.close();
  });

  it("filters by every property of a row, and omits silent runs by default", () => {
    const { open, folder } = keep([
      { prompt: "where is parse_token?", door: "codex" },
      { prompt: "哪里定义了 parseToken" },
      { prompt: "nothing of it", injected: "" },
    ]);
    const silent = { door: "hook", client: "kimi-code", durationMs: 3, root: "/repo", why: LIMITS.notCode() } as const;
    appendToSpool(folder, toSilentRecord({ ...silent, startMs: START_MS + 9 * HOUR_MS }));
    const history = open();
    const list = (filter: Parameters<typeof history.list>[0]) => promptsOf(history.list(filter));
    expect(list({})).toEqual(["哪里定义了 parseToken", "where is parse_token?"]);
    expect(list({ silent: true })).toEqual(["", "nothing of it", "哪里定义了 parseToken", "where is parse_token?"]);
    expect(list({ outcome: "silent" })).toHaveLength(2);
    expect(list({ door: "codex" })).toEqual(["where is parse_token?"]);
    expect(list({ text: "定义 PARSE" })).toEqual(["哪里定义了 parseToken"]);
    // No wildcards: an underscore matches only itself.
    expect(list({ text: "parse_" })).toEqual(["where is parse_token?"]);
    expect(list({ text: "%" })).toEqual([]);
    expect(list({ text: "ci_search", limit: 1 })).toEqual(["哪里定义了 parseToken"]);
    expect(list({ since_ms: START_MS + HOUR_MS })).toEqual(["哪里定义了 parseToken"]);
    const [newest] = history.list({});
    expect(list({ before: newest?.key ?? "" })).toEqual(["where is parse_token?"]);
    expect(list({ silent: true, since_ms: START_MS + 2 * HOUR_MS })).toEqual(["", "nothing of it"]);
    expect(list({ before_ms: START_MS + HOUR_MS })).toEqual(["where is parse_token?"]);
    expect(history.count({ silent: true })).toBe(4);
    history.close();
  });

  it("counts runs, evidence, silence and its reasons, times, tools, repeats, verdicts and days", () => {
    const { open } = keep([
      { prompt: "one", durationMs: 10 },
      { prompt: "one", durationMs: 20 },
      { prompt: "two", durationMs: 30 },
      { prompt: "three", durationMs: 1_000, injected: "" },
    ]);
    const history = open();
    const [, second] = history.list({});
    expect(history.mark(second?.key ?? "", "useful")).toBe(true);
    expect(history.mark("nothing", "useful")).toBe(false);
    const stats = history.stats({});
    expect(stats).toMatchObject({
      runs: 4,
      with_evidence: 3,
      silent: 1,
      latency_ms: { p50: 20, p95: 1_000 },
      injected_chars: 24,
      tools: { ci_search: 4 },
      silent_reasons: { [LIMITS.nothingFound().text]: 1 },
      repeated: 1,
      useful: 1,
      useless: 0,
    });
    expect(stats.per_day.reduce((sum, { runs }) => sum + runs, 0)).toBe(4);
    expect(stats.per_day[0]).toMatchObject({ day: expect.stringMatching(/^2026-01-1\d$/), silent: expect.any(Number) });
    expect(history.stats({ repo: "/none" })).toMatchObject({ runs: 0, latency_ms: { p50: 0, p95: 0 }, per_day: [] });
    history.close();
  });

  it("purges by repository, by time or everything without leaving a byte, also in the spool and in stores set aside", () => {
    const { open, folder } = keep([
      { prompt: "zebra old" },
      { prompt: "giraffe", repo: "/other" },
      ...Array.from({ length: 50 }, (_, at) => ({ prompt: `zebra ${at} ${"word ".repeat(100)}` })),
    ]);
    writeFileSync(join(folder, "history.db.aside"), "zebra");
    const first = open();
    expect(first.purge({ repo: "/other" })).toBe(1);
    expect(first.purge({ before_ms: START_MS + 1 })).toBe(1);
    first.close();
    expect(bytesIn(folder)).not.toContain("giraffe");
    expect(bytesIn(folder)).not.toContain("zebra old");
    appendToSpool(folder, toRecord(makeRun("zebra spooled")));
    const second = open();
    expect(second.purge({})).toBe(51);
    expect(second.list({ silent: true })).toEqual([]);
    second.close();
    expect(bytesIn(folder)).not.toContain("zebra");
    expect(statSync(join(folder, "history.db")).size).toBeLessThan(64 * 1024);
    expect(statSync(join(folder, "history.db")).mode & 0o777).toBe(0o600);
  });

  it("removes the oldest runs beyond its age and size", () => {
    const { open } = keep(Array.from({ length: 12 }, (_, at) => ({ prompt: `run ${at}` })));
    const byAge = open({ nowMs: START_MS + 30 * 24 * HOUR_MS + 3.5 * HOUR_MS });
    expect(promptsOf(byAge.list({})).at(-1)).toBe("run 4");
    byAge.close();
    const noise = () => Array.from({ length: 3_000 }, () => Math.random().toString(36)).join(" ");
    const large = keep(Array.from({ length: 40 }, (_, at) => ({ prompt: `run ${at}`, injected: `${at} ${noise()}` })));
    const history = large.open({ bounds: { days: 30, mb: 1 } });
    const kept = history.list({});
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.length).toBeLessThan(40);
    expect(kept[0]?.prompt).toBe("run 39");
    expect(history.find(kept[0]?.key ?? "")?.injected).toMatch(/^39 /);
    history.close();
    expect(statSync(join(large.folder, "history.db")).size).toBeLessThan(1_000_000);
  });

  it.each([
    ["no database", () => Buffer.from("this is no database".repeat(1_000))],
    ["an empty file", () => Buffer.alloc(0)],
    ["half of one", (whole: Buffer) => whole.subarray(0, whole.length / 2)],
    [
      "flipped bytes in every page",
      (whole: Buffer) => whole.map((byte, at) => (at > 100 && at % 97 === 0 ? 255 - byte : byte)),
    ],
  ])("sets a store aside that is %s and starts a new one, without losing later runs", (_, damage) => {
    const { open, folder } = keep(Array.from({ length: 30 }, (__, at) => ({ prompt: `run ${at}` })));
    open().close();
    const file = join(folder, "history.db");
    writeFileSync(file, damage(readFileSync(file)));
    appendToSpool(folder, toRecord(makeRun("after", { startMs: START_MS + 20 * HOUR_MS })));
    const history = open();
    expect(promptsOf(history.list({ limit: 100 }))).toContain("after");
    history.close();
  });

  it("leaves the store of a newer program unchanged and says so", () => {
    const { open, folder, env } = keep([{ prompt: "one" }]);
    open().close();
    const database = openDatabase(join(folder, "history.db"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    copyFileSync(join(folder, "history.db"), join(folder, "copy"));
    const opened = openRunHistory({ env, nowMs: START_MS });
    expect(opened).toMatchObject({ ok: false, fault: { message: "the history was written by a newer version (99)" } });
    expect(readFileSync(join(folder, "history.db"))).toEqual(readFileSync(join(folder, "copy")));
  });

  it("reports that there is no folder for state", () => {
    expect(openRunHistory({ env: {}, nowMs: 0 })).toMatchObject({ ok: false, fault: { code: "E_CONFIG" } });
    const file = join(makeFolder({ state: "" }), "state");
    expect(openRunHistory({ env: { GROUNDWORK_HOME: file }, nowMs: 0 }).ok).toBe(false);
  });

  it("brings a store of an older version up to date: runs without a reason get their last limit", () => {
    const { open, folder } = keep([{ prompt: "one" }, { prompt: "two", injected: "" }]);
    open().close();
    const database = openDatabase(join(folder, "history.db"));
    database.exec("ALTER TABLE runs DROP COLUMN reason; PRAGMA user_version = 2");
    database.close();
    const history = open();
    expect(history.list({ silent: true }).map(({ reason }) => reason)).toEqual(["two", ""]);
    expect(history.stats({}).silent_reasons).toEqual({ two: 1 });
    history.close();
  });

  it("moves a folder in place of the store aside", () => {
    const { open, folder } = keep([{ prompt: "one" }]);
    mkdirSync(join(folder, "history.db", "x"), { recursive: true });
    const history = open();
    expect(promptsOf(history.list({}))).toEqual(["one"]);
    history.close();
  });

  it("imports every run once with two concurrent readers", () => {
    const { open, folder } = keep([{ prompt: "one" }]);
    const [first, second] = [open(), open()];
    appendToSpool(folder, toRecord(makeRun("two", { startMs: START_MS + HOUR_MS })));
    second.refresh(START_MS + HOUR_MS);
    first.refresh(START_MS + HOUR_MS);
    expect(promptsOf(first.list({}))).toEqual(["two", "one"]);
    expect(promptsOf(second.list({}))).toEqual(["two", "one"]);
    first.close();
    second.close();
  });
});
