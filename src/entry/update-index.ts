import { join } from "node:path";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { type BuildRequest, buildIndex } from "../engine/build/build-index.ts";
import { makeInlineRunner } from "../engine/build/pool.ts";
import { FileParser } from "../engine/parse/file-parser.ts";
import { historySettings, indexFolderOf } from "./engine.ts";
import { projectRoot } from "./process.ts";

/** Time limit of an update: it is made where questions are answered. */
const MAX_MS = 2_000;

const makeParser = () =>
  new FileParser({ folder: join(projectRoot, "dist", "grammars"), clock: systemClock, fewFiles: true });
let parser: FileParser | null = null;

/**
 * Brings an index up to date after a few changes, in this process: its parser and its knowledge of what changed are warm.
 * Contract: never throws; an update that fails is made up for by the next builder.
 */
export async function updateIndex(
  root: string,
  env: Environment,
  suspectsAmong: NonNullable<BuildRequest["suspectsAmong"]>,
): Promise<void> {
  const folder = indexFolderOf(env, root);
  if (folder === null) return;
  // One that has used up its memory is of no use any more.
  if (parser === null || parser.isSpent) parser = makeParser();
  const runner = makeInlineRunner({ parser, clock: systemClock });
  const past = historySettings(env);
  const signal = AbortSignal.timeout(MAX_MS);
  try {
    await buildIndex({ root, folder, runner, past, clock: systemClock, signal, onProgress: () => {}, suspectsAmong });
  } catch {
    // A disk error or a damaged index: the next question says so and starts a builder.
  }
}
