import { isRecord } from "../../base/text.ts";
import { FRAME_ERRORS } from "../../contract/mcp.ts";

/** One line of input: a message to look at further, or what is to be answered instead. */
export type Frame =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: FrameError; readonly id: string | number | null };

type FrameError = (typeof FRAME_ERRORS)[keyof typeof FRAME_ERRORS];

const MAX_BYTES = 4 * 1024 * 1024;
/** Deeper data has no use, and would exhaust the stack of whoever walks through it. */
const MAX_DEPTH = 64;
const LINE_FEED = 0x0a;

/** Cuts input into frames. Contract: holds at most one frame's bytes, whatever comes; empty lines are nothing. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** The frames that end in this chunk. */
  *push(chunk: Buffer): Generator<Frame> {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      this.#take(chunk.subarray(from, end));
      from = end + 1;
      yield* this.finish();
    }
    this.#take(chunk.subarray(from));
  }

  /** The frame that has begun, as it is; for the end of input. */
  *finish(): Generator<Frame> {
    const isLong = this.#bytes > MAX_BYTES;
    const line = Buffer.concat(this.#chunks).toString("utf8").trim();
    this.#chunks = [];
    this.#bytes = 0;
    if (isLong) yield refuseFrame(FRAME_ERRORS.tooLong);
    else if (line !== "") yield parseFrame(line);
  }

  #take(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_BYTES) this.#chunks = [];
    else if (bytes.length > 0) this.#chunks.push(bytes);
  }
}

/** Reads one line. Contract: never throws; nothing of the line is repeated in an error. */
function parseFrame(line: string): Frame {
  if (isTooDeep(line)) return refuseFrame(FRAME_ERRORS.tooDeep);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return refuseFrame(FRAME_ERRORS.notJson);
  }
  if (Array.isArray(value)) return refuseFrame(FRAME_ERRORS.batch);
  if (!isRecord(value) || value["jsonrpc"] !== "2.0") return refuseFrame(FRAME_ERRORS.notRpc, value);
  return { ok: true, value };
}

/** What is answered to a message that is none. */
export function refuseFrame(error: FrameError, value?: unknown): Frame {
  const id = isRecord(value) ? value["id"] : null;
  return { ok: false, error, id: typeof id === "string" || typeof id === "number" ? id : null };
}

function isTooDeep(line: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at];
    if (isText) {
      if (sign === "\\") at++;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === "[" || sign === "{") {
      if (++depth > MAX_DEPTH) return true;
    } else if (sign === "]" || sign === "}") depth--;
  }
  return false;
}
