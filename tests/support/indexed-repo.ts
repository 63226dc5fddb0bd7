import { lstatSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { toLimitTexts } from "../../src/contract/limits.ts";
import type { CallOrigin } from "../../src/contract/tool.ts";
import { NO_TOOL_HOOKS } from "../../src/contract/tool-hooks.ts";
import { type BuildReport, type BuildRequest, buildIndex } from "../../src/engine/build/build-index.ts";
import type { CommitTree } from "../../src/engine/build/commit-tree.ts";
import { makeInlineRunner } from "../../src/engine/build/pool.ts";
import { type Engine, makeEngine } from "../../src/engine/engine.ts";
import type { FileParser } from "../../src/engine/parse/file-parser.ts";
import { executeToolCall } from "../../src/lifecycle/tool-executor.ts";
import type { ToolOutcome } from "../../src/lifecycle/tool-outcome.ts";
import { makeRouter } from "../../src/lifecycle/tool-router.ts";
import { makeRegistry } from "../../src/tools/registry.ts";
import { HISTORY_SETTINGS } from "./git-repo.ts";
import { grammarFolder, makeTestParser } from "./grammars.ts";
import { makeFolder } from "./temp-folder.ts";

/** A repository on disk with its index in another folder. */
export interface IndexedRepo {
  readonly root: string;
  /** Folder of the index. */
  readonly folder: string;
  /** Makes a new engine, because an engine reads things only once. Its builder does nothing. */
  readonly engine: () => Engine;
  /** Brings the index up to date. */
  readonly build: (stop?: AbortSignal, onProgress?: BuildRequest["onProgress"]) => Promise<BuildReport>;
}

/** One parser for all repositories: loading the grammars repeatedly uses up the memory of the library. */
let parser: FileParser | undefined;

/** Makes a repository that is not indexed yet. A new index is laid over the bases that `findBases` names. */
export function makeIndexable(
  root: string,
  folder = makeFolder(),
  findBases: () => readonly string[] | Promise<readonly string[]> = () => [],
  tree?: CommitTree,
): IndexedRepo {
  parser ??= makeTestParser();
  const inline = makeInlineRunner({ parser, clock: systemClock });
  const runner = tree?.filling(inline) ?? inline;
  return {
    root,
    folder,
    engine: () =>
      makeEngine({
        clock: systemClock,
        folderOf: () => folder,
        past: HISTORY_SETTINGS,
        embeddings: null,
        grammars: grammarFolder,
        startBuilder: async () => {},
      }),
    build: (signal = new AbortController().signal, onProgress = () => {}) => {
      settleTimes(root);
      const past = HISTORY_SETTINGS;
      return buildIndex({
        root,
        folder,
        runner,
        past,
        clock: systemClock,
        signal,
        onProgress,
        findBases: async (current) => (current === null ? findBases() : null),
        ...(tree === undefined ? {} : { source: tree }),
      });
    },
  };
}

/** Makes a repository and indexes it: files, symbols and calls. */
export async function makeIndexedRepo(root: string): Promise<IndexedRepo> {
  const repo = makeIndexable(root);
  await repo.build();
  return repo;
}

/** Options of a tool call. */
interface CallOptions {
  readonly isExcluded?: (path: string) => boolean;
  readonly usesIndex?: boolean;
  readonly engine?: Engine;
  readonly origin?: CallOrigin;
}

/** Calls a tool as a person would, including the guard, with more time than a test needs. */
export function runTool(
  repo: IndexedRepo,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  { isExcluded = () => false, usesIndex = true, engine = repo.engine(), origin = "cli" }: CallOptions = {},
): Promise<ToolOutcome> {
  return executeToolCall(
    { tool, args, origin },
    {
      router: makeRouter(makeRegistry(engine)),
      hooks: NO_TOOL_HOOKS,
      cwd: repo.root,
      askUser: null,
      ruleOf: () => ({ timeoutMs: 30_000, ceilings: {} }),
      root: repo.root,
      isExcluded,
      usesIndex,
      prompt: "",
      env: {},
      clock: systemClock,
      signal: new AbortController().signal,
    },
  );
}

/** The same, with limits as texts. */
export async function callTool(...call: Parameters<typeof runTool>) {
  const outcome = await runTool(...call);
  return { ...outcome, limits: toLimitTexts(outcome.limits) };
}

/** Makes files older: a file that was just written counts as unsure, because it may be rewritten unnoticed. */
function settleTimes(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === ".git") continue;
    if (entry.isDirectory()) settleTimes(path);
    else if (entry.isFile()) makeOlder(path);
  }
  makeOlder(folder);
}

const AGE_S = 10;

function makeOlder(path: string): void {
  const written = lstatSync(path).mtimeMs / 1_000;
  const latest = Date.now() / 1_000 - AGE_S;
  // Old files keep their time, so that a second build sees only the changed ones.
  if (written > latest) utimesSync(path, latest, latest);
}
