import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Postgres } from "../scripts/postgres.mjs";
import { groundwork } from "./support/doors.ts";
import { makeFakeCodex } from "./support/fake-codex.ts";
import { git, makeRepo } from "./support/git-repo.ts";
import { makeMachine } from "./support/machine.ts";
import { startPostgres } from "./support/postgres.ts";
import { startOnTerminal } from "./support/pseudo-terminal.ts";
import { collectOutput } from "./support/run-program.ts";
import { makeFolder } from "./support/temp-folder.ts";
import { until } from "./support/until.ts";

/** Time limit that is sufficient on a busy machine. */
const PATIENCE_MS = 240_000;
const START = { files: { "a.txt": "one\n" }, subject: "start", at: "2026-01-01T00:00:00Z" };
const nowhere = makeFolder();
const admin = makeMachine();
const somebody = makeMachine();
const codex = makeFakeCodex(`
env | sort >"$here/env.$n"
case $(cat "$here/stdin.$n") in
  *nap*) echo napping; sleep 300 ;;
  *wait*) until [ -e "$here/go" ]; do sleep 0.1; done; echo waited; : >"$here/went" ;;
  *fail*) echo broken >&2; exit 3 ;;
  *look*) echo looked; exit 0 ;;
esac
printf 'password=hunter2hunter2\\n\\033]0;title\\007done\\n'
echo made >made-by-codex.txt
echo finished >"$last"`);
let postgres: Postgres;
let database: string;
let team: Record<string, string>;
let server: { readonly child: ChildProcess; readonly url: string };
let workerToken: string;
const children: ChildProcess[] = [];

/** Starts the command line and collects its output. */
function start(args: readonly string[], env: Record<string, string>, home = admin.env.HOME) {
  const child = spawn(groundwork, args, {
    cwd: nowhere,
    env: { ...admin.env, HOME: home, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return { child, told: collectOutput(child) };
}

/** Starts a server and waits for its first line; retries if another connection temporarily uses its port. */
async function serve(listen: string) {
  for (;;) {
    const { child, told } = start(["serve", "--listen", listen], { GROUNDWORK_TEAM_DATABASE: database });
    await until(
      () => told.stdout,
      (text) => text.includes("\n") || child.exitCode !== null,
    );
    if (child.exitCode === null) return { child, url: told.stdout.trim().replace("listening on ", "") };
  }
}

beforeAll(async () => {
  postgres = await startPostgres();
  database = postgres.makeDatabase();
  const env = { GROUNDWORK_TEAM_DATABASE: database };
  server = await serve("127.0.0.1:0");
  const { url } = server;
  const make = async (...rights: string[]) =>
    (await admin.run(nowhere, ["team", "token", "create", "--name", "x", ...rights], env)).stdout.trim();
  team = { GROUNDWORK_TEAM_URL: url, GROUNDWORK_TEAM_TOKEN: await make("--submit") };
  workerToken = await make("--worker");
}, PATIENCE_MS);
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await postgres.stop();
});

/** Starts a worker with its own home. */
async function startWorker(repos: string, ...more: string[]) {
  const home = makeFolder();
  const env = { ...team, GROUNDWORK_TEAM_TOKEN: workerToken, PATH: codex.path };
  const worker = start(["team", "worker", "--repos", repos, "--name", "w1", ...more], env, home);
  const isThere = () => worker.told.stdout.includes("takes jobs");
  await until(isThere, (isSo) => isSo || worker.child.exitCode !== null);
  expect(isThere(), worker.told.stderr).toBe(true);
  const workers = join(home, ".cache", "groundwork", "workers");
  return { ...worker, left: () => (existsSync(workers) ? readdirSync(workers) : []) };
}

const ask = (...args: string[]) => somebody.run(nowhere, ["codex", ...args, "--team"], team);
const status = async (id: string) => JSON.parse((await ask("status", id, "--json")).stdout);
const submit = async (repo: string, task: string, ...more: string[]) =>
  JSON.parse((await ask("start", "--repo", repo, "--task", task, "--json", ...more)).stdout).jobId as string;
const inState = (id: string, ...states: string[]) =>
  until(
    () => status(id),
    (job) => states.includes(job.state),
  );
const sql = (text: string) => postgres.sql(new URL(database).pathname.slice(1), text);
const runOut = (id: string) =>
  sql(`UPDATE groundwork.jobs SET lease_until = now() - interval '1 s' WHERE id = '${id}'`);

async function stop({ child }: { readonly child: ChildProcess }): Promise<void> {
  const ended = child.exitCode === null ? once(child, "exit") : null;
  child.kill("SIGTERM");
  await ended;
}

describe("[T-17] Codex jobs of a team", () => {
  it(
    "run on a worker, and their changes come back as a branch",
    async () => {
      const origin = makeRepo([START]);
      const base = git(origin, ["rev-parse", "HEAD"]);
      const queued = await ask("start", "--repo", origin, "--task", "change it", "--sandbox", "workspace-write");
      expect(queued).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Queued cdx-\S+ on the team's server\n/),
      });
      const id = /cdx-\S+/.exec(queued.stdout)?.[0] ?? "";
      expect(await status(id)).toMatchObject({
        id,
        state: "queued",
        repo: `file://${origin}`,
        attempt: 0,
        title: "change it",
      });
      const worker = await startWorker(origin, "--push");
      expect(await inState(id, "completed", "failed", "lost")).toMatchObject({
        state: "completed",
        exit_code: 0,
        commit: base,
        worker: "w1",
        result: { branch: `codex/${id}/1` },
      });
      const { stdout: log } = await ask("logs", id, "--follow");
      expect(log).toContain("done");
      expect(log).not.toContain("hunter2hunter2");
      expect((await ask("logs", id, "--tail", "1")).stdout).toBe(`${log.trimEnd().split("\n").at(-1)}\n`);
      expect((await ask("status", id)).stdout).toContain(`codex/${id}/1; groundwork codex fetch`);
      expect((await ask("list")).stdout).toMatch(new RegExp(`^${id} +completed `, "m"));
      expect(JSON.parse((await ask("list", "--json", "--limit", "1")).stdout)).toMatchObject([
        { id, state: "completed" },
      ]);
      expect(codex.args(1)).toEqual(
        expect.arrayContaining(["--sandbox", "workspace-write", "--ask-for-approval", "never"]),
      );
      // Codex does not get the worker's address and token of the server.
      expect(readFileSync(join(codex.folder, "env.1"), "utf8")).not.toMatch(/GROUNDWORK_TEAM|gwt_/);

      const clone = join(makeFolder(), "clone");
      git(origin, ["clone", "--quiet", "--no-local", origin, clone]);
      const fetched = await ask("fetch", id, "--repo", clone);
      expect(fetched).toMatchObject({ code: 0, stdout: `Brought here as branch codex/${id}/1\n` });
      expect(git(clone, ["diff", "--name-status", base, `codex/${id}/1`])).toBe("A\tmade-by-codex.txt");
      expect(git(clone, ["status", "--porcelain"])).toBe("");
      git(clone, ["merge", `codex/${id}/1`]);
      expect(readFileSync(join(clone, "made-by-codex.txt"), "utf8")).toBe("made\n");
      // The server has accepted it, so the worker pushes it, too.
      await until(
        () => git(origin, ["for-each-ref", "--format=%(refname)"]),
        (refs) => refs.includes(`refs/heads/codex/${id}/1`),
      );
      await stop(worker);
      expect(worker.left()).toEqual([]);
      expect(worker.told.stderr).toContain(`${id} 1: completed`);
    },
    PATIENCE_MS,
  );

  it(
    "have no result if nothing was changed, and fail with Codex's exit code",
    async () => {
      const origin = makeRepo([START]);
      const [look, fail] = [await submit(origin, "look"), await submit(origin, "fail")];
      const none = await submit(origin, "x", "--commit", "nowhere");
      const worker = await startWorker(`${origin}/`, "--max", "3", "--max-sandbox", "read-only");
      expect(await inState(look, "completed", "failed")).toMatchObject({
        state: "completed",
        result: null,
        sandbox: "read-only",
      });
      expect(await inState(fail, "completed", "failed")).toMatchObject({ state: "failed", exit_code: 3 });
      expect(await inState(none, "failed")).toMatchObject({
        reason: expect.stringContaining("nowhere"),
        exit_code: null,
      });
      expect(await ask("fetch", look)).toMatchObject({ code: 2, stderr: expect.stringContaining("has no result") });
      // A job that asks for more than this worker allows.
      const more = await submit(origin, "look", "--sandbox", "workspace-write");
      const after = await submit(origin, "look");
      await inState(after, "completed");
      expect(await status(more)).toMatchObject({ state: "queued" });
      expect(await ask("stop", more)).toMatchObject({ code: 0, stdout: `${more} was removed from the queue\n` });
      expect(await status(more)).toMatchObject({ state: "stopped" });
      await stop(worker);
    },
    PATIENCE_MS,
  );

  it(
    "can be stopped while they run, and are handed back if their worker is asked to stop",
    async () => {
      const origin = makeRepo([START]);
      const worker = await startWorker(origin, "--max", "2");
      const id = await submit(origin, "nap");
      await inState(id, "running");
      await until(
        async () => (await ask("logs", id)).stdout,
        (text) => text.includes("napping"),
      );
      expect(await ask("stop", id)).toMatchObject({ code: 1, stdout: expect.stringContaining("asked to stop") });
      expect(await inState(id, "stopped", "failed", "lost")).toMatchObject({
        state: "stopped",
        reason: "Stopped on request",
      });
      const given = await submit(origin, "nap");
      await inState(given, "running");
      await until(
        async () => (await ask("logs", given)).stdout,
        (text) => text.includes("napping"),
      );
      await stop(worker);
      expect(await status(given)).toMatchObject({ state: "failed", reason: "Its worker was asked to end" });
      expect(worker.left()).toEqual([]);
    },
    2 * PATIENCE_MS,
  );

  it(
    "are lost with their worker, restart only if requested, and leave no process behind",
    async () => {
      const origin = makeRepo([START]);
      const worker = await startWorker(origin, "--max", "2");
      const [once_, again] = [await submit(origin, "nap"), await submit(origin, "nap", "--retry", "1")];
      for (const id of [once_, again])
        await until(
          async () => (await ask("logs", id)).stdout,
          (text) => text.includes("napping"),
        );
      expect(worker.left()).toHaveLength(1);
      worker.child.kill("SIGKILL");
      // Its processes are ended and its files removed automatically.
      await until(worker.left, (names) => names.length === 0);
      runOut(once_);
      runOut(again);
      expect(await inState(once_, "lost")).toMatchObject({ attempts: [{ attempt: 1, state: "lost" }] });
      expect(await status(again)).toMatchObject({ state: "queued", retries_left: 0 });
      expect((await ask("list")).stdout).toMatch(new RegExp(`^${again} +queued \\(after attempt 1\\)`, "m"));
      const next = await startWorker(origin);
      await until(
        () => status(again),
        (job) => job.attempt === 2,
      );
      runOut(again);
      // The worker learns of it at its next heartbeat, and discards its result.
      await inState(again, "lost");
      await until(
        () => next.told.stderr,
        (text) => text.includes("its result is discarded"),
      );
      await stop(next);
      expect(git(origin, ["for-each-ref", "--format=%(refname)"])).toBe("refs/heads/main");
    },
    2 * PATIENCE_MS,
  );

  it(
    "continue while the server is down, and are reported when it is back",
    async () => {
      const origin = makeRepo([START]);
      const worker = await startWorker(origin);
      const id = await submit(origin, "wait and change", "--sandbox", "workspace-write");
      await inState(id, "running");
      server.child.kill("SIGKILL");
      await once(server.child, "exit");
      writeFileSync(join(codex.folder, "go"), "");
      await until(() => existsSync(join(codex.folder, "went")), Boolean);
      expect(await ask("status", id)).toMatchObject({ code: 40, stderr: expect.stringContaining("does not answer") });
      server = await serve(new URL(server.url).host);
      expect(await inState(id, "completed", "failed", "lost")).toMatchObject({ state: "completed", attempt: 1 });
      // On a terminal, the log cannot move the cursor or set a title.
      const env = { ...somebody.env, ...team };
      const shown = startOnTerminal([groundwork, "codex", "logs", id, "--team"], {
        cwd: nowhere,
        env,
      });
      expect(await shown.ended).toBe(0);
      expect(shown.printed()).toContain("waited");
      expect(shown.printed()).not.toContain("\u001b]0;");
      expect((await ask("logs", id)).stdout).toContain("\u001b]0;");
      await stop(worker);
    },
    2 * PATIENCE_MS,
  );

  it.each([
    ["a worker without repositories", ["team", "worker"], "--repos https://"],
    ["a worker of odd repositories", ["team", "worker", "--repos", "ext::sh"], "not the address of a repository"],
    [
      "a worker of everything",
      ["team", "worker", "--repos", "/srv", "--max-sandbox", "danger-full-access"],
      "--max-sandbox takes",
    ],
    ["a worker of nothing", ["team", "worker", "--repos", "/srv", "--max", "0"], "--max takes"],
    ["no repository", ["codex", "start", "--team", "--task", "x"], "--repo URL"],
    ["no task", ["codex", "start", "--team", "--repo", "/srv/x"], "--task TEXT"],
    [
      "an address that is an option",
      ["codex", "start", "--team", "--repo=--upload-pack=x", "--task", "x"],
      "not the address",
    ],
    [
      "a commit that is an option",
      ["codex", "start", "--team", "--repo", "/srv/x", "--task", "x", "--commit=--x"],
      "--commit takes",
    ],
    [
      "full access",
      ["codex", "start", "--team", "--repo", "/srv/x", "--task", "x", "--sandbox", "danger-full-access"],
      "--sandbox takes",
    ],
    [
      "an option that would not count",
      ["codex", "start", "--team", "--repo", "/srv/x", "--task", "x", "--max-parallel", "2"],
      "unknown option",
    ],
    ["another's job", ["codex", "status", "cdx-20260101_000000-aaaaaaaa", "--team"], "no such job"],
    ["no id", ["codex", "status", "../x", "--team"], "not a job id"],
    ["no such command", ["codex", "resume", "x", "--team"], "unknown command"],
  ])("refuse %s with exit code 2 and a sentence", async (_, args, text) => {
    expect(await somebody.run(nowhere, args, team)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(text),
    });
  });

  it("explain what is missing if no server is known or none answers", async () => {
    const list = (env: Record<string, string>) => somebody.run(nowhere, ["codex", "list", "--team"], env);
    expect(await list({})).toMatchObject({ code: 2, stderr: expect.stringContaining("GROUNDWORK_TEAM_URL") });
    const url = { GROUNDWORK_TEAM_URL: "http://127.0.0.1:9" };
    expect(await list(url)).toMatchObject({ code: 2, stderr: expect.stringContaining("GROUNDWORK_TEAM_TOKEN") });
    expect(await list({ ...url, GROUNDWORK_TEAM_TOKEN: "x" })).toMatchObject({
      code: 40,
      stderr: expect.stringContaining("does not answer"),
    });
    expect(await list({ ...team, GROUNDWORK_TEAM_TOKEN: "gwt_x" })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("does not know"),
    });
    const open = { GROUNDWORK_TEAM_URL: "http://git.example", GROUNDWORK_TEAM_TOKEN: "x" };
    expect(await list(open)).toMatchObject({ code: 2, stderr: expect.stringContaining("https") });
  });
});
