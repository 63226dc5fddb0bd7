// `npm test`: installs what the tests need, runs every check, and ends with one line that counts them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installAndBuild, installPackages, installSystemPackages, prepare } from "./setup.mjs";

prepare(
  () =>
    installSystemPackages([
      { name: "git", command: "git" },
      { name: "jq", command: "jq" },
    ]),
  installAndBuild,
  () => installPackages("tests/e2e/clients", "the real Claude Code and Codex, for the end-to-end tests"),
);

// A filter for one's own work: `npm test -- clamp` runs the unit tests whose path has that word, and nothing else.
const filter = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), "groundwork-tests-"));
const report = join(scratch, "vitest.json");
const bin = (name) => join("node_modules", ".bin", name);

const checks = [
  ["format and lint", bin("biome"), ["check", "--error-on-warnings", "."]],
  ["types", bin("tsc"), ["--noEmit"]],
  ["unused code", bin("knip"), ["--no-progress"]],
];
const tests = [
  [
    "unit, contract and end-to-end tests",
    bin("vitest"),
    ["run", "--reporter=default", "--reporter=json", `--outputFile=${report}`, ...filter],
  ],
  ["shell tests", join("node_modules", "bats", "bin", "bats"), ["--tap", "tests/"]],
];

let passed = 0;
let failed = 0;
for (const [name, command, args] of filter.length > 0 ? tests.slice(0, 1) : [...checks, ...tests]) {
  console.log(`\n== ${name}`);
  const done = spawnSync(command, args, {
    stdio: command.endsWith("bats") ? ["ignore", "pipe", "inherit"] : "inherit",
    encoding: "utf8",
  });
  if (command.endsWith("bats")) {
    console.log(done.stdout);
    passed += done.stdout.match(/^ok /gm)?.length ?? 0;
    failed += done.stdout.match(/^not ok /gm)?.length ?? 0;
  } else if (command.endsWith("vitest")) {
    const counts = readReport();
    passed += counts.numPassedTests;
    failed += counts.numFailedTests;
  } else if (done.status === 0) passed++;
  else failed++;
  // A runner that dies without a failed test is a failure too.
  if (done.status !== 0 && failed === 0) failed++;
}
rmSync(scratch, { recursive: true, force: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

function readReport() {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1 };
  }
}
