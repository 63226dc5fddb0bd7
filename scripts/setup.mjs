// What `npm start` and `npm test` need on a fresh clone, done once: each step reports what it does, or that it is done.
import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { findChromium, HEADLESS_SHELL } from "./chromium.mjs";

const say = (text) => process.stderr.write(`${text}\n`);

/** Runs a command and shows its output only if it fails. */
async function run(command, args, options = {}) {
  try {
    await promisify(execFile)(command, args, { maxBuffer: Infinity, ...options });
  } catch ({ message, stdout, stderr }) {
    throw new Error(`${command} ${args.join(" ")} failed\n${`${stdout ?? ""}${stderr ?? ""}` || message}`);
  }
}

function hashOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths.sort()) hash.update(path).update(readFileSync(path));
  return hash.digest("hex");
}

/** Runs a step unless its inputs are unchanged since its last run. */
async function once(stamp, inputs, what, step) {
  const hash = hashOf(inputs);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  say(what);
  await step();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

/** Runs the steps in the project's folder; a failing step is reported without a stack trace and ends the program. */
export async function prepare(...steps) {
  process.chdir(resolve(import.meta.dirname, ".."));
  try {
    checkNode();
    for (const step of steps) await step();
  } catch (error) {
    say(error.message);
    process.exit(1);
  }
}

/** Installs the runtime dependencies and builds. */
export async function installAndBuild() {
  await installPackages(".", "packages");
  await buildPrograms();
}

/** Exits early with instructions if Node is too old for the steps that follow. */
function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Node ${process.versions.node} is too old; install Node 20.19 or newer`);
}

/** Installs the packages of the lock file in a folder. */
export function installPackages(folder, what) {
  const inputs = ["package.json", "package-lock.json"].map((name) => join(folder, name));
  return once(join(folder, "node_modules", ".groundwork-installed"), inputs, `Installing ${what} …`, () =>
    run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder }),
  );
}

/** Builds the programs behind the entry points. */
function buildPrograms() {
  const inputs = [...listFiles("src"), ...listFiles("scripts"), "package.json", "package-lock.json"];
  return once("dist/.groundwork-built", inputs, "Building …", () => run("npm", ["run", "build"]));
}

/** Builds even if nothing changed, because a package contains the id of its commit. */
export function buildAnew() {
  rmSync("dist/.groundwork-built", { force: true });
  return buildPrograms();
}

/** How long to wait for another process that is installing packages. */
const LOCK_MS = 600_000;

/** True once this process has updated the package lists. */
let isUpdated = false;

/** Installs Debian packages that the tests use, if possible. */
export async function installSystemPackages(wanted) {
  const missing = wanted.filter(({ command }) => spawnSync("sh", ["-c", `command -v ${command}`]).status !== 0);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  const mayInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (!mayInstall)
    throw new Error(
      `The tests need ${names.join(", ")}; install them first, e.g. with: sudo apt-get install ${names.join(" ")}`,
    );
  say(`Installing ${names.join(", ")} …`);
  if (!isUpdated) await runApt("update");
  isUpdated = true;
  await runApt("install", "-y", "--no-install-recommends", ...names);
}

/** Runs apt-get; while another process holds its lock, as on a machine that is still being set up, waits for it. */
async function runApt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
  const end = Date.now() + LOCK_MS;
  for (let isTold = false; ; isTold = true) {
    try {
      return await run("apt-get", ["-q", ...args], { env });
    } catch (error) {
      if (!/^E: (Could not get|Unable to (lock|acquire))/m.test(error.message) || Date.now() > end) throw error;
      if (!isTold) say("Waiting for another process that is installing packages …");
      await setTimeout(2_000);
    }
  }
}

/** True if the tests of the page must run: a missing browser is then a failure. */
const mustHaveBrowser = () => process.env.GROUNDWORK_TEST_PAGE === "required";

/**
 * Finds the browser for the tests of the page, and installs it if it is required. Returns why these tests are not run
 * and how to get what they need; null if they are run.
 */
export async function findBrowser() {
  if (mustHaveBrowser()) await installSystemPackages([{ name: HEADLESS_SHELL, command: HEADLESS_SHELL }]);
  try {
    findChromium();
    return null;
  } catch (error) {
    return `not run: the tests of the page; ${error.message}`;
  }
}

/** Every file below a folder. */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
