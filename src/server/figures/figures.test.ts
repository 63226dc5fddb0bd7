import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Postgres } from "../../../scripts/postgres.mjs";
import { startPostgres } from "../../../tests/support/postgres.ts";
import { mustHave, openTestDatabase, startTestServer } from "../../../tests/support/team-server.ts";
import { readSecret } from "../secret.ts";
import { startSweeping } from "../sweep.ts";
import { FIGURE_SWEEP } from "./route.ts";

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const DAY_MS = 86_400_000;
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
const idOf = (at: number) => at.toString(16).padStart(32, "0");

describe.each(["plain", "above"] as const)("figures over a database of a user who is %s", (user) => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let url: string;
  let reader: string;
  let other: string;
  let publisher: string;
  beforeAll(async () => {
    url = postgres.makeDatabase(user);
    server = await startTestServer(url);
    reader = await server.makeToken({ read: ["own"] });
    other = await server.makeToken({ read: ["*"] });
    publisher = await server.makeToken({ publish: ["own"] });
  });
  afterAll(() => server.close());

  const post = (token: string, body: unknown) =>
    server.ask(token, "/v1/figures", { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });
  const sum = async (token: string, days = 30) =>
    JSON.parse((await server.ask(token, `/v1/figures?days=${days}`)).text);

  it("[T-15] are summed over tokens; a batch counts once, however often and concurrently it is sent", async () => {
    const batch = {
      batch: idOf(1),
      days: [
        { day: dayOf(1), counts: { "outcome.evidence": 2, "tool.ci_search": 2 } },
        { day: dayOf(0), counts: { "outcome.evidence": 1 } },
      ],
    };
    const all = await Promise.all(Array.from({ length: 6 }, () => post(reader, batch)));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    // The same id from another token is a different batch.
    expect((await post(publisher, { ...batch, days: batch.days.slice(0, 1) })).status).toBe(200);
    const report = {
      days: 30,
      clients: 2,
      per_day: [
        { day: dayOf(1), counts: { "outcome.evidence": 4, "tool.ci_search": 4 } },
        { day: dayOf(0), counts: { "outcome.evidence": 1 } },
      ],
    };
    expect(await sum(reader)).toEqual(report);
    expect(await sum(other)).toEqual(report);
    expect(await sum(other, 1)).toMatchObject({ days: 1, clients: 1, per_day: [{ day: dayOf(0) }] });
    const text = (await server.ask(reader, "/v1/figures")).text;
    for (const token of [reader, other, publisher]) expect(text).not.toContain(readSecret(token)?.id);
    expect((await server.ask(publisher, "/v1/figures")).status).toBe(403);
    expect((await server.ask(null, "/v1/figures")).status).toBe(401);
    for (const days of ["0", "401", "x", "1.5", "-1", "1e9"])
      expect((await server.ask(reader, `/v1/figures?days=${days}`)).status, days).toBe(400);
  });

  it("[T-15] are stored under our own names only, whatever a client sends", async () => {
    const counts = {
      "tool.ci_secret_shop": 2,
      "tool.drop_table": 3,
      "limit.home-miller": 4,
      "client.miller": 5,
      "outcome.stolen": 6,
      "time.7": 7,
    };
    expect((await post(other, { batch: idOf(2), days: [{ day: dayOf(60), counts }] })).status).toBe(200);
    const { per_day } = await sum(other, 90);
    expect(per_day[0]).toEqual({
      day: dayOf(60),
      counts: { "tool.other": 5, "limit.other": 4, "client.other": 5, "outcome.other": 6, "time.other": 7 },
    });
  });

  const good = { day: dayOf(0), counts: { "outcome.silent": 1 } };
  it.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["a list", []],
    ["no days", { batch: idOf(3), days: [] }],
    ["a malformed id", { batch: "x' OR 1=1 --", days: [good] }],
    ["a day twice", { batch: idOf(3), days: [good, good] }],
    ["something else besides", { batch: idOf(3), days: [good], prompt: "who?" }],
    ["something else in a day", { batch: idOf(3), days: [{ ...good, repo: "shop" }] }],
    ["tomorrow's tomorrow", { batch: idOf(3), days: [{ ...good, day: dayOf(-2) }] }],
    ["what is long ago", { batch: idOf(3), days: [{ ...good, day: dayOf(101) }] }],
    ["no day", { batch: idOf(3), days: [{ ...good, day: "2026-02-31" }] }],
    ["a year that never was", { batch: idOf(3), days: [{ ...good, day: "0000-01-01" }] }],
    ["a name with a path", { batch: idOf(3), days: [{ ...good, counts: { "tool./home/x": 1 } }] }],
    ["no number", { batch: idOf(3), days: [{ ...good, counts: { "outcome.silent": "1" } }] }],
    ["half a run", { batch: idOf(3), days: [{ ...good, counts: { "outcome.silent": 0.5 } }] }],
    ["fewer than none", { batch: idOf(3), days: [{ ...good, counts: { "outcome.silent": -1 } }] }],
    ["too many", { batch: idOf(3), days: [{ ...good, counts: { "outcome.silent": 1e10 } }] }],
    ["too many days", { batch: idOf(3), days: Array.from({ length: 101 }, (_, at) => ({ ...good, day: dayOf(at) })) }],
    [
      "too many names",
      {
        batch: idOf(3),
        days: [{ ...good, counts: Object.fromEntries(Array.from({ length: 401 }, (_, at) => [`tool.t${at}`, 1])) }],
      },
    ],
  ])("[T-15] refuse %s", async (_, body) => {
    const before = await sum(reader, 400);
    expect((await post(reader, body)).status).toBe(422);
    expect(await sum(reader, 400)).toEqual(before);
  });

  it("[T-15] of an unknown kind are refused with 501, so that the client keeps them for a newer server", async () => {
    const before = await sum(reader, 400);
    expect(
      (await post(reader, { batch: idOf(3), days: [good, { day: dayOf(1), counts: { "repo.shop": 1 } }] })).status,
    ).toBe(501);
    expect(await sum(reader, 400)).toEqual(before);
  });

  it("[T-15] refuse a body that is too large, other methods, and a token that sends too much", async () => {
    expect((await post(reader, "x".repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await server.ask(reader, "/v1/figures", { method: "DELETE" })).status).toBe(405);
    const token = await server.makeToken({ read: ["own"] });
    const days = Array.from({ length: 100 }, (_, at) => ({ day: dayOf(at), counts: {} }));
    for (let at = 0; at < 21; at++) expect((await post(token, { batch: idOf(100 + at), days })).status).toBe(200);
    expect((await post(token, { batch: idOf(200), days })).status).toBe(429);
    expect((await post(reader, { batch: idOf(200), days: [good] })).status).toBe(200);
  });

  it("[T-15] row-level security applies even if the program forgets a check", async () => {
    const as = async (written: string, sql: string) =>
      mustHave(
        await server.database.as(readSecret(written) ?? { id: "", hash: Buffer.alloc(32) }, ({ rows }) => rows(sql)),
      );
    expect(await as(publisher, "SELECT DISTINCT token FROM groundwork.figures")).toEqual([
      { token: readSecret(publisher)?.id },
    ]);
    const insert = (id: string | undefined) =>
      `INSERT INTO groundwork.figures (token, batch, day, counts) VALUES ('${id}', 'b', '2026-01-01', '{}')`;
    await expect(as(publisher, insert(readSecret(reader)?.id))).rejects.toThrow(/row-level security/);
    for (const sql of [
      "DELETE FROM groundwork.figures RETURNING day",
      "UPDATE groundwork.figures SET counts = '{}' RETURNING day",
    ])
      expect(await as(reader, sql).catch(() => [])).toEqual([]);
    expect(await sum(reader, 30)).not.toMatchObject({ per_day: [] });
  });

  it("[T-15] are kept for 400 days", async () => {
    const name = new URL(url).pathname.slice(1);
    const id = readSecret(reader)?.id;
    const add = (batch: string, days: number) =>
      `INSERT INTO groundwork.figures (token, batch, day, counts) VALUES ('${id}', '${batch}', '${dayOf(days)}', '{}');`;
    postgres.sql(name, `${add("old", 402)} ${add("kept", 399)}`);
    const database = await openTestDatabase(url);
    await startSweeping(database, () => {}, FIGURE_SWEEP)();
    await database.close();
    expect(postgres.sql(name, "SELECT batch FROM groundwork.figures WHERE batch IN ('old', 'kept')")).toBe("kept");
  });
});
