import { hostname } from "node:os";
import { join } from "node:path";
import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { leaveHeir } from "../base/subprocess/start-detached.ts";
import { splitNames, toOneLine } from "../base/text.ts";
import { stateFolder } from "../config/places.ts";
import { readTeamServer } from "../config/team-server.ts";
import { fail, type Outcome, sayFault, succeed } from "../contract/faults.ts";
import { TEAM_SANDBOXES } from "../contract/team-jobs.ts";
import { endRunsIn } from "../jobs/job/stop.ts";
import { guardOwn } from "../lifecycle/guard.ts";
import { parseRepoPrefix } from "../team/jobs/repo-url.ts";
import { runWorker } from "../team/jobs/worker.ts";
import { makeWorkerFolder, removeLeftovers, removeWorkerFolder, WORKERS_FOLDER } from "../team/jobs/worker-folder.ts";
import { misuse, type Printed } from "./printed.ts";
import { untilStopped, writeAll } from "./process.ts";
import { makeRunJob } from "./run-team-job.ts";

const MOST_AT_ONCE = 100;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u;
/** Action of the process that a killed worker leaves behind to clean up; never typed by a user. */
const ABANDON = "abandon";

/** `groundwork team worker`: takes Codex jobs from a team server and runs them, until it is told to stop. */
export async function runTeamWorker(words: readonly string[], options: OptionsOf<"team">): Promise<Printed> {
  const state = stateFolder(process.env);
  if (state === null) return misuse("there is no folder for clones: set GROUNDWORK_HOME", "team");
  const workers = join(state, WORKERS_FOLDER);
  if (words[0] === ABANDON) {
    removeLeftovers(workers, endRunsIn);
    return { text: "", exitCode: 0 };
  }
  if (words.length > 0) return misuse("team worker takes no arguments", "team");
  const read = readOptions(options);
  if (!read.ok) return misuse(read.fault.message, "team");
  const access = readTeamServer(process.env);
  if (!access.ok) return misuse(sayFault(access.fault), "team");
  removeLeftovers(workers, endRunsIn);
  const made = makeWorkerFolder(workers);
  if (!made.ok) return misuse(made.fault.message, "team");
  const folder = made.value;
  // A killed worker cannot end its runs, whose results would then reach nobody.
  const heir = await leaveHeir(process.execPath, [join(__dirname, "cli.cjs"), "team", "worker", ABANDON], {
    cwd: "/",
    env: process.env,
  });
  const stopping = new AbortController();
  const stopped = untilStopped().then(() => stopping.abort());
  const say = (line: string) => void writeAll(2, `groundwork: ${toOneLine(guardOwn(line))}\n`);
  writeAll(1, `worker ${read.value.wish.worker} takes jobs from ${access.value.url}\n`);
  try {
    const runJob = makeRunJob(process.env);
    const own = {
      runJob,
      env: process.env,
      folder,
      endRuns: endRunsIn,
      access: access.value,
      stopping: stopping.signal,
      say,
    };
    await runWorker({ ...own, ...read.value, prefixes: read.value.wish.prefixes });
    await stopped;
  } finally {
    heir.dismiss();
    removeWorkerFolder(folder, endRunsIn);
  }
  return { text: "", exitCode: 0 };
}

function readOptions(options: OptionsOf<"team">) {
  const prefixes = readPrefixes(options.repos ?? "");
  if (!prefixes.ok) return prefixes;
  const most = Number(options.max ?? 1);
  if (!Number.isInteger(most) || most < 1 || most > MOST_AT_ONCE)
    return fail("E_INVALID_ARGS", `--max takes a whole number from 1 to ${MOST_AT_ONCE}`);
  const sandbox = TEAM_SANDBOXES.find((known) => known === (options["max-sandbox"] ?? "workspace-write"));
  if (sandbox === undefined) return fail("E_INVALID_ARGS", `--max-sandbox takes ${TEAM_SANDBOXES.join(" or ")}`);
  const worker = options.name ?? hostname();
  if (!NAME.test(worker)) return fail("E_INVALID_ARGS", "--name takes letters, digits and . _-, up to 100");
  const wish = { worker, prefixes: prefixes.value, max_sandbox: sandbox, network: options.network === true };
  return succeed({ wish, most, pushes: options.push === true });
}

function readPrefixes(written: string): Outcome<readonly string[]> {
  const names = splitNames(written);
  if (names.length === 0)
    return fail(
      "E_INVALID_ARGS",
      "a worker runs only what you list: give the prefixes of the repositories it takes, such as --repos https://git.example/team/",
    );
  const prefixes: string[] = [];
  for (const name of names) {
    const prefix = parseRepoPrefix(name);
    if (!prefix.ok) return fail("E_INVALID_ARGS", `--repos ${name}: ${prefix.fault.message}`);
    prefixes.push(prefix.value);
  }
  return succeed(prefixes);
}
