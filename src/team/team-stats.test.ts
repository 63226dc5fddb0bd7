import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { startLoopbackServer } from "../../tests/support/loopback-server.ts";
import { readTeamServer } from "../config/team-server.ts";
import { shareFigures } from "./share-figures.ts";
import { fetchTeamStats } from "./team-stats.ts";

const TOKEN = "gwt_secret-token";
const answer =
  (status: number, body: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(body);
const REPORT = { days: 7, clients: 2, per_day: [{ day: "2026-01-02", counts: { "outcome.evidence": 1 } }] };

/** Fetches the figures from a server that answers with this report. */
async function fetchFrom(report: object) {
  await using server = await startLoopbackServer(answer(200, JSON.stringify(report)));
  return await fetchTeamStats({ url: server.url, token: TOKEN }, 7);
}

describe("[T-16] a team's figures", () => {
  it("are summed over days, with percentiles as upper bounds of run times", async () => {
    const report = {
      days: 7,
      clients: 3,
      per_day: [
        {
          day: "2026-01-01",
          counts: {
            "outcome.evidence": 6,
            "outcome.silent": 3,
            "outcome.failed": 1,
            "time.50": 6,
            "time.200": 1,
            "tool.ci_search": 7,
            "failed.ci_search": 1,
            "limit.nothingFound": 3,
            "client.codex-cli": 10,
            "injected.chars": 600,
            "verdict.useful": 2,
          },
        },
        {
          day: "2026-01-02",
          counts: {
            "outcome.guess": 2,
            "time.3000": 2,
            "tool.ci_impact": 2,
            "tool.ci_search": 1,
            "verdict.useless": 1,
          },
        },
      ],
    };
    const value = {
      days: 7,
      clients: 3,
      few_clients: false,
      runs: 12,
      outcomes: { evidence: 6, guess: 2, plan: 0, silent: 3, failed: 1 },
      latency_ms: { p50: 50, p95: 3_000 },
      injected_chars: 600,
      tools: { ci_search: { runs: 8, failed: 1 }, ci_impact: { runs: 2, failed: 0 } },
      limits: { nothingFound: 3 },
      asked_by: { "codex-cli": 10 },
      useful: 2,
      useless: 1,
      per_day: [
        { day: "2026-01-01", runs: 10, with_evidence: 6, silent: 3, p50: 50, p95: 200, injected_chars: 600 },
        { day: "2026-01-02", runs: 2, with_evidence: 2, silent: 0, p50: 3_000, p95: 3_000, injected_chars: 0 },
      ],
    };
    expect(await fetchFrom(report)).toEqual({ ok: true, value });
    expect(await fetchFrom({ days: 7, clients: 0, per_day: [] })).toMatchObject({
      ok: true,
      value: { runs: 0, few_clients: true, per_day: [] },
    });
  });

  it("count correctly whatever a tool is called", async () => {
    const per_day = [{ day: "2026-01-01", counts: { "tool.constructor": 1 } }];
    const found = await fetchFrom({ days: 7, clients: 3, per_day });
    expect(found.ok && found.value.tools).toEqual({ constructor: { runs: 1, failed: 0 } });
  });

  it("are requested with the token, and read if they are figures", async () => {
    const asked: unknown[] = [];
    await using server = await startLoopbackServer((request, response) => {
      asked.push([request.method, request.url, request.headers.authorization]);
      response.end(JSON.stringify({ ...REPORT, more: "of a newer server" }));
    });
    const found = await fetchTeamStats({ url: server.url, token: TOKEN }, 7);
    expect(found).toMatchObject({ ok: true, value: { runs: 1, clients: 2 } });
    expect(asked).toEqual([["GET", "/v1/figures?days=7", `Bearer ${TOKEN}`]]);
  });

  it.each([
    ["an unknown token", answer(401, "{}"), "E_CONFIG", "does not know this token"],
    ["a token that may not", answer(403, '{"error":"only for readers"}'), "E_CONFIG", "refuses: only for readers"],
    ["an error", answer(503, '{"error":"no database"}'), "E_TOOL_UNAVAILABLE", "503: no database"],
    ["an error that says nothing", answer(500, "<html>"), "E_TOOL_UNAVAILABLE", "answers with 500"],
    ["a redirect", answer(302, ""), "E_TOOL_UNAVAILABLE", "answers with 302"],
    ["a page", answer(200, "<html>welcome</html>"), "E_TOOL_UNAVAILABLE", "answers with 200"],
    ["another object", answer(200, '{"status":"ok"}'), "E_PARSE", "did not answer with figures"],
    [
      "too much",
      answer(200, JSON.stringify({ ...REPORT, more: "x".repeat(9e6) })),
      "E_TOOL_UNAVAILABLE",
      "does not answer",
    ],
    [
      "half of it",
      (_, response) => void response.writeHead(200, { "content-length": 99 }).write("{"),
      "E_TOOL_UNAVAILABLE",
      "does not answer",
    ],
    [
      "invalid names",
      answer(200, JSON.stringify({ ...REPORT, per_day: [{ day: "2026-01-02", counts: { "tool.\u001b[2J": 1 } }] })),
      "E_PARSE",
      "did not answer with figures",
    ],
    [
      "invalid days",
      answer(200, JSON.stringify({ ...REPORT, per_day: [{ day: "now", counts: {} }] })),
      "E_PARSE",
      "did not answer with figures",
    ],
    [
      "no numbers",
      answer(200, JSON.stringify({ ...REPORT, clients: "many" })),
      "E_PARSE",
      "did not answer with figures",
    ],
  ] as readonly (readonly [string, RequestListener, string, string])[])(
    "%s is reported in a sentence, without the token",
    async (_, listener, code, text) => {
      const gone: RequestListener = (request, response) => {
        listener(request, response);
        // Leaves a started answer incomplete.
        if (!response.writableEnded) setImmediate(() => response.destroy());
      };
      await using server = await startLoopbackServer(gone);
      const found = await fetchTeamStats({ url: server.url, token: TOKEN }, 7);
      expect(found).toMatchObject({ ok: false, fault: { code, message: expect.stringContaining(text) } });
      expect(JSON.stringify(found)).not.toContain(TOKEN);
    },
  );

  it("cut a long message of the server", async () => {
    await using server = await startLoopbackServer(answer(403, JSON.stringify({ error: "x".repeat(5_000) })));
    const found = await fetchTeamStats({ url: server.url, token: TOKEN }, 7);
    expect(JSON.stringify(found).length).toBeLessThan(400);
  });
});

describe("[T-13] sending figures", () => {
  const batches = ["a", "b", "c"].map((batch) => ({ batch, days: [] }));
  const send = async (statuses: readonly number[]) => {
    const posted: string[] = [];
    const removed: string[] = [];
    await using server = await startLoopbackServer(async (request, response) => {
      const { batch } = JSON.parse(Buffer.concat(await request.toArray()).toString("utf8"));
      response.writeHead(statuses[posted.length] ?? 200).end('{"stored":""}');
      posted.push(batch);
    });
    const figures = { batches, remove: (batch: string) => void removed.push(batch) };
    const trouble = await shareFigures({ url: server.url, token: TOKEN }, figures, AbortSignal.timeout(30_000));
    return { posted, removed, trouble };
  };

  it("sends the oldest batch first, and keeps what the server cannot accept now", async () => {
    expect(await send([])).toEqual({ posted: ["a", "b", "c"], removed: ["a", "b", "c"], trouble: "" });
    for (const status of [401, 403, 404, 429, 500, 501, 503])
      expect(await send([200, status])).toMatchObject({
        posted: ["a", "b"],
        removed: ["a"],
        trouble: expect.stringMatching(/team's server/),
      });
  });

  it("is not blocked by a batch that the server will never accept", async () => {
    expect(await send([422])).toMatchObject({
      removed: ["a", "b", "c"],
      trouble: expect.stringContaining("does not take this"),
    });
  });
});

describe("[T-13] the server's address", () => {
  it.each([
    [{}, "no team's server is named"],
    [{ GROUNDWORK_TEAM_URL: "http://groundwork.example", GROUNDWORK_TEAM_TOKEN: TOKEN }, "neither an https address"],
    [
      { GROUNDWORK_TEAM_URL: "https://me:secret@groundwork.example", GROUNDWORK_TEAM_TOKEN: TOKEN },
      "neither an https address",
    ],
    [
      { GROUNDWORK_TEAM_URL: "https://groundwork.example/?a=b", GROUNDWORK_TEAM_TOKEN: TOKEN },
      "neither an https address",
    ],
    [{ GROUNDWORK_TEAM_URL: "https://groundwork.example" }, "is missing"],
    [{ GROUNDWORK_TEAM_URL: "https://groundwork.example", GROUNDWORK_TEAM_TOKEN: "a\nb" }, "is missing"],
  ])("%j is refused", (env, text) => {
    const read = readTeamServer(env);
    expect(read).toMatchObject({ ok: false, fault: { message: expect.stringContaining(text) } });
    expect(JSON.stringify(read)).not.toMatch(/secret/);
  });

  it("is read from the environment", () => {
    const read = (GROUNDWORK_TEAM_URL: string) => readTeamServer({ GROUNDWORK_TEAM_URL, GROUNDWORK_TEAM_TOKEN: TOKEN });
    for (const url of ["https://groundwork.example", "http://127.0.0.1:7418", "https://groundwork.example/team"])
      expect(read(`${url}/`)).toEqual({ ok: true, value: { url, token: TOKEN } });
  });
});
