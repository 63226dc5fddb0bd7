import { join } from "node:path";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { type BuildRequest, buildIndex } from "../engine/build/build-index.ts";
import { makeInlineRunner } from "../engine/build/pool.ts";
import { FileParser } from "../engine/parse/file-parser.ts";
import { historySettings, indexFolderOf } from "./engine.ts";
import { projectRoot } from "./process.ts";

/** Time limit of an update, which runs in the process that answers questions. */
const MAX_MS = 2_000;

const makeParser = () =>
  new FileParser({ folder: join(projectRoot, "dist", "grammars"), clock: systemClock, fewFiles: true });
let parser: FileParser | null = null;

/**
 * Updates an index after a few changes, in this process, whose parser and list of changes are warm. Contract: never
 * throws; the next builder makes up for a failed update.
 */
export async function updateIndex(
  root: string,
  env: Environment,
  suspectsAmong: NonNullable<BuildRequest["suspectsAmong"]>,
): Promise<void> {
  const folder = indexFolderOf(env, root);
  if (folder === null) return;
  // A parser that has used up its memory is no longer usable.
  if (parser === null || parser.isSpent) parser = makeParser();
  const runner = makeInlineRunner({ parser, clock: systemClock });
  const past = historySettings(env);
  const signal = AbortSignal.timeout(MAX_MS);
  try {
    await buildIndex({ root, folder, runner, past, clock: systemClock, signal, onProgress: () => {}, suspectsAmong });
  } catch {
    // A disk error or a damaged index: the next question reports it and starts a builder.
  }
}
