import { setTimeout as sleep } from "node:timers/promises";

/** Shorter than the time limit of a test, so that the last value is reported; long, because the machine may be busy. */
const PATIENCE_MS = 200_000;

/** Waits until a value is right. Contract: throws, with the last value seen, if it never is. */
export async function until<T>(look: () => T | Promise<T>, isRight: (value: T) => boolean = Boolean): Promise<T> {
  for (const endMs = performance.now() + PATIENCE_MS; ; await sleep(20)) {
    const value = await look();
    if (isRight(value)) return value;
    if (performance.now() > endMs) throw new Error(`still ${JSON.stringify(value)}`);
  }
}
