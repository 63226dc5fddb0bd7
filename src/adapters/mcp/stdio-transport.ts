import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { FRAME_ERRORS } from "../../contract/mcp.ts";
import { type Frame, FrameReader, refuseFrame } from "./frames.ts";

/** The streams of a server. */
interface StdioStreams {
  readonly input: NodeJS.ReadableStream;
  /** Writes a line. Contract: returns the number of bytes that are still buffered. */
  readonly write: (line: string) => number;
  /** Calls back once everything written has been flushed. */
  readonly whenTaken: (then: () => void) => void;
}

/** Maximum number of buffered bytes for a slow reader before input is paused. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;

/**
 * Messages over standard input and output, one per line. Contract: an invalid message is answered with an error and
 * never ends the connection; memory is bounded; the end of input is reported once, after the last message.
 *
 * The SDK's own transport does not answer bad frames, fails on a long one, and drops open calls at the end of input.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Called at the end of input. Contract: the promise settles once every request is answered or cancelled. */
  onend: (answered: Promise<void>) => void = () => {};
  readonly #streams: StdioStreams;
  readonly #reader = new FrameReader();
  readonly #questions = new Set<unknown>();
  #onanswered = () => {};
  #isOpen = true;
  #isPaused = false;

  constructor(streams: StdioStreams) {
    this.#streams = streams;
  }

  async start(): Promise<void> {
    const { input } = this.#streams;
    let hasEnded = false;
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      for (const frame of this.#reader.finish()) this.#take(frame);
      const answered = new Promise<void>((resolve) => {
        this.#onanswered = resolve;
      });
      this.onend(answered);
      this.#settle(undefined);
    };
    input.on("data", (chunk: Buffer) => {
      for (const frame of this.#reader.push(chunk)) this.#take(frame);
    });
    input.on("end", end).on("close", end).on("error", end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(message);
    if (!("method" in message)) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#streams.input.pause();
    this.onclose?.();
  }

  #take(frame: Frame): void {
    if (!this.#isOpen) return;
    const read = frame.ok ? toMessage(frame.value) : frame;
    if (read.ok) {
      const { message } = read;
      if ("method" in message && "id" in message) this.#questions.add(message.id);
      if ("method" in message && message.method === "notifications/cancelled")
        this.#settle(message.params?.["requestId"]);
      this.onmessage?.(message);
    } else this.#write({ jsonrpc: "2.0", id: read.id, error: read.error });
  }

  #settle(id: unknown): void {
    this.#questions.delete(id);
    if (this.#questions.size === 0) this.#onanswered();
  }

  #write(message: unknown): void {
    if (!this.#isOpen) return;
    const waiting = this.#streams.write(`${JSON.stringify(message)}\n`);
    if (waiting < MOST_WAITING_BYTES || this.#isPaused) return;
    this.#isPaused = true;
    this.#streams.input.pause();
    this.#streams.whenTaken(() => {
      this.#isPaused = false;
      this.#streams.input.resume();
    });
  }
}

function toMessage(value: Readonly<Record<string, unknown>>) {
  try {
    return { ok: true as const, message: parseJSONRPCMessage(value) };
  } catch {
    return refuseFrame(FRAME_ERRORS.notRpc, value) as Extract<Frame, { readonly ok: false }>;
  }
}
