import type { InstructionSource } from "../../contract/codex-jobs.ts";
import { findOpenings, findPlainWords, isInsideFolder } from "../policy/openings.ts";
import { MCP_REFUSALS, OPENING_NOTES } from "../policy/texts.ts";
import { isGlob } from "../run/file-globs.ts";
import { findFiles } from "../run/instruction-files.ts";
import { toShown } from "../run/start-option-table.ts";
import { parseStartOptions } from "../run/start-options.ts";

/**
 * Reasons for which a client may not request this run: a model writes these options, and they take effect unreviewed.
 * Contract: never throws; one line for each option that starts programs, widens the sandbox or lies outside `cwd` (a
 * real path); empty if everything is allowed. Options that cannot be parsed are left to the run, which starts nothing
 * with them; if another program replaces start.sh (`isOurs` false), they are checked as Codex's own, and the log is up
 * to that program.
 */
export function findMcpRefusals(
  args: readonly string[],
  cwd: string,
  { isOurs }: { readonly isOurs: boolean },
): readonly string[] {
  const options = parseStartOptions(args, {});
  if (!options.ok) return isOurs ? [] : refuseCodexArgs(args, cwd);
  const { value } = options;
  const named = [
    ["--file-override", value.baseFile === "-" ? null : value.baseFile],
    ["--log-dir", value.logFolder],
    ["--aggregate-file", value.aggregateFile],
    ["--aggregate-jsonl-file", value.aggregateJsonlFile],
    ["--log-file", isOurs ? value.logFile : null],
  ] as const;
  return [
    ...refuseCodexArgs(value.codexArgs, cwd),
    ...findPlainWords(value.codexArgs).map((word) => MCP_REFUSALS.word(toShown(word))),
    ...(value.commitHooks ? [MCP_REFUSALS.commitHooks("--commit-hooks")] : []),
    ...named.flatMap(([option, path]) => (path === null || isInsideFolder(path, cwd) ? [] : [outside(option, path)])),
    ...value.sources.flatMap((source) => refuseSource(source, cwd)),
  ];
}

function refuseCodexArgs(args: readonly string[], cwd: string): readonly string[] {
  return findOpenings(args, cwd).map(({ name, opens }) => MCP_REFUSALS.opening(name, opens));
}

function outside(option: string, path: string): string {
  return MCP_REFUSALS.opening(`${option} ${toShown(path)}`, OPENING_NOTES.path);
}

const SOURCE_OPTIONS = {
  file: "--file",
  folder: "--docs-dir",
  "prepend-file": "--prepend-file",
  "append-file": "--append-file",
} as const;

/**
 * Also checks the files that a pattern or a list refers to: a list comes with the repository, and a pattern may match a
 * symlink.
 */
function refuseSource(source: InstructionSource, cwd: string): readonly string[] {
  if (!("path" in source) || source.path === "-") return [];
  const { kind, path } = source;
  const refused = [outside(SOURCE_OPTIONS[kind], path)];
  const start = kind === "file" ? startOf(path) : path;
  if (!isInsideFolder(start, cwd) || (isGlob(path) && path.split("/").includes(".."))) return refused;
  const found = kind === "file" ? findFiles(path, cwd) : null;
  return found?.ok === true && found.value.some((file) => !isInsideFolder(file, cwd)) ? refused : [];
}

/** The folder in which a pattern begins, or the path of a list file. */
function startOf(path: string): string {
  const plain = path.startsWith("@") ? path.slice(1) : path;
  if (!isGlob(plain)) return plain;
  const segments = plain.split("/");
  const fixed = segments.slice(0, segments.findIndex(isGlob)).join("/");
  return plain.startsWith("/") && fixed === "" ? "/" : fixed;
}
