import { join } from "node:path";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { excludeNothing } from "../base/exclusions.ts";
import { startTimer } from "../base/timers.ts";
import type { ResidentRepository } from "../contract/resident.ts";
import { INDEX_FILES } from "../engine/store/database.ts";
import { keepReaders } from "../engine/store/readers.ts";
import { makeRepositoryWatches } from "../engine/watch/repository-watches.ts";
import { indexFolderOf, makeDoorEngine, startBuilder } from "./engine.ts";
import type { KeptParts } from "./orchestrate.ts";
import { updateIndex } from "./update-index.ts";

/** Repositories that are held open at most, and the memory above which only the last one is. */
const MOST_HELD = 4;
const MANY_BYTES = 240_000_000;
/** A repository is compared with its files by itself once nobody has asked for this long. */
const QUIET_MS = 30;
/**
 * An index is brought up to date here once nobody has asked for this long, or after a while in any case. Until then, what
 * changed is laid over it in memory, which costs a fraction.
 */
const IDLE_MS = 15_000;
const LATE_MS = 60_000;
/** Builders of one root are started no more often than this: each looks through everything. */
const BUILDER_PAUSE_MS = 5_000;
/** Time for a comparison that nobody waits for. */
const COMPARISON_MS = 10_000;

/** As many changed files are brought into the index here; more are left to a builder, which runs at low priority. */
const FEW_FILES = 20;

interface Held {
  /** Variables of the last question: where its state lies. */
  env: Environment;
  /** Since when the index lacks something; null if it lacks nothing. */
  behindMs: number | null;
  builderAtMs: number;
}

/** The repositories that a resident is asked about, least recently asked first. */
export class HeldRepositories {
  readonly #readers = keepReaders();
  readonly #watches = makeRepositoryWatches(systemClock);
  readonly #held = new Map<string, Held>();
  readonly #onChange: (held: readonly ResidentRepository[]) => void;
  #timer: NodeJS.Timeout | undefined;
  /** When the last question came. */
  #askedMs = 0;

  /** `onChange` hears what is held open whenever that may have changed. */
  constructor(onChange: (held: readonly ResidentRepository[]) => void) {
    this.#onChange = onChange;
  }

  /** What answers a question about a root, from memory as far as possible. */
  partsFor(root: string, env: Environment): Omit<KeptParts, "waitedMs"> {
    const held = this.#hold(root, env);
    this.#held.delete(root);
    this.#held.set(root, held);
    this.#askedMs = systemClock.monotonicMs();
    return this.#partsOf(held);
  }

  #hold(root: string, env: Environment): Held {
    const held = this.#held.get(root) ?? { env, behindMs: null, builderAtMs: Number.NEGATIVE_INFINITY };
    held.env = env;
    this.#held.set(root, held);
    clearTimeout(this.#timer);
    return held;
  }

  #partsOf(held: Held): Omit<KeptParts, "waitedMs"> {
    return {
      readers: this.#readers,
      watches: this.#watches,
      // Once the answer is given.
      startBuilder: async () => {
        held.behindMs ??= systemClock.monotonicMs();
      },
    };
  }

  /** Lets go of what is too much, and plans what is to be done while nobody asks. */
  settle(): void {
    const most = process.memoryUsage.rss() > MANY_BYTES ? 1 : MOST_HELD;
    for (const [root, { env }] of [...this.#held].slice(0, -most)) {
      this.#watches.release(root);
      const folder = indexFolderOf(env, root);
      if (folder !== null) this.#readers.forget(join(folder, INDEX_FILES.database));
      this.#held.delete(root);
    }
    this.#wake(QUIET_MS);
    this.#onChange(
      [...this.#held.keys()].map((root) => ({
        root,
        files: this.#watches.countsOf(root).files,
        state: this.#watches.stateOf(root) === "ready" ? "watched" : "compared",
      })),
    );
  }

  /** Gets a repository ready for the first question about it. Contract: never throws. */
  warm(root: string, env: Environment): void {
    const engine = makeDoorEngine(env, this.#partsOf(this.#hold(root, env)));
    const endMs = systemClock.monotonicMs() + COMPARISON_MS;
    try {
      engine.isCurrent(root, {
        signal: new AbortController().signal,
        timeLeftMs: () => endMs - systemClock.monotonicMs(),
        isExcluded: excludeNothing,
        usesIndex: true,
      });
    } catch {
      // A damaged index: the next question says so.
    } finally {
      engine.close();
    }
    this.settle();
  }

  /** What is to be done while nobody asks. */
  async #catchUp(): Promise<void> {
    const held = [...this.#held];
    const due = held.find(([root]) => this.#watches.stateOf(root) === "unverified");
    const behind = held.filter(([, { behindMs }]) => behindMs !== null);
    const next = behind.find(([root, own]) => this.#waitMs(root, own) <= 0);
    if (due !== undefined) this.warm(due[0], due[1].env);
    // Folders are still being watched, one batch after the other.
    else if (held.some(([root]) => this.#watches.stateOf(root) === "starting")) this.#wake(QUIET_MS);
    else if (next !== undefined) await this.#update(...next);
    else if (behind.length > 0) this.#wake(Math.min(...behind.map(([root, own]) => this.#waitMs(root, own))));
  }

  #wake(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = startTimer(ms, () => void this.#catchUp());
  }

  /** Milliseconds until an index is to be brought up to date. More than a few files are left to a builder at once. */
  #waitMs(root: string, { behindMs }: Held): number {
    if (!this.#isLittle(root)) return 0;
    const nowMs = systemClock.monotonicMs();
    return Math.min(this.#askedMs + IDLE_MS, (behindMs ?? nowMs) + LATE_MS) - nowMs;
  }

  #isLittle(root: string): boolean {
    return this.#watches.stateOf(root) === "ready" && this.#watches.countsOf(root).differing <= FEW_FILES;
  }

  /** Brings an index up to date: here after few changes, else by a builder. */
  async #update(root: string, held: Held): Promise<void> {
    held.behindMs = null;
    if (this.#isLittle(root)) await updateIndex(root, held.env, (known) => this.#watches.suspectsOf(root, known));
    else {
      const nowMs = systemClock.monotonicMs();
      if (nowMs - held.builderAtMs < BUILDER_PAUSE_MS) return;
      held.builderAtMs = nowMs;
      await startBuilder(held.env, root);
    }
    this.settle();
  }
}
