// Debian's nginx as a store: serves a folder at a limited speed.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Connections that a client opens at once; the limit is divided among them. */
const CONNECTIONS = 4;
/** Reduces the limit, because nginx sends the first bytes of every answer at full speed. */
const SHARE = 0.8;

/** True if nginx is installed. */
export function hasNginx() {
  return spawnSync("nginx", ["-v"]).status === 0;
}

async function findPort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

/** Serves a folder with a total of `megabits` per second. */
export async function startNginx(scratch, root, megabits) {
  const place = join(scratch, `nginx-${megabits}`);
  mkdirSync(place, { recursive: true });
  const port = await findPort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(place, name)};`)
    .join(" ");
  const config = join(place, "nginx.conf");
  writeFileSync(
    config,
    `daemon off; worker_processes 1; user root; pid ${join(place, "pid")}; error_log stderr crit;
events { worker_connections 256; }
http {
  access_log off; ${temporary} sendfile on;
  server {
    listen 127.0.0.1:${port};
    root ${root};
    limit_rate ${Math.round((SHARE * megabits * 1_000_000) / 8 / CONNECTIONS)};
  }
}
`,
  );
  const child = spawn("nginx", ["-p", place, "-c", config], { stdio: ["ignore", "ignore", "inherit"] });
  const url = `http://127.0.0.1:${port}`;
  for (let left = 100; left > 0; left--) {
    const answer = await fetch(url).catch(() => null);
    if (answer !== null) break;
    await sleep(50);
  }
  return { url, stop: () => child.kill() };
}
