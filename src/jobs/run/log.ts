import type { StartOptions } from "../../contract/codex-jobs.ts";
import type { RunSession } from "./session-paths.ts";
import { LOG_LINES } from "./texts.ts";

interface LogHead {
  readonly session: RunSession;
  readonly script: string;
  readonly cwd: string;
}

/**
 * The first lines of every log; `patchMode` is null for a run that ends before it has instructions. Contract: only our
 * own words and paths.
 */
export function headLines({ session, script, cwd }: LogHead, patchMode: boolean | null): string[] {
  const { log, meta, instructions } = session.paths;
  const start = [LOG_LINES.runStart(session.name), LOG_LINES.script(script, cwd), LOG_LINES.log(log)];
  if (patchMode === null) return [...start, LOG_LINES.meta(meta)];
  return [...start, LOG_LINES.instructions(instructions), LOG_LINES.meta(meta), LOG_LINES.patchMode(patchMode)];
}

/** Formats the instructions and their sources for the log. Contract: empty if nothing is echoed. */
export function instructionLines(
  text: string,
  sources: readonly string[] | null,
  { echoes, echoLimit }: Pick<StartOptions, "echoes" | "echoLimit">,
): string[] {
  if (!echoes) return [];
  const lines = text.replace(/\n$/, "").split("\n");
  const isCut = echoLimit > 0 && lines.length > echoLimit;
  return [
    ...(sources === null ? [] : [LOG_LINES.sources, ...sources.map((source) => `- ${source}`)]),
    LOG_LINES.beginInstructions,
    ...(isCut ? [...lines.slice(0, echoLimit), LOG_LINES.truncated(echoLimit)] : lines),
    LOG_LINES.endInstructions,
  ];
}

/** Formats the arguments of a run. Contract: one line each, whatever they contain. */
export function argLines(args: {
  readonly argv: readonly string[];
  readonly globalArgs: readonly string[];
  readonly execArgs: readonly string[];
}): string[] {
  const list = (given: readonly string[]) =>
    given.map((arg) => `  ${arg.replaceAll("\r", "\\r").replaceAll("\n", "\\n")}`);
  return [
    LOG_LINES.args,
    LOG_LINES.rawArgs,
    ...list(args.argv),
    LOG_LINES.globalArgs,
    ...list(args.globalArgs),
    LOG_LINES.execArgs,
    ...list(args.execArgs),
    LOG_LINES.endArgs,
  ];
}

/** The last lines of every log. Contract: the run-end line is the third from the end. */
export function endLines(
  session: RunSession,
  end: { readonly exitCode: number; readonly classification: string; readonly tokens: string },
): string[] {
  return [
    LOG_LINES.exitCode(end.exitCode),
    LOG_LINES.runEnd(session.name),
    "",
    LOG_LINES.summary(end.classification, end.tokens),
  ];
}
