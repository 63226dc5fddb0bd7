// A real PostgreSQL in its own folder, for tests and benchmarks: reachable only by a socket in that folder.
import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Makes a cluster in an empty folder and starts it. The caller must stop it. */
export async function startPostgres(folder) {
  const asUser = findUser();
  if (asUser !== null) chownSync(folder, asUser.uid, asUser.gid);
  const data = join(folder, "data");
  const options = { ...asUser, cwd: folder };
  execFileSync(
    findPostgres("initdb"),
    ["-D", data, "--no-sync", "--auth=trust", "--username=above", "--locale=C.UTF-8", "--encoding=UTF8"],
    { ...options, stdio: ["ignore", "pipe", "pipe"] },
  );
  let running = null;
  const psql = (database, statements) =>
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
  const urlOf = (database, user = "plain") =>
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
    get pid() {
      return running?.pid ?? 0;
    },
  };
}

/** Returns the path of a PostgreSQL program; Debian keeps them in a folder per version. */
export function findPostgres(program) {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian)
    ? readdirSync(debian)
        .map(Number)
        .sort((one, other) => other - one)
    : [];
  const found = versions.map((version) => join(debian, String(version), "bin", program)).find(existsSync);
  return found ?? program;
}

/** Returns the user to run as; null for the current one. PostgreSQL refuses to run as root. */
function findUser() {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}
