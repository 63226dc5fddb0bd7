import type { ServerResponse } from "node:http";
import { startTimer } from "../base/timers.ts";
import type { RunRow } from "../contract/run-history.ts";
import { HEADERS } from "./replies.ts";
import type { WebSources } from "./sources.ts";

/** Maximum number of pages that receive events concurrently. */
const MOST_LISTENERS = 32;
/** Interval of keep-alive messages, which reveal connections that are gone. */
const BEAT_MS = 15_000;

/** Notifies open pages of new runs with server-sent events. Contract: polls for new runs only while a page listens. */
export class LiveRuns {
  readonly #watch: WebSources["watchRuns"];
  readonly #listeners = new Set<ServerResponse>();
  #stop: (() => void) | null = null;
  #beat: NodeJS.Timeout | undefined;

  /** `watch` is the source of new runs. */
  constructor(watch: WebSources["watchRuns"]) {
    this.#watch = watch;
  }

  /** Adds a page. Contract: false if too many listen already. */
  add(response: ServerResponse): boolean {
    if (this.#listeners.size >= MOST_LISTENERS) return false;
    response.writeHead(200, {
      ...HEADERS,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      connection: "keep-alive",
    });
    this.#listeners.add(response);
    response.once("close", () => this.#drop(response));
    this.#stop ??= this.#watch((rows) => this.#tell(rows));
    if (this.#beat === undefined) this.#startBeat();
    response.write("event: ready\ndata: {}\n\n");
    return true;
  }

  /** Closes all connections. */
  close(): void {
    for (const response of [...this.#listeners]) {
      response.end();
      this.#drop(response);
    }
  }

  #tell(rows: readonly RunRow[]): void {
    if (rows.length > 0) this.#send(`event: runs\ndata: ${JSON.stringify(rows)}\n\n`);
  }

  #send(text: string): void {
    for (const response of this.#listeners) response.write(text);
  }

  #startBeat(): void {
    this.#beat = startTimer(BEAT_MS, () => {
      this.#send(": still here\n\n");
      this.#startBeat();
    }).unref();
  }

  #drop(response: ServerResponse): void {
    this.#listeners.delete(response);
    if (this.#listeners.size > 0) return;
    clearTimeout(this.#beat);
    this.#beat = undefined;
    this.#stop?.();
    this.#stop = null;
  }
}
