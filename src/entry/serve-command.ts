import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { systemClock } from "../base/clock.ts";
import { fail, type Outcome, sayFault, succeed } from "../contract/faults.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import type { ListenAddress, TlsFiles } from "../server/http.ts";
import { makeLog } from "../server/log.ts";
import { REQUEST_STATEMENT_MS } from "../server/postgres.ts";
import { isLoopbackHost } from "../server/request-guard.ts";
import { startTeamServer } from "../server/server.ts";
import { misuse, type Printed } from "./printed.ts";
import { untilStopped, workingFolder, writeAll } from "./process.ts";
import { openTeamDatabase } from "./team-database.ts";
import { teamMcp } from "./team-mcp.ts";

const USUAL_LISTEN = "127.0.0.1:7418";
/**
 * Many times what a developer or a publisher needs; a client that sends requests in a loop does not delay the others.
 */
const LIMITS = { atOnce: 16, perSecond: 50, burst: 500 } as const;

/** `groundwork serve`: runs a team server until it is told to stop. */
export async function serveTeam(
  words: readonly string[],
  options: OptionsOf<"serve">,
  tools: readonly ToolDeclaration[],
): Promise<Printed> {
  if (words.length > 0) return misuse("serve takes no arguments", "serve");
  const listen = readListen(options.listen ?? USUAL_LISTEN);
  if (!listen.ok) return misuse(listen.fault.message, "serve");
  const tls = readTls(options);
  if (!tls.ok) return misuse(tls.fault.message, "serve");
  const { host } = listen.value;
  if (!isLoopbackHost(host) && tls.value === null && options["behind-proxy"] !== true)
    return misuse(
      `connections to ${host} would not be encrypted: give --tls-cert and --tls-key, or --behind-proxy if a proxy has the certificate`,
      "serve",
    );
  const url = readUrl(options.url);
  if (!url.ok) return misuse(url.fault.message, "serve");
  const log = makeLog(
    (line) => writeAll(2, line),
    () => new Date(systemClock.nowMs()),
  );
  const opened = await openTeamDatabase(options.database, REQUEST_STATEMENT_MS, (what) => log("starting", { what }));
  if (!opened.ok) return misuse(sayFault(opened.fault), "serve");
  const database = opened.value;
  try {
    const settings = { database, listen: listen.value, tls: tls.value, url: url.value, limits: LIMITS };
    const names = tools.map(({ name }) => name);
    const started = await startTeamServer({ ...settings, tools: names, routes: [teamMcp], clock: systemClock, log });
    if (!started.ok) return misuse(started.fault.message, "serve");
    const stopped = untilStopped();
    writeAll(1, `listening on ${started.value.url}\n`);
    await stopped;
    log("stopping");
    await started.value.close();
  } finally {
    await database.close();
  }
  log("stopped");
  return { text: "", exitCode: 0 };
}

/** Reads HOST:PORT, [ADDRESS]:PORT or PORT. */
function readListen(written: string): Outcome<ListenAddress> {
  const [, v6, name = "127.0.0.1", digits = ""] =
    /^(?:(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+)):)?(\d{1,5})$/i.exec(written) ?? [];
  const port = Number(digits);
  return digits !== "" && port <= 65_535
    ? succeed({ host: v6 ?? name, port })
    : fail("E_INVALID_ARGS", `--listen takes HOST:PORT, not ${written}`);
}

function readTls(options: OptionsOf<"serve">): Outcome<TlsFiles | null> {
  const { "tls-cert": cert, "tls-key": key } = options;
  if (cert === undefined && key === undefined) return succeed(null);
  if (cert === undefined || key === undefined)
    return fail("E_INVALID_ARGS", "--tls-cert and --tls-key belong together");
  const files: Buffer[] = [];
  for (const path of [cert, key]) {
    try {
      files.push(readFileSync(resolve(workingFolder(), path)));
    } catch {
      return fail("E_INVALID_ARGS", `${path} cannot be read`);
    }
  }
  const [certBytes, keyBytes] = files as [Buffer, Buffer];
  return succeed({ cert: certBytes, key: keyBytes });
}

function readUrl(written: string | undefined): Outcome<URL | null> {
  if (written === undefined) return succeed(null);
  if (URL.canParse(written) && /^https?:$/.test(new URL(written).protocol)) return succeed(new URL(written));
  return fail(
    "E_INVALID_ARGS",
    `--url takes the address that clients use, such as https://groundwork.example, not ${written}`,
  );
}
