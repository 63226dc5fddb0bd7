import { join } from "node:path";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { liesInside } from "../base/state-files.ts";
import { startDetached } from "../base/subprocess/start-detached.ts";
import { indexFolder } from "../config/places.ts";
import { fromVariable } from "../config/settings.ts";
import type { EmbeddingSettings } from "../engine/embedder.ts";
import { type Engine, type EngineSettings, makeEngine } from "../engine/engine.ts";
import type { GitSettings } from "../engine/history/git-objects.ts";
import { projectRoot } from "./process.ts";

/**
 * V8 memory options of the builder; also set in bin/groundwork. V8 uses all the memory it is given, and even the
 * largest repositories need less than this. Unpacking a base triggers a hundred garbage collections, and starting
 * threads for each costs more than they save.
 */
const BUILDER_MEMORY = ["--max-old-space-size=1500", "--single-threaded-gc"];

/** Folder of a root's index, or null. Contract: state is never kept inside the repository that it describes. */
export function indexFolderOf(env: Environment, root: string): string | null {
  const folder = indexFolder(env, root);
  return folder === null || liesInside(folder, root) ? null : folder;
}

/** Settings for reading history, shared by all entry points. */
export function historySettings(env: Environment): GitSettings {
  return { path: env["PATH"] ?? "", plainGit: join(projectRoot, "config", "git") };
}

/** The user's embedding model: only the environment can name one, and only on this machine. */
function embeddingSettings(env: Environment): EmbeddingSettings | null {
  const url = fromVariable(env, "embeddingsUrl");
  return url === undefined ? null : { url, model: fromVariable(env, "embeddingsModel") ?? "" };
}

/** Makes the engine shared by all entry points. Contract: does nothing until it is used. */
export function makeDoorEngine(
  env: Environment,
  more: Partial<Pick<EngineSettings, "buildNow" | "readers" | "watches" | "startBuilder">> = {},
): Engine {
  return makeEngine({
    clock: systemClock,
    folderOf: (root) => indexFolderOf(env, root),
    past: historySettings(env),
    embeddings: embeddingSettings(env),
    grammars: join(projectRoot, "dist", "grammars"),
    startBuilder: (root) => startBuilder(env, root),
    ...more,
  });
}

/** Starts the builder of a root's index in the background. */
export async function startBuilder(env: Environment, root: string): Promise<void> {
  if (indexFolderOf(env, root) === null) return;
  const builder = join(projectRoot, "dist", "build-index.cjs");
  await startDetached(process.execPath, [...BUILDER_MEMORY, builder, root], { cwd: "/", env });
}
