import { once } from "node:events";
import { request as ask, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeDemoRun } from "../../tests/support/demo-page.ts";
import { makePageSources } from "../../tests/support/page-sources.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { startWebServer, type WebServer } from "./server.ts";

const runs = Array.from({ length: 30 }, (_, at) => makeDemoRun(at, Date.UTC(2026, 10, 17, 12, at)));
const job = {
  id: "cdx-20261117_120000-fix",
  state: "running",
  exit_code: null,
  classification: "",
  tokens_used: "",
  cwd: "/repo",
  created_at: "2026-11-17T12:00:00Z",
  updated_at: "2026-11-17T12:00:00Z",
  tag: "",
  title: "fix",
} as const;
const content = { runs, jobs: [job] };
let demo = makePageSources(content);
const pageFolder = makeFolder({
  "index.html": "<!doctype html><title>page</title>",
  "main.js": "export {};",
  "page.css": "body {}",
  "notes.txt": "no part of the page",
});
let server: WebServer;

beforeAll(async () => {
  const started = await startWebServer({ sources: demo.sources, pageFolder, port: 0, headMs: 300 });
  if (!started.ok) throw new Error(started.fault.message);
  server = started.value;
});
afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const origin = () => `http://127.0.0.1:${server.port}`;
const cookie = () => `groundwork_${server.port}=${server.token}`;

/** Sends one request; the path is not normalised. */
function send(path: string, { method = "GET", headers = {}, body }: Call = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = ask({ host: "127.0.0.1", port: server.port, path, method, headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The same, authorised as the page is. */
const read = (path: string) => send(path, { headers: { cookie: cookie() } });
const change = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  send(path, {
    method: "POST",
    headers: { cookie: cookie(), origin: origin(), "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const PATHS = [
  "/api/state",
  "/api/runs",
  "/api/runs/x",
  "/api/stats",
  "/api/team?days=7",
  "/api/repository",
  "/api/jobs",
  "/api/events",
];
const CHANGES = ["/api/off", "/api/on", "/api/purge", "/api/opening", `/api/jobs/${job.id}/stop`];

describe("[K 4] the token", () => {
  it("the printed address sets a cookie and redirects to an address without the token", async () => {
    expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
    const { status, headers, text } = await send(server.address.slice(origin().length));
    expect([status, headers.location, text]).toEqual([303, "/", ""]);
    expect(headers["set-cookie"]).toEqual([
      `groundwork_${server.port}=${server.token}; Path=/api; HttpOnly; SameSite=Strict`,
    ]);
    expect((await read("/api/state")).status).toBe(200);
  });

  it.each([...PATHS, ...CHANGES, "/api/", "/api/nothing", "/nothing", "/notes.txt"])(
    "requests without it are rejected: %s",
    async (path) => {
      for (const method of ["GET", "POST"]) expect((await send(path, { method })).status).toBe(401);
      const wrong = { cookie: `groundwork_${server.port}=${server.token.slice(1)}x` };
      expect((await send(path, { headers: wrong })).status).toBe(401);
      const ofAnother = { cookie: `groundwork_1=${server.token}` };
      expect((await send(path, { headers: ofAnother })).status).toBe(401);
    },
  );

  it.each(["", "x", "'", "%00", "../", "a".repeat(43)])("a wrong one sets no cookie: %j", async (token) => {
    const { status, headers } = await send(`/?token=${token}`);
    expect([status, headers["set-cookie"]]).toEqual([401, undefined]);
  });

  it("is not accepted anywhere else", async () => {
    expect((await send(`/api/state?token=${server.token}`)).status).toBe(401);
    expect((await send("/api/state", { headers: { authorization: `Bearer ${server.token}` } })).status).toBe(401);
  });

  it("an address for --open works once", async () => {
    const path = server.makeOpening().slice(origin().length);
    expect(path).not.toContain(server.token);
    const first = await send(path);
    expect([first.status, first.headers["set-cookie"]?.[0]]).toEqual([303, expect.stringContaining(server.token)]);
    expect((await send(path)).status).toBe(401);
  });
});

describe("[K 4] requests that are always rejected", () => {
  it.each(["evil.example", "localhost", "127.0.0.1", "127.0.0.1.evil.example:80", "[::1]", "0.0.0.0"])(
    "another Host, as after DNS rebinding: %s",
    async (host) => {
      const name = /:\d+$/.test(host) || host === "127.0.0.1" ? host : `${host}:${server.port}`;
      for (const path of ["/", "/main.js", `/?token=${server.token}`, "/api/state", "/api/off"]) {
        const { status, headers } = await send(path, { headers: { host: name, cookie: cookie() } });
        expect([path, status, headers["set-cookie"]]).toEqual([path, 403, undefined]);
      }
    },
  );

  it.each(["https://evil.example", "http://127.0.0.1:1", "http://localhost:80", "null", "file://"])(
    "another Origin: %s",
    async (other) => {
      for (const path of PATHS)
        expect((await send(path, { headers: { cookie: cookie(), origin: other } })).status).toBe(403);
      for (const path of CHANGES) expect((await change(path, {}, { origin: other })).status).toBe(403);
    },
  );

  it.each(["cross-site", "same-site"])("requests that the browser marks as %s", async (site) => {
    const headers = { cookie: cookie(), "sec-fetch-site": site };
    expect((await send("/api/runs", { headers })).status).toBe(403);
    expect((await change("/api/off", {}, { "sec-fetch-site": site })).status).toBe(403);
  });

  it("none of them changed anything", () => expect(demo.changes).toEqual([]));
});

describe("[K 4] changes", () => {
  it.each(CHANGES)("%s accepts only POST with JSON from the page", async (path) => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const { status, headers } = await send(path, { method, headers: { cookie: cookie(), origin: origin() } });
      expect([status, headers.allow]).toEqual([405, "POST"]);
    }
    expect((await send(path, { method: "POST", headers: { cookie: cookie() }, body: "{}" })).status).toBe(403);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect((await change(path, "repo=x", form)).status).toBe(415);
    expect((await change(path, "[1]")).status).toBe(413);
    expect(demo.changes).toEqual([]);
  });

  it.each(PATHS)("%s accepts only GET", async (path) => {
    expect((await change(path, {})).status).toBe(405);
  });

  it.each([
    ["/api/off", { minutes: 0 }],
    ["/api/off", { minutes: "60" }],
    ["/api/on", { repo: 3 }],
    ["/api/purge", {}],
    ["/api/purge", { all: "yes" }],
    ["/api/purge", { all: true, repo: "/repo" }],
    ["/api/purge", { before: "yesterday" }],
    [`/api/jobs/${job.id}/stop`, {}],
  ])("%s does nothing for %j", async (path, body) => {
    expect((await change(path, body)).status).toBe(400);
    expect(demo.changes).toEqual([]);
  });

  it("are made as requested", async () => {
    const cases = [
      ["/api/off", { minutes: 60 }, { off: { minutes: 60 } }],
      ["/api/off", { repo: "/repo" }, { off: { repo: "/repo" } }],
      ["/api/on", {}, { on: {} }],
      [`/api/jobs/${job.id}/stop`, { cwd: "/repo" }, { stop: { cwd: "/repo", id: job.id } }],
    ] as const;
    for (const [path, body] of cases) expect((await change(path, body)).status).toBe(200);
    expect(demo.changes).toEqual(cases.map(([, , done]) => done));
    demo.changes.length = 0;
  });

  it("a body that is too long is rejected without being read", async () => {
    const { status } = await change("/api/off", JSON.stringify({ repo: "x".repeat(100_000) }));
    expect(status).toBe(413);
    expect(demo.changes).toEqual([]);
  });
});

describe("[K 4] the page's files", () => {
  it("need no token and contain no data", async () => {
    for (const [path, type] of [
      ["/", "text/html; charset=utf-8"],
      ["/main.js", "text/javascript; charset=utf-8"],
      ["/page.css", "text/css; charset=utf-8"],
    ] as const) {
      const { status, headers, text } = await send(path);
      expect([status, headers["content-type"]]).toEqual([200, type]);
      expect(text).not.toBe("");
      const again = await send(path, { headers: { "if-none-match": headers.etag ?? "" } });
      expect([again.status, again.text]).toEqual([304, ""]);
    }
  });

  it.each([
    "/../server.ts",
    "/..%2f..%2fpackage.json",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/main.js/../../etc/passwd",
    "//etc/passwd",
    "/etc/passwd",
    "/notes.txt",
    "/%00",
    "/%",
    "http://127.0.0.1/main.js",
    "*",
  ])("nothing else is served: %s", async (path) => {
    expect((await read(path)).status).toBe(404);
    expect((await send(path)).status).toBe(401);
  });
});

describe("[K 4] every response", () => {
  it.each(["/", "/main.js", "/api/runs", "/api/runs/nothing", "/nothing", "/?token=x"])(
    "of %s forbids other origins, frames, referrers and guesses",
    async (path) => {
      const { headers } = await read(path);
      expect(headers["content-security-policy"]).toMatch(/^default-src 'self';/);
      expect(headers["content-security-policy"]).not.toMatch(/unsafe|\*|https?:/);
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
      expect(headers["access-control-allow-origin"]).toBe(undefined);
      if (path.startsWith("/api")) expect(headers["cache-control"]).toBe("no-store");
    },
  );
});

describe("[K 4] reading", () => {
  const rows = async (query: string) => JSON.parse((await read(`/api/runs?${query}`)).text);

  it("runs, page by page, filtered and searched", async () => {
    const all = await rows("silent=1&limit=500");
    expect([all.total, all.runs.length]).toEqual([30, 30]);
    const first = await rows("silent=1&limit=10");
    const next = await rows(`silent=1&limit=10&before=${first.runs[9].key}`);
    expect([first.total, next.total, next.runs.length]).toEqual([30, 30, 10]);
    expect([...first.runs, ...next.runs]).toEqual(all.runs.slice(0, 20));
    const loud = await rows("limit=500");
    expect(loud.runs.map((row: { outcome: string }) => row.outcome)).not.toContain("silent");
    const silent = await rows("outcome=silent&limit=500");
    expect(loud.total + silent.total).toBe(30);
    expect((await rows("text=voucher")).total).toBeGreaterThan(0);
    expect((await rows("door=nobody&outcome=unheard-of&limit=999999")).runs.length).toBe(loud.total);
  });

  it("one run by its key or its id, and by nothing else", async () => {
    const [run] = runs;
    const byKey = await read(`/api/runs/${run?.row.key}`);
    const byId = await read(`/api/runs/${run?.row.run_id}`);
    expect(JSON.parse(byKey.text)).toEqual(JSON.parse(byId.text));
    expect(JSON.parse(byKey.text)).toMatchObject({ client_title: "Claude Code", unit: "utf16", client_max: 9_500 });
    for (const id of ["nothing", "%2e%2e", "%ff", "x".repeat(400), ""])
      expect((await read(`/api/runs/${id}`)).status).toBe(404);
  });

  it("a run of ten million characters is truncated, and says so", async () => {
    const long = makeDemoRun(0, Date.UTC(2026, 10, 17, 13));
    demo.push({ ...long, row: { ...long.row, key: "ZZZ" }, injected: "x".repeat(10_000_000) });
    const { status, text } = await read("/api/runs/ZZZ");
    const { injected, cut, injected_size } = JSON.parse(text);
    expect([status, injected.length, injected_size]).toEqual([200, 1_000_000, 10_000_000]);
    expect(cut).toEqual(["the page shows the first 1000000 of 10000000 injected characters"]);
  });

  it("jobs, a single job and its log; 404 for anything missing", async () => {
    demo.log.text = "one\ntwo\n";
    const stopped = { ...job, state: "failed", exit_code: 143, classification: "stopped" };
    expect(JSON.parse((await read("/api/jobs")).text)).toEqual([stopped]);
    expect(JSON.parse((await read(`/api/jobs/${job.id}?cwd=/repo`)).text)).toEqual({ job: stopped, changes: null });
    const log = await read(`/api/jobs/${job.id}/log?cwd=/repo&offset=4`);
    expect(JSON.parse(log.text)).toEqual({ text: "two\n", next: 8, eof: true, size: 8 });
    expect((await read(`/api/jobs/${job.id}/log?offset=-1`)).status).toBe(404);
    expect((await read("/api/jobs/nothing")).status).toBe(404);
    expect((await read("/api/repository?repo=/nowhere")).status).toBe(404);
  });

  it("new runs arrive as events", async () => {
    const sent = ask({ host: "127.0.0.1", port: server.port, path: "/api/events", headers: { cookie: cookie() } });
    sent.end();
    const [answer] = (await once(sent, "response")) as [NodeJS.ReadableStream & { headers: IncomingHttpHeaders }];
    expect(answer.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    let text = "";
    answer.setEncoding("utf8");
    const until = async (part: string) => {
      while (!text.includes(part)) text += String((await once(answer, "data"))[0]);
    };
    await until("event: ready");
    const run = makeDemoRun(1, Date.UTC(2026, 10, 17, 14));
    demo.push(run);
    await until(`data: ${JSON.stringify([run.row])}\n\n`);
    sent.on("error", () => {}).destroy();
  });
});

describe("[K 4] connections", () => {
  it("a client that never finishes its headers is disconnected", async () => {
    const socket = connect(server.port, "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    await once(socket, "connect");
    socket.write("GET /api/state HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow:");
    await once(socket, "close");
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("headers that are too long are rejected", async () => {
    const { status } = await send("/", { headers: { "x-long": "y".repeat(20_000) } });
    expect(status).toBe(431);
  });

  it("are accepted from this machine only", async () => {
    const socket = connect(server.port, "127.0.0.2");
    const [error] = await once(socket, "error").catch((thrown) => [thrown]);
    expect(error).toMatchObject({ code: "ECONNREFUSED" });
  });

  it("a port in use is reported, with what to do", async () => {
    const second = await startWebServer({ sources: demo.sources, pageFolder, port: server.port });
    expect(second).toEqual({
      ok: false,
      fault: {
        code: "E_CONFIG",
        message: `port ${server.port} is in use`,
        hint: "name another one with --port, or leave it out",
      },
    });
  });

  it("closing the server closes all of them", async () => {
    demo = makePageSources(content);
    const started = await startWebServer({ sources: demo.sources, pageFolder, port: 0 });
    if (!started.ok) throw new Error(started.fault.message);
    const { port, token, close } = started.value;
    const headers = { cookie: `groundwork_${port}=${token}` };
    const sent = ask({ host: "127.0.0.1", port, path: "/api/events", headers });
    sent.on("error", () => {}).end();
    const [answer] = (await once(sent, "response")) as [NodeJS.ReadableStream];
    answer.on("error", () => {}).resume();
    const ended = once(answer, "close");
    await close();
    await ended;
  });
});
