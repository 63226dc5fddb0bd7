import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Postgres } from "../../scripts/postgres.mjs";
import { pg, startPostgres } from "../../tests/support/postgres.ts";
import { mustHave, openTestDatabase, startTestServer } from "../../tests/support/team-server.ts";
import { until } from "../../tests/support/until.ts";
import { prepareDatabase } from "./migrate.ts";
import { makePool } from "./postgres.ts";
import { MIGRATIONS } from "./schema.ts";

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const LIST = "/v1/base/own/list.json";

describe("a team's server", () => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer(postgres.makeDatabase());
    token = await server.makeToken({ publish: ["own"] });
    await server.ask(token, LIST, { method: "PUT", body: "{}" });
  });
  afterAll(() => server.close());

  it("[T-7] reports its health, and its metrics and log name nothing", async () => {
    expect((await server.ask(null, "/healthz")).status).toBe(200);
    expect((await server.ask(null, "/readyz")).status).toBe(200);
    expect((await server.ask(null, "/readyz", { method: "POST" })).status).toBe(405);
    await server.ask(token, "/v1/base/secretname/list.json");
    await server.ask(token, "/v2/secretname?q=secretword");
    const { text } = await server.ask(null, "/metrics");
    expect(text).toMatch(/^groundwork_requests_total\{route="\/v1\/base\/\{repo\}\/\{object\}",status="204"\} 1$/m);
    expect(text).toMatch(/^groundwork_request_seconds_bucket\{route="[^"]+",le="\+Inf"\} \d+$/m);
    for (const line of text.trimEnd().split("\n")) expect(line).toMatch(/^(?:# (?:HELP|TYPE) .+|\w+\{.*\} [\d.]+)$/);
    const told = text + JSON.stringify(server.log);
    for (const word of ["secretname", "secretword", "own/", token]) expect(told).not.toContain(word);
    expect(server.log.at(-2)).toMatchObject({ event: "request", route: "other", status: 404, token: null });
  });

  it.each([
    ["an empty path", "//", 400],
    ["a path with dot segments", "/v1/base/own/../other/list.json", 400],
    ["escaped dot segments", "/v1/base/own/%2e%2e/list.json", 400],
    ["a malformed escape", "/v1/base/own/%zz", 400],
    ["a path that is too long", `/v1/base/own/${"x".repeat(3_000)}`, 400],
    ["an absolute URL", "http://elsewhere/v1/base/own/list.json", 400],
    ["SQL", "/v1/base/own'--/list.json", 404],
    ["an escaped name", "/v1/base/%6fwn/list.json", 400],
  ])("[T-7] refuses %s", async (_, path, status) => {
    const answer = await askRaw(
      server.url,
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it.each([
    ["a name that resolves to this machine", "Host: groundwork.example", 421],
    ["no host", "X-Other: 1", 400],
    ["another origin", "Host: 127.0.0.1\r\nOrigin: https://elsewhere.example", 403],
    ["an opaque origin", "Host: 127.0.0.1\r\nOrigin: null", 403],
    ["another port's page", "Host: 127.0.0.1:1\r\nOrigin: http://127.0.0.1:2", 403],
    ["this machine", "Host: localhost:1", 200],
    ["its own page", "Host: 127.0.0.1:1\r\nOrigin: http://127.0.0.1:1", 200],
  ])("[T-7] checks Host and Origin: %s", async (_, headers, status) => {
    const answer = await askRaw(
      server.url,
      `GET ${LIST} HTTP/1.1\r\n${headers}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it("[T-7] refuses a body that is too large, with or without Content-Length", async () => {
    const said = await askRaw(
      server.url,
      `PUT ${LIST} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 99999999\r\n\r\n`,
    );
    expect(said).toMatch(/^HTTP\/1.1 413 /);
    const unsaid = await server.ask(token, LIST, {
      method: "PUT",
      body: new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)) }),
      duplex: "half",
    } as RequestInit);
    expect(unsaid.status).toBe(413);
    expect((await server.ask(token, LIST)).text).toBe("{}");
  });

  it("[T-7] a client that disconnects in the middle of a request affects nobody else", async () => {
    const gone = connect(Number(new URL(server.url).port), "127.0.0.1");
    gone.write(
      `PUT ${LIST} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100\r\n\r\nhalf`,
    );
    await sleep(50);
    gone.destroy();
    expect((await server.ask(token, LIST)).text).toBe("{}");
  });

  it("[T-7] limits the requests of each token by itself", async () => {
    const strict = await startTestServer("", {
      database: server.database,
      limits: { atOnce: 1, perSecond: 1, burst: 3 },
    });
    const statuses: number[] = [];
    for (let at = 0; at < 4; at++) statuses.push((await strict.ask(token, LIST)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await strict.ask(token, LIST)).headers.get("retry-after")).toMatch(/^[12]$/);
    // Another token is not affected, nor is one that only shares the id.
    expect((await strict.ask(await server.makeToken({ read: ["own"] }), LIST)).status).toBe(200);
    expect((await strict.ask(`${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`, LIST)).status).toBe(401);
    await strict.close();
  });
});

describe("the schema", () => {
  it("[T-7] is migrated once, however many servers start at the same moment", async () => {
    const url = postgres.makeDatabase();
    const pools = Array.from({ length: 5 }, () => makePool(pg, url, 0, 1));
    const all = (await Promise.all(pools.map((pool) => prepareDatabase(pool)))).map(mustHave);
    await Promise.all(pools.map((pool) => pool.end()));
    expect(all.map(({ migrated }) => migrated).sort()).toEqual([0, 0, 0, 0, MIGRATIONS.length]);
    const next = makePool(pg, url, 0, 1);
    const more = [...MIGRATIONS, { name: "more", sql: "CREATE TABLE groundwork.more (id int)" }];
    expect(mustHave(await prepareDatabase(next, more))).toMatchObject({ migrated: 1 });
    expect(await prepareDatabase(next)).toMatchObject({
      ok: false,
      fault: { code: "E_CONFIG", message: expect.stringContaining("this program knows") },
    });
    const half = [...more, { name: "half", sql: "CREATE TABLE groundwork.half (id int); SELECT nonsense" }];
    expect(await prepareDatabase(next, half)).toMatchObject({ ok: false });
    expect(mustHave(await prepareDatabase(next, more))).toMatchObject({ migrated: 0 });
    await next.end();
    expect(postgres.sql(new URL(url).pathname.slice(1), "SELECT to_regclass('groundwork.half') IS NULL")).toBe("t");
  });
});

describe("a database in trouble", () => {
  it("[T-7] is answered with a 503 and the reason, and requests succeed again once it recovers", async () => {
    const url = postgres.makeDatabase();
    const database = await openTestDatabase(url, 1_500);
    const server = await startTestServer(url, { database });
    const token = await server.makeToken({ publish: ["own"] });
    const name = new URL(url).pathname.slice(1);
    const put = () => server.ask(token, LIST, { method: "PUT", body: "{}" });
    expect((await put()).status).toBe(204);

    postgres.sql("postgres", `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    postgres.sql("postgres", `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    await expect.poll(async () => (await put()).text).toContain("read-only");
    expect((await server.ask(token, LIST)).status).toBe(200);
    postgres.sql("postgres", `ALTER DATABASE ${name} RESET default_transaction_read_only`);
    postgres.sql("postgres", `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    await expect.poll(async () => (await put()).status).toBe(204);

    const slow = await database.asAdmin(({ rows }) => rows("SELECT pg_sleep(20)"));
    expect(slow).toMatchObject({ ok: false, fault: { message: "the team's database took too long" } });

    // Running requests get the same message, both within a statement and between two.
    const within = database.asAdmin(({ rows }) => rows("SELECT pg_sleep(200)"));
    const steps: string[] = [];
    const between = database.asAdmin(async ({ rows }) => {
      await rows("SELECT 1");
      steps.push("one statement");
      await until(() => steps.includes("stopped"));
      return await rows("SELECT 1");
    });
    await until(() => steps.includes("one statement"));
    const sleeping = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(200)'";
    await until(() => postgres.sql(name, sleeping).trim() === "1");
    await postgres.stop("SIGQUIT");
    steps.push("stopped");
    for (const asked of [within, between])
      expect(await asked).toMatchObject({ ok: false, fault: { message: "the team's database does not answer" } });
    for (const path of ["/readyz", LIST]) {
      const { status, text } = await server.ask(token, path);
      expect([status, JSON.parse(text)]).toEqual([503, { error: "the team's database does not answer" }]);
    }
    // The log names no token that could not be verified.
    expect(server.log.at(-1)).toMatchObject({ event: "request", status: 503, token: null });
    expect((await server.ask(null, "/healthz")).status).toBe(200);
    await postgres.start();
    await expect.poll(async () => (await server.ask(token, LIST)).text).toBe("{}");
    expect((await server.ask(null, "/readyz")).status).toBe(200);
    await server.close();
    await database.close();
  });
});

/** Sends a raw request; returns the raw answer. */
async function askRaw(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  return Buffer.concat(chunks).toString("utf8");
}
