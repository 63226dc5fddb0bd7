import { constants } from "node:os";
import { StringDecoder } from "node:string_decoder";
import type { Environment } from "../../base/environment.ts";
import { superviseProgram } from "../../base/subprocess/supervise-program.ts";
import { makeSignReader, type OutputSigns } from "./classify.ts";
import { makeEventReader } from "./events.ts";
import { rmQuietly, takeOver } from "./files.ts";
import type { Redactor } from "./redaction.ts";

/** One call of Codex. */
export interface CodexCall {
  readonly codex: string;
  readonly args: readonly string[];
  /** Whether its standard output is events, one a line. */
  readonly printsEvents: boolean;
  readonly instructions: string;
  readonly lastMessageFile: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Names the run on everything that it starts. */
  readonly mark: string;
  readonly redactor: Redactor;
  /** Whole lines for people, secrets taken out. */
  readonly onText: (text: string) => void;
  /** One event as a line of JSON, secrets taken out. */
  readonly onEvent: (line: string) => void;
  /** False where the folder of the last message is not the run's own any more. */
  readonly isInPlace: () => boolean;
  /** Puts a text in the place of a file there, as long as it is. */
  readonly replace: (path: string, text: string) => void;
}

/** How a call of Codex ended. */
export interface CodexEnd {
  readonly exitCode: number;
  /** The signal that ended it; empty where it ended by itself. */
  readonly endedBy: string;
  /** Why it could not be started; empty otherwise. */
  readonly startError: string;
  readonly lastMessage: string;
  readonly tokens: string;
  /** Codex's own id of the session; null where it named none. */
  readonly threadId: string | null;
  readonly signs: OutputSigns;
  readonly errors: readonly string[];
}

/** Found, but not to be run: the shell's own code for it. */
const EXIT_NOT_STARTED = 126;
/** How long Codex may take to end once it was asked to. */
const GRACE_MS = 5_000;
const MAX_LAST_MESSAGE_BYTES = 4 * 1024 * 1024;
const STARTING_ERROR = /^error: (.+)/i;
const MAX_START_ERRORS = 5;
/** An event with the output of a command may be long; what is longer still is no event any more. */
const MAX_LINE = 16 * 1024 * 1024;

/** Runs Codex once, to its end. Contract: never throws; when it returns, nothing that it started is left. */
export async function runCodex(call: CodexCall): Promise<CodexEnd> {
  const { redactor, onText } = call;
  // A message of an earlier run must not be taken for this one's, and a link that waits there is not followed.
  if (call.isInPlace()) rmQuietly(call.lastMessageFile);
  const signReader = makeSignReader();
  const eventReader = makeEventReader();
  const startErrors: string[] = [];
  const shown = [redactor.gather(onText), redactor.gather(onText)] as const;
  const show = (gatherer: (typeof shown)[number], lines: readonly string[]) => {
    for (const line of lines) signReader.take(line);
    if (lines.length > 0) gatherer.take(`${lines.join("\n")}\n`);
  };
  const readOutput = (line: string): readonly string[] => {
    if (!call.printsEvents) return [line];
    const { event, lines } = eventReader.read(line);
    if (event !== null) call.onEvent(`${redactor.event(event)}\n`);
    return lines;
  };
  const stdout = makeLineReader((lines) => show(shown[0], lines.flatMap(readOutput)));
  const stderr = makeLineReader((lines) => {
    // Before there is a session Codex names its errors here; without events the output of commands stands here, too.
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
    job: call.mark,
  });
  for (const part of [stdout, stderr, ...shown]) part.end();
  const lastMessage = call.isInPlace() ? takeOver(call.lastMessageFile, MAX_LAST_MESSAGE_BYTES) : "";
  const kept = redactor.text(lastMessage);
  if (kept !== lastMessage) call.replace(call.lastMessageFile, kept);
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

/** Cuts a stream of bytes into lines. Those that come together are passed on together: each costs a write otherwise. */
function makeLineReader(pass: (lines: readonly string[]) => void) {
  const decoder = new StringDecoder("utf8");
  let held = "";
  const passLines = (text: string) => {
    const lines = `${held}${text}`.split("\n");
    held = lines.pop() ?? "";
    if (lines.length > 0) pass(lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)));
    if (held.length > MAX_LINE) passRest();
  };
  const passRest = () => {
    if (held !== "") pass([held]);
    held = "";
  };
  return {
    take: (chunk: Buffer) => passLines(decoder.write(chunk)),
    end: () => {
      passLines(decoder.end());
      passRest();
    },
  };
}
