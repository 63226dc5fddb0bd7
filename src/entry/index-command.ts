import { resolve } from "node:path";
import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { systemClock } from "../base/clock.ts";
import { toRealFolder } from "../base/repo-root.ts";
import { loadSettings } from "../config/load-settings.ts";
import { countOf } from "../contract/count-of.ts";
import { failed, misuse, type Printed, printedJson } from "./printed.ts";
import { workingFolder } from "./process.ts";
import { runBuild } from "./run-build.ts";
import { startProgress } from "./screen.ts";

/** `groundwork index`: builds or updates the index of a repository, and reports progress. */
export async function indexRepository(words: readonly string[], options: OptionsOf<"index">): Promise<Printed> {
  if (words.length > 1) return misuse("index takes one folder", "index");
  const folder = toRealFolder(resolve(words[0] ?? options.repo ?? workingFolder()));
  if (folder === null) return misuse(`${words[0] ?? "the current folder"} is not a folder`, "index");
  const loaded = await loadSettings({ env: process.env, folder, bounds: [] });
  if (!loaded.ok) return failed(loaded.fault);
  const { root } = loaded.value.root;
  const startMs = systemClock.monotonicMs();
  const progress = startProgress();
  // A signal ends the process at once: completed work is kept, and the next run continues from there.
  process.once("exit", progress.stop);
  const built = await runBuild(root, process.env, {
    signal: new AbortController().signal,
    isAsked: true,
    onProgress: progress.show,
  }).finally(() => {
    process.removeListener("exit", progress.stop);
    progress.clear();
  });
  if (!built.ok) return failed(built.fault);
  const { outcome, files, changed, removed, taken } = built.value;
  const seconds = (systemClock.monotonicMs() - startMs) / 1_000;
  if (options.json === true)
    return printedJson({ schema_version: "1.0", root, outcome, files, changed, removed, taken, seconds });
  const shared = taken === 0 ? "" : `${taken} from a base, `;
  const news = taken + changed + removed === 0 ? "nothing had changed" : `${shared}${changed} read, ${removed} gone`;
  return { text: `${countOf(files, "file")} indexed in ${seconds.toFixed(1)} s: ${news}.\n`, exitCode: 0 };
}
