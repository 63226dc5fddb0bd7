import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { ProgressStep } from "../adapters/cli/progress.ts";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { sleep } from "../base/timers.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { type BuildReport, type BuildRequest, buildIndex } from "../engine/build/build-index.ts";
import { type JobRunner, makeRunner } from "../engine/build/pool.ts";
import { FileParser } from "../engine/parse/file-parser.ts";
import { historySettings, indexFolderOf } from "./engine.ts";
import { makeBaseFinder } from "./find-bases.ts";
import { projectRoot } from "./process.ts";
import { offerCodeCache } from "./start-code-cache.ts";

/** More threads cost more memory than the time they save is worth. */
const MAX_THREADS = 4;
const MEGABYTE = 1_000_000;
/** Interval at which a waiting caller checks whether another build has ended. */
const LOOK_MS = 100;

/** Options of a build. */
interface BuildRun extends Pick<BuildRequest, "signal"> {
  readonly onProgress: (step: ProgressStep) => void;
  /** True if a user waits for the build: it then waits for a build that is running, and checks again after it. */
  readonly isAsked?: boolean;
}

/** Builds or updates a root's index, in this process and its worker threads. */
export async function runBuild(
  root: string,
  env: Environment,
  { signal, onProgress, isAsked = false }: BuildRun,
): Promise<Outcome<BuildReport>> {
  const folder = indexFolderOf(env, root);
  if (folder === null)
    return fail(
      "E_CONFIG",
      "there is no folder for an index outside the repository",
      "set GROUNDWORK_HOME to a folder",
    );
  const runner = startRunner();
  const onBytes = (done: number, total: number) =>
    onProgress({ phase: "base", done: Math.round(done / MEGABYTE), total: Math.ceil(total / MEGABYTE) });
  try {
    const past = historySettings(env);
    const findBases = makeBaseFinder({ root, env, folder, isAsked, signal, onBytes });
    const request = { root, folder, runner, past, clock: systemClock, signal, onProgress, findBases };
    for (;;) {
      const report = await buildIndex(request);
      if (report.outcome !== "busy" || !isAsked) return succeed(report);
      onProgress({ phase: "waiting", done: 0, total: 0 });
      await sleep(LOOK_MS, signal);
    }
  } finally {
    await runner.close();
    await offerCodeCache(env);
  }
}

/** Starts the runner whose threads read files. */
export function startRunner(): JobRunner {
  const bundles = join(projectRoot, "dist");
  return makeRunner({
    file: join(bundles, "index-worker.cjs"),
    width: Math.min(MAX_THREADS, availableParallelism()),
    tools: {
      parser: new FileParser({ folder: join(bundles, "grammars"), clock: systemClock, fewFiles: true }),
      clock: systemClock,
    },
  });
}
