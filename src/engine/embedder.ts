import { sendJsonLocally } from "../base/send-request.ts";
import { isRecord, parseObject } from "../base/text.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";

/** The user's local embedding model. */
export interface EmbeddingSettings {
  /** Loopback address of an OpenAI-compatible server, with or without `/v1/embeddings`. */
  readonly url: string;
  /** Empty if the server has only one model. */
  readonly model: string;
}

/** The model did not answer in time. */
export const LATE = fail("E_TIMEOUT", "the embedding model did not answer in time");
/** The model's answer cannot be used. */
export const GARBLED = fail("E_PARSE", "the embedding model answered with something other than vectors");

const PATH = "/v1/embeddings";
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_DIMENSIONS = 16_384;

/**
 * Requests embeddings from the model. Contract: unit vectors, one per text, all of the same dimension; stops when the
 * signal aborts; never throws.
 */
export async function embed(
  { url, model }: EmbeddingSettings,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Outcome<readonly Float32Array[]>> {
  const place = new URL(url);
  if (place.pathname === "/") place.pathname = PATH;
  const json = JSON.stringify({ ...(model === "" ? {} : { model }), input: texts });
  const answer = await sendJsonLocally({ url: place.href, json, signal, maxBytes: MAX_ANSWER_BYTES });
  if (answer === null) return signal.aborted ? LATE : fail("E_TOOL_UNAVAILABLE", "the embedding model does not answer");
  if (answer.status !== 200) return fail("E_TOOL_UNAVAILABLE", "the embedding model answered with an error");
  const vectors = readVectors(answer.text, texts.length);
  return vectors === null ? GARBLED : succeed(vectors);
}

/** Parses `{data: [{index, embedding: [0.1, …]}, …]}`. */
function readVectors(text: string, count: number): Float32Array[] | null {
  const data = parseObject(text)?.["data"];
  if (!Array.isArray(data) || data.length !== count) return null;
  const vectors: Float32Array[] = Array.from({ length: count });
  for (const [at, item] of data.entries()) {
    const vector = isRecord(item) ? toUnit(item["embedding"]) : null;
    const place = isRecord(item) && typeof item["index"] === "number" ? item["index"] : at;
    if (vector === null || vectors[place] !== undefined || !(place in vectors)) return null;
    vectors[place] = vector;
  }
  return vectors.every(({ length }) => length === vectors[0]?.length) ? vectors : null;
}

function toUnit(numbers: unknown): Float32Array | null {
  if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > MAX_DIMENSIONS) return null;
  if (!numbers.every((value) => typeof value === "number")) return null;
  const length = Math.hypot(...numbers);
  return length > 0 && Number.isFinite(length) ? Float32Array.from(numbers, (value) => value / length) : null;
}
