import { randomUUID } from "node:crypto";
import type { AskUser, UserAnswer, UserQuestion } from "../../contract/tool.ts";
import { NO_ANSWER } from "./elicitation.ts";

/** The next event of a call. */
type CallStep<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "asked"; readonly question: UserQuestion };

/**
 * A call that may outlast the request that started it: newer clients get a question instead of the result, and send the
 * answer in another request. The call itself continues meanwhile, so that hooks run once.
 */
export class OpenCall<T> {
  readonly id = randomUUID();
  readonly #stop = new AbortController();
  readonly #done: Promise<CallStep<T>>;
  #question: UserQuestion | null = null;
  #hear: (step: CallStep<T>) => void = () => {};
  #answer: (answer: UserAnswer) => void = () => {};

  constructor(work: (askUser: AskUser, signal: AbortSignal) => Promise<T>) {
    const ask: AskUser = (question, signal) =>
      new Promise((resolve) => {
        // One question at a time: a second one would need another form on the person's screen.
        if (this.#question !== null || signal.aborted) return resolve(NO_ANSWER);
        this.#question = question;
        this.#answer = (answer) => {
          this.#question = null;
          resolve(answer);
        };
        signal.addEventListener("abort", () => this.#answer(NO_ANSWER), { once: true });
        this.#hear({ kind: "asked", question });
      });
    this.#done = work(ask, this.#stop.signal).then((value) => ({ kind: "done", value }));
  }

  /** Waits for the result or a question. Contract: aborting the signal ends the call. */
  async next(signal: AbortSignal): Promise<CallStep<T>> {
    const stop = () => this.#stop.abort();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const asked = new Promise<CallStep<T>>((resolve) => {
        this.#hear = resolve;
        if (this.#question !== null) resolve({ kind: "asked", question: this.#question });
      });
      return await Promise.race([this.#done, asked]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** The open question; null if there is none. */
  get question(): UserQuestion | null {
    return this.#question;
  }

  /** Answers the open question. */
  answer(answer: UserAnswer): void {
    this.#answer(answer);
  }

  /** Settles when the call has ended. */
  get ended(): Promise<unknown> {
    return this.#done;
  }
}
