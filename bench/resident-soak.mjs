// A resident under load: four clients ask, files change, branches are switched, and it is killed with -9 every minute.
// Every answer must be valid and fresh, memory must not grow, and nothing may be left behind.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cli, hook } from "./support.mjs";

const CLIENTS = 4;
const KILL_MS = 60_000;
const SWITCH_MS = 20_000;
/** A file that was saved this long ago must be in the answer. */
const FRESH_MS = 1_500;
/** Message of an answer if there was no time to check for changes. */
const NOT_LOOKED =
  /no time to check for changed files|changed (?:since they were indexed )?and not read yet|time to read \d+ files/;

/** Runs for a while. Contract: prints one line of figures; sets the exit code if something was wrong. */
export async function soak({ root, env, state, seconds }) {
  const marked = { ...env, GROUNDWORK_SOAK: String(process.pid) };
  const status = () => {
    const done = spawnSync(process.execPath, [cli, "resident", "status", "--json"], {
      cwd: root,
      env,
      encoding: "utf8",
    });
    return JSON.parse(done.stdout);
  };
  const git = (...args) =>
    spawnSync("git", ["-c", "user.name=soak", "-c", "user.email=soak@localhost", ...args], {
      cwd: root,
      stdio: "ignore",
    });
  const endMs = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() > endMs;
  const wrong = [];
  /** Records a problem with its time, and the time since the last kill and the last branch switch. */
  const blame = (what) => {
    const at = Math.round(seconds - (endMs - performance.now()) / 1_000);
    const since = (ms) => (ms === null ? "never" : `${((performance.now() - ms) / 1_000).toFixed(1)} s ago`);
    wrong.push(`at ${at} s (killed ${since(lastKill)}, switched ${since(lastSwitch)}): ${what}`);
  };
  let lastKill = null;
  let lastSwitch = null;
  let asked = 0;
  let fresh = 0;
  let late = 0;
  let kills = 0;
  let switches = 0;
  let newest = null;
  const memory = [];

  const ask = (prompt) =>
    new Promise((done) => {
      const child = spawn(hook, [], { cwd: root, env: marked, stdio: ["pipe", "pipe", "ignore"] });
      const chunks = [];
      child.stdout.on("data", (chunk) => chunks.push(chunk));
      child.on("close", (code) => done({ code, text: Buffer.concat(chunks).toString("utf8") }));
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify({ prompt, cwd: root }));
    });
  const client = async () => {
    while (!isOver()) {
      const wanted = newest !== null && performance.now() - newest.savedAt > FRESH_MS ? newest : null;
      const { code, text } = await ask(
        wanted === null ? "how are errors reported to the user?" : `where is ${wanted.name} defined?`,
      );
      asked++;
      try {
        const { additionalContext } = JSON.parse(text).hookSpecificOutput;
        if (code !== 0) blame(`exit ${code}`);
        // A branch switch or the next file may have come in between.
        if (wanted === null || wanted !== newest) continue;
        if (additionalContext.includes(wanted.path)) fresh++;
        else if (NOT_LOOKED.test(text)) late++;
        else blame(`stale: ${wanted.name} in ${wanted.path}: ${text.slice(0, 300)}`);
      } catch {
        blame(`no envelope: ${text.slice(0, 200)}`);
      }
    }
  };
  const writer = async () => {
    mkdirSync(join(root, "soak"), { recursive: true });
    for (let at = 0; !isOver(); at++) {
      const name = `soak_marker_${at.toString(36)}_${"abcdefgh".charAt(at % 8)}x`;
      const path = `soak/part${at % 7}/file${at % 50}.py`;
      newest = null;
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), `def ${name}(value):\n    return value\n`);
      newest = { name, path, savedAt: performance.now() };
      await sleep(4_000);
    }
  };
  const switcher = async () => {
    git("checkout", "-q", "-b", "soak-base");
    git("checkout", "-q", "-b", "soak-other");
    while (!isOver()) {
      await sleep(SWITCH_MS);
      newest = null;
      git("add", "-A");
      git("commit", "-q", "-m", "soak");
      git("checkout", "-q", switches++ % 2 === 0 ? "soak-base" : "soak-other");
      lastSwitch = performance.now();
    }
  };
  const killer = async () => {
    while (!isOver()) {
      await sleep(Math.min(KILL_MS, Math.max(0, endMs - performance.now())));
      const { pid, rss_mb } = status();
      if (pid === null) continue;
      memory.push(rss_mb);
      kills++;
      process.kill(pid, "SIGKILL");
      lastKill = performance.now();
    }
  };
  await Promise.all([...Array.from({ length: CLIENTS }, client), writer(), switcher(), killer()]);
  spawnSync(process.execPath, [cli, "resident", "stop"], { cwd: root, env });
  await sleep(2_000);
  const left = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`GROUNDWORK_SOAK=${process.pid}\0`);
      } catch {
        return false;
      }
    })
    .map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
  const files = readdirSync(state).filter((name) => !["history", "index", "resident", "sessions"].includes(name));
  rmSync(join(root, "soak"), { recursive: true, force: true });
  for (const line of wrong.slice(0, 200)) console.log(line);
  console.log(
    `${seconds} s: ${asked} answers, ${fresh} of them checked for freshness, ${wrong.length} wrong, ${late} said that there was no time to look; ${kills} kills, ` +
      `${switches} branch switches; memory ${memory.join(", ")} MB; left behind: ${[...left, ...files].join(", ") || "nothing"}`,
  );
  process.exitCode = wrong.length + left.length + files.length === 0 ? 0 : 1;
}
