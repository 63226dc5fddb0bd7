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

/** Maximum number of repositories held open, and the memory use above which only the most recent one is. */
const MOST_HELD = 4;
const MANY_BYTES = 240_000_000;
/** Idle time after which a repository is compared with its files unprompted. */
const QUIET_MS = 30;
/**
 * An index is brought up to date in this process after this idle time, or after `LATE_MS` in any case. Until then,
 * changes are overlaid in memory, which costs a fraction.
 */
const IDLE_MS = 15_000;
const LATE_MS = 60_000;
/** Minimum interval between builders of one root: each looks through everything. */
const BUILDER_PAUSE_MS = 5_000;
/** Time limit of a background comparison. */
const COMPARISON_MS = 10_000;

/** Maximum number of changed files that are indexed here; more are left to a builder, which runs at low priority. */
const FEW_FILES = 20;

interface Held {
  /** Variables of the last question, which determine where its state lies. */
  env: Environment;
  /** Time since which the index is out of date; null if it is current. */
  behindMs: number | null;
  builderAtMs: number;
}

/** The repositories that a resident is asked about, least recently used first. */
export class HeldRepositories {
  readonly #readers = keepReaders();
  readonly #watches = makeRepositoryWatches(systemClock);
  readonly #held = new Map<string, Held>();
  readonly #onChange: (held: readonly ResidentRepository[]) => void;
  #timer: NodeJS.Timeout | undefined;
  /** Time of the last question. */
  #askedMs = 0;

  /** `onChange` is called with the repositories held open whenever they may have changed. */
  constructor(onChange: (held: readonly ResidentRepository[]) => void) {
    this.#onChange = onChange;
  }

  /** The parts that answer a question about a root, from memory as far as possible. */
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
      // Deferred until the answer is given.
      startBuilder: async () => {
        held.behindMs ??= systemClock.monotonicMs();
      },
    };
  }

  /** Releases surplus repositories and schedules the work for idle time. */
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

  /** Prepares a repository for the first question about it. Contract: never throws. */
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
      // The index is damaged: the next question reports it.
    } finally {
      engine.close();
    }
    this.settle();
  }

  /** Does one piece of the work for idle time. */
  async #catchUp(): Promise<void> {
    const held = [...this.#held];
    const due = held.find(([root]) => this.#watches.stateOf(root) === "unverified");
    const behind = held.filter(([, { behindMs }]) => behindMs !== null);
    const next = behind.find(([root, own]) => this.#waitMs(root, own) <= 0);
    if (due !== undefined) this.warm(due[0], due[1].env);
    // Folders are still being watched, one batch after another.
    else if (held.some(([root]) => this.#watches.stateOf(root) === "starting")) this.#wake(QUIET_MS);
    else if (next !== undefined) await this.#update(...next);
    else if (behind.length > 0) this.#wake(Math.min(...behind.map(([root, own]) => this.#waitMs(root, own))));
  }

  #wake(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = startTimer(ms, () => void this.#catchUp());
  }

  /**
   * Milliseconds until an index is to be brought up to date. If more than a few files changed, a builder starts as soon
   * as the last one is long enough ago.
   */
  #waitMs(root: string, { behindMs, builderAtMs }: Held): number {
    const nowMs = systemClock.monotonicMs();
    if (!this.#isLittle(root)) return Math.max(0, builderAtMs + BUILDER_PAUSE_MS - nowMs);
    return Math.min(this.#askedMs + IDLE_MS, (behindMs ?? nowMs) + LATE_MS) - nowMs;
  }

  #isLittle(root: string): boolean {
    return this.#watches.stateOf(root) === "ready" && this.#watches.countsOf(root).differing <= FEW_FILES;
  }

  /** Brings an index up to date: in this process if few files changed, otherwise by a builder. */
  async #update(root: string, held: Held): Promise<void> {
    held.behindMs = null;
    if (this.#isLittle(root)) await updateIndex(root, held.env, (known) => this.#watches.suspectsOf(root, known));
    else {
      held.builderAtMs = systemClock.monotonicMs();
      await startBuilder(held.env, root);
    }
    this.settle();
  }
}
