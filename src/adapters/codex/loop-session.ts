import type { Environment } from "../../base/environment.ts";
import { makeLineReader } from "../../base/lines.ts";
import { INTERRUPT } from "../../base/signals.ts";
import { superviseProgram } from "../../base/subprocess/supervise-program.ts";
import { isThreadId, makeEventReader } from "../../jobs/run/events.ts";
import type { KernelAnswer } from "../../orchestrator/document.ts";
import { enrichPrompt, exitCodeOf, tellLost, toStateless } from "./round.ts";
import { type Shown, selectShown } from "./shown.ts";

/** The Codex session that a loop uses. */
interface LoopSession {
  /** The id that Codex printed; null if there is none (yet). */
  readonly id: string | null;
  /** True if a round has been asked in it. */
  readonly hasBegun: boolean;
}

/** How the rounds of a loop are connected: by session id, by id but starting in the newest session, or not at all. */
export type LoopMode = "own" | "newest" | "none";

/** Session of a loop that has just started. */
export const NEW_SESSION: LoopSession = { id: null, hasBegun: false };

interface SessionRound {
  readonly prompt: string;
  readonly answer: KernelAnswer;
  readonly session: LoopSession;
  readonly mode: LoopMode;
  readonly codex: string;
  readonly folder: string;
  readonly env: Environment;
  readonly show: (shown: Shown) => void;
  readonly tell: (text: string) => void;
  /** Ends the round: Codex gets SIGINT, as for Ctrl-C, and is killed if it does not exit. */
  readonly signal: AbortSignal;
}

/** Time that Codex has to save its session after Ctrl-C. */
const GRACE_MS = 3_000;

/** Arguments after `codex exec` that select the session of a round. */
function toPlace({ id, hasBegun }: LoopSession, mode: LoopMode): readonly string[] {
  if (mode === "none") return [];
  if (id !== null) return ["resume", id];
  return mode === "newest" && !hasBegun ? ["resume", "--last"] : [];
}

/** The command of the next round, for display. */
export function toCodexCommand(session: LoopSession, mode: LoopMode): string {
  return ["codex exec", ...toPlace(session, mode)].join(" ");
}

/**
 * Runs a prompt in codex, in the session of the loop. Contract: the prompt is passed by standard input; never throws; a
 * session that cannot be resumed is reported, and the round is asked in a new one.
 */
export async function runSessionRound(round: SessionRound): Promise<{ code: number; session: LoopSession }> {
  const { session, mode, signal } = round;
  const place = toPlace(session, mode);
  const isLost = mode !== "none" && session.hasBegun && session.id === null;
  if (isLost) tellLost(round);
  const given = isLost ? toStateless(round.answer, "codex named no session") : round.answer;
  const first = await startCodex(round, place, given);
  const isRefused = place.length > 0 && first.code !== 0 && !first.hasSpoken && !signal.aborted;
  if (!isRefused) return { code: first.code, session: toNext(session, first) };
  tellLost(round);
  const answer = toStateless(round.answer, `codex exec ${place.join(" ")} ended with exit code ${first.code}`);
  const second = await startCodex(round, [], answer);
  return { code: second.code, session: toNext(NEW_SESSION, second) };
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
    for (const line of lines) show(selectShown(events.read(line)));
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
  return { code: exitCodeOf(done), hasSpoken, id: threadId !== null && isThreadId(threadId) ? threadId : null };
}
