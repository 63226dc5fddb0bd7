import { isRecord } from "../../base/text.ts";
import { FRAME_ERRORS } from "../../contract/mcp.ts";

/** A line of input: a message for further processing, or the error to answer with. */
export type Frame =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: FrameError; readonly id: string | number | null };

type FrameError = (typeof FRAME_ERRORS)[keyof typeof FRAME_ERRORS];

const MAX_BYTES = 4 * 1024 * 1024;
/** Maximum nesting depth; deeper data is useless, and could overflow the stack of recursive code. */
const MAX_DEPTH = 64;
const LINE_FEED = 0x0a;

/** Splits input into frames. Contract: buffers at most one frame's bytes; empty lines are ignored. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** Yields the frames that end in this chunk. */
  *push(chunk: Buffer): Generator<Frame> {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      this.#take(chunk.subarray(from, end));
      from = end + 1;
      yield* this.finish();
    }
    this.#take(chunk.subarray(from));
  }

  /** Yields the incomplete frame, for the end of input. */
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

/** Parses one line. Contract: never throws; errors do not quote the line. */
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

/** Makes the error frame for an invalid message. */
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
