import { systemClock } from "../../src/base/clock.ts";
import { teamMcp } from "../../src/entry/team-mcp.ts";
import { TeamDatabase } from "../../src/server/database.ts";
import type { LogEntry } from "../../src/server/log.ts";
import { prepareDatabase } from "../../src/server/migrate.ts";
import { makePool, REQUEST_STATEMENT_MS } from "../../src/server/postgres.ts";
import { startTeamServer, type TeamServerOptions } from "../../src/server/server.ts";
import { createToken, type TokenRights } from "../../src/server/tokens.ts";
import { pg } from "./postgres.ts";

/** Returns the value of an outcome; throws if it is a fault. */
export function mustHave<T>(outcome: { ok: true; value: T } | { ok: false; fault: { message: string } }): T {
  if (!outcome.ok) throw new Error(outcome.fault.message);
  return outcome.value;
}

/** Opens a database as the server does. */
export async function openTestDatabase(url: string, statementMs = REQUEST_STATEMENT_MS): Promise<TeamDatabase> {
  const patient = makePool(pg, url, 0, 1);
  const prepared = mustHave(await prepareDatabase(patient));
  await patient.end();
  return new TeamDatabase(makePool(pg, url, statementMs), prepared.takesRole);
}

/** Starts a server in this process, with its own database unless one is given. */
export async function startTestServer(url: string, given: Partial<TeamServerOptions> = {}) {
  const database = given.database ?? (await openTestDatabase(url));
  const log: (LogEntry & { readonly event: string })[] = [];
  const server = mustHave(
    await startTeamServer({
      database,
      listen: { host: "127.0.0.1", port: 0 },
      tls: null,
      url: null,
      tools: ["ci_search", "ci_impact"],
      limits: { atOnce: 100, perSecond: 10_000, burst: 10_000 },
      routes: [teamMcp],
      clock: systemClock,
      log: (event, entry = {}) => void log.push({ event, ...entry }),
      ...given,
    }),
  );
  return {
    url: server.url,
    database,
    log,
    /** Makes a token with these rights. */
    makeToken: async (rights: Partial<TokenRights>, expiresMs: number | null = null) =>
      mustHave(
        await createToken(
          database,
          "somebody",
          { read: [], publish: [], maySubmit: false, mayWork: false, ...rights },
          expiresMs,
        ),
      ),
    /** Sends a request as the holder of a token. */
    ask: async (token: string | null, path: string, init: RequestInit = {}) => {
      const headers = { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...(init.headers as object) };
      const answer = await fetch(`${server.url}${path}`, { ...init, headers });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
    close: async () => {
      await server.close();
      // A given database belongs to the caller.
      if (given.database === undefined) await database.close();
    },
  };
}
