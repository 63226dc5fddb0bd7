import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PgModule } from "../../src/server/postgres.ts";
import { projectRoot } from "./doors.ts";
import { makeFolder } from "./temp-folder.ts";

/** What the server speaks to PostgreSQL with. */
export const pg = createRequire(join(projectRoot, "team", "package.json"))("pg") as PgModule;

/** A real PostgreSQL of a test's own, reached by a socket in a temporary folder. */
export interface Postgres {
  /** Address of a database in it, as this user: `above` is a superuser, `plain` owns its databases and nothing else. */
  readonly urlOf: (database: string, user?: PostgresUser) => string;
  /** Makes an empty database that this user owns. Returns its address as that user. */
  readonly makeDatabase: (user?: PostgresUser) => string;
  /** Runs statements as a superuser; returns what psql prints: values alone, one row in each line. */
  readonly sql: (database: string, statements: string) => string;
  /** Takes it away, as a crash does where `signal` says so, and brings it back. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
  readonly start: () => Promise<void>;
}

type PostgresUser = "above" | "plain";

/** Makes a cluster and starts it. Whoever has made it stops it. */
export async function startPostgres(): Promise<Postgres> {
  const folder = makeFolder();
  const asUser = findUser();
  if (asUser !== null) chownSync(folder, asUser.uid, asUser.gid);
  const data = join(folder, "data");
  const options = { ...asUser, cwd: folder };
  execFileSync(
    findPostgres("initdb"),
    ["-D", data, "--no-sync", "--auth=trust", "--username=above", "--locale=C.UTF-8", "--encoding=UTF8"],
    { ...options, stdio: ["ignore", "pipe", "pipe"] },
  );
  let running: ChildProcess | null = null;
  const psql = (database: string, statements: string) =>
    execFileSync(
      findPostgres("psql"),
      ["-h", folder, "-U", "above", "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1"],
      {
        input: statements,
        encoding: "utf8",
        stdio: ["pipe", "pipe", "pipe"],
      },
    ).trim();
  const start = async () => {
    const settings = ["fsync=off", "listen_addresses=", `unix_socket_directories=${folder}`, "max_connections=60"];
    const child = spawn(findPostgres("postgres"), ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], {
      ...options,
      stdio: "ignore",
    });
    running = child;
    for (;;) {
      try {
        psql("postgres", "SELECT 1");
        return;
      } catch (thrown) {
        if (child.exitCode !== null) throw thrown;
        await sleep(50);
      }
    }
  };
  await start();
  psql("postgres", "CREATE ROLE plain LOGIN");
  let made = 0;
  const urlOf = (database: string, user: PostgresUser = "plain") =>
    `postgresql:///${database}?host=${encodeURIComponent(folder)}&user=${user}`;
  return {
    urlOf,
    makeDatabase: (user = "plain") => {
      const name = `team${++made}`;
      psql("postgres", `CREATE DATABASE ${name} OWNER ${user}`);
      return urlOf(name, user);
    },
    sql: psql,
    stop: async (signal = "SIGINT") => {
      const child = running;
      if (child === null || child.exitCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill(signal);
      await ended;
    },
    start,
  };
}

/** Debian has its programs apart, by version. */
function findPostgres(program: string): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian)
    ? readdirSync(debian)
        .map(Number)
        .sort((one, other) => other - one)
    : [];
  const found = versions.map((version) => join(debian, String(version), "bin", program)).find(existsSync);
  return found ?? program;
}

/** PostgreSQL refuses to run as root. */
function findUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}
