import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLIENT_IDS } from "../src/contract/clients.ts";
import type { RunDocument } from "../src/contract/run-document.ts";
import { codexAutoDoor, groundwork, projectRoot, QUIET } from "./support/doors.ts";
import { makeFakeCodex } from "./support/fake-codex.ts";
import { runDoor, runPool } from "./support/run-door.ts";
import { SHOP } from "./support/shop-repo.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";

const QUESTION = "who calls priceOf?";

/** Makes a home and two repositories, and functions that run programs in them. */
function makePlace(more: Readonly<Record<string, string>> = {}) {
  const home = makeFolder();
  const root = makeFolder({ ...GIT_FILES, ...SHOP });
  const other = makeFolder({ ...GIT_FILES, ...SHOP });
  const codex = makeFakeCodex("echo answered");
  const record = join(home, ".groundwork/off.json");
  const env = {
    PATH: codex.path,
    HOME: home,
    GROUNDWORK_HOME: join(home, "state"),
    ...QUIET,
    // `off` takes precedence over it.
    CI_AUTO_TOOLS: "on",
    ...more,
  };
  const run = (args: readonly string[], { cwd = root, command = groundwork, input = "" } = {}) => {
    const done = spawnSync(command, args, { cwd, env, input, encoding: "utf8" });
    return { code: done.status, stdout: done.stdout, stderr: done.stderr };
  };
  const say = (...args: string[]) => {
    const { code, stdout, stderr } = run(args);
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };
  /** What the hook injects and shows. */
  const ask = async (cwd = root, variables: Readonly<Record<string, string>> = {}, prompt = QUESTION) => {
    const done = await runDoor({ cwd, env: { ...env, ...variables }, input: JSON.stringify({ prompt }) });
    expect(done.code).toBe(0);
    return done.stdout.toString("utf8");
  };
  const write = (off: unknown) => {
    mkdirSync(join(home, ".groundwork"), { recursive: true, mode: 0o700 });
    writeFileSync(record, typeof off === "string" ? off : JSON.stringify({ version: 1, off }));
  };
  return { home, root, other, codex, record, env, run, say, ask, write };
}

const EMPTY = '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":""}}\n';
const AT = "2026-01-01T00:00:00Z";

describe("[K 2] groundwork off and on", () => {
  it("everywhere: says what is off and how to undo it, is stored privately, and can be undone", async () => {
    const { say, ask, other, record } = makePlace();
    expect(await ask()).toContain("src/cart.ts");
    expect(
      say("off"),
    ).toBe(`Switched off everywhere, until you switch it on again: no prompt gets evidence there, in any client.
Commands and tools that are called by name still work.
Undo: groundwork on
`);
    expect(statSync(record).mode & 0o777).toBe(0o600);
    expect(await ask()).toBe(EMPTY);
    expect(await ask(other)).toBe(EMPTY);
    expect(say("on")).toBe("Switched on again everywhere.\n");
    expect(await ask()).toContain("src/cart.ts");
    expect(say("on")).toBe("It was not switched off everywhere.\n");
  });

  it("for a period that ends by itself", async () => {
    const { run, say, ask, write } = makePlace();
    const before = Date.now();
    const told = JSON.parse(say("off", "--for", "2h", "--json"));
    const after = Date.now();
    expect(told).toEqual({
      off: true,
      scope: "everywhere",
      root: null,
      until: expect.stringMatching(/^\d{4}-/),
      undo: "groundwork on",
    });
    expect(Date.parse(told.until) - before).toBeGreaterThanOrEqual(7_199_000);
    expect(Date.parse(told.until) - after).toBeLessThanOrEqual(7_200_000);
    expect(await ask()).toBe(EMPTY);
    expect(say("off", "--for", "10m")).toMatch(/^Switched off everywhere, for 10m, until \d{4}-/);
    write([{ root: null, until: "2026-01-01T00:10:00Z", at: AT }]);
    expect(await ask()).toContain("src/cart.ts");
    expect(say("on")).toBe("It was not switched off everywhere.\n");
    for (const wrong of ["2", "0s", "soon"]) {
      const { code, stderr } = run(["off", "--for", wrong]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("30s, 10m, 2h or 7d")]);
    }
  });

  it.each([
    [["--repo"]],
    [["--repo", "--for", "2h"]],
    [["--for", "2h", "--repo"]],
    [["--repo", "src"]],
    [["--repo=src"]],
  ])("in one repository: off %j", async (args) => {
    const { say, ask, root, other } = makePlace();
    expect(JSON.parse(say("off", "--json", ...args))).toMatchObject({ scope: "repository", root });
    expect(await ask()).toBe(EMPTY);
    expect(await ask(join(root, "src"))).toBe(EMPTY);
    expect(await ask(other)).toContain("src/cart.ts");
    expect(say("on", "--repo")).toBe(`Switched on again in ${root}.\n`);
    expect(await ask()).toContain("src/cart.ts");
  });

  it("says what is still off, and what else keeps it off", () => {
    const { say, root, other } = makePlace({ CI_AUTO_TOOLS: "off" });
    say("off", "--repo", other);
    say("off");
    expect(say("on", "--repo")).toBe(`It was not switched off in ${root}.
Still off in ${other}; undo: groundwork on --repo ${other}
Still off everywhere; undo: groundwork on
`);
    expect(say("on")).toBe(`Switched on again everywhere.
Still off in ${other}; undo: groundwork on --repo ${other}
Something else keeps it off here: CI_AUTO_TOOLS=off.
`);
    expect(JSON.parse(say("on", "--repo", other, "--json"))).toEqual({
      off: false,
      scope: "repository",
      root: other,
      was_off: true,
      still_off: [],
      kept_off_by: "CI_AUTO_TOOLS=off",
    });
    const filed = makePlace({ CI_AUTO_TOOLS: "" });
    mkdirSync(join(filed.home, ".groundwork"), { mode: 0o700 });
    writeFileSync(join(filed.home, ".groundwork/auto-tools.yaml"), "auto_tools: off\n");
    expect(filed.say("on")).toContain("Something else keeps it off here: auto_tools: off in the user file.");
  });

  it("explains arguments that it does not understand", () => {
    const { run, env } = makePlace();
    expect(run(["off", "now"])).toMatchObject({ code: 2, stderr: expect.stringContaining("off takes no arguments") });
    expect(run(["on", "--for", "2h"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown option --for"),
    });
    expect(run(["off", "--repo", "nowhere"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is not a folder"),
    });
    const homeless = spawnSync(groundwork, ["off"], {
      env: { ...env, HOME: "/proc/nowhere/at/all" },
      encoding: "utf8",
    });
    expect(homeless.stderr).toContain("HOME names no folder");
    expect(homeless.status).toBe(20);
  });

  it("loses nothing if run several times at once", async () => {
    const { env, record } = makePlace();
    const roots = Array.from({ length: 6 }, () => makeFolder(GIT_FILES));
    const off = (root: string) =>
      runDoor({ cwd: root, env, script: `exec '${groundwork}' off --repo` }).then(({ code }) => code);
    expect(await runPool(roots, 6, off)).toEqual(roots.map(() => 0));
    const { off: kept } = JSON.parse(readFileSync(record, "utf8")) as { off: { root: string }[] };
    expect(kept.map(({ root }) => root).toSorted()).toEqual(roots.toSorted());
  });
});

describe("[K 2] [AC-004] off is respected at every door", () => {
  it.each(CLIENT_IDS)("the hook of %s, whatever else is set", async (client) => {
    const { ask, write } = makePlace();
    const bare = await ask(undefined, { CI_ORCH_CLIENT_NAME: client, CI_AUTO_TOOLS: "off" });
    write([{ root: null, until: null, at: AT }]);
    expect(await ask(undefined, { CI_ORCH_CLIENT_NAME: client, CI_AUTO_TOOLS_TIER_MAX: "2" })).toBe(bare);
  });

  it("codex-auto, enrich, try, explain and the orchestrator; no other orchestrator is asked", () => {
    const { run, say, codex, root, env, home } = makePlace();
    say("off", "--repo");
    const limit = "switched off (groundwork off --repo; undo: groundwork on --repo)";
    const once = run([QUESTION], { command: codexAutoDoor });
    expect([once.stdout, codex.stdin(1)]).toEqual(["answered\n", QUESTION]);
    expect(once.stderr).toContain(limit);
    expect(run(["enrich", QUESTION]).stdout).toBe(`${QUESTION}\n`);
    expect(run(["try", QUESTION]).stdout).toContain(limit);
    expect(run(["explain", QUESTION]).stdout).toContain(limit);
    const door = join(projectRoot, "hooks/auto-tool-orchestrator.sh");
    const document = JSON.parse(
      run([], { command: door, input: JSON.stringify({ prompt: QUESTION }) }).stdout,
    ) as RunDocument;
    expect([document.tool_plan.tools, document.fused_context.for_user.limits_text]).toEqual([[], `[Limits] ${limit}`]);
    const listener = join(home, "listener");
    writeFileSync(listener, `#!/bin/sh\ntouch '${home}/heard'\n`, { mode: 0o755 });
    spawnSync(groundwork, ["try", QUESTION], { cwd: root, env: { ...env, CI_AUTO_TOOLS_ORCHESTRATOR_PATH: listener } });
    expect(existsSync(join(home, "heard"))).toBe(false);
    // Commands that a person runs are not affected.
    expect(say("search", "priceOf")).toContain("src/price.ts");
  });

  it("config explain and doctor report it, and how to undo it", () => {
    const { say, run } = makePlace();
    say("off", "--for", "2h");
    expect(say("config", "explain")).toMatch(/auto_tools +off +groundwork off until \d{4}-\S+ +CI_AUTO_TOOLS/);
    const { settings } = JSON.parse(say("config", "explain", "--json")) as { settings: Record<string, string>[] };
    expect(settings.find(({ key }) => key === "auto_tools")).toMatchObject({
      value: "off",
      origin: expect.stringMatching(/^groundwork off until /),
    });
    const { checks } = JSON.parse(run(["doctor", "--json"]).stdout) as { checks: Record<string, string>[] };
    expect(checks.find(({ group, name }) => group === "settings" && name === "switch")).toMatchObject({
      status: "warn",
      measured: expect.stringMatching(/^off, by "groundwork off until /),
      remedy: expect.stringContaining('run "groundwork on"'),
    });
  });

  it("unusable settings and roots are not reported while it is off", async () => {
    const { ask, write, root } = makePlace();
    write([{ root, until: null, at: AT }]);
    mkdirSync(join(root, "config"));
    writeFileSync(join(root, "config/auto-tools.yaml"), "a: [");
    expect(await ask()).toBe(EMPTY);
    write([{ root: null, until: null, at: AT }]);
    const summary = { CI_AUTO_TOOLS_REPO_ROOT: "/proc/nowhere", CI_AUTO_TOOLS_PRINT_STDERR_SUMMARY: "1" };
    expect(await ask(undefined, summary)).toBe(EMPTY);
  });
});

describe("[K 2] an unreadable record counts as off everywhere, and is reported", () => {
  const WAYS: Readonly<Record<string, (record: string) => void>> = {
    "no JSON": (record) => writeFileSync(record, "{"),
    "another version": (record) => writeFileSync(record, '{"version":2,"off":[]}'),
    "an entry that is none": (record) => writeFileSync(record, '{"version":1,"off":[{"root":"x"}]}'),
    "much too long": (record) => writeFileSync(record, " ".repeat(300_000)),
    "a folder": (record) => mkdirSync(record),
    "a pipe": (record) => void spawnSync("mkfifo", [record]),
    "a link to nowhere": (record) => symlinkSync("/proc/nowhere/at/all", record),
  };

  it.each(Object.keys(WAYS))("%s", async (way) => {
    const { ask, home, record, say, other } = makePlace({ CI_AUTO_TOOLS: "" });
    mkdirSync(join(home, ".groundwork"), { mode: 0o700 });
    WAYS[way]?.(record);
    const said = JSON.parse(await ask()) as {
      hookSpecificOutput: { additionalContext: string };
      systemMessage: string;
    };
    expect(said.hookSpecificOutput.additionalContext).toBe("");
    expect(said.systemMessage).toMatch(
      /^groundwork: switched off \(groundwork off: ~\/\.groundwork\/off\.json .*undo: groundwork on\)$/,
    );
    // Small talk shows no message.
    expect(await ask(other, {}, "thanks, have a nice weekend")).toBe(EMPTY);
    expect(say("config", "explain")).toContain("groundwork off: ~/.groundwork/off.json");
    expect(say("on")).toBe("Switched on again everywhere.\n");
    expect(await ask()).toContain("src/cart.ts");
    rmSync(join(home, ".groundwork"), { recursive: true });
  });

  it("off starts a new record", async () => {
    const { say, ask, write, other } = makePlace();
    write("damaged");
    say("off", "--repo");
    expect(await ask()).toBe(EMPTY);
    expect(await ask(other)).toContain("src/cart.ts");
  });
});
