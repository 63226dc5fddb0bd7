import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Postgres } from "../../../scripts/postgres.mjs";
import { startPostgres } from "../../../tests/support/postgres.ts";
import { mustHave, openTestDatabase, startTestServer } from "../../../tests/support/team-server.ts";
import { toSha256 } from "../../base/hash.ts";
import { TEAM_JOB_LIMITS } from "../../contract/team-jobs.ts";
import { purgeJob } from "../purge.ts";
import { readSecret } from "../secret.ts";
import { startSweeping } from "../sweep.ts";
import { JOB_SWEEP } from "./leases.ts";

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const REPO = "https://git.example/team/app";
const WISH = { worker: "w1", prefixes: ["https://git.example/team/"], max_sandbox: "workspace-write", network: true };
const END = {
  exit_code: 0,
  classification: "normal",
  tokens_used: "7",
  reason: "",
  commit: "a".repeat(40),
  result: null,
};
const HEAD = "b".repeat(40);
const BUNDLE = Buffer.from(`# v2 git bundle\n${HEAD} refs/heads/x\n\nPACK`);

interface Claimed {
  readonly id: string;
  readonly attempt: number;
  readonly fence: string;
  readonly task: string;
}

describe.each(["plain", "above"] as const)("[T-17] jobs over a database of a user who is %s", (user) => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let database: string;
  let submitter: string;
  let other: string;
  let worker: string;
  let rival: string;
  beforeAll(async () => {
    const url = postgres.makeDatabase(user);
    database = new URL(url).pathname.slice(1);
    server = await startTestServer(url);
    submitter = await server.makeToken({ maySubmit: true });
    other = await server.makeToken({ maySubmit: true, read: ["x"] });
    worker = await server.makeToken({ mayWork: true });
    rival = await server.makeToken({ mayWork: true });
  });
  afterAll(() => server.close());

  const post = async (token: string, path: string, body: unknown = "", headers: Record<string, string> = {}) => {
    const sent = typeof body === "string" ? body : JSON.stringify(body);
    const { status, text } = await server.ask(token, path, { method: "POST", body: sent, headers });
    return { status, data: text === "" ? {} : JSON.parse(text) };
  };
  const submit = async (more: object = {}, token = submitter) =>
    (await post(token, "/v1/jobs", { repo: REPO, task: "fix it", ...more })).data.jobId as string;
  const claim = async (token = worker, more: object = {}) =>
    post(token, "/v1/jobs/claim", { ...WISH, fence: randomUUID(), ...more });
  const claimed = async (token = worker): Promise<Claimed> => (await claim(token)).data;
  const status = async (id: string, token = submitter) => {
    const { status: code, text } = await server.ask(token, `/v1/jobs/${id}`);
    return code === 200 ? JSON.parse(text) : code;
  };
  const held = ({ id, attempt }: Claimed, what: string) => `/v1/jobs/${id}/${attempt}/${what}`;
  const fenced = ({ fence }: Claimed) => ({ "groundwork-fence": fence });
  const put = async (job: Claimed, what: string, body: Buffer | string, token = worker) => {
    const answer = await server.ask(token, held(job, what), { method: "PUT", body, headers: fenced(job) });
    return { status: answer.status, data: JSON.parse(answer.text) };
  };
  const end = (job: Claimed, more: object = {}, token = worker) =>
    post(token, held(job, "end"), { how: "ended", ...END, ...more }, fenced(job));
  const sql = (text: string) => postgres.sql(database, text);
  const runOut = (id: string) =>
    sql(`UPDATE groundwork.jobs SET lease_until = now() - interval '1 second' WHERE id = '${id}'`);

  it("go from the queue to a worker and back, with log and result", async () => {
    const id = await submit({ commit: "main", tag: "fix", retry: 2, task: "fix password=hunter2secret now" });
    expect(await status(id)).toMatchObject({
      state: "queued",
      attempt: 0,
      tag: "fix",
      commit: "main",
      retries_left: 2,
    });
    expect((await status(id)).title).not.toContain("hunter2secret");
    const job = await claimed();
    expect(job).toMatchObject({ id, attempt: 1, task: "fix password=hunter2secret now", repo: REPO, commit: "main" });
    expect(await status(id)).toMatchObject({ state: "running", worker: "w1" });
    expect((await post(worker, held(job, "heartbeat"), "", fenced(job))).data).toEqual({ stop: false });
    expect((await put(job, "log?at=0", "one\n")).data).toEqual({ bytes: 4, cut: false });
    // Sent again, as if the answer was lost; then from an offset beyond the end.
    expect((await put(job, "log?at=0", "one\n")).data).toEqual({ bytes: 4, cut: false });
    expect((await put(job, "log?at=9", "x")).data).toEqual({ bytes: 4, cut: false });
    expect((await put(job, "log?at=4", "two\n")).data).toEqual({ bytes: 8, cut: false });
    expect((await server.ask(submitter, `/v1/jobs/${id}/log?at=2`)).text).toBe("e\ntwo\n");
    expect(sql(`SELECT count(*) FROM groundwork.job_pieces WHERE job = '${id}'`)).toBe("1");
    expect((await put(job, "result?at=0", BUNDLE)).data).toEqual({ bytes: BUNDLE.length, cut: false });
    // Not accepted yet.
    expect((await server.ask(submitter, `/v1/jobs/${id}/result`)).status).toBe(404);
    const result = { head: HEAD, bytes: BUNDLE.length, sha256: toSha256(BUNDLE) };
    expect((await end(job, { result })).data).toEqual({ state: "completed" });
    expect((await end(job, { result })).data).toEqual({ state: "completed" });
    expect(await status(id)).toMatchObject({
      state: "completed",
      exit_code: 0,
      tokens_used: "7",
      commit: "a".repeat(40),
      result: { ...result, branch: `codex/${id}/1` },
      attempts: [{ attempt: 1, worker: "w1", state: "completed" }],
    });
    expect((await server.ask(submitter, `/v1/jobs/${id}/result?at=2`)).text).toBe(BUNDLE.toString("latin1").slice(2));
  });

  it("accept a result again if the first answer was lost, even after the log was cut", async () => {
    await submit();
    const job = await claimed();
    sql(`UPDATE groundwork.jobs SET log_bytes = ${TEAM_JOB_LIMITS.logBytes} WHERE id = '${job.id}'`);
    expect((await put(job, `log?at=${TEAM_JOB_LIMITS.logBytes}`, "x")).data).toMatchObject({ cut: true });
    for (const _ of ["lost", "heard"])
      expect((await put(job, "result?at=0", BUNDLE)).data).toEqual({ bytes: BUNDLE.length, cut: false });
    const result = { head: HEAD, bytes: BUNDLE.length, sha256: toSha256(BUNDLE) };
    expect((await end(job, { result })).data).toEqual({ state: "completed" });
  });

  it("can be purged, even while they run", async () => {
    const [other, id] = [await submit({ task: "stays" }), await submit({ task: "leaks password=hunter2secret" })];
    expect((await claimed()).id).toBe(other);
    const job = await claimed(rival);
    await put(job, "log?at=0", "x".repeat(20_000), rival);
    const bytes = () =>
      Number(sql("SELECT sum(pg_total_relation_size('groundwork.' || t)) FROM unnest(ARRAY['jobs', 'job_pieces']) t"));
    const before = bytes();
    expect(await purgeJob(server.database, id)).toEqual({ ok: true, value: true });
    expect(await purgeJob(server.database, id)).toEqual({ ok: true, value: false });
    expect(bytes()).toBeLessThan(before);
    expect([await status(id), (await status(other)).state]).toEqual([404, "running"]);
    // Its worker cannot continue it.
    expect((await post(rival, held(job, "heartbeat"), "", fenced(job))).status).toBeGreaterThanOrEqual(400);
    expect((await end(job, {}, rival)).status).toBeGreaterThanOrEqual(400);
    expect(sql("SELECT action FROM groundwork.audit ORDER BY id DESC LIMIT 1")).toBe("job purge done");
    await purgeJob(server.database, other);
  });

  it("are physically removed by a second purge if the first could not rewrite the tables", async () => {
    const id = await submit({ task: "leaks password=hunter2secret" });
    await put(await claimed(), "log?at=0", "x".repeat(20_000));
    const bytes = () => Number(sql("SELECT pg_total_relation_size('groundwork.jobs')"));
    const before = bytes();
    const hasty = await openTestDatabase(postgres.urlOf(database, user), 500);
    const interrupted = await server.database.asAdmin(async ({ rows }) => {
      await rows("SELECT FROM groundwork.jobs LIMIT 1");
      return await purgeJob(hasty, id);
    });
    expect(mustHave(interrupted)).toMatchObject({ ok: false, fault: { code: "E_TOOL_UNAVAILABLE" } });
    await hasty.close();
    expect([await status(id), bytes()]).toEqual([404, before]);
    expect(await purgeJob(server.database, id)).toEqual({ ok: true, value: true });
    expect(bytes()).toBeLessThan(before);
    expect(await purgeJob(server.database, id)).toEqual({ ok: true, value: false });
  });

  it("are claimed by one worker each, in order, and again by a worker that missed the answer", async () => {
    const ids = [await submit(), await submit(), await submit()];
    const all = await Promise.all([claim(), claim(rival), claim(), claim(rival), claim()]);
    expect(
      all
        .map(({ data }) => data.id)
        .filter(Boolean)
        .sort(),
    ).toEqual(ids.toSorted());
    expect(all.filter(({ status: code }) => code === 204)).toHaveLength(2);
    const last = await submit();
    const fence = randomUUID();
    expect((await claim(worker, { fence })).data).toMatchObject({ id: last, attempt: 1 });
    expect((await claim(worker, { fence })).data).toMatchObject({ id: last, attempt: 1 });
    expect((await claim(rival, { fence })).status).toBe(204);
  });

  it("are claimed only by workers that accept their repository, sandbox and network", async () => {
    const id = await submit({ sandbox: "workspace-write", network: true });
    for (const more of [
      { max_sandbox: "read-only" },
      { network: false },
      { prefixes: [] },
      { prefixes: ["https://git.example/tea"] },
      { prefixes: ["https://git.example/team/app2/"] },
      { prefixes: ["ssh://git@git.example/team"] },
    ])
      expect((await claim(worker, more)).status).toBe(204);
    expect((await claim(worker, { prefixes: ["/srv", REPO] })).data.id).toBe(id);
  });

  it("are lost when their worker sends no heartbeat, and retried only if that was requested", async () => {
    const [once, twice] = [await submit(), await submit({ retry: 1 })];
    const [first, second] = [await claimed(), await claimed()];
    runOut(once);
    runOut(twice);
    await startSweeping(server.database, () => {}, JOB_SWEEP)();
    expect(await status(once)).toMatchObject({ state: "lost", attempts: [{ attempt: 1, state: "lost" }] });
    expect(await status(twice)).toMatchObject({ state: "queued", retries_left: 0, attempts: [{ state: "lost" }] });
    // A worker that was away for too long is told so, and nothing it sends counts.
    for (const job of [first, second]) {
      expect((await post(worker, held(job, "heartbeat"), "", fenced(job))).status).toBe(409);
      expect((await put(job, "log?at=0", "stale")).status).toBe(409);
      expect((await put(job, "result?at=0", BUNDLE)).status).toBe(409);
      expect((await end(job)).status).toBe(409);
    }
    const again = await claimed(rival);
    expect(again).toMatchObject({ id: twice, attempt: 2 });
    expect((await end(second)).status).toBe(409);
    expect((await end({ ...second, fence: again.fence })).status).toBe(409);
    expect((await end({ ...again, fence: second.fence }, {}, rival)).status).toBe(409);
    expect((await end(again, {}, rival)).data).toEqual({ state: "completed" });
    expect(await status(twice)).toMatchObject({ attempts: [{ state: "lost" }, { attempt: 2, state: "completed" }] });
  });

  it("an expired lease is lost for its worker too, no matter who notices it first", async () => {
    const id = await submit();
    const job = await claimed();
    runOut(id);
    expect((await end(job)).status).toBe(409);
    expect(await status(id)).toMatchObject({ state: "lost", result: null });
    const seen = await submit();
    await claimed();
    runOut(seen);
    expect(await status(seen)).toMatchObject({ state: "lost" });
    const listed = await submit();
    await claimed();
    runOut(listed);
    const { jobs } = JSON.parse((await server.ask(submitter, "/v1/jobs?state=lost&limit=1")).text);
    expect(jobs).toMatchObject([{ id: listed, state: "lost", attempt: 1 }]);
  });

  it("are queued again by a worker that fails", async () => {
    const id = await submit({ retry: 1 });
    const failed = { how: "worker_failed", exit_code: null, commit: "", reason: "no room" };
    expect((await end(await claimed(), failed)).data).toEqual({ state: "queued" });
    expect(await status(id)).toMatchObject({ reason: "no room", retries_left: 0 });
    expect((await end(await claimed(), failed)).data).toEqual({ state: "failed" });
    const ran = await submit({ retry: 1 });
    // Codex ran to its end: its failure is the answer.
    expect((await end(await claimed(), { exit_code: 3 })).data).toEqual({ state: "failed" });
    expect(await status(ran)).toMatchObject({ state: "failed", exit_code: 3, retries_left: 1 });
  });

  it("are stopped at once while queued, and by the next heartbeat while running", async () => {
    const waiting = await submit();
    expect((await post(submitter, `/v1/jobs/${waiting}/stop`)).data).toEqual({ was: "queued" });
    expect((await claim()).status).toBe(204);
    expect(await status(waiting)).toMatchObject({ state: "stopped" });
    const running = await submit({ retry: 3 });
    const job = await claimed();
    expect((await post(submitter, `/v1/jobs/${running}/stop`)).data).toEqual({ was: "running" });
    expect((await post(worker, held(job, "heartbeat"), "", fenced(job))).data).toEqual({ stop: true });
    expect((await end(job, { how: "stopped", exit_code: 143 })).data).toEqual({ state: "stopped" });
    expect((await post(submitter, `/v1/jobs/${running}/stop`)).data).toEqual({ was: "stopped" });
    // A job that was to be stopped is not retried.
    const lost = await submit({ retry: 3 });
    await claimed();
    await post(submitter, `/v1/jobs/${lost}/stop`);
    runOut(lost);
    expect(await status(lost)).toMatchObject({ state: "lost" });
  });

  it("are hidden from other tokens", async () => {
    const id = await submit();
    for (const token of [other, worker, rival]) {
      expect(await status(id, token)).toBe(404);
      expect((await post(token, `/v1/jobs/${id}/stop`)).status).toBe(404);
      expect((await server.ask(token, `/v1/jobs/${id}/log`)).status).toBe(404);
      expect((await server.ask(token, `/v1/jobs/${id}/result`)).status).toBe(404);
      expect(JSON.parse((await server.ask(token, "/v1/jobs")).text)).toEqual({ jobs: [] });
    }
    expect((await post(worker, "/v1/jobs", { repo: REPO, task: "x" })).status).toBe(403);
    expect((await claim(submitter)).status).toBe(403);
    const job = await claimed();
    expect((await end(job, {}, rival)).status).toBe(409);
    expect((await put(job, "log?at=0", "planted", rival)).status).toBe(409);
    expect((await post(worker, held({ ...job, attempt: 2 }, "heartbeat"), "", fenced(job))).status).toBe(409);
    expect((await post(worker, held(job, "heartbeat"))).status).toBe(409);
    expect((await post(worker, held({ ...job, id: "cdx-none" }, "heartbeat"), "", fenced(job))).status).toBe(409);
    expect((await end(job)).status).toBe(200);
  });

  it("[T-8] row-level security applies even if the program forgets a check", async () => {
    const id = await submit();
    const seen = async (written: string, text: string) =>
      mustHave(
        await server.database.as(readSecret(written) ?? { id: "", hash: Buffer.alloc(32) }, ({ rows }) => rows(text)),
      );
    const one = `SELECT id FROM groundwork.jobs WHERE id = '${id}'`;
    expect(await seen(other, one)).toEqual([]);
    expect(await seen(worker, one)).toEqual([{ id }]);
    const job = await claimed();
    await put(job, "log?at=0", "secret of the job");
    expect(await seen(rival, one)).toEqual([]);
    for (const token of [other, rival]) {
      for (const table of ["job_attempts", "job_pieces"])
        expect(await seen(token, `SELECT * FROM groundwork.${table} WHERE job = '${id}'`)).toEqual([]);
      expect(await seen(token, `UPDATE groundwork.jobs SET fence = 'x' WHERE id = '${id}' RETURNING id`)).toEqual([]);
      expect(await seen(token, `DELETE FROM groundwork.jobs RETURNING id`)).toEqual([]);
      await expect(
        seen(token, `INSERT INTO groundwork.job_pieces VALUES ('${id}', 1, 'log', 99, 'x')`),
      ).rejects.toThrow(/row-level security/);
    }
    await expect(seen(worker, `INSERT INTO groundwork.job_pieces VALUES ('${id}', 2, 'log', 0, 'x')`)).rejects.toThrow(
      /row-level security/,
    );
    await expect(
      seen(
        worker,
        `INSERT INTO groundwork.jobs (id, repo, revision, task, title, tag, sandbox, network, timeout_seconds, retries_left)
        VALUES ('cdx-x', 'x', '', 'x', '', '', 'read-only', false, 0, 0)`,
      ),
    ).rejects.toThrow(/row-level security/);
    await end(job);
  });

  it.each([
    ["an option as address", { repo: "--upload-pack=touch /tmp/x" }],
    ["a helper as address", { repo: "ext::sh -c x" }],
    ["a password in the address", { repo: "https://a:b@git.example/x" }],
    ["an address that climbs", { repo: "https://git.example/team/../x" }],
    ["no address", { repo: 7 }],
    ["an option as commit", { commit: "--upload-pack=x" }],
    ["a refspec as commit", { commit: "main:refs/heads/main" }],
    ["no task", { task: " " }],
    ["a task that no database takes", { task: "a\0b" }],
    ["a huge task", { task: "x".repeat(TEAM_JOB_LIMITS.taskBytes + 1) }],
    ["full access", { sandbox: "danger-full-access" }],
    ["a network that does not count", { network: true }],
    ["endless tries", { retry: 1_000_000 }],
    ["a tag that is a path", { tag: "../x" }],
  ])("refuse %s", async (_, more) => {
    expect((await post(submitter, "/v1/jobs", { repo: REPO, task: "x", ...more })).status).toBe(400);
  });

  it("store any text unchanged", async () => {
    const task = "'); DROP TABLE groundwork.jobs; -- $1 \\ \u001b]0;x\u0007 --sandbox danger-full-access";
    const id = await submit({ task });
    expect((await status(id)).title).not.toContain("\u001b");
    expect((await claimed()).task).toBe(task);
    expect((await post(submitter, "/v1/jobs", "no json")).status).toBe(400);
    expect((await post(submitter, "/v1/jobs", "x".repeat(1024 * 1024 + 1)).catch(() => ({ status: 413 }))).status).toBe(
      413,
    );
  });

  it("withstand a hostile worker", async () => {
    const id = await submit();
    const job = await claimed();
    const big = Buffer.alloc(TEAM_JOB_LIMITS.logChunkBytes + 1);
    expect(
      (await server.ask(worker, held(job, "log?at=0"), { method: "PUT", body: big, headers: fenced(job) })).status,
    ).toBe(413);
    for (const at of ["", "?at=-1", "?at=x", "?at=1e99"])
      expect((await put(job, `log${at}`, "x")).status, at).toBe(400);
    // The stated properties of a result are checked.
    await put(job, "result?at=0", "no bundle at all");
    const none = { head: HEAD, bytes: 16, sha256: toSha256("no bundle at all") };
    expect(await end(job, { result: none })).toMatchObject({
      status: 422,
      data: { error: expect.stringContaining("not a git bundle") },
    });
    expect((await end(job, { result: { ...none, bytes: 15 } })).status).toBe(422);
    expect((await end(job, { result: { ...none, sha256: "0".repeat(64) } })).status).toBe(422);
    for (const wrong of [
      { how: "won" },
      { exit_code: 1e9 },
      { reason: "\u001b[2J" },
      { reason: "x".repeat(2_000) },
      { classification: "<b>" },
      { commit: "--x" },
      { result: { ...none, head: "main" } },
      { how: "stopped", result: none },
    ])
      expect((await end(job, wrong)).status, JSON.stringify(wrong)).toBe(400);
    // An endless log: what exceeds the limit is reported as cut.
    sql(`UPDATE groundwork.jobs SET log_bytes = ${TEAM_JOB_LIMITS.logBytes} WHERE id = '${id}'`);
    expect((await put(job, `log?at=${TEAM_JOB_LIMITS.logBytes}`, "x")).data).toMatchObject({ cut: true });
    sql(`UPDATE groundwork.jobs SET result_bytes = ${TEAM_JOB_LIMITS.resultBytes} WHERE id = '${id}'`);
    expect((await put(job, `result?at=${TEAM_JOB_LIMITS.resultBytes}`, "x")).status).toBe(413);
    expect(await status(id)).toMatchObject({ state: "running", log_cut: true, result: null });
    for (const wrong of [
      { worker: "" },
      { worker: "a\nb" },
      { fence: "x" },
      { prefixes: "x" },
      { prefixes: ["ext::x"] },
      { max_sandbox: "all" },
    ])
      expect((await claim(worker, wrong)).status, JSON.stringify(wrong)).toBe(400);
    expect((await end(job)).status).toBe(200);
  });

  it("are removed two weeks after their end, and are not named in logs and metrics", async () => {
    const id = await submit({ task: "secretword" });
    await end(await claimed());
    sql(`UPDATE groundwork.jobs SET ended_at = now() - interval '15 days' WHERE id = '${id}'`);
    const kept = await submit();
    await startSweeping(server.database, () => {}, JOB_SWEEP)();
    expect(await status(id)).toBe(404);
    expect(await status(kept)).toMatchObject({ state: "queued" });
    const { text } = await server.ask(null, "/metrics");
    const told = text + JSON.stringify(server.log);
    for (const word of ["secretword", "cdx-", "git.example"]) expect(told).not.toContain(word);
  });
});
