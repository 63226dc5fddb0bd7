// `npm test`: installs what the tests need, runs every check, and ends with one line that counts them.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCodeCache } from "./code-cache.mjs";
import { findBrowser, installAndBuild, installPackages, installSystemPackages, prepare } from "./setup.mjs";

/** Says which tests are not run; null if all are. */
let notRun = null;
/** The clients are large, so they are downloaded while everything else is prepared. */
let clients;
await prepare(async () => {
  clients = installPackages("tests/e2e/clients", "the real clients, for the end-to-end tests");
  clients.catch(() => {});
  // System packages, npm packages and the build do not depend on each other.
  await Promise.all([installPrograms(), installPackages("team", "what a team's server needs"), build()]);
});

async function installPrograms() {
  await installSystemPackages([
    { name: "git", command: "git" },
    { name: "jq", command: "jq" },
    // Shells under which every door is run, and the linter for the doors.
    { name: "dash", command: "dash" },
    { name: "busybox", command: "busybox" },
    { name: "shellcheck", command: "shellcheck" },
    // Shells whose completions are tested; bash is always installed.
    { name: "zsh", command: "zsh" },
    { name: "fish", command: "fish" },
    // A terminal for the loop of codex-auto, and an environment without /proc.
    { name: "bsdutils", command: "script" },
    { name: "util-linux", command: "unshare" },
    // Shows every socket that a door opens.
    { name: "strace", command: "strace" },
    // Makes the certificate for tests of a team's server.
    { name: "openssl", command: "openssl" },
    // The database of a team's server; Debian keeps its programs in a separate folder.
    { name: "postgresql", command: "postgres || ls /usr/lib/postgresql/*/bin/postgres" },
  ]);
  notRun = await findBrowser();
  if (notRun !== null) console.log(notRun);
}

async function build() {
  await installAndBuild();
  await makeCodeCache();
}

// Node 20 reads this file at every start, which then takes twice as long. No test connects to another machine.
delete process.env.NODE_EXTRA_CA_CERTS;

// A filter for development: `npm test -- clamp` runs only the unit tests whose path contains that word.
const filter = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), "groundwork-tests-"));
const report = join(scratch, "vitest.json");
const bin = (name) => join("node_modules", ".bin", name);

const checks = [
  ["format and lint", bin("biome"), ["check", "--error-on-warnings", "."]],
  ["types", bin("tsc"), ["--noEmit"]],
  ["types of the page", bin("tsc"), ["--noEmit", "--project", "src/web/page"]],
  ["unused code", bin("knip"), ["--no-progress"]],
];
const unitTests = [
  "unit, contract and end-to-end tests",
  bin("vitest"),
  ["run", "--reporter=default", "--reporter=json", `--outputFile=${report}`, ...filter],
];
const shellTests = ["shell tests", join("node_modules", "bats", "bin", "bats"), ["--tap", "tests/"]];

let passed = 0;
let failed = 0;
/** Titles of failed tests with the first lines of their errors, repeated at the end of the output. */
const failures = [];
const count = ([good, bad], status) => {
  passed += good;
  failed += bad;
  // A runner that dies without a failed test is a failure, too.
  if (status !== 0 && failed === 0) failed++;
};

// The shell tests run concurrently with the others: both mostly wait for processes.
const beside = filter.length > 0 ? null : start(...shellTests);
for (const [name, command, args] of filter.length > 0 ? [unitTests] : [...checks, unitTests]) {
  if (command === unitTests[1]) await prepare(() => clients);
  console.log(`\n== ${name}`);
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (command === unitTests[1]) {
    const report = readReport();
    count([report.numPassedTests, report.numFailedTests], status);
    failures.push(...listFailures(report));
  } else {
    count(status === 0 ? [1, 0] : [0, 1], status);
    if (status !== 0) failures.push(name);
  }
}
if (beside !== null) {
  const { status, output } = await beside.ended;
  console.log(`\n== ${beside.name}\n${output}`);
  count([output.match(/^ok /gm)?.length ?? 0, output.match(/^not ok /gm)?.length ?? 0], status);
  failures.push(...(output.match(/^not ok .*(?:\n#.*){0,12}/gm) ?? []));
}
rmSync(scratch, { recursive: true, force: true });
if (failures.length > 0) console.log(`\n== failed\n${failures.join("\n")}`);
if (notRun !== null) console.log(`\n${notRun}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

/**
 * Starts a runner that prints into a file: a pipe would fill up while this process waits for another runner.
 */
function start(name, command, args) {
  const file = join(scratch, "output");
  const child = spawn(command, args, { stdio: ["ignore", openSync(file, "w"), "inherit"] });
  const ended = new Promise((resolve) => {
    child.once("error", (error) => resolve({ status: 1, output: error.message }));
    child.once("close", (status) => resolve({ status, output: readFileSync(file, "utf8") }));
  });
  return { name, ended };
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, testResults: [] };
  }
}

/** Lists each failed test by file and title, and each file that did not load, with the first lines of the error. */
function listFailures({ testResults }) {
  const brief = (text = "") => text.split("\n").slice(0, 12).join("\n  ").slice(0, 1_500);
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const bad = assertionResults.filter((test) => test.status === "failed");
    if (bad.length === 0) return status === "failed" ? [`${name}\n  ${brief(message)}`] : [];
    return bad.map(({ fullName, failureMessages }) => `${name}: ${fullName}\n  ${brief(failureMessages[0])}`);
  });
}
