import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Postgres } from "../scripts/postgres.mjs";
import { openDatabase } from "../src/base/sqlite.ts";
import { projectRoot } from "./support/doors.ts";
import { killMarked, MARKER } from "./support/leftovers.ts";
import { startLoopbackServer } from "./support/loopback-server.ts";
import { makeMachine } from "./support/machine.ts";
import { startPostgres } from "./support/postgres.ts";
import { runDoor } from "./support/run-door.ts";
import { SHOP } from "./support/shop-repo.ts";
import { startTestServer } from "./support/team-server.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";

const PATIENCE = { timeout: 60_000, interval: 100 };
const QUESTION = "who calls priceOf in the secret cart of Miller Ltd?";
const marker = crypto.randomUUID();
let postgres: Postgres;
let server: Awaited<ReturnType<typeof startTestServer>>;
let reader: string;
beforeAll(async () => {
  postgres = await startPostgres();
  server = await startTestServer(postgres.makeDatabase());
  reader = await server.makeToken({ read: ["*"] });
});
afterAll(async () => {
  killMarked(marker);
  await server.close();
  await postgres.stop();
});

/** Simulates a machine with a repository and its own token. */
async function makeClient(more: Readonly<Record<string, string>> = {}) {
  const machine = makeMachine();
  const root = makeFolder({ ...GIT_FILES, ...SHOP });
  const token = await server.makeToken({ publish: ["shop"] });
  const env: Record<string, string> = {
    ...machine.env,
    GROUNDWORK_HOME: join(machine.home, "state"),
    CI_AUTO_TOOLS_INDEX: "off",
    GROUNDWORK_TEAM_URL: server.url,
    GROUNDWORK_TEAM_TOKEN: token,
    [MARKER]: marker,
    ...more,
  };
  const start = (args: readonly string[], given: Readonly<Record<string, string>>): ChildProcess =>
    spawn(process.execPath, args, { cwd: root, env: { ...env, ...given }, stdio: "ignore" });
  const dist = (name: string) => join(projectRoot, "dist", name);
  return {
    home: machine.home,
    root,
    env,
    /** Sends one prompt about code. */
    ask: async () => {
      const input = JSON.stringify({ prompt: QUESTION, cwd: root });
      expect((await runDoor({ cwd: root, env, input })).stdout.toString("utf8")).toContain("priceOf");
    },
    /** Runs the builder that a prompt starts in the background. */
    build: async (given: Readonly<Record<string, string>> = {}) => {
      expect(await once(start([dist("build-index.cjs"), root], given), "exit")).toEqual([0, null]);
    },
    startSender: (given: Readonly<Record<string, string>> = {}) => start([dist("send-figures.cjs")], given),
    /** Simulates that an hour has passed. */
    passHour: () => {
      const database = openDatabase(join(machine.home, "state", "history", "history.db"), { timeout: 30_000 });
      database.exec("UPDATE sharing SET tried_at = 0");
      database.close();
    },
    run: (...args: string[]) => machine.run(root, args, env),
    /** Number of runs of this machine on the server. */
    countSent: () => {
      const sql = `SELECT coalesce(sum(value::int), 0) FROM groundwork.figures, jsonb_each_text(counts)
        WHERE key LIKE 'outcome.%' AND token = '${token.split("_")[1]}'`;
      return Number(postgres.sql("team1", sql));
    },
  };
}

const pendingOf = async ({ run }: Awaited<ReturnType<typeof makeClient>>) =>
  JSON.parse((await run("stats", "--team", "--pending", "--json")).stdout);

const ON = { GROUNDWORK_TEAM_FIGURES: "on" };

describe("[T-13] figures of runs", () => {
  it("are sent only if the user wants it, whatever a repository says", async () => {
    const machine = await makeClient();
    mkdirSync(join(machine.root, "config"));
    writeFileSync(join(machine.root, "config/auto-tools.yaml"), "team_figures: on\n");
    await machine.run("trust", "--yes");
    await machine.ask();
    await machine.build();
    const { stdout } = await machine.run("stats", "--team", "--pending");
    expect(stdout).toMatch(/are not shared/);
    expect(stdout).toMatch(/outcome\.evidence +1/);
    expect(await pendingOf(machine)).toMatchObject({ on: false, since: null });
    expect(await once(machine.startSender(), "exit")).toEqual([0, null]);
    expect(machine.countSent()).toBe(0);
  });

  it("are sent in the background, each run once, at most hourly, until the user stops it", async () => {
    const machine = await makeClient();
    const settings = join(machine.home, ".groundwork/auto-tools.yaml");
    mkdirSync(join(machine.home, ".groundwork"));
    writeFileSync(settings, "team_figures: on\n");
    await machine.ask();
    await machine.build();
    await machine.ask();
    await machine.ask();
    expect((await machine.run("stats", "--team", "--pending")).stdout).toMatch(
      /This goes next[\s\S]*outcome\.evidence +2/,
    );
    await machine.ask();
    await machine.build();
    await expect.poll(machine.countSent, PATIENCE).toBe(3);
    await expect
      .poll(() => pendingOf(machine), PATIENCE)
      .toMatchObject({ on: true, obstacle: "", trouble: "", sent_at: expect.any(String), days: [] });
    await machine.ask();
    await machine.build();
    await machine.run("mark", "useful");
    machine.passHour();
    await machine.ask();
    await machine.build();
    await expect.poll(machine.countSent, PATIENCE).toBe(5);
    const answer = await server.ask(reader, "/v1/figures");
    expect(answer.text).toContain('"verdict.useful":1');
    expect(answer.text).not.toMatch(/priceOf|Miller|cart|src|home/i);

    // From then on nothing is counted, and nothing is pending.
    writeFileSync(settings, "team_figures: off\n");
    await machine.ask();
    await machine.build();
    writeFileSync(settings, "team_figures: on\n");
    await machine.run("runs");
    expect(await pendingOf(machine)).toMatchObject({ since: null });
    expect(machine.countSent()).toBe(5);
  });

  it("count once even if the sender is killed before it hears that the server stored them", async () => {
    const machine = await makeClient(ON);
    await machine.ask();
    await machine.build({ GROUNDWORK_TEAM_URL: "" });
    await machine.ask();
    await machine.build({ GROUNDWORK_TEAM_URL: "" });
    let sender: ChildProcess | null = null;
    let passed = 0;
    const bodies = new Set<string>();
    await using between = await startLoopbackServer(async (request) => {
      const body = Buffer.concat(await request.toArray());
      bodies.add(body.toString("utf8"));
      const headers = { authorization: request.headers.authorization ?? "" };
      passed = (await fetch(`${server.url}${request.url}`, { method: "POST", headers, body })).status;
      sender?.kill("SIGKILL");
    });
    for (let killed = 0; killed < 3; killed++) {
      sender = machine.startSender({ GROUNDWORK_TEAM_URL: between.url });
      expect(await once(sender, "exit")).toEqual([null, "SIGKILL"]);
      expect([passed, machine.countSent()]).toEqual([200, 1]);
    }
    // All three bodies are equal, and contain only counts.
    const [text = "", ...others] = bodies;
    expect(others).toEqual([]);
    const names = Object.keys(JSON.parse(text).days[0].counts);
    expect(text.replaceAll(/"[a-z]+\.[\w-]+":\d+/g, "0")).toMatch(
      /^\{"batch":"[0-9a-f]{32}","days":\[\{"day":"\d{4}-\d\d-\d\d","counts":\{[0,]*\}\}\]\}$/,
    );
    expect(names).toContain("outcome.evidence");
    await machine.ask();
    for (let sent = 0; sent < 2; sent++) {
      expect(await once(machine.startSender(), "exit")).toEqual([0, null]);
      expect(machine.countSent()).toBe(2);
    }
  });

  it("wait while the server is down, which is reported, and are sent later", async () => {
    const machine = await makeClient(ON);
    await machine.ask();
    await machine.build({ GROUNDWORK_TEAM_URL: "" });
    await machine.ask();
    const away = { GROUNDWORK_TEAM_URL: "http://127.0.0.1:1" };
    expect(await once(machine.startSender(away), "exit")).toEqual([0, null]);
    expect((await machine.run("stats", "--team", "--pending")).stdout).toMatch(
      /does not answer[\s\S]*outcome\.evidence +1/,
    );
    const { checks } = JSON.parse((await machine.run("doctor", "--json")).stdout);
    expect(checks).toContainEqual(expect.objectContaining({ group: "history", name: "team figures", status: "warn" }));
    await machine.ask();
    await machine.build();
    await expect.poll(machine.countSent, PATIENCE).toBe(2);
  });
});

describe("[T-16] groundwork stats --team", () => {
  it("shows the figures of everyone who shares them, and says if that is hardly a team", async () => {
    const machine = await makeClient({ GROUNDWORK_TEAM_TOKEN: reader });
    const today = new Date().toISOString().slice(0, 10);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const counts = {
      "outcome.evidence": 900,
      "outcome.silent": 100,
      "time.75": 900,
      "tool.ci_search": 900,
      "failed.ci_search": 9,
    };
    const post = async (at: number) =>
      server.ask(await server.makeToken({ publish: ["shop"] }), "/v1/figures", {
        method: "POST",
        body: JSON.stringify({
          batch: String(at).repeat(32),
          days: [
            { day: today, counts: { ...counts, "limit.nothingFound": 100 } },
            { day: yesterday, counts },
          ],
        }),
      });
    for (const at of [1, 2, 3]) expect((await post(at)).status).toBe(200);
    const told = await machine.run("stats", "--team", "--days", "7");
    expect([told.code, told.stderr]).toEqual([0, ""]);
    for (const part of [
      /^6,\d{3} runs, figures of \d+ clients, the last 7 days/,
      /evidence +\S+ +5,4\d\d +90 %/,
      /half within 75 ms, 95 % within 75 ms/,
      /ci_search +5,4\d\d .*failed in 1 %/,
      /nothing found +300/,
      /claude-code/,
    ])
      expect(told.stdout).toMatch(part);
    expect(told.stdout).not.toContain("With so few clients");
    const data = JSON.parse((await machine.run("stats", "--team", "--json")).stdout);
    expect(data).toMatchObject({ days: 30, few_clients: false, limits: { nothingFound: 300 } });

    const alone = await startTestServer(postgres.makeDatabase());
    const own = await alone.makeToken({ read: ["*"] });
    Object.assign(machine.env, { GROUNDWORK_TEAM_URL: alone.url, GROUNDWORK_TEAM_TOKEN: own });
    expect((await machine.run("stats", "--team")).stdout).toBe("Nobody has shared figures in the last 30 days.\n");
    const body = JSON.stringify({ batch: "a".repeat(32), days: [{ day: today, counts }] });
    await alone.ask(own, "/v1/figures", { method: "POST", body });
    expect((await machine.run("stats", "--team")).stdout).toMatch(
      /figures of 1 client[\s\S]*With so few clients, these are individual figures/,
    );
    await alone.close();
  });

  it.each([
    ["no server", { GROUNDWORK_TEAM_URL: "" }, [], 20, "GROUNDWORK_TEAM_URL"],
    ["no token", { GROUNDWORK_TEAM_TOKEN: "" }, [], 20, "GROUNDWORK_TEAM_TOKEN"],
    ["another machine without https", { GROUNDWORK_TEAM_URL: "http://192.0.2.1" }, [], 20, "neither an https address"],
    ["a server that is away", { GROUNDWORK_TEAM_URL: "http://127.0.0.1:1" }, [], 40, "does not answer"],
    ["--days of nothing", {}, ["--days", "0"], 2, "1 to 400"],
    ["--repo", {}, ["--repo", "."], 2, "name no repository"],
    ["--pending of days", {}, ["--pending", "--days", "3"], 2, "--pending takes no --days"],
  ])("explains the error: %s", async (_, env, args, code, text) => {
    const machine = await makeClient(env as Record<string, string>);
    const ended = await machine.run("stats", "--team", ...args);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, "", expect.stringContaining(text)]);
  });

  it("explains what is wrong with a token, and prints no control characters from a server", async () => {
    const machine = await makeClient();
    // The token may publish, but not read.
    const ask = async () => {
      const { code, stderr } = await machine.run("stats", "--team");
      return [code, stderr];
    };
    expect(await ask()).toEqual([20, expect.stringContaining("this one may read none")]);
    machine.env["GROUNDWORK_TEAM_TOKEN"] = `gwt_${"a".repeat(12)}_${"b".repeat(43)}`;
    expect(await ask()).toEqual([20, expect.stringContaining("does not know this token")]);
    await using hostile = await startLoopbackServer((_, response) =>
      response.writeHead(403).end(JSON.stringify({ error: "\u001b]0;mine\u0007\u001b[2J\nrm -rf" })),
    );
    machine.env["GROUNDWORK_TEAM_URL"] = hostile.url;
    const [code, text] = await ask();
    expect(code).toBe(20);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(String(text).trimEnd().split("\n")).toHaveLength(1);
  });

  it("requires --team for its options", async () => {
    const machine = await makeClient();
    expect(await machine.run("stats", "--days", "3")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--team"),
    });
  });
});
