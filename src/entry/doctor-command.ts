import { statfsSync } from "node:fs";
import { join } from "node:path";
import { hashBuild } from "../../scripts/build-hash.mjs";
import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { printDoctor, printDoctorJson, printDoctorProgress } from "../adapters/cli/doctor.ts";
import { systemClock } from "../base/clock.ts";
import { withSafePath } from "../base/find-program.ts";
import { showsMarks } from "../base/subprocess/marks.ts";
import { openProgram } from "../base/subprocess/open-program.ts";
import { runProgram } from "../base/subprocess/run-program.ts";
import { type LoadedSettings, loadSettings, readUserSettings } from "../config/load-settings.ts";
import { findHome, historyFolder, stateFolder } from "../config/places.ts";
import { residentFolder } from "../config/resident-place.ts";
import { SETTINGS, type Settings } from "../config/settings.ts";
import { toDoctorReport } from "../contract/doctor.ts";
import type { Outcome } from "../contract/faults.ts";
import { INDEX_FILES, setIndexAside } from "../engine/store/database.ts";
import { clientExaminations } from "../install/doctor/clients.ts";
import { type Examination, examine, type MendableCheck } from "../install/doctor/examine.ts";
import { type HistoryReport, historyExaminations } from "../install/doctor/history.ts";
import { mcpExaminations } from "../install/doctor/mcp-server.ts";
import { programExaminations } from "../install/doctor/program.ts";
import { type IndexReport, indexExaminations } from "../install/doctor/repository-index.ts";
import { residentExaminations } from "../install/doctor/resident.ts";
import { settingsExaminations } from "../install/doctor/settings.ts";
import { stateFolderExaminations } from "../install/doctor/state-folder.ts";
import type { World } from "../install/doctor/world.ts";
import { guardOwn } from "../lifecycle/guard.ts";
import { examineHistory } from "../run-history/health.ts";
import { describeBase } from "../team/describe-base.ts";
import { makeRegistry } from "../tools/registry.ts";
import { readBuild } from "./build-id.ts";
import { indexFolderOf, makeDoorEngine } from "./engine.ts";
import { whyNotSent } from "./offer-figures.ts";
import { misuse, type Printed } from "./printed.ts";
import { isTerminal, namedFolder, projectRoot, writeAll } from "./process.ts";
import { statusOf } from "./resident-command.ts";
import { screenOf } from "./screen.ts";
import { VERSION, WANTED_NODE } from "./version.ts";

/** PATH of programs that were not started from a terminal. */
const THIN_PATH = "/usr/bin:/bin:/usr/sbin:/sbin";

/** `groundwork doctor`: examines everything that evidence depends on, and says what to do. */
export async function examineAll(words: readonly string[], options: OptionsOf<"doctor">): Promise<Printed> {
  if (words.length > 0) return misuse("doctor takes no arguments", "doctor");
  const folder = namedFolder(options.repo) || "/";
  const look = async () => examine(await makeExaminations(folder), showProgress());
  let checks = await look();
  if (options.fix === true && mendAll(checks)) checks = await look();
  const report = toDoctorReport(checks.map(({ mend: _mend, ...check }) => check));
  return {
    text: options.json === true ? printDoctorJson(report) : printDoctor(report, screenOf(options)),
    exitCode: report.ok ? 0 : 1,
  };
}

/** Repairs whatever is ours to repair, and reports it. Returns true if any repair was attempted. */
function mendAll(checks: readonly MendableCheck[]): boolean {
  const done = checks.flatMap(({ mend }) => (mend === undefined ? [] : [mend()]));
  writeAll(2, done.length === 0 ? "groundwork: nothing of ours to repair\n" : "");
  for (const line of done) writeAll(2, `groundwork: ${guardOwn(line)}\n`);
  return done.length > 0;
}

function showProgress(): (done: number, total: number) => void {
  if (!isTerminal(2)) return () => {};
  return (done, total) => writeAll(2, printDoctorProgress(done, total));
}

async function makeExaminations(folder: string): Promise<Examination[]> {
  const env = withSafePath(process.env, folder);
  const engine = makeDoorEngine(env);
  const bounds = makeRegistry(engine);
  const loaded = await loadSettings({ env, folder, bounds });
  const own = await readUserSettings(env);
  const world: World = {
    env,
    home: findHome(env),
    uid: process.getuid?.() ?? null,
    folder,
    projectRoot,
    node: process.execPath,
    stateFolder: stateFolder(env),
    clock: systemClock,
    thinPath: THIN_PATH,
    budgetMs: loaded.ok ? loaded.value.settings.wallMs : SETTINGS.wallMs.fallback,
    run: runProgram,
    open: openProgram,
    freeBytes,
  };
  const program = {
    version: VERSION,
    nodeVersion: process.versions.node,
    wantedNode: WANTED_NODE,
    recordedBuild: readBuild(),
    foundBuild: findBuild(),
    findsStrays: showsMarks(),
  };
  return [
    ...programExaminations(world, program),
    ...stateFolderExaminations(world),
    ...(loaded.ok ? indexExaminations(world, () => reportIndex(env, loaded.value)) : []),
    ...clientExaminations(world),
    ...mcpExaminations(world),
    ...settingsExaminations(world, bounds),
    ...residentExaminations({ folder: residentFolder(env), version: VERSION, askStatus: statusOf }),
    ...historyExaminations(() => reportHistory(env, loaded, own)),
  ];
}

function reportHistory(env: NodeJS.ProcessEnv, loaded: Outcome<LoadedSettings>, own: Settings | null): HistoryReport {
  const folder = historyFolder(env);
  const { settings, origins } = loaded.ok ? loaded.value : { settings: null, origins: null };
  return {
    folder,
    health: folder === null ? null : examineHistory(folder),
    setting: settings === null ? null : { kept: settings.history, days: settings.historyDays, mb: settings.historyMb },
    origin: origins?.history ?? "",
    sharing: own?.teamFigures === "on" ? { obstacle: whyNotSent(env, own) } : null,
  };
}

function reportIndex(env: NodeJS.ProcessEnv, { settings, root: { root } }: LoadedSettings): IndexReport {
  const folder = indexFolderOf(env, root);
  const usesIndex = settings.index === "auto" && folder !== null;
  const engine = makeDoorEngine(env);
  // No check here takes long enough to need cancelling.
  const budget = { signal: new AbortController().signal, isExcluded: () => false, usesIndex, timeLeftMs: () => 1_000 };
  try {
    const state = engine.indexState(root, budget);
    return {
      isOff: !usesIndex,
      damage: engine.indexDamage(root, budget),
      state: state === null ? null : { isDone: state.phase === "done", files: state.files, atMs: state.atMs },
      base: describeBase(env, root, folder),
      setAside: () => {
        if (folder !== null) setIndexAside(join(folder, INDEX_FILES.database));
        return `the index of ${root} was moved aside; the next question about code builds a new one`;
      },
    };
  } finally {
    engine.close();
  }
}

/** Id of the build that the files in dist/ belong to; empty if they cannot be read. */
function findBuild(): string {
  try {
    return hashBuild(join(projectRoot, "dist"));
  } catch {
    return "";
  }
}

function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
