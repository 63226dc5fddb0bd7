import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Postgres } from "../../scripts/postgres.mjs";
import { pg, startPostgres } from "../../tests/support/postgres.ts";
import { mustHave, startTestServer } from "../../tests/support/team-server.ts";
import { toSha256 } from "../base/hash.ts";
import { nameOfCode } from "../team/shared-code.ts";
import { CODE_TABLES } from "./code/schema.ts";
import { makePool, REQUEST_STATEMENT_MS } from "./postgres.ts";
import { SEARCH_TABLES } from "./search/schema.ts";
import { readSecret } from "./secret.ts";
import { revokeTokens } from "./tokens.ts";

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const bytes = Buffer.from("what a chunk has");
const OBJECT = `objects/${toSha256(bytes).slice(0, 2)}/${toSha256(bytes)}`;

describe.each(["plain", "above"] as const)("over a database of a user who is %s", (user) => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let url: string;
  let own: string;
  let other: string;
  let reader: string;
  beforeAll(async () => {
    url = postgres.makeDatabase(user);
    server = await startTestServer(url);
    own = await server.makeToken({ publish: ["own"] });
    other = await server.makeToken({ publish: ["other"], read: ["other"] });
    reader = await server.makeToken({ read: ["own", "none"] });
  });
  afterAll(() => server.close());

  const put = (token: string, path: string, body: Buffer | string, headers: Record<string, string> = {}) =>
    server.ask(token, path, { method: "PUT", body, headers });

  it("[T-10] stores what a publisher sends and serves it to tokens that may read it", async () => {
    expect((await put(own, `/v1/base/own/${OBJECT}`, bytes)).status).toBe(204);
    expect((await put(own, "/v1/base/own/lists/1.json", "{}", { "if-none-match": "*" })).status).toBe(204);
    expect((await put(own, "/v1/base/own/lists/1.json", "[]", { "if-none-match": "*" })).status).toBe(412);
    expect((await put(own, "/v1/base/own/list.json", "{}")).status).toBe(204);
    expect((await put(own, "/v1/base/own/list.json", "{2}")).status).toBe(204);
    for (const token of [own, reader]) {
      expect((await server.ask(token, `/v1/base/own/${OBJECT}`)).text).toBe("what a chunk has");
      expect((await server.ask(token, "/v1/base/own/list.json")).text).toBe("{2}");
      expect(
        (await server.ask(token, "/v1/base/own/list.json", { method: "HEAD" })).headers.get("content-length"),
      ).toBe("3");
    }
    expect((await server.ask(own, "/v1/base/own/lists/1.json", { method: "DELETE" })).status).toBe(204);
    expect((await server.ask(own, "/v1/base/own/lists/1.json", { method: "DELETE" })).status).toBe(404);
  });

  it("[T-10] accepts an object only under its own hash, and other files only under names of a base", async () => {
    expect((await put(own, `/v1/base/own/${OBJECT}`, "something else")).status).toBe(422);
    for (const name of ["objects/00/11", "list.json2", "lists/x.json", "a/b/c", "lists/-1.json", `${OBJECT}0`])
      expect((await put(own, `/v1/base/own/${name}`, bytes)).status, name).toBe(400);
    const all = await server.makeToken({ publish: ["*"] });
    for (const repo of ["-x", ".x", "x".repeat(101), "a b", "a'b", "ä"])
      expect((await put(all, `/v1/base/${encodeURIComponent(repo)}/list.json`, "{}")).status, repo).toBe(400);
  });

  it("[T-10] of eight concurrent writers of a new file exactly one succeeds", async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        put(own, "/v1/base/own/lists/7.json", `{"at":${at}}`, { "if-none-match": "*" }),
      ),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([204, 412, 412, 412, 412, 412, 412, 412]);
  });

  it("[T-9] what a token may not read is answered exactly like what does not exist", async () => {
    await put(other, "/v1/base/other/list.json", "{}");
    const withoutDate = async (path: string, method: string) => {
      const { status, headers, text } = await server.ask(reader, path, {
        method,
        ...(method === "PUT" ? { body: "x" } : {}),
      });
      return { status, text, headers: [...headers].filter(([name]) => name !== "date") };
    };
    for (const method of ["GET", "HEAD", "PUT", "DELETE"])
      for (const name of ["list.json", "lists/1.json", OBJECT, "nonsense"])
        expect(await withoutDate(`/v1/base/other/${name}`, method)).toEqual(
          await withoutDate(`/v1/base/nobody/${name}`, method),
        );
    expect((await withoutDate("/v1/base/other/list.json", "GET")).status).toBe(404);
    expect((await withoutDate("/v1/base/own/list.json", "PUT")).status).toBe(403);
  });

  it("[T-8] row-level security applies even if the program forgets a check", async () => {
    await put(other, "/v1/base/other/list.json", "{}");
    const seen = async (written: string, sql: string) =>
      mustHave(
        await server.database.as(readSecret(written) ?? { id: "", hash: Buffer.alloc(32) }, ({ rows }) => rows(sql)),
      );
    expect(await seen(reader, "SELECT name FROM groundwork.repos")).toEqual([{ name: "own" }]);
    expect(
      await seen(
        reader,
        "SELECT count(*)::int AS n FROM groundwork.objects o JOIN groundwork.repos r ON r.id = o.repo WHERE r.name <> 'own'",
      ),
    ).toEqual([{ n: 0 }]);
    expect(await seen(reader, "DELETE FROM groundwork.objects RETURNING name")).toEqual([]);
    expect(await seen(reader, "UPDATE groundwork.objects SET data = '' RETURNING name")).toEqual([]);
    expect(await seen(reader, "SELECT DISTINCT token FROM groundwork.grants")).toEqual([
      { token: readSecret(reader)?.id },
    ]);
    expect(await seen(reader, "SELECT * FROM groundwork.audit").catch(() => [])).toEqual([]);
    await expect(seen(reader, "INSERT INTO groundwork.repos (name) VALUES ('mine')")).rejects.toThrow(
      /row-level security/,
    );
    await expect(
      seen(reader, `INSERT INTO groundwork.grants VALUES ('${readSecret(reader)?.id}', 'other', true, true)`),
    ).rejects.toThrow();
    await expect(
      seen(
        own,
        "INSERT INTO groundwork.objects (repo, name, data) SELECT id + 1, 'list.json', '' FROM groundwork.repos WHERE name = 'own'",
      ),
    ).rejects.toThrow(/row-level security/);
    // Without a principal nothing is visible.
    const pool = makePool(pg, url, REQUEST_STATEMENT_MS, 1);
    const { query, release } = await pool.connect();
    if (user === "above") await query("SET ROLE groundwork_member");
    for (const table of ["repos", "objects", "grants", ...SEARCH_TABLES, ...CODE_TABLES])
      expect((await query(`SELECT count(*)::int AS n FROM groundwork.${table}`)).rows, table).toEqual([{ n: 0 }]);
    release(true);
    await pool.end();
  });

  it("[T-8] row-level security applies to search data as well", async () => {
    const name = "a".repeat(64);
    const send = async (part: string, message: unknown) =>
      (await server.ask(other, `/v1/index/other/${part}`, { method: "POST", body: JSON.stringify(message) })).status;
    const numbers = Buffer.from(new Int32Array(6).fill(1).buffer).toString("base64");
    expect(await send("segments", { name, paths: ["a.ts"], removed: [], numbers })).toBe(204);
    expect(await send("postings", { segment: name, rows: [["word", "AQABAA=="]] })).toBe(204);
    expect(await send("files", { segment: name, files: [[0, [], "word"]] })).toBe(204);
    const code = ["[]", JSON.stringify({ paths: [], calls: [], bases: [], imports: [] })] as const;
    expect(await send("code", { rows: [code] })).toBe(204);
    const graph = {
      code: nameOfCode(code).toString("base64"),
      starts: Buffer.from(new Int32Array(2).buffer).toString("base64"),
      targets: "",
    };
    const state = { commit: "c".repeat(40), segments: [name], provides: [], needs: [], graph };
    expect(await send("state", state)).toBe(204);
    const run = async (written: string, sql: string) =>
      mustHave(
        await server.database.as(readSecret(written) ?? { id: "", hash: Buffer.alloc(32) }, ({ rows }) => rows(sql)),
      );
    for (const table of [...SEARCH_TABLES, ...CODE_TABLES]) {
      expect(await run(other, `SELECT repo FROM groundwork.${table}`), table).toHaveLength(1);
      expect(await run(reader, `SELECT repo FROM groundwork.${table}`), table).toEqual([]);
      expect(await run(reader, `DELETE FROM groundwork.${table} RETURNING repo`), table).toEqual([]);
      expect(await run(own, `UPDATE groundwork.${table} SET repo = repo RETURNING repo`), table).toEqual([]);
    }
    const theirs = (await run(other, "SELECT id FROM groundwork.repos WHERE name = 'other'"))?.[0];
    await expect(
      run(own, `INSERT INTO groundwork.postings VALUES (${String(theirs?.["id"])}, 'word', 1, 1, '')`),
    ).rejects.toThrow(/row-level security/);
    await expect(
      run(own, `INSERT INTO groundwork.code VALUES (${String(theirs?.["id"])}, '', '', '')`),
    ).rejects.toThrow(/row-level security/);
  });

  it("[T-8] a token is stored as a hash, and refused once it is revoked or expired", async () => {
    const expired = await server.makeToken({ read: ["own"] }, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await server.ask(expired, "/v1/base/own/list.json")).status).toBe(401);
    const revoked = await server.makeToken({ read: ["own"] });
    expect((await server.ask(revoked, "/v1/base/own/list.json")).status).toBe(200);
    expect(mustHave(await revokeTokens(server.database, readSecret(revoked)?.id ?? ""))).toBe(1);
    expect((await server.ask(revoked, "/v1/base/own/list.json")).status).toBe(401);
    const wrong = `${reader.slice(0, -2)}${reader.endsWith("AA") ? "BB" : "AA"}`;
    for (const token of [wrong, "", "x", "gwt_", `gwt_${"a".repeat(12)}_${"b".repeat(43)}`, "' OR 1=1 --", null])
      expect((await server.ask(token, "/v1/base/own/list.json")).status).toBe(401);
    const kept = mustHave(await server.database.asAdmin(({ rows }) => rows("SELECT * FROM groundwork.tokens")));
    const told = JSON.stringify(kept) + JSON.stringify(server.log);
    for (const token of [own, other, reader]) expect(told).not.toContain(token.slice("gwt_".length + 13));
  });

  it("[T-7] writes an audit log", async () => {
    const rows = mustHave(
      await server.database.asAdmin(
        async (transaction) =>
          await transaction.rows("SELECT principal, action, subject FROM groundwork.audit ORDER BY id"),
      ),
    );
    expect(rows).toContainEqual({ principal: readSecret(own)?.id, action: "base publish", subject: "own list.json" });
    expect(rows.filter(({ action }) => action === "token create").length).toBeGreaterThan(2);
  });
});
