import { constants } from "node:os";
import type { Environment } from "../../base/environment.ts";
import { makeLineReader } from "../../base/lines.ts";
import { removeQuietly } from "../../base/state-files.ts";
import { runProgram } from "../../base/subprocess/run-program.ts";
import { superviseProgram } from "../../base/subprocess/supervise-program.ts";
import { withTimeLimit } from "../../base/timers.ts";
import { makeSignReader, type OutputSigns } from "./classify.ts";
import { makeEventReader } from "./events.ts";
import { takeOver } from "./files.ts";
import type { SessionRecord } from "./record.ts";

interface CodexCall {
  readonly codex: string;
  readonly args: readonly string[];
  /** True if its standard output consists of events, one per line. */
  readonly printsEvents: boolean;
  readonly instructions: string;
  readonly lastMessageFile: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly record: Pick<SessionRecord, "session" | "redactor" | "output" | "event" | "isInPlace" | "replace">;
}

/** How a call of Codex ended. */
export interface CodexEnd {
  readonly exitCode: number;
  /** The signal that ended it; empty if it exited by itself. */
  readonly endedBy: string;
  /** Why it could not be started; empty if it was. */
  readonly startError: string;
  readonly lastMessage: string;
  readonly tokens: string;
  /** Codex's id of the session; null if it reported none. */
  readonly threadId: string | null;
  readonly signs: OutputSigns;
  /** Errors reported by Codex itself; empty if it prints no events. */
  readonly errors: readonly string[];
}

/** The shell's exit code for a program that was found but cannot be executed. */
const EXIT_NOT_STARTED = 126;
/** Maximum time for Codex to exit after it was asked to. */
const GRACE_MS = 5_000;
const MAX_LAST_MESSAGE_BYTES = 4 * 1024 * 1024;
const STARTING_ERROR = /^error: (.+)/i;
const MAX_START_ERRORS = 5;

/** Runs Codex once, to completion. Contract: never throws; when it returns, no process that it started is left. */
export async function runCodex(call: CodexCall): Promise<CodexEnd> {
  const { redactor, output, session, event: keepEvent, isInPlace, replace } = call.record;
  // The message of an earlier run must not be mistaken for this one's, and a planted symlink is not followed.
  if (isInPlace()) removeQuietly(call.lastMessageFile);
  const signReader = makeSignReader();
  const eventReader = makeEventReader();
  const startErrors: string[] = [];
  const shown = [redactor.gather(output), redactor.gather(output)] as const;
  const show = (gatherer: (typeof shown)[number], lines: readonly string[]) => {
    for (const line of lines) signReader.take(line);
    if (lines.length > 0) gatherer.take(`${lines.join("\n")}\n`);
  };
  const readOutput = (line: string): readonly string[] => {
    if (!call.printsEvents) return [line];
    const { event, lines } = eventReader.read(line);
    if (event !== null) keepEvent(`${redactor.event(event)}\n`);
    return lines;
  };
  const stdout = makeLineReader((lines) => show(shown[0], lines.flatMap(readOutput)));
  const stderr = makeLineReader((lines) => {
    // Before a session exists, Codex reports its errors here; without events, stderr also contains the output of
    // commands.
    const errors = call.printsEvents ? lines.flatMap((line) => STARTING_ERROR.exec(line)?.[1] ?? []) : [];
    startErrors.push(...errors.slice(0, MAX_START_ERRORS - startErrors.length));
    show(shown[1], lines);
  });
  const end = await superviseProgram({
    command: call.codex,
    args: call.args,
    cwd: call.cwd,
    env: call.env,
    stdin: call.instructions,
    onStdout: stdout.take,
    onStderr: stderr.take,
    signal: call.signal,
    graceMs: GRACE_MS,
    job: session.mark,
  });
  for (const part of [stdout, stderr, ...shown]) part.end();
  const lastMessage = isInPlace() ? takeOver(call.lastMessageFile, MAX_LAST_MESSAGE_BYTES) : "";
  const kept = redactor.text(lastMessage);
  if (kept !== lastMessage) replace(call.lastMessageFile, kept);
  const facts = eventReader.facts();
  return {
    exitCode: end.startError === "" ? (end.exitCode ?? exitCodeOf(end.signal)) : EXIT_NOT_STARTED,
    endedBy: end.signal ?? "",
    startError: end.startError,
    lastMessage,
    tokens: facts.tokens === null ? signReader.signs().tokens : String(facts.tokens),
    threadId: facts.threadId,
    signs: signReader.signs(),
    errors: [...startErrors, ...facts.errors],
  };
}

function exitCodeOf(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** Version of a Codex. */
export interface CodexVersion {
  readonly major: number;
  readonly minor: number;
  /** As printed by Codex. */
  readonly text: string;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4_096;

/**
 * Asks Codex for its version. Contract: never throws; takes at most ten seconds; null if the answer cannot be parsed.
 */
export async function readCodexVersion(
  codex: string,
  call: Pick<CodexCall, "cwd" | "env" | "signal">,
): Promise<CodexVersion | null> {
  const { cwd, env } = call;
  const caps = { maxStdoutBytes: MAX_BYTES, maxStderrBytes: MAX_BYTES };
  const { exitCode, stdout } = await withTimeLimit(call.signal, TIMEOUT_MS, (signal) =>
    runProgram({ command: codex, args: ["--version"], cwd, env, stdin: "", signal, ...caps }),
  );
  return exitCode === 0 ? parseVersion(stdout) : null;
}

/** Parses the output of `codex --version` (`codex-cli 0.166.0`); null if it is not a version of Codex. */
export function parseVersion(text: string): CodexVersion | null {
  const [, version, major, minor] = /^codex(?:-cli)?\s+v?((\d{1,6})\.(\d{1,6})(?:[.-]\S*)?)\s*$/m.exec(text) ?? [];
  if (version === undefined) return null;
  return { major: Number(major), minor: Number(minor), text: version };
}
