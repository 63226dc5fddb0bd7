/** Limits for one token on one server. */
export interface RateLimits {
  /** Concurrent requests. */
  readonly atOnce: number;
  /** Sustained requests per second, and the size of a burst. */
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  running: number;
  /** Requests that may start now. */
  left: number;
  atMs: number;
}

/** Maximum number of tracked tokens; beyond it, those idle for longest are forgotten first. */
const MOST_KEPT = 10_000;

/** Limits the request rate of each token. */
export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #monotonicMs: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limits: RateLimits, monotonicMs: () => number) {
    this.#limits = limits;
    this.#monotonicMs = monotonicMs;
  }

  /** Admits a request; call `release` once when it has ended. Contract: returns the seconds to wait if it is refused. */
  enter(token: string): { readonly release: () => void } | { readonly retrySeconds: number } {
    const { atOnce, perSecond, burst } = this.#limits;
    const nowMs = this.#monotonicMs();
    const bucket = this.#buckets.get(token) ?? { running: 0, left: burst, atMs: nowMs };
    bucket.left = Math.min(burst, bucket.left + ((nowMs - bucket.atMs) / 1_000) * perSecond);
    bucket.atMs = nowMs;
    // Moves the token to the end, so that the map is ordered by last use.
    this.#buckets.delete(token);
    this.#buckets.set(token, bucket);
    if (this.#buckets.size > MOST_KEPT) this.#forgetIdle();
    if (bucket.running >= atOnce) return { retrySeconds: 1 };
    if (bucket.left < 1) return { retrySeconds: Math.max(1, Math.ceil((1 - bucket.left) / perSecond)) };
    bucket.left--;
    bucket.running++;
    return {
      release: () => void bucket.running--,
    };
  }

  #forgetIdle(): void {
    for (const [token, { running }] of this.#buckets) {
      if (this.#buckets.size <= MOST_KEPT) return;
      if (running === 0) this.#buckets.delete(token);
    }
  }
}
