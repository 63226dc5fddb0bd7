import { randomUUID } from "node:crypto";
import type { AskUser, UserAnswer, UserQuestion } from "../../contract/tool.ts";
import { NO_ANSWER } from "./elicitation.ts";

/** What comes next of a call. */
type CallStep<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "asked"; readonly question: UserQuestion };

/**
 * A call that may outlast the request which began it: newer clients are handed a question in the place of the result, and
 * bring the answer with another request. The call itself goes on where it was, so that hooks run once.
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
        // One question at a time: a second would need another form on the person's screen.
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

  /** Waits for the end or a question. Contract: aborting the signal ends the call. */
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

  /** The question that waits; null where none does. */
  get question(): UserQuestion | null {
    return this.#question;
  }

  /** Answers the question that waits. */
  answer(answer: UserAnswer): void {
    this.#answer(answer);
  }

  /** Settles when the call has ended. */
  get ended(): Promise<unknown> {
    return this.#done;
  }
}
