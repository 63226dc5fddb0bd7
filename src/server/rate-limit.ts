/** What one token may ask of one server. */
export interface RateLimits {
  /** Requests at once. */
  readonly atOnce: number;
  /** Requests a second in the long run, and how many more may come together. */
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  running: number;
  /** Requests that may begin now. */
  left: number;
  atMs: number;
}

/** So many tokens are remembered; those that ask nothing for a while are forgotten first. */
const MOST_KEPT = 10_000;

/** Counts what each token asks. */
export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #monotonicMs: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limits: RateLimits, monotonicMs: () => number) {
    this.#limits = limits;
    this.#monotonicMs = monotonicMs;
  }

  /**
   * Lets a request begin; `release` when it has ended. Contract: the seconds to wait where it may not.
   */
  enter(token: string): { readonly release: () => void } | { readonly retrySeconds: number } {
    const { atOnce, perSecond, burst } = this.#limits;
    const nowMs = this.#monotonicMs();
    const bucket = this.#buckets.get(token) ?? { running: 0, left: burst, atMs: nowMs };
    bucket.left = Math.min(burst, bucket.left + ((nowMs - bucket.atMs) / 1_000) * perSecond);
    bucket.atMs = nowMs;
    // The last one to ask stands last.
    this.#buckets.delete(token);
    this.#buckets.set(token, bucket);
    if (this.#buckets.size > MOST_KEPT) this.#forgetIdle();
    if (bucket.running >= atOnce) return { retrySeconds: 1 };
    if (bucket.left < 1) return { retrySeconds: Math.max(1, Math.ceil((1 - bucket.left) / perSecond)) };
    bucket.left--;
    bucket.running++;
    let isOver = false;
    return {
      release: () => {
        if (!isOver) bucket.running--;
        isOver = true;
      },
    };
  }

  #forgetIdle(): void {
    for (const [token, { running }] of this.#buckets) {
      if (this.#buckets.size <= MOST_KEPT) return;
      if (running === 0) this.#buckets.delete(token);
    }
  }
}
