import type { Environment } from "../base/environment.ts";
import { runProgram } from "../base/subprocess/run-program.ts";
import { sliceWhole } from "../base/text.ts";
import { isTimeUp, limitTime } from "../base/timers.ts";
import type { HookAction, HookPattern, HookRule, HookRun, HookVerdict, ToolHooks } from "../contract/tool-hooks.ts";
import { insertText } from "./shell-text.ts";

/** Settings for running hooks. */
export interface HookSettings {
  readonly hooks: ToolHooks;
  /** Folder in which the commands run. */
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** Context that a hook receives before a call. */
export interface BeforeContext {
  readonly toolName: string;
  readonly args: unknown;
}

/** Context that a hook receives after a call. */
export interface AfterContext extends BeforeContext {
  readonly result: unknown;
  /** Null if the tool did not fail. */
  readonly error: string | null;
}

const MAX_CHARS = 10_000;
/** Maximum number of bytes read from one stream, before the middle of the text is cut out. */
const MAX_BYTES = 12 * 1024 * 1024;
/** Placeholder for the context in a command. */
const CONTEXT_MARK = "$TOOLSRESULT$";
/**
 * Environment variable with the context, for commands that do not read standard input; not set if the context is too
 * long for a variable.
 */
const CONTEXT_VARIABLE = "GROUNDWORK_TOOL_CONTEXT";
const MAX_VARIABLE_BYTES = 100_000;
const NOT_STARTABLE = 2;
const ENDED = -1;

/**
 * Runs the `beforeToolCall` hooks of a call. Contract: as `runAfterToolHooks`; the call may proceed if `failure` is
 * null.
 */
export function runBeforeToolHooks(context: BeforeContext, settings: HookSettings): Promise<HookVerdict> {
  return runRules(settings.hooks.before, { ...context }, settings);
}

/**
 * Runs the `afterToolCall` hooks of a call, whatever its outcome. Contract: never throws; each command runs at most
 * once, receives exactly the context, and is ended at its timeout with every process that it started; a failing command
 * ends only its own rule.
 */
export function runAfterToolHooks(context: AfterContext, settings: HookSettings): Promise<HookVerdict> {
  return runRules(settings.hooks.after, { ...context }, settings);
}

/** Text that a warning of an after hook appends to the result that the caller reads. */
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
    const error = `${CONTEXT_MARK} is at a place where it might be executed; read the context from standard input or from $${CONTEXT_VARIABLE}`;
    return { command, exitCode: NOT_STARTABLE, output: "", error };
  }
  const { signal: limited, release } = limitTime(signal, timeoutMs);
  const done = await runProgram({
    command: "/bin/sh",
    args: ["-c", line],
    cwd,
    env: Buffer.byteLength(context) <= MAX_VARIABLE_BYTES ? { ...env, [CONTEXT_VARIABLE]: context } : env,
    stdin: context,
    signal: limited,
    maxStdoutBytes: MAX_BYTES,
    maxStderrBytes: MAX_BYTES,
    isAlone: true,
  });
  release();
  const ended = isTimeUp(limited) ? `ended after ${timeoutMs} ms` : "ended by a signal";
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
  // Neither part may begin or end with half a surrogate pair.
  const tail = text.slice(-half).replace(/^[\udc00-\udfff]/, "");
  return `${sliceWhole(text, half)}${mark}${tail}`.toWellFormed();
}

/** True if the whole value matches the pattern, ignoring case; `*` matches any text. */
function matches({ field, pattern }: HookPattern, context: Readonly<Record<string, unknown>>): boolean {
  const value = context[field];
  if (value === undefined) return false;
  const text = (typeof value === "string" ? value : JSON.stringify(value)).toLowerCase();
  const [first = "", ...rest] = pattern.toLowerCase().split("*");
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  // The parts between stars are searched from left to right: taking the first match of each part misses nothing.
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
