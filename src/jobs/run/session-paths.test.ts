import { existsSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { systemClock } from "../../base/clock.ts";
import { openRunSession, type RunSession } from "./session-paths.ts";

const NOW_MS = Date.UTC(2026, 10, 16, 9, 8, 59);
const CLOCK = { ...systemClock, nowMs: () => NOW_MS };
const USUAL = { logFile: null, logFolder: null, isFlat: false, tag: "" };

function open(cwd: string, options: Partial<typeof USUAL> | { logFile?: string; logFolder?: string } = {}, env = {}) {
  const deps = { env, cwd, clock: CLOCK, sessionsRoot: join(cwd, ".codex-father/sessions") };
  return openRunSession({ ...USUAL, ...options }, deps);
}

function opened(...args: Parameters<typeof open>): RunSession {
  const session = open(...args);
  if (!session.ok) throw new Error(session.fault.message);
  return session.value;
}

describe("the location of a run's files [CNI-11]", () => {
  it("is a folder of its own, with the tag in its name", () => {
    const cwd = makeFolder();
    const folder = join(cwd, ".codex-father/sessions/exec-20261116_090859-my-tag");
    expect(opened(cwd, { tag: "my tag" })).toEqual({
      timestamp: "20261116_090859",
      tag: "my-tag",
      name: "20261116_090859-my-tag",
      isNamed: false,
      paths: {
        folder,
        log: join(folder, "job.log"),
        base: join(folder, "job"),
        instructions: join(folder, "job.instructions.md"),
        meta: join(folder, "job.meta.json"),
        events: join(folder, "job.events.jsonl"),
      },
      outcome: join(folder, "outcome.json"),
      mark: folder,
    });
    for (const path of [folder, join(cwd, ".codex-father"), join(cwd, ".codex-father/sessions")])
      expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it.each([
    ["flat", { isFlat: true, tag: "t" }, {}, ".codex-father/sessions/codex-20261116_090859-t"],
    ["flat without a tag", { isFlat: true }, {}, ".codex-father/sessions/codex-20261116_090859"],
    ["--log-file", { logFile: "logs/mine.log" }, {}, "logs/mine"],
    ["--log-file with another ending", { logFile: "mine.txt" }, {}, "mine.txt"],
    ["--log-dir", { logFolder: "logs" }, {}, "logs/exec-20261116_090859/job"],
    ["--log-dir and flat", { logFolder: "logs", isFlat: true }, {}, "logs/codex-20261116_090859"],
    ["CODEX_SESSIONS_ROOT", {}, { CODEX_SESSIONS_ROOT: "all" }, "all/exec-20261116_090859/job"],
    [
      "CODEX_SESSIONS_ROOT before --log-dir",
      { logFolder: "logs" },
      { CODEX_SESSIONS_ROOT: "all" },
      "all/exec-20261116_090859/job",
    ],
    ["CODEX_SESSION_DIR", {}, { CODEX_SESSION_DIR: "one" }, "one/job"],
    ["--log-file before CODEX_SESSION_DIR", { logFile: "x.log" }, { CODEX_SESSION_DIR: "one" }, "x"],
  ])("%s", (_name, options, env, base) => {
    const cwd = makeFolder();
    expect(opened(cwd, options, env).paths.base).toBe(join(cwd, base));
  });

  it("only a run that has its folder to itself uses fixed file names", () => {
    const cwd = makeFolder();
    const flat = opened(cwd, { isFlat: true });
    expect([flat.outcome, flat.mark]).toEqual([`${flat.paths.base}.outcome.json`, flat.paths.base]);
  });

  it.each([
    ["a/b c:d", "a-b-c-d"],
    ["../x", "..-x"],
    ["v1.2_ok-", "v1.2_ok-"],
    ["标签", "--"],
    ["x".repeat(300), "x".repeat(100)],
  ])("the tag %j becomes %j", (tag, clean) => {
    expect(opened(makeFolder(), { tag }).tag).toBe(clean);
  });

  it.each([{ isFlat: false }, { isFlat: true }])("runs of the same second get the next free one (%j)", (options) => {
    const cwd = makeFolder();
    const names = Array.from({ length: 5 }, () => opened(cwd, { ...options, tag: "t" }).name);
    expect(names).toEqual(
      ["59", "00", "01", "02", "03"].map((second, at) => `20261116_090${at === 0 ? 8 : 9}${second}-t`),
    );
    expect(readdirSync(join(cwd, ".codex-father/sessions"))).toHaveLength(5);
  });
});

describe("locations that are refused", () => {
  it.each([".codex-father", ".codex-father/sessions"])("%s is a link", (path) => {
    const cwd = makeFolder({ "elsewhere/sessions/.keep": "" });
    if (path !== ".codex-father") mkdirSync(join(cwd, ".codex-father"));
    symlinkSync(join(cwd, "elsewhere"), join(cwd, path));
    expect(open(cwd)).toMatchObject({
      ok: false,
      fault: { lines: [expect.stringContaining(join(cwd, path)), expect.stringContaining("link")] },
    });
    expect(readdirSync(join(cwd, "elsewhere"))).toEqual(["sessions"]);
  });

  it.each([".codex-father", ".codex-father/sessions", ".codex-father/sessions/cdx-1"])(
    "the folder named for the run lies below a link: %s",
    (path) => {
      const cwd = makeFolder({ "elsewhere/.keep": "" });
      mkdirSync(join(cwd, path, ".."), { recursive: true });
      symlinkSync(join(cwd, "elsewhere"), join(cwd, path));
      expect(open(cwd, {}, { CODEX_SESSION_DIR: ".codex-father/sessions/cdx-1" })).toMatchObject({ ok: false });
      expect(readdirSync(join(cwd, "elsewhere"))).toEqual([".keep"]);
    },
  );

  it("a link in place of the next run's folder or log is not followed", () => {
    const cwd = makeFolder({ "elsewhere/.keep": "", ".codex-father/sessions/.keep": "" });
    const root = join(cwd, ".codex-father/sessions");
    symlinkSync(join(cwd, "elsewhere"), join(root, "exec-20261116_090859"));
    symlinkSync(join(cwd, "elsewhere/new"), join(root, "codex-20261116_090859.log"));
    expect(opened(cwd).name).toBe("20261116_090900");
    expect(opened(cwd, { isFlat: true }).name).toBe("20261116_090900");
    expect(existsSync(join(cwd, "elsewhere/new"))).toBe(false);
  });

  it("a folder that cannot be created", () => {
    const cwd = makeFolder({ file: "" });
    for (const [options, env] of [
      [{ logFile: "file/x.log" }, {}],
      [{ logFolder: "file" }, {}],
      [{}, { CODEX_SESSION_DIR: "file/one" }],
    ] as const)
      expect(open(cwd, options, env)).toMatchObject({ ok: false });
    writeFileSync(join(cwd, ".codex-father"), "");
    expect(open(cwd)).toMatchObject({ ok: false, fault: { lines: [expect.anything(), expect.anything()] } });
    expect(lstatSync(join(cwd, ".codex-father")).isFile()).toBe(true);
  });
});
