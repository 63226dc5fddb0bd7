import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { askResident } from "../adapters/resident/client.ts";
import { isSameProcess } from "../base/process-identity.ts";
import { readStateFile } from "../base/state-files.ts";
import { sleep } from "../base/timers.ts";
import { readPlace, readRunning, residentFolder } from "../config/resident-place.ts";
import { countOf } from "../contract/count-of.ts";
import { fail } from "../contract/faults.ts";
import { RESIDENT_FILES, RESIDENT_ROUTES, type ResidentStatus } from "../contract/resident.ts";
import { failed, misuse, type Printed, printedJson } from "./printed.ts";
import { startResident } from "./start-resident.ts";

const NOT_RUNNING: ResidentStatus = {
  running: false,
  pid: null,
  version: null,
  started_at: null,
  rss_mb: null,
  socket: null,
  repositories: [],
};
/** A person waits longer than a prompt does. */
const PATIENCE_MS = 2_000;
const LIMIT_MS = 5_000;
/** Time limit for starting or stopping, after which the command reports failure. */
const CHANGE_MS = 10_000;
const LOOK_MS = 50;
const MAX_WHY_BYTES = 1_000;

/** `groundwork resident status|start|stop`: shows and controls the process that answers from memory. */
export async function steerResident(words: readonly string[], options: OptionsOf<"resident">): Promise<Printed> {
  const [action = "status", ...rest] = words;
  if (rest.length > 0) return misuse(`resident ${action} takes no arguments`, "resident");
  const folder = residentFolder(process.env);
  if (folder === null)
    return failed(fail("E_CONFIG", "there is no folder for state", "set HOME or GROUNDWORK_HOME to a folder").fault);
  if (action === "status") {
    const status = await statusOf(folder);
    return print(status, options, status.running ? 0 : 1);
  }
  if (action === "start") return start(folder, options);
  if (action === "stop") return stop(folder, options);
  return misuse(`resident knows status, start and stop, not ${action}`, "resident");
}

/**
 * Asks the resident of a folder for its status. Contract: never throws; reports "not running" if none answers in
 * seconds.
 */
export async function statusOf(folder: string): Promise<ResidentStatus> {
  const place = readRunning(folder);
  if (place === null) return NOT_RUNNING;
  const asked = { socket: place.socket, patienceMs: PATIENCE_MS, limitMs: LIMIT_MS };
  const answer = await askResident({ ...asked, method: "GET", route: RESIDENT_ROUTES.status });
  if (answer?.status !== 200) return NOT_RUNNING;
  try {
    return JSON.parse(answer.text) as ResidentStatus;
  } catch {
    return NOT_RUNNING;
  }
}

async function start(folder: string, options: OptionsOf<"resident">): Promise<Printed> {
  let status = await statusOf(folder);
  if (!status.running) await startResident(process.env);
  const endMs = performance.now() + CHANGE_MS;
  while (!status.running && performance.now() < endMs) {
    await sleep(LOOK_MS);
    status = await statusOf(folder);
  }
  if (status.running) return print(status, options);
  const why = readStateFile(folder, RESIDENT_FILES.failure, MAX_WHY_BYTES)?.trim() ?? "it did not say why";
  return failed(
    fail("E_ORCHESTRATOR", `no resident could be started in ${folder}: ${why}`, "see docs/resident.md").fault,
  );
}

async function stop(folder: string, options: OptionsOf<"resident">): Promise<Printed> {
  const place = readPlace(folder);
  const before = await statusOf(folder);
  if (place === null || !before.running) return print(NOT_RUNNING, options);
  const asked = { socket: place.socket, patienceMs: PATIENCE_MS, limitMs: LIMIT_MS };
  await askResident({ ...asked, method: "POST", route: RESIDENT_ROUTES.stop });
  const endMs = performance.now() + CHANGE_MS;
  while (isSameProcess(place.process) && performance.now() < endMs) await sleep(LOOK_MS);
  const { pid } = place.process;
  if (!isSameProcess(place.process)) {
    const { text, exitCode } = print(NOT_RUNNING, options);
    return { text: options.json === true ? text : `Stopped process ${pid}. ${text}`, exitCode };
  }
  return failed(fail("E_TIMEOUT", `process ${pid} does not end`, `kill ${pid}`).fault);
}

function print(status: ResidentStatus, { json }: OptionsOf<"resident">, exitCode = 0): Printed {
  return json === true ? printedJson(status, exitCode) : { text: toText(status), exitCode };
}

function toText({ running, pid, version, started_at, rss_mb, socket, repositories }: ResidentStatus): string {
  if (!running)
    return 'No resident is running. The next question about code starts one; so does "groundwork resident start".\n';
  const held = repositories.map(({ root, files, state }) => `  ${root}  ${countOf(files, "file")}, ${state}\n`);
  const what = held.length === 0 ? "No repository is held open yet.\n" : `Held open:\n${held.join("")}`;
  return `Running: process ${pid}, version ${version}, since ${started_at}, ${rss_mb} MB, socket ${socket}\n${what}`;
}
