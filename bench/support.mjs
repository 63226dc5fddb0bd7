// Shared by the benchmarks that ask the hook in public repositories. Needs the benchmarks next to the project and their
// checkouts (BENCH_CACHE).
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { makeCodeCache } from "../scripts/code-cache.mjs";

/** This project's folder. */
export const project = resolve(import.meta.dirname, "..");
const shared = resolve(project, "..", "shared", "bench", "lib.mjs");

/** The command line. */
export const groundwork = join(project, "bin", "groundwork");
/** The built program behind it. */
export const cli = join(project, "dist", "cli.cjs");
/** The entry point that clients call for every prompt. */
export const hook = join(project, "hooks", "context-inject-global.sh");

/** How much Claude Code accepts into a prompt, in UTF-16 units. */
const CLIENT_LIMIT = 10_000;

/**
 * Tasks of the development half, each with the folders of its checkout: `dir` its top, `root` the folder to ask in.
 * Contract: null, with a message, if the benchmarks are missing; tasks without a checkout are left out and counted.
 */
export async function loadTasks(bench) {
  if (!existsSync(shared)) {
    console.log(`no benchmarks at ${shared}; nothing measured`);
    return null;
  }
  const { load, place } = await import(pathToFileURL(shared).href);
  const all = load(bench, "dev").tasks.map((task) => ({ ...task, ...place(bench, task.checkout) }));
  const tasks = all.filter(({ marker }) => existsSync(marker));
  if (tasks.length < all.length) console.log(`${all.length - tasks.length} of ${all.length} left out: no checkout`);
  return tasks;
}

/** `count` of the items, evenly spaced; all of them if there are no more. */
export function spread(items, count) {
  if (!(count < items.length)) return items;
  return Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)]);
}

export const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** NDCG@10 for the rank of the first result that reaches each target; ranks count from 0, -1 means none. */
export function ndcg(ranks) {
  const gain = (rank) => 1 / Math.log2(rank + 2);
  const sum = (list) => list.reduce((total, rank) => total + gain(rank), 0);
  const ideal = sum(ranks.slice(0, 10).map((_, at) => at));
  return ideal === 0 ? 0 : sum(ranks.filter((rank) => rank >= 0 && rank < 10)) / ideal;
}

/** Bundles TypeScript of this project and loads it; the code finds the files next to it in `folder`. */
export async function loadSource(scratch, folder, contents) {
  const outfile = join(scratch, "source.mjs");
  await build({
    stdin: { contents, resolveDir: project, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["@photostructure/sqlite"],
    define: { "import.meta.dirname": JSON.stringify(join(project, folder)) },
    logLevel: "warning",
  });
  return import(pathToFileURL(outfile).href);
}

/** Runs `work` in a temporary folder, which is removed afterwards. */
export async function withScratch(work) {
  const scratch = mkdtempSync(join(tmpdir(), "groundwork-bench-"));
  try {
    return await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** An environment that keeps its state in its own folder and reads no settings of the user. */
export function stateIn(folder) {
  const state = join(folder, "state");
  mkdirSync(state, { recursive: true });
  return { ...process.env, HOME: folder, GROUNDWORK_HOME: state, ...makeCodeCache() };
}

/** Builds the index of a folder. Contract: throws if that fails. */
export function buildIndex(root, env) {
  const done = spawnSync(process.execPath, [cli, "index", root], { env, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`index of ${root}: exit ${done.status}\n${done.stderr}`);
}

/** What the hook injects into the prompt. Contract: throws if it fails or exceeds the client's limit. */
export function injectedFor(prompt, root, env) {
  const done = spawnSync(hook, [], {
    input: JSON.stringify({ prompt, cwd: root, hook_event_name: "UserPromptSubmit" }),
    cwd: root,
    env: { ...env, WORKING_DIRECTORY: root },
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(`hook in ${root}: exit ${done.status}\n${done.stderr}`);
  const context = JSON.parse(done.stdout).hookSpecificOutput.additionalContext;
  if (context.length > CLIENT_LIMIT) throw new Error(`hook in ${root}: ${context.length} units injected`);
  return context;
}

/** Paths in a text that are files below the root. */
export function filesNamedIn(text, root) {
  const words = new Set(text.match(/[\p{L}\p{N}_@+.~[\]()-]+(?:\/[\p{L}\p{N}_@+.~[\]()-]+)*/gu));
  // A list has `path:line`; a sentence may put a path in brackets or end with it.
  const forms = [...words].flatMap((word) => [word, word.replace(/^[([]+|[)\].]+$/g, "")]);
  return new Set(forms.filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true));
}

/** Prints a share and its threshold. Returns whether the threshold is met. */
export function reportShare(name, hits, count, bar) {
  const isMet = count > 0 && hits / count >= bar;
  const share = ((100 * hits) / Math.max(1, count)).toFixed(1);
  console.log(`${name}: ${hits} of ${count}, ${share} % (bar ${100 * bar} %: ${isMet ? "met" : "MISSED"})`);
  return isMet;
}
