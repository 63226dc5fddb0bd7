/** Maximum delay of a timer: a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Runs an action after a delay. Contract: the delay is at most `MAX_TIMER_MS`; for a negative delay it is 0. */
export function startTimer(ms: number, action: () => void): NodeJS.Timeout {
  return setTimeout(action, Math.min(Math.max(0, ms), MAX_TIMER_MS));
}

/** Lets events and timers that are due run. */
export function yieldToEvents(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Resolves after a delay, or as soon as the signal is aborted. Contract: never rejects. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = startTimer(ms, end);
    signal?.addEventListener("abort", end, { once: true });
  });
}

interface LimitedSignal {
  /** Aborts together with the given signal, with its reason, or when the time is up, with a `TimeoutError`. */
  readonly signal: AbortSignal;
  /** Releases the timer and the listener. Contract: must be called once the signal is no longer needed. */
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
