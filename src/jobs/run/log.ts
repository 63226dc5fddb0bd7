import type { StartOptions } from "../../contract/codex-jobs.ts";
import type { RunSession } from "./session-paths.ts";
import { LOG_LINES } from "./texts.ts";

interface LogHead {
  readonly session: RunSession;
  readonly script: string;
  readonly cwd: string;
}

/** The first lines of every log, even of a run that ends before it begins. Contract: only our own words and paths. */
export function headLines({ session, script, cwd }: LogHead): string[] {
  const { log, meta } = session.paths;
  return [LOG_LINES.runStart(session.name), LOG_LINES.script(script, cwd), LOG_LINES.log(log), LOG_LINES.meta(meta)];
}

/** The first lines of a run that has instructions. */
export function fullHeadLines(head: LogHead, patchMode: boolean): string[] {
  const [start = "", script = "", log = "", meta = ""] = headLines(head);
  const instructions = LOG_LINES.instructions(head.session.paths.instructions);
  return [start, script, log, instructions, meta, LOG_LINES.patchMode(patchMode)];
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
