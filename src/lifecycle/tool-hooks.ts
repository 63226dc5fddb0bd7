import type { Environment } from "../base/environment.ts";
import { runProgram } from "../base/subprocess/run-program.ts";
import { sliceWhole } from "../base/text.ts";
import { startTimer } from "../base/timers.ts";
import type { HookAction, HookPattern, HookRule, HookRun, HookVerdict, ToolHooks } from "../contract/tool-hooks.ts";
import { insertText } from "./shell-text.ts";

/** How hooks are run. */
export interface HookSettings {
  readonly hooks: ToolHooks;
  /** Folder that their commands run in. */
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** What a hook before a call is told. */
export interface BeforeContext {
  readonly toolName: string;
  readonly args: unknown;
}

/** What a hook after a call is told. */
export interface AfterContext extends BeforeContext {
  readonly result: unknown;
  /** Null where the tool did not fail. */
  readonly error: string | null;
}

const MAX_CHARS = 10_000;
/** What is kept of one stream before it is cut in the middle. */
const MAX_BYTES = 12 * 1024 * 1024;
/** Stands for the context in a command. */
const CONTEXT_MARK = "$TOOLSRESULT$";
/** Holds the context for commands that would rather not read their input; not set where it is longer than a variable can be. */
const CONTEXT_VARIABLE = "GROUNDWORK_TOOL_CONTEXT";
const MAX_VARIABLE_BYTES = 100_000;
const NOT_STARTABLE = 2;
const ENDED = -1;

/** Runs the `beforeToolCall` hooks of a call. Contract: as `runAfterToolHooks`; the call may go on where `failure` is null. */
export function runBeforeToolHooks(context: BeforeContext, settings: HookSettings): Promise<HookVerdict> {
  return runRules(settings.hooks.before, { ...context }, settings);
}

/**
 * Runs the `afterToolCall` hooks of a call, whatever became of it. Contract: never throws; each command runs at most once, is told
 * exactly the context, and is ended with all that it started at its time; a failing one ends its own rule alone.
 */
export function runAfterToolHooks(context: AfterContext, settings: HookSettings): Promise<HookVerdict> {
  return runRules(settings.hooks.after, { ...context }, settings);
}

/** What the warning of a hook after a call adds to what the caller reads. */
export function toWarningText({ command, output, error }: HookRun): string {
  const said = [output, error].filter(Boolean).join("\n");
  return `\n\n[afterToolCall Hook Warning]\nCommand: ${command}\nOutput:\n${said}`;
}

async function runRules(
  rules: readonly HookRule[],
  context: Readonly<Record<string, unknown>>,
  settings: HookSettings,
): Promise<HookVerdict> {
  const runs: HookRun[] = [];
  for (const { matcher, actions } of rules) {
    if (matcher !== null && !matcher.some((pattern) => matches(pattern, context))) continue;
    for (const action of actions) {
      const run = await runAction(action, JSON.stringify(context), settings);
      runs.push(run);
      if (isFailure(run)) break;
    }
  }
  return { failure: runs.find(isFailure) ?? null, warnings: runs.filter(({ exitCode }) => exitCode === 1) };
}

function isFailure({ exitCode }: HookRun): boolean {
  return exitCode >= 2 || exitCode < 0;
}

async function runAction(
  { command, timeoutMs }: HookAction,
  context: string,
  { cwd, env, signal }: HookSettings,
): Promise<HookRun> {
  const line = insertText(command, CONTEXT_MARK, context);
  if (line === null) {
    const error = `${CONTEXT_MARK} stands where it might be run; read the context from standard input or from $${CONTEXT_VARIABLE}`;
    return { command, exitCode: NOT_STARTABLE, output: "", error };
  }
  const timer = new AbortController();
  const timeout = startTimer(timeoutMs, () => timer.abort());
  const done = await runProgram({
    command: "/bin/sh",
    args: ["-c", line],
    cwd,
    env: Buffer.byteLength(context) <= MAX_VARIABLE_BYTES ? { ...env, [CONTEXT_VARIABLE]: context } : env,
    stdin: context,
    signal: AbortSignal.any([timer.signal, signal]),
    maxStdoutBytes: MAX_BYTES,
    maxStderrBytes: MAX_BYTES,
    isAlone: true,
  });
  clearTimeout(timeout);
  const ended = timer.signal.aborted ? `ended after ${timeoutMs} ms` : "ended by a signal";
  const exitCode = done.startError !== "" ? NOT_STARTABLE : (done.exitCode ?? ENDED);
  const why = done.startError || (exitCode === ENDED ? ended : "");
  return {
    command,
    exitCode,
    output: cutMiddle(done.stdout),
    error: cutMiddle([done.stderr, why].filter(Boolean).join("\n")),
  };
}

function cutMiddle(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const mark = "\n…\n";
  const half = Math.floor((MAX_CHARS - mark.length) / 2);
  // Neither part may begin or end with half a character.
  const tail = text.slice(-half).replace(/^[\udc00-\udfff]/, "");
  return `${sliceWhole(text, half)}${mark}${tail}`.toWellFormed();
}

/** Whether a value is what a pattern says: all of it, whatever the case, `*` standing for anything. */
function matches({ field, pattern }: HookPattern, context: Readonly<Record<string, unknown>>): boolean {
  const value = context[field];
  if (value === undefined) return false;
  const text = (typeof value === "string" ? value : JSON.stringify(value)).toLowerCase();
  const [first = "", ...rest] = pattern.toLowerCase().split("*");
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  // What stands between stars is looked for from left to right: the first place is as good as any.
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
