import { startTimer } from "./timers.ts";

/** An abort signal with a time limit. */
export interface LimitedSignal {
  /** Aborts together with the given signal, with its reason, or when the time is up, with a `TimeoutError`. */
  readonly signal: AbortSignal;
  /** Releases the timer and the listener. Contract: must be called once nobody waits for the signal any more. */
  readonly release: () => void;
}

/**
 * Adds a time limit to a signal. Contract: the limit always fires. (An `AbortSignal.timeout` inside `AbortSignal.any`
 * may be garbage-collected before it fires, and then its listeners wait forever.) Does not keep the process alive.
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

/** Runs `work` with a time-limited signal. Contract: the timer and the listener are released whatever the outcome. */
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

/** True if a signal was aborted by its time limit rather than for another reason. */
export function isTimeUp({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}
