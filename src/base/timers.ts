/** The longest time that a timer can wait: a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Does something after a while. Contract: waits at most `MAX_TIMER_MS`, and not at all for a time that has passed. */
export function startTimer(ms: number, action: () => void): NodeJS.Timeout {
  return setTimeout(action, Math.min(Math.max(0, ms), MAX_TIMER_MS));
}

/** Settles after a while, or as soon as the signal comes. Contract: never rejects. */
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
