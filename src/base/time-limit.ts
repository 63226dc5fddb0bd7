import { startTimer } from "./timers.ts";

/** A signal with a time limit. */
export interface LimitedSignal {
  /** Comes with the signal that was given, for its reason, or when the time is up, as a `TimeoutError`. */
  readonly signal: AbortSignal;
  /** Lets go of timer and signal. Contract: to be called once nobody waits any more. */
  readonly release: () => void;
}

/**
 * Adds a time limit to a signal. Contract: never forgotten: the signal of `AbortSignal.timeout` inside `AbortSignal.any` may be
 * collected as garbage before it comes, and then what waits for it waits for ever. Does not keep the process alive.
 */
export function limitTime(signal: AbortSignal, ms: number): LimitedSignal {
  const limited = new AbortController();
  const pass = () => limited.abort(signal.reason);
  const end = () => limited.abort(new DOMException("the time is up", "TimeoutError"));
  const timer = startTimer(ms, end).unref();
  if (signal.aborted) pass();
  signal.addEventListener("abort", pass, { once: true });
  return {
    signal: limited.signal,
    release: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", pass);
    },
  };
}

/** Does some work under such a signal. Contract: whatever becomes of the work, timer and signal are let go of. */
export async function withTimeLimit<T>(
  signal: AbortSignal,
  ms: number,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const limited = limitTime(signal, ms);
  try {
    return await work(limited.signal);
  } finally {
    limited.release();
  }
}

/** True for the end of a limit's time, as opposed to whatever else ends a signal. */
export function isTimeUp({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}
