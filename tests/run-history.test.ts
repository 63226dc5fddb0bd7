import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../src/base/sqlite.ts";
import type { RunRow } from "../src/contract/run-history.ts";
import { openRunHistory, type RunHistory } from "../src/run-history/run-history.ts";
import { makeScratch, PROMPT, type Scratch } from "./e2e/scratch.ts";
import { codexAutoDoor, groundwork, projectRoot } from "./support/doors.ts";
import { makeFakeCodex } from "./support/fake-codex.ts";
import { killMarked } from "./support/leftovers.ts";
import { makeResidentPlace, NO_NODE } from "./support/resident-place.ts";
import { answerLimitMs, runDoor } from "./support/run-door.ts";
import { until } from "./support/until.ts";

const CHAT = "thanks, my daughter Amelie turns seven on Sunday";

let scratch: Scratch;
let state: string;
let env: Record<string, string>;

beforeAll(async () => {
  scratch = await makeScratch();
  state = join(scratch.home, "state");
  env = { ...scratch.env, GROUNDWORK_HOME: state };
});
beforeEach(() => {
  // A test may have removed permissions.
  if (existsSync(state)) execFileSync("chmod", ["-R", "u+rwX", state]);
  rmSync(state, { recursive: true, force: true });
  mkdirSync(state, { mode: 0o700 });
  rmSync(join(scratch.repo, "config"), { recursive: true, force: true });
  rmSync(join(scratch.home, ".groundwork"), { recursive: true, force: true });
});
afterAll(() => scratch[Symbol.asyncDispose]());

/** Runs the hook for a prompt. */
async function ask(prompt: string, more: Record<string, string> = {}) {
  const input = JSON.stringify({ prompt, session_id: "s" });
  const answer = await runDoor({ cwd: scratch.repo, env: { ...env, ...more }, input });
  const { hookSpecificOutput, systemMessage = "" } = JSON.parse(answer.stdout.toString("utf8"));
  return { ...answer, context: String(hookSpecificOutput.additionalContext), message: String(systemMessage) };
}

function withHistory<T>(read: (history: RunHistory) => T, place = env): T {
  const opened = openRunHistory({ env: place, nowMs: Date.now() });
  if (!opened.ok) throw new Error(opened.fault.message);
  try {
    return read(opened.value);
  } finally {
    opened.value.close();
  }
}
const listRuns = (place = env): RunRow[] => withHistory((history) => history.list({ silent: true }), place);

function bytesOfState(): string {
  const files = readdirSync(state, { recursive: true, encoding: "utf8" }).map((name) => join(state, name));
  return files
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

describe("[K 1] [AC-015] every run of every door is recorded", () => {
  it("the hook: row, document, times, and exactly the injected text", async () => {
    const { context } = await ask(PROMPT);
    const found = withHistory((history) => history.find("last"));
    expect(found?.injected).toBe(context);
    expect(found?.row).toMatchObject({
      repo: scratch.repo,
      door: "hook",
      client: "claude-code",
      outcome: "evidence",
      injected_chars: context.length,
      tools: ["ci_index_status", "ci_search", "ci_graph_rag"],
    });
    expect(found?.document).toMatchObject({ run_id: found?.row.run_id, inputs: { prompt: PROMPT } });
    expect(new Set(found?.timeline.map(({ stage }) => stage))).toEqual(
      new Set(["judge", "look", "plan", "run", "conclude"]),
    );
    expect(found?.timeline.filter(({ tool }) => tool === "ci_search")).toMatchObject([{ status: "ok" }]);
    expect(Date.now() - Date.parse(found?.row.created_at ?? "")).toBeLessThan(120_000);
  });

  it("a prompt that is not about code is one short row without its text", async () => {
    await ask(CHAT);
    expect(listRuns()).toMatchObject([{ outcome: "silent", repo: scratch.repo, tools: [], prompt: "", door: "hook" }]);
    // The same if the kernel is asked, because this setting may change the judgement.
    mkdirSync(join(scratch.home, ".groundwork"));
    writeFileSync(join(scratch.home, ".groundwork", "auto-tools.yaml"), "threshold: 0.6\n");
    await ask(CHAT);
    expect(listRuns()).toHaveLength(2);
    expect(bytesOfState()).not.toContain("Amelie");
  });

  it("codex-auto, enrich, try, a plan and the orchestrator itself", async () => {
    const codex = makeFakeCodex("echo done");
    const own = { ...env, PATH: `${codex.folder}:${env["PATH"]}` };
    spawnSync(codexAutoDoor, [PROMPT], { cwd: scratch.repo, env: own });
    const [first] = listRuns();
    expect(first).toMatchObject({ door: "codex", client: "codex-cli", outcome: "evidence" });
    const given = codex.stdin(1);
    expect(given).toBe(PROMPT + withHistory((history) => history.find("last")?.injected));
    const enriched = spawnSync(groundwork, ["enrich", PROMPT], { cwd: scratch.repo, env, encoding: "utf8" });
    expect(enriched.stdout).toBe(`${PROMPT}${withHistory((history) => history.find("last")?.injected)}\n`);
    spawnSync(groundwork, ["try", PROMPT], { cwd: scratch.repo, env });
    await ask(PROMPT, { CI_AUTO_TOOLS_MODE: "plan" });
    const orchestrator = join(projectRoot, "hooks", "auto-tool-orchestrator.sh");
    spawnSync(orchestrator, [], { cwd: scratch.repo, env, input: JSON.stringify({ prompt: PROMPT }) });
    expect(listRuns().map(({ door, outcome }) => `${door} ${outcome}`)).toEqual([
      "cli evidence",
      "hook plan",
      "cli evidence",
      "cli evidence",
      "codex evidence",
    ]);
    // A plan document contains no time, but the row does.
    expect(listRuns()[1]?.created_at).not.toContain("1970");
  });

  it("single tool calls and dry runs are not recorded", () => {
    for (const args of [
      ["search", "rateFor"],
      ["call", "ci_search", '{"query":"rateFor"}'],
      ["explain", PROMPT],
    ])
      spawnSync(groundwork, args, { cwd: scratch.repo, env });
    expect(listRuns()).toEqual([]);
  });

  it("a failed run is recorded with its reason", async () => {
    mkdirSync(join(scratch.home, ".groundwork"));
    writeFileSync(join(scratch.home, ".groundwork", "auto-tools.yaml"), "a: [\n");
    await ask(PROMPT);
    expect(listRuns()).toMatchObject([
      { outcome: "failed", prompt: "", limits: [expect.stringContaining("auto-tools.yaml")] },
    ]);
  });
});

describe("[K 1] what may be stored", () => {
  const secret = "password=hunter2horse99";

  it("no secret of a prompt is anywhere in the state folder", async () => {
    await ask(`${PROMPT} ${secret}`);
    expect(listRuns()).toMatchObject([{ outcome: "evidence" }]);
    expect(bytesOfState()).not.toContain("hunter2horse99");
  });

  it.each([
    ["the variable", () => ({ GROUNDWORK_HISTORY: "off" })],
    ["the user's file", () => writeIn(scratch.home, ".groundwork/auto-tools.yaml", "history: off\n")],
    [
      "the repository's file",
      () => writeIn(scratch.repo, "config/auto-tools.yaml", "# ours\nhistory: 'off' # please\n"),
    ],
  ])("off by %s stores nothing at all, whatever is asked", async (_, switchOff) => {
    const more = switchOff();
    await ask(PROMPT, more);
    await ask(CHAT, more);
    expect(existsSync(join(state, "history"))).toBe(false);
  });

  it.each([
    ["the variable", () => ({ GROUNDWORK_HISTORY: "no-prompts" })],
    ["the repository's file", () => writeIn(scratch.repo, "config/auto-tools.yaml", "history: no-prompts\n")],
  ])("no-prompts by %s stores counts and a hash", async (_, narrow) => {
    await ask(PROMPT, { ...narrow(), CI_AUTO_TOOLS_SESSION_MEMORY: "0" });
    expect(listRuns()).toMatchObject([
      { outcome: "evidence", prompt: "", tools: expect.arrayContaining(["ci_search"]) },
    ]);
    expect(withHistory((history) => history.find("last"))).toMatchObject({ document: null, injected: "" });
    expect(bytesOfState()).not.toContain("rateFor");
  });

  it("a repository's file cannot allow more", async () => {
    writeIn(scratch.home, ".groundwork/auto-tools.yaml", "history: off\n");
    writeIn(scratch.repo, "config/auto-tools.yaml", "history: full\n");
    await ask(PROMPT);
    expect(existsSync(join(state, "history"))).toBe(false);
  });

  it("one message says that runs are stored, and how to stop it", async () => {
    await ask(CHAT);
    const [first, second] = [await ask(PROMPT), await ask(PROMPT)];
    expect(first.message).toContain("GROUNDWORK_HISTORY=off");
    expect(second.message).not.toContain("GROUNDWORK_HISTORY");
  });
});

/** Writes a settings file. Returns no variables. */
function writeIn(folder: string, path: string, text: string): Record<string, string> {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
  return {};
}

describe("[K 1] a damaged history costs no answer", () => {
  /** Wraps damage that needs no cleanup. */
  const only = (spoil: () => unknown) => () => {
    spoil();
    return () => {};
  };
  it.each<[string, () => () => void]>([
    ["damaged", only(() => writeIn(state, "history/history.db", "no database"))],
    ["read-only", only(() => chmodSync(makePrivate("history"), 0o500))],
    ["a file instead of a folder", only(() => writeFileSync(join(state, "history"), ""))],
    ["a pipe instead of a spool", only(() => execFileSync("mkfifo", [join(makePrivate("history"), "spool.jsonl")]))],
    [
      "locked",
      () => {
        withHistory(() => {});
        const database = openDatabase(join(state, "history", "history.db"));
        database.exec("BEGIN EXCLUSIVE");
        return () => database.close();
      },
    ],
  ])("%s", async (_, spoil) => {
    const mend = spoil();
    try {
      const answer = await ask(PROMPT);
      expect(answer.context).toContain("rateFor");
      expect(answer.ms).toBeLessThan(answerLimitMs(answer));
      expect((await ask(CHAT)).context).toBe("");
    } finally {
      mend();
    }
  });

  it("a damaged store is set aside, and later runs are stored", async () => {
    writeIn(state, "history/history.db", "no database");
    chmodSync(join(state, "history"), 0o700);
    await ask(PROMPT);
    expect(listRuns()).toHaveLength(1);
    expect(readdirSync(join(state, "history"))).toContain("history.db.aside");
  });
});

function makePrivate(name: string): string {
  const folder = join(state, name);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

describe("[K 1] concurrent doors", () => {
  it("64 doors lose nothing while readers import what they write", async () => {
    const bundle = join(projectRoot, "dist", "hook.cjs");
    const doors = Array.from({ length: 64 }, () => {
      const child = spawn(process.execPath, [bundle], { cwd: scratch.repo, env, stdio: "pipe" });
      child.stdout.resume();
      child.stderr.resume();
      child.stdin.end(JSON.stringify({ prompt: CHAT }));
      return once(child, "close");
    });
    let isDone = false;
    const all = Promise.all(doors).then(() => {
      isDone = true;
    });
    while (!isDone) {
      listRuns();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await all;
    expect(listRuns()).toHaveLength(64);
  });
});

describe("[K 1] with a resident", () => {
  const marker = crypto.randomUUID();
  afterAll(() => killMarked(marker));

  it("the resident records runs and silent rows, and imports them into the store itself", async () => {
    const place = await makeResidentPlace(marker);
    try {
      execFileSync(groundwork, ["resident", "start"], { cwd: place.scratch.repo, env: place.env });
      const call = { cwd: place.scratch.repo, env: { ...place.env, ...NO_NODE } };
      const { stdout } = await runDoor({ ...call, input: JSON.stringify({ prompt: PROMPT }) });
      await runDoor({ ...call, input: JSON.stringify({ prompt: CHAT }) });
      const { additionalContext } = JSON.parse(stdout.toString("utf8")).hookSpecificOutput;
      const store = join(place.state, "history", "history.db");
      await until(() => existsSync(store) && !existsSync(join(place.state, "history", "spool.jsonl")));
      expect(listRuns(place.env).map(({ outcome }) => outcome)).toEqual(["silent", "evidence"]);
      expect(withHistory((history) => history.find("last"), place.env)?.injected).toBe(additionalContext);
    } finally {
      spawnSync(groundwork, ["resident", "stop"], { cwd: place.scratch.repo, env: place.env });
      await place.scratch[Symbol.asyncDispose]();
    }
  });
});
