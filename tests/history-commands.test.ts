import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../src/base/sqlite.ts";
import { RunDocument } from "../src/contract/run-document.ts";
import type { RunRow, RunStats } from "../src/contract/run-history.ts";
import { DECISIVE_FILE, makeScratch, PROMPT, type Scratch } from "./e2e/scratch.ts";
import { groundwork } from "./support/doors.ts";
import { makeRepo } from "./support/git-repo.ts";
import { KEYS, startOnTerminal } from "./support/pseudo-terminal.ts";
import { runDoor, runPool } from "./support/run-door.ts";
import { type Ended, runProgram } from "./support/run-program.ts";

/** Root may write everywhere; without its capabilities it is an ordinary user. */
const POWERLESS = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : [];
const CHINESE = "rateFor 的税率在哪里计算？";
const CHAT = "thanks, my daughter Amelie turns seven on Sunday";

let scratch: Scratch;
let other: string;
let env: Record<string, string>;
/** A history made by real runs; each test gets a copy. */
let kept: string;
let state: string;
/** What the hook injected for PROMPT. */
let injected: string;

/** Runs a command line in the repository. */
function run(
  args: readonly string[],
  { cwd = scratch.repo, more = {} as Record<string, string>, powerless = false } = {},
): Ended {
  const [command = groundwork, ...rest] = powerless ? [...POWERLESS, groundwork] : [groundwork];
  const { status, stdout, stderr } = spawnSync(command, [...rest, ...args], {
    cwd,
    env: { ...env, ...more },
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}

/** Runs several command lines, a few of them concurrently. */
function runAll(all: readonly (readonly string[])[]): Promise<Ended[]> {
  return runPool(all, 3, (args) => runProgram(groundwork, args, { cwd: scratch.repo, env }));
}

/** The same for a command that prints only JSON. */
function json<T>(args: readonly string[], how: Parameters<typeof run>[1] = {}): T {
  const { code, stdout, stderr } = run(args, how);
  expect([args, code, stderr]).toEqual([args, 0, ""]);
  return JSON.parse(stdout) as T;
}

const rowsOf = (args: readonly string[] = []) => json<RunRow[]>(["runs", "--json", "--limit", "99", ...args]);

async function ask(prompt: string, { cwd = scratch.repo, more = {} as Record<string, string> } = {}): Promise<string> {
  const answer = await runDoor({ cwd, env: { ...env, ...more }, input: JSON.stringify({ prompt }) });
  return String(JSON.parse(answer.stdout.toString("utf8")).hookSpecificOutput?.additionalContext ?? "");
}

beforeAll(async () => {
  scratch = await makeScratch();
  other = makeRepo([
    { files: { "src/gate.ts": "export function openGate(): void {}\n" }, subject: "a", at: "2026-01-01T00:00:00Z" },
  ]);
  kept = join(scratch.home, "kept");
  state = join(scratch.home, "state");
  env = { ...scratch.env, GROUNDWORK_HOME: kept };
  // On a busy machine a run may have no time to find anything: then all runs are repeated.
  while ((await makeRuns()) < 4);
  env = { ...env, GROUNDWORK_HOME: state };
}, 240_000);

/** Makes the history from scratch. Returns how many of the runs have evidence. */
async function makeRuns(): Promise<number> {
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept, { mode: 0o700 });
  injected = await ask(PROMPT);
  await ask(CHAT);
  await ask(CHINESE, { more: { CI_ORCH_CLIENT_NAME: "codex" } });
  run(["try", "where is openGate defined?"], { cwd: other });
  run(["try", "where is openGate defined?"], { cwd: other, more: { GROUNDWORK_HISTORY: "no-prompts" } });
  await ask(PROMPT, { more: { CI_AUTO_TOOLS_MODE: "plan" } });
  // Every reader moves all runs into the store.
  return json<{ readonly with_evidence: number }>(["stats", "--json"]).with_evidence;
}
beforeEach(() => {
  if (existsSync(state)) spawnSync("chmod", ["-R", "u+rwX", state]);
  rmSync(state, { recursive: true, force: true });
  cpSync(kept, state, { recursive: true });
  chmodSync(state, 0o700);
  chmodSync(join(state, "history"), 0o700);
});
afterAll(() => scratch[Symbol.asyncDispose]());

describe("[K 2] groundwork runs", () => {
  it("lists the runs of all repositories, newest first, and silent ones only on request", () => {
    const rows = rowsOf(["--silent"]);
    expect(rows.map(({ door, client, outcome, repo }) => [door, client, outcome, repo])).toEqual([
      ["hook", "claude-code", "plan", scratch.repo],
      ["cli", "claude-code", "evidence", other],
      ["cli", "claude-code", "evidence", other],
      ["hook", "codex-cli", "evidence", scratch.repo],
      ["hook", "claude-code", "silent", scratch.repo],
      ["hook", "claude-code", "evidence", scratch.repo],
    ]);
    expect(rowsOf()).toEqual(rows.filter(({ outcome }) => outcome !== "silent"));
    expect(JSON.stringify(rows)).not.toContain("Amelie");
    const times = rows.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    const { code, stdout, stderr } = run(["runs"]);
    expect([code, stderr]).toEqual([0, ""]);
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(/^when +outcome +repository +by +chars +ms +id +question$/);
    expect(lines[4]).toMatch(/ evidence +repo +codex-cli +[\d,]+ +[\d,]+ +[0-9a-f]{6} {2}rateFor 的税率在哪里计算？$/);
    expect(stdout).toMatch(/\n\n1 silent run left out; with them: --silent\n$/);
  });

  it("filters by repository, also from a subfolder, and by time; reports what a limit leaves out", () => {
    expect(new Set(rowsOf(["--repo", join(scratch.repo, "src")]).map(({ repo }) => repo))).toEqual(
      new Set([scratch.repo]),
    );
    expect(rowsOf(["--since", "2h"])).toHaveLength(5);
    expect(rowsOf(["--since", "2100-01-01"])).toEqual([]);
    expect(run(["runs", "--since", "2100-01-01"]).stdout).toBe("No kept run matches.\n");
    expect(run(["runs", "--limit", "2"]).stdout).toContain("\n3 more runs; all of them: --limit 5\n");
    const limited = run(["runs", "--limit", "2", "--json"]);
    expect([JSON.parse(limited.stdout).length, limited.stderr]).toEqual([
      2,
      "groundwork: 3 more; all of them: --limit 5\n",
    ]);
  });

  it("accepts the name of a deleted repository", () => {
    const gone = makeRepo([{ files: { "a.ts": "export const a = 1;\n" }, subject: "a", at: "2026-01-01T00:00:00Z" }]);
    run(["try", "where is a defined in a.ts?"], { cwd: gone });
    rmSync(gone, { recursive: true });
    expect(rowsOf(["--repo", gone, "--silent"])).toHaveLength(1);
    expect(json(["runs", "purge", "--repo", gone, "--json"])).toEqual({ removed: 1, aside: 0 });
  });

  it("--jsonl exports all runs, one object per line", () => {
    for (let at = 0; at < 25; at++)
      appendFileSync(join(state, "history/spool.jsonl"), spoolLine({ at: Date.now() - at * 1_000 }));
    const { code, stdout } = run(["runs", "--jsonl", "--silent"]);
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as RunRow);
    expect([code, rows.length]).toEqual([0, 31]);
    expect(rows).toEqual(rowsOf(["--silent"]));
    expect(run(["runs"]).stdout).toContain("10 more runs");
  });

  it("--follow prints new runs until Ctrl-C", async () => {
    const child = spawn(groundwork, ["runs", "--follow", "--jsonl", "--limit", "1"], {
      cwd: scratch.repo,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines = linesOf(child.stdout);
    expect(await lines.next()).toMatchObject({ outcome: "plan" });
    await ask(PROMPT);
    expect(await lines.next()).toMatchObject({ outcome: "evidence", client: "claude-code" });
    // A run that started before the last one and ended after it; and a silent one, which was not requested.
    await ask(CHAT);
    appendFileSync(join(state, "history/spool.jsonl"), spoolLine({ at: Date.now() - 60_000, run_id: "late" }));
    expect(await lines.next()).toMatchObject({ run_id: "late" });
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([130, null]);
    expect(lines.rest()).toBe("");
  });

  it("--follow ends when nobody reads its output", async () => {
    const script = `"$0" runs --follow --jsonl | head -n 1`;
    const child = spawn("/bin/sh", ["-c", script, groundwork], {
      cwd: scratch.repo,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "close");
    // The reader exits after the first line, the writer when it prints the next one.
    await once(child.stdout, "data");
    await ask(PROMPT);
    expect(await ended).toEqual([0, null]);
  });

  it("--follow on a terminal keeps its columns and leaves a clean line", async () => {
    await using terminal = startOnTerminal([groundwork, "runs", "--follow", "--limit", "1"], {
      cwd: scratch.repo,
      env: { ...env, NO_COLOR: "1" },
    });
    await terminal.until(/when +outcome .*question\r\n/);
    await terminal.until(/plan.*\r\n/);
    await ask("where is computeTotal defined?");
    expect(await terminal.until("computeTotal")).toMatch(/^\d\d:\d\d:\d\d {2}evidence/);
    terminal.type(KEYS.ctrlC);
    expect(await terminal.ended).toBe(130);
    expect(terminal.printed()).toMatch(/\n$/);
  });

  const WRONG: readonly (readonly [readonly string[], string])[] = [
    [["runs", "--since", "soon"], "--since takes 30s, 10m, 2h or 7d, or a date such as 2026-01-31"],
    [["runs", "--since", "2w"], "--since takes"],
    [["runs", "--limit", "0"], "--limit takes a whole number from 1 to"],
    [["runs", "--limit", "many"], "--limit takes"],
    [["runs", "--json", "--jsonl"], "--json and --jsonl do not go together"],
    [["runs", "--json", "--follow"], "--follow goes with --jsonl"],
    [
      ["runs", "--repo", "/proc/nowhere/at/all"],
      "--repo /proc/nowhere/at/all is not a folder, and no runs of it are kept",
    ],
    [["runs", "--all"], '--all goes with "runs purge"'],
    [["runs", "list"], "runs knows one command, purge, not list"],
    [["runs", "purge"], "runs purge needs --all, --repo DIR or --before WHEN"],
    [["runs", "purge", "--before", "2026-02-31"], "--before takes"],
    [["runs", "purge", "--all", "--before", "2d"], "--all goes with neither"],
    [["runs", "purge", "--all", "--limit", "3"], '--limit goes with "runs" alone'],
    [["show", "a", "b"], "show takes one run; two with --diff"],
    [["show", "--diff", "last"], "show --diff takes two runs"],
    [["show", "--injected", "--json"], "--injected goes with neither"],
    [["show", "abc", "--repo", "."], "--repo goes with last"],
    [["stats", "now"], "stats takes no arguments"],
    [["stats", "--since", "x"], "--since takes"],
    [["mark"], "mark takes useful or useless"],
    [["mark", "great"], "mark takes useful or useless"],
    [["mark", "useful", "a", "b"], "mark takes one run"],
  ];

  it("explains errors in the command line", async () => {
    const ended = await runAll(WRONG.map(([args]) => args));
    expect(ended).toEqual(
      WRONG.map(([, message]) => ({ code: 2, stdout: "", stderr: expect.stringContaining(`groundwork: ${message}`) })),
    );
  });
});

describe("[K 2] groundwork runs purge", () => {
  it("deletes by repository, by time or everything, without asking if there is no terminal", () => {
    expect(run(["runs", "purge", "--repo", other])).toMatchObject({ code: 0, stdout: `2 runs of ${other} removed.\n` });
    expect(rowsOf(["--silent"])).toHaveLength(4);
    expect(run(["runs", "purge", "--before", "7d"]).stdout).toMatch(
      /^There were no runs from before \d{4}-\S+ \d\d:\d\d to remove\.\n$/,
    );
    expect(json(["runs", "purge", "--before", "2100-01-01", "--repo", ".", "--json"])).toEqual({
      removed: 4,
      aside: 0,
    });
    expect(run(["runs", "purge", "--all"]).stdout).toBe("There were no runs to remove.\n");
    const bytes = readdirSync(join(state, "history")).map((name) =>
      readFileSync(join(state, "history", name), "latin1"),
    );
    expect(bytes.join("")).not.toContain("rateFor");
  });

  it("asks on a terminal, says what will be deleted, and accepts no", async () => {
    const place = { cwd: scratch.repo, env };
    {
      await using terminal = startOnTerminal([groundwork, "runs", "purge", "--all"], place);
      await terminal.until("Remove 6 runs for good? [y/N] ");
      terminal.type(`n${KEYS.enter}`);
      await terminal.until("Nothing was removed.");
      expect(await terminal.ended).toBe(1);
    }
    expect(rowsOf(["--silent"])).toHaveLength(6);
    {
      await using terminal = startOnTerminal([groundwork, "runs", "purge", "--all"], place);
      await terminal.until("[y/N] ");
      terminal.type(`y${KEYS.enter}`);
      await terminal.until("6 runs removed.");
      expect(await terminal.ended).toBe(0);
    }
    await using terminal = startOnTerminal([groundwork, "runs", "purge", "--all", "--yes"], place);
    await terminal.until("There were no runs to remove.");
    expect(terminal.printed()).not.toContain("[y/N]");
  });
});

describe("[K 2] [AC-015] groundwork show: audit a run by its id", () => {
  it("accepts a run id, a key, the end of a key, or nothing for the last run of this repository", () => {
    const rows = rowsOf();
    const own = rows.find(({ client }) => client === "codex-cli");
    const documents = [own?.run_id, own?.key, own?.key.slice(-6), "last", ""].map((id) =>
      json<RunDocument>(["show", ...(id === "" || id === undefined ? [] : [id]), "--json"]),
    );
    for (const document of documents) {
      expect(RunDocument.safeParse(document).success).toBe(true);
      expect(document).toEqual(documents[0]);
    }
    expect(documents[0]).toMatchObject({ run_id: own?.run_id, inputs: { prompt: CHINESE, repo_root: scratch.repo } });
    const elsewhere = run(["show", "last", "--repo", scratch.repo, "--json"], { cwd: "/" });
    expect(JSON.parse(elsewhere.stdout)).toEqual(documents[0]);
    expect(run(["show", "--json"], { cwd: other }).code).toBe(1);
  });

  it("--injected prints exactly the bytes that the model received", () => {
    const [first] = rowsOf().toReversed();
    const { code, stdout, stderr } = run(["show", first?.key ?? "", "--injected"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(injected);
    expect(stdout.length).toBe(first?.injected_chars);
    expect(stdout).toContain(DECISIVE_FILE);
  });

  it("shows question, reasons, plan, time, results, findings, limits, size and next steps", () => {
    const [first] = rowsOf().toReversed();
    const { code, stdout } = run(["show", first?.run_id ?? ""]);
    expect(code).toBe(0);
    for (const part of [
      `Run ${first?.run_id}\n  outcome     evidence\n`,
      "Question\n  checkout fails with",
      /\nTaken for debug, confidence [01]\.\d\d, because of\n/,
      /\nPlan \(5,000 ms, 3 at once, at most 12,000 characters\)\n/,
      /\n {2}all +[█▏▎▍▌▋▊▉]+░* +[\d.,]+ ms {2}of 5,000 ms\n/,
      /\n {2}run tools +█/,
      /\nResults\n {2}ci_index_status +ok/,
      new RegExp(`\\n +\\d\\. +${DECISIVE_FILE}:\\d+ +rateFor +ci_`),
      /\nInjected\n {2}[█▏▎▍▌▋▊▉]+░+ {2}[\d,]+ of 9,500 characters\n/,
      `groundwork show ${first?.key.slice(-6)} --injected`,
      `groundwork mark useful ${first?.key.slice(-6)}`,
    ])
      expect(stdout).toMatch(typeof part === "string" ? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : part);
  });

  it("shows what is known of silent runs and runs without text, and why there is no more", () => {
    const [, hidden, , , silent] = rowsOf(["--silent"]);
    const told = run(["show", silent?.run_id ?? ""]);
    expect(told.stdout).toContain("the prompt was not about code");
    expect(told.stdout).toContain("Injected\n  nothing\n");
    expect(run(["show", silent?.key ?? "", "--injected"])).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("injected nothing"),
    });
    expect(run(["show", silent?.key ?? "", "--json"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("no document of run silent-"),
    });
    expect(run(["show", hidden?.key ?? ""]).stdout).toContain("history was set to no-prompts");
    expect(run(["show", hidden?.key ?? "", "--injected"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("is not kept: history was set to no-prompts"),
    });
  });

  it("shows the newest run of all, and says so, if this repository has none; suggests an id close to an unknown one", () => {
    const empty = makeRepo([{ files: { "a.ts": "" }, subject: "a", at: "2026-01-01T00:00:00Z" }]);
    const { code, stdout, stderr } = run(["show"], { cwd: empty });
    expect([code, stderr]).toEqual([
      0,
      "groundwork: no run with evidence is kept of this repository; this is the newest of all\n",
    ]);
    expect(stdout).toContain(other);
    expect(run(["show", "last", "--repo", empty])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(`no run with evidence is kept of ${empty}`),
    });
    const [row] = rowsOf();
    const id = row?.run_id ?? "";
    const wrong = `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`;
    expect(run(["show", wrong])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `groundwork: no run ${wrong} is kept; did you mean ${id}? "groundwork runs --silent" lists all\n`,
    });
    expect(run(["show", "nonsense\u001b[2J"]).stderr).toBe(
      'groundwork: no run nonsense is kept; "groundwork runs --silent" lists all\n',
    );
  });

  it("--diff shows how two runs differ", async () => {
    writeFileSync(join(scratch.repo, "src/tax/round.ts"), "/** Rounds. */\nexport const rateForRound = rateFor;\n");
    await ask(PROMPT);
    const rows = rowsOf().filter(({ prompt, outcome }) => prompt.startsWith("checkout") && outcome === "evidence");
    rmSync(join(scratch.repo, "src/tax/round.ts"));
    const [now, before] = rows;
    const { code, stdout } = run(["show", "--diff", before?.key ?? "", now?.key ?? ""]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nFindings\n/);
    expect(stdout).toMatch(/\n {2}\+ {2}src\/tax\/round\.ts:\d/);
    expect(stdout).toMatch(/\nInjected text\n {2}@@ line \d+ @@\n/);
    const compared = json<{ findings: { came: { path: string }[] }; injected: string[] }>([
      "show",
      "--diff",
      before?.key ?? "",
      now?.key ?? "",
      "--json",
    ]);
    expect(compared.findings.came.map(({ path }) => path)).toContain("src/tax/round.ts");
    expect(compared.injected.some((line) => line.startsWith("+") && line.includes("round.ts"))).toBe(true);
    expect(run(["show", "--diff", "last", "nothing"]).code).toBe(1);
  });
});

describe("[K 2] groundwork stats and groundwork mark", () => {
  it("counts all runs, or some of them", () => {
    const stats = json<RunStats>(["stats", "--json"]);
    expect(stats).toMatchObject({ runs: 6, with_evidence: 4, silent: 1, repeated: 2, useful: 0, useless: 0 });
    expect(stats.latency_ms.p95).toBeGreaterThanOrEqual(stats.latency_ms.p50);
    expect(stats.tools["ci_search"]).toBe(5);
    expect(stats.per_day.reduce((all, { runs }) => all + runs, 0)).toBe(6);
    expect(json<RunStats>(["stats", "--repo", other, "--json"])).toMatchObject({ runs: 2, silent: 0 });
    expect(json<RunStats>(["stats", "--since", "2100-01-01", "--json"])).toMatchObject({ runs: 0, per_day: [] });
    expect(run(["stats", "--since", "2100-01-01"]).stdout).toBe("No kept run matches.\n");
    const { stdout } = run(["stats", "--since", "7d"]);
    for (const part of [
      "6 runs, ",
      "with evidence",
      "67 %",
      "half within",
      "asked again",
      "ci_search",
      "not about this repository's code",
    ])
      expect(stdout).toContain(part);
  });

  it("stores, shows and counts a verdict, which can be changed", () => {
    const [row] = rowsOf(["--repo", "."]).filter(({ outcome }) => outcome === "evidence");
    const marked = run(["mark", "useful"]);
    expect(marked).toEqual({ code: 0, stdout: `Run ${row?.run_id} is marked useful: ${CHINESE}\n`, stderr: "" });
    expect(run(["show"]).stdout).toContain("outcome     evidence, marked useful\n");
    expect(run(["runs"]).stdout).toMatch(/evidence +useful/);
    expect(json<RunStats>(["stats", "--json"])).toMatchObject({ useful: 1, useless: 0 });
    expect(json(["mark", "useless", row?.run_id ?? "", "--json"])).toEqual({
      run_id: row?.run_id,
      key: row?.key,
      verdict: "useless",
    });
    expect(json<RunStats>(["stats", "--json"])).toMatchObject({ useful: 0, useless: 1 });
    expect(run(["mark", "useful", "nothing"])).toMatchObject({ code: 1, stdout: "" });
  });
});

describe("[K 2] a history in an unexpected state", () => {
  const COMMANDS = [
    ["runs"],
    ["runs", "--json"],
    ["runs", "--follow"],
    ["show"],
    ["stats"],
    ["mark", "useful"],
    ["runs", "purge", "--all"],
  ];

  it("that is empty: says what to do; JSON stays JSON", () => {
    rmSync(state, { recursive: true });
    mkdirSync(state, { mode: 0o700 });
    for (const args of [["runs"], ["stats"]]) {
      const { code, stdout } = run(args);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^No runs are kept yet\.[\s\S]*groundwork install[\s\S]*groundwork try /),
      ]);
    }
    expect(json(["runs", "--json"])).toEqual([]);
    expect(json<RunStats>(["stats", "--json"])).toMatchObject({ runs: 0, latency_ms: { p50: 0, p95: 0 }, per_day: [] });
    expect(run(["show"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("no run with evidence is kept"),
    });
    expect(run(["mark", "useful"]).code).toBe(1);
  });

  it("that is switched off: says so, and by what", () => {
    rmSync(state, { recursive: true });
    mkdirSync(state, { mode: 0o700 });
    expect(run(["runs"], { more: { GROUNDWORK_HISTORY: "off" } }).stdout).toMatch(
      /^No runs are kept: history is off \(environment\)\./,
    );
    run(["try", PROMPT], { more: { GROUNDWORK_HISTORY: "off" } });
    expect(rowsOf(["--silent"])).toEqual([]);
  });

  it("that is damaged: sets the store aside, reports it in the doctor, and can purge it", () => {
    writeFileSync(join(state, "history/history.db"), "no database at all ".repeat(1_000));
    writeFileSync(join(state, "history/history.db-journal"), "");
    appendFileSync(join(state, "history/spool.jsonl"), spoolLine({ at: Date.now(), run_id: "after" }));
    const before = json<{ checks: { group: string; name: string; status: string; measured: string }[] }>([
      "doctor",
      "--json",
    ]);
    expect(before.checks.filter(({ group }) => group === "history")).toMatchObject([
      { name: "store", status: "warn", measured: expect.stringContaining("not a database") },
      { name: "setting" },
    ]);
    expect(rowsOf().map(({ run_id }) => run_id)).toEqual(["after"]);
    const after = json<typeof before>(["doctor", "--json"]);
    expect(after.checks.filter(({ group }) => group === "history")).toMatchObject([
      { name: "store", status: "ok", measured: expect.stringMatching(/^1 run, /) },
      { name: "setting", measured: "full (default), for 30 days, 50 MB at most" },
      { name: "set aside", status: "warn" },
    ]);
    expect(run(["runs", "purge", "--before", "30d"]).stdout).toMatch(
      / to remove\. 2 damaged files that had been set aside were removed, too\.\n$/,
    );
    expect(readdirSync(join(state, "history")).filter((name) => name.includes("aside"))).toEqual([]);
  });

  it("that is locked by another process: says so, and loses nothing", async () => {
    appendFileSync(join(state, "history/spool.jsonl"), spoolLine({ at: Date.now(), run_id: "waiting" }));
    const holder = openDatabase(join(state, "history/history.db"));
    holder.exec("BEGIN EXCLUSIVE");
    const said = "groundwork: another process is writing the history; try again\n";
    expect(await runAll(COMMANDS)).toEqual(COMMANDS.map(() => ({ code: 50, stdout: "", stderr: said })));
    holder.exec("ROLLBACK");
    holder.close();
    expect(rowsOf(["--silent"])).toHaveLength(7);
    expect(rowsOf().map(({ run_id }) => run_id)).toContain("waiting");
  });

  it("that another process blocks: does not make the change", async () => {
    const holder = openDatabase(join(state, "history/history.db"));
    // Readers are not blocked.
    holder.exec("BEGIN IMMEDIATE");
    const [list, mark, purge] = await runAll([
      ["runs", "--json"],
      ["mark", "useful"],
      ["runs", "purge", "--all"],
    ]);
    expect(list).toMatchObject({ code: 0, stderr: "" });
    expect([mark, purge]).toMatchObject([
      { code: 50, stdout: "" },
      { code: 50, stdout: "" },
    ]);
    holder.exec("ROLLBACK");
    holder.close();
    expect(rowsOf(["--silent"]).map(({ verdict }) => verdict)).toEqual([null, null, null, null, null, null]);
  });

  it("that a newer version wrote: leaves it alone", async () => {
    const database = openDatabase(join(state, "history/history.db"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    for (const args of COMMANDS)
      expect(run(args)).toMatchObject({ code: 20, stdout: "", stderr: expect.stringContaining("newer version") });
    const { code, stdout } = run(["doctor", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).checks).toContainEqual(
      expect.objectContaining({ group: "history", status: "fail", measured: expect.stringContaining("newer") }),
    );
  });

  it("in a folder that is not writable: is still read, even with expired runs", () => {
    appendFileSync(join(state, "history/spool.jsonl"), spoolLine({ at: Date.now() - 20 * 86_400_000, run_id: "old" }));
    expect(rowsOf(["--silent"])).toHaveLength(7);
    spawnSync("chmod", ["-R", "a-w", join(state, "history")]);
    const how = { powerless: true, more: { GROUNDWORK_HISTORY_DAYS: "10" } };
    expect(json<RunRow[]>(["runs", "--json", "--silent"], how)).toHaveLength(7);
    expect(run(["show", "old"], how)).toMatchObject({ code: 0 });
    expect(json<RunStats>(["stats", "--json"], how)).toMatchObject({ runs: 7 });
    for (const args of [
      ["mark", "useful"],
      ["runs", "purge", "--all"],
    ])
      expect(run(args, how)).toMatchObject({
        code: 20,
        stdout: "",
        stderr: expect.stringContaining("readonly database"),
      });
    expect(readdirSync(join(state, "history")).filter((name) => name.includes("aside"))).toEqual([]);
  });

  it("without a home: says what to set", () => {
    for (const args of COMMANDS) {
      const { code, stdout, stderr } = run(args, { more: { HOME: "", GROUNDWORK_HOME: "", XDG_CACHE_HOME: "" } });
      expect([args, code, stdout, stderr]).toEqual([
        args,
        20,
        "",
        "groundwork: there is no folder for a history of runs; set GROUNDWORK_HOME to a folder\n",
      ]);
    }
  });
});

/** Returns a line of the spool as a door would write it. */
function spoolLine({ at, run_id = "spooled" }: { readonly at: number; readonly run_id?: string }): string {
  const time = Math.floor(at).toString(36).padStart(9, "0");
  const row = {
    key: `${time}-${Math.random().toString(16).slice(2, 14).padEnd(16, "0")}`,
    run_id,
    created_at: new Date(at).toISOString(),
    repo: scratch.repo,
    door: "library",
    client: "claude-code",
    intent: "explore",
    outcome: "evidence",
    injected_chars: 12,
    duration_ms: 3,
    tools: ["ci_search"],
    limits: [],
    prompt: "where?",
  };
  return `\n${JSON.stringify({ row, at: Math.floor(at), hash: "" })}\n`;
}

/** Reads JSON lines from a stream, one after the other. */
function linesOf(stream: NodeJS.ReadableStream) {
  let text = "";
  stream.setEncoding("utf8").on("data", (more: string) => {
    text += more;
  });
  return {
    next: async (): Promise<unknown> => {
      while (!text.includes("\n")) await once(stream, "data");
      const end = text.indexOf("\n");
      const line = text.slice(0, end);
      text = text.slice(end + 1);
      return JSON.parse(line);
    },
    rest: () => text,
  };
}
