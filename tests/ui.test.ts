import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { groundwork, QUIET } from "./support/doors.ts";
import { makeFakeCodex } from "./support/fake-codex.ts";
import { makeRepo } from "./support/git-repo.ts";
import { collectOutput } from "./support/run-program.ts";
import { SHOP } from "./support/shop-repo.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";

const QUESTION = "who calls priceOf in src/price.ts?";
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Makes a user with a repository. */
function makeUser(more: Readonly<Record<string, string>> = {}) {
  const home = makeFolder({ "bin/.keep": "" });
  const repo = makeFolder({ ...GIT_FILES, ...SHOP });
  const state = makeFolder();
  chmodSync(state, 0o700);
  const env = {
    PATH: [join(home, "bin"), process.env["PATH"]].join(delimiter),
    HOME: home,
    GROUNDWORK_HOME: state,
    ...QUIET,
    ...more,
  };
  return { home, repo, state, env };
}
type User = ReturnType<typeof makeUser>;

function run({ repo, env }: User, args: readonly string[]) {
  const child = spawn(groundwork, args, {
    cwd: repo,
    env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  started.push(child);
  const said = collectOutput(child);
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { child, said, ended };
}

/** Starts the page and waits for its first line. */
async function startUi(user: User, args: readonly string[] = []) {
  const ui = run(user, ["ui", ...args]);
  const lines = createInterface(ui.child.stdout);
  const [address] = (await Promise.race([
    once(lines, "line"),
    ui.ended.then(() => {
      throw new Error(ui.said.stderr);
    }),
  ])) as [string];
  const url = new URL(address);
  const cookie = `groundwork_${url.port}=${url.searchParams.get("token")}`;
  return { ...ui, address, url, headers: { cookie } };
}
type Ui = Awaited<ReturnType<typeof startUi>>;

function send({ url, headers }: Pick<Ui, "url" | "headers">, path: string, body?: object) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const more = body === undefined ? {} : { origin: url.origin, "content-type": "application/json" };
    const sent = request(
      `${url.origin}${path}`,
      { method, headers: { ...headers, ...more }, agent: false },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const read = async (ui: Ui, path: string) => JSON.parse((await send(ui, path)).text);

async function ask(user: User, prompt: string): Promise<void> {
  const hook = run(user, ["hook", "claude"]);
  hook.child.stdin.end(JSON.stringify({ hook_event_name: "UserPromptSubmit", prompt, cwd: user.repo }));
  expect(await hook.ended).toBe(0);
}

describe("[K 4] groundwork ui", () => {
  it("prints its address first, shows what doors did, notices the next run, and stops cleanly", async () => {
    const user = makeUser();
    await ask(user, QUESTION);
    await ask(user, "hello, how are you?");
    const ui = await startUi(user);
    expect(ui.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
    const { runs, total } = await read(ui, "/api/runs?silent=1");
    expect([total, runs[1].prompt, runs[1].outcome, runs[0].prompt]).toEqual([2, QUESTION, "evidence", ""]);
    const whole = await read(ui, `/api/runs/${runs[1].key}`);
    expect([whole.injected, whole.client_max]).toEqual([expect.stringContaining("src/cart.ts"), 9_500]);
    const events = request(`${ui.url.origin}/api/events`, { headers: ui.headers });
    events.on("error", () => {}).end();
    const [answer] = (await once(events, "response")) as [NodeJS.ReadableStream];
    answer.setEncoding("utf8").on("error", () => {});
    let told = "";
    answer.on("data", (text: string) => {
      told += text;
    });
    await ask(user, "where is readRate defined?");
    while (!told.includes("where is readRate defined?")) await once(answer, "data");
    ui.child.kill("SIGINT");
    expect(await ui.ended).toBe(0);
    expect(ui.said.stderr).toMatch(/until Ctrl-C[\s\S]*groundwork: stopped\n$/);
    expect(ui.said.stdout).toBe(`${ui.address}\n`);
    expect(existsSync(join(user.state, "ui.json"))).toBe(false);
  });

  it("a second one prints the address of the first and ends; a killed one is replaced", async () => {
    const user = makeUser();
    const first = await startUi(user);
    const place = join(user.state, "ui.json");
    expect(statSync(place).mode & 0o777).toBe(0o600);
    const second = run(user, ["ui", "--port", "1"]);
    expect(await second.ended).toBe(0);
    expect(second.said.stdout).toBe(`${first.address}\n`);
    first.child.kill("SIGKILL");
    await first.ended;
    expect(readFileSync(place, "utf8")).toContain(first.url.port);
    const third = await startUi(user);
    expect(third.url.searchParams.get("token")).not.toBe(first.url.searchParams.get("token"));
    expect((await send(third, "/api/state")).status).toBe(200);
  });

  it("a port in use is an error with a remedy; an invalid port is a usage error", async () => {
    const user = makeUser();
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const refused = run(user, ["ui", "--port", String(port)]);
    expect([await refused.ended, refused.said.stderr]).toEqual([
      20,
      `groundwork: port ${port} is in use; name another one with --port, or leave it out\n`,
    ]);
    taken.close();
    for (const args of [["--port", "0"], ["--port", "70000"], ["--port", "x"], ["now"]]) {
      const wrong = run(user, ["ui", ...args]);
      expect([await wrong.ended, wrong.said.stdout]).toEqual([2, ""]);
    }
    const right = await startUi(user, ["--port", String(port)]);
    expect(right.url.port).toBe(String(port));
  });

  it("opens a browser only on request, by a single-use address, also if one is already running", async () => {
    const user = makeUser();
    const opened = join(user.home, "opened");
    const program = join(user.home, "bin", process.platform === "darwin" ? "open" : "xdg-open");
    writeFileSync(program, `#!/bin/sh\nprintf '%s' "$1" >'${opened}.part' && mv '${opened}.part' '${opened}'\n`);
    chmodSync(program, 0o755);
    const quiet = await startUi(user);
    quiet.child.kill("SIGTERM");
    expect(await quiet.ended).toBe(0);
    expect(existsSync(opened)).toBe(false);
    const ui = await startUi(user, ["--open"]);
    while (!existsSync(opened)) await new Promise((resolve) => setImmediate(resolve));
    const address = new URL(readFileSync(opened, "utf8"));
    expect(address.origin).toBe(ui.url.origin);
    expect(address.searchParams.get("token")).not.toBe(ui.url.searchParams.get("token"));
    const path = `${address.pathname}${address.search}`;
    expect([(await send(ui, path)).status, (await send(ui, path)).status]).toEqual([303, 401]);
    rmSync(opened);
    // So does the one that a second command opens: the printed token is never an argument of a program.
    const second = run(user, ["ui", "--open"]);
    expect(await second.ended).toBe(0);
    expect(second.said.stdout).toBe(`${ui.address}\n`);
    while (!existsSync(opened)) await new Promise((resolve) => setImmediate(resolve));
    const other = new URL(readFileSync(opened, "utf8"));
    expect([ui.url, address].map(({ search }) => search)).not.toContain(other.search);
    expect((await send(ui, `/${other.search}`)).status).toBe(303);
  });

  it("switches off and on, deletes runs, and knows its repository and its user's settings", async () => {
    const user = makeUser({ GROUNDWORK_EDITOR_LINK: "zed://file{path}:{line}" });
    await ask(user, QUESTION);
    const ui = await startUi(user);
    expect(await read(ui, "/api/state")).toMatchObject({
      history: "full",
      here: user.repo,
      repos: [user.repo],
      editor_link: "zed://file{path}:{line}",
      off: { everywhere: null, repos: [], damage: "" },
    });
    expect((await send(ui, "/api/off", { minutes: 60 })).status).toBe(200);
    expect((await send(ui, "/api/off", { repo: user.repo })).status).toBe(200);
    expect((await send(ui, "/api/off", { repo: "/somewhere/else" })).status).toBe(409);
    const { off } = await read(ui, "/api/state");
    expect(off).toMatchObject({ everywhere: { until: expect.any(String) }, repos: [{ repo: user.repo, until: null }] });
    expect(readFileSync(join(user.home, ".groundwork", "off.json"), "utf8")).toContain(user.repo);
    await ask(user, QUESTION);
    expect((await send(ui, "/api/on", {})).status).toBe(200);
    expect((await send(ui, "/api/on", { repo: user.repo })).status).toBe(200);
    expect((await read(ui, "/api/state")).off).toEqual({ everywhere: null, repos: [], damage: "" });
    const kept = (await read(ui, "/api/runs?silent=1")).total;
    expect(JSON.parse((await send(ui, "/api/purge", { all: true })).text)).toEqual({ done: kept });
    expect((await read(ui, "/api/runs?silent=1")).total).toBe(0);
  });

  it("shows a repository and its jobs, and no other folder", async () => {
    const user = makeUser({ CI_AUTO_TOOLS_INDEX: "auto" });
    expect(await run(user, ["index"]).ended).toBe(0);
    await ask(user, QUESTION);
    const ui = await startUi(user);
    const view = await read(ui, `/api/repository?repo=${encodeURIComponent(user.repo)}`);
    expect(view).toMatchObject({ root: user.repo, index: { progress: "ready" }, asked_runs: 1 });
    expect(view.files).toBe(Object.keys(SHOP).length);
    expect(view.languages[0]).toMatchObject({ language: "typescript" });
    expect(view.hotspots.map((file: { path: string }) => file.path)).toContain("src/price.ts");
    expect(view.asked.map((place: { path: string }) => place.path)).toContain("src/cart.ts");
    expect((await send(ui, `/api/repository?repo=${encodeURIComponent(user.home)}`)).status).toBe(404);
    expect(await read(ui, "/api/jobs")).toEqual([]);
    expect((await send(ui, "/api/jobs/cdx-20260101_000000-x?cwd=/etc")).status).toBe(404);
    expect((await send(ui, "/api/jobs/cdx-20260101_000000-x/stop", { cwd: "/etc" })).status).toBe(409);
  });

  it("shows a Codex job with its log and changes, its secrets hidden, and stops it", async () => {
    const codex = makeFakeCodex(`echo 'token=ghp_012345678901234567890123456789abcdef'
printf 'one\\ntwo\\n' >new.txt; echo three >>README.md
while [ ! -e "$here/never" ]; do sleep 0.1; done`);
    const repo = makeRepo([{ files: { "README.md": "read me\n" }, subject: "first", at: "2026-11-10T12:00:00Z" }]);
    const user = { ...makeUser({ PATH: codex.path }), repo };
    const job = run(user, ["codex", "start", "--json", "--tag", "fix", "--task", "fix it"]);
    expect([await job.ended, job.said.stderr]).toEqual([0, ""]);
    const { jobId } = JSON.parse(job.said.stdout);
    const ui = await startUi(user);
    const query = `cwd=${encodeURIComponent(repo)}`;
    expect(await read(ui, "/api/jobs")).toMatchObject([{ id: jobId, state: "running", cwd: repo, title: "fix it" }]);
    const changesOf = async () => (await read(ui, `/api/jobs/${jobId}?${query}`)).changes;
    const wanted = [
      { path: "README.md", added: 1, removed: 0 },
      { path: "new.txt", added: 2, removed: 0 },
    ];
    while ((await changesOf()).length < wanted.length) await new Promise((resolve) => setImmediate(resolve));
    expect(await changesOf()).toEqual(wanted);
    const logOf = async () => (await read(ui, `/api/jobs/${jobId}/log?${query}`)).text ?? "";
    while (!(await logOf()).includes("token=")) await new Promise((resolve) => setImmediate(resolve));
    expect(await logOf()).not.toContain("ghp_0123");
    expect((await send(ui, `/api/jobs/${jobId}/stop`, { cwd: repo })).status).toBe(200);
    expect(await read(ui, "/api/jobs")).toMatchObject([{ id: jobId, state: "failed" }]);
  });
});
