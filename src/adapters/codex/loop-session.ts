import type { Environment } from "../../base/environment.ts";
import { makeLineReader } from "../../base/lines.ts";
import { INTERRUPT } from "../../base/signals.ts";
import { superviseProgram } from "../../base/subprocess/supervise-program.ts";
import { FAULTS } from "../../contract/faults.ts";
import { LIMITS, toLimitsText } from "../../contract/limits.ts";
import { isThreadId, makeEventReader } from "../../jobs/run/events.ts";
import type { KernelAnswer } from "../../orchestrator/document.ts";
import { enrichPrompt, toStateless } from "./round.ts";
import { type Shown, toShown } from "./shown.ts";

/** The session of Codex that a loop is in. */
export interface LoopSession {
  /** The id that Codex printed; null where there is none (yet). */
  readonly id: string | null;
  /** True if a round has been asked in it. */
  readonly hasBegun: boolean;
}

/** How a loop's rounds hang together: by the session's id, beginning in the newest session, or not at all. */
export type LoopMode = "own" | "newest" | "none";

/** A loop that has just begun. */
export const NEW_SESSION: LoopSession = { id: null, hasBegun: false };

/** One round of the loop. */
export interface SessionRound {
  readonly prompt: string;
  readonly answer: KernelAnswer;
  readonly session: LoopSession;
  readonly mode: LoopMode;
  readonly codex: string;
  readonly folder: string;
  readonly env: Environment;
  readonly show: (shown: Shown) => void;
  readonly tell: (text: string) => void;
  /** Ends the round: Codex gets Ctrl-C's signal, and is ended if it does not go. */
  readonly signal: AbortSignal;
}

/** How long codex may take to save its session after Ctrl-C. */
const GRACE_MS = 3_000;

/** What comes behind `codex exec` in a round. */
function toPlace({ id, hasBegun }: LoopSession, mode: LoopMode): readonly string[] {
  if (mode === "none") return [];
  if (id !== null) return ["resume", id];
  return mode === "newest" && !hasBegun ? ["resume", "--last"] : [];
}

/** The command of the next round, for people. */
export function toCommand(session: LoopSession, mode: LoopMode): string {
  return ["codex exec", ...toPlace(session, mode)].join(" ");
}

/**
 * Hands a prompt to codex, in the session that the loop is in. Contract: the prompt goes by standard input; never throws; a
 * session that cannot be gone on with is told, and the round is asked in a new one.
 */
export async function runSessionRound(round: SessionRound): Promise<{ code: number; session: LoopSession }> {
  const { session, mode, signal } = round;
  const place = toPlace(session, mode);
  const isLost = mode !== "none" && session.hasBegun && session.id === null;
  if (isLost) tellLost(round);
  const first = await startCodex(
    round,
    place,
    isLost ? toStateless(round.answer, "codex named no session") : round.answer,
  );
  const isRefused = place.length > 0 && first.code !== 0 && !first.hasSpoken && !signal.aborted;
  if (!isRefused) return { code: first.code, session: toNext(session, first) };
  tellLost(round);
  const answer = toStateless(round.answer, `codex exec ${place.join(" ")} ended with exit code ${first.code}`);
  const second = await startCodex(round, [], answer);
  return { code: second.code, session: toNext(NEW_SESSION, second) };
}

function tellLost({ tell }: SessionRound): void {
  tell(`${toLimitsText([LIMITS.fault("E_SESSION")])}\n`);
}

function toNext(session: LoopSession, { id, hasSpoken }: { id: string | null; hasSpoken: boolean }): LoopSession {
  return { id: id ?? session.id, hasBegun: session.hasBegun || hasSpoken };
}

async function startCodex(
  { prompt, codex, folder, env, show, signal }: SessionRound,
  place: readonly string[],
  answer: KernelAnswer,
) {
  const events = makeEventReader();
  let hasSpoken = false;
  const stdout = makeLineReader((lines) => {
    hasSpoken = true;
    for (const line of lines) show(toShown(events.read(line)));
  });
  const stderr = makeLineReader((lines) => show({ answer: "", progress: lines }));
  const [resume, ...where] = place;
  const done = await superviseProgram({
    command: codex,
    args: ["exec", ...(resume === undefined ? [] : [resume]), "--json", ...where, "-"],
    cwd: folder,
    env,
    stdin: enrichPrompt(prompt, answer),
    onStdout: stdout.take,
    onStderr: stderr.take,
    signal,
    askWith: INTERRUPT,
    graceMs: GRACE_MS,
  });
  stdout.end();
  stderr.end();
  if (done.startError !== "") show({ answer: "", progress: [`codex cannot be started: ${done.startError}`] });
  const { threadId } = events.facts();
  const code = done.exitCode ?? (done.startError === "" ? 128 : FAULTS.E_TOOL_UNAVAILABLE.exit);
  return { code, hasSpoken, id: threadId !== null && isThreadId(threadId) ? threadId : null };
}
