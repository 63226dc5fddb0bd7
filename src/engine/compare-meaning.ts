import { join } from "node:path";
import { hashHex } from "../base/hash.ts";
import { readInside } from "../base/jail.ts";
import { sliceWhole } from "../base/text.ts";
import { withTimeLimit } from "../base/timers.ts";
import type { Fault } from "../contract/faults.ts";
import { redact } from "../safety/redact/redact.ts";
import { type EmbeddingSettings, embed, GARBLED, LATE } from "./embedder.ts";
import type { OpenBudget } from "./repository.ts";
import type { Hit } from "./search/answer.ts";
import { mixMeaning, similarityOf } from "./search/meaning.ts";
import type { VectorStore } from "./store/vector-store.ts";

/** How many hits were compared by meaning. */
export interface Meaning {
  readonly model: string;
  /** Number of hits compared, out of `of`. */
  readonly compared: number;
  readonly of: number;
  /** Why some hits were not compared; null if all were. */
  readonly fault: Fault | null;
}

/** Input of `compareMeaning`. */
interface MeaningRequest {
  readonly root: string;
  readonly query: string;
  /** Keyword hits, best first. */
  readonly hits: readonly Hit[];
  readonly settings: EmbeddingSettings;
  /** Vector cache; null if vectors are not cached. */
  readonly vectors: VectorStore | null;
  readonly budget: Pick<OpenBudget, "signal" | "timeLeftMs">;
}

/** Texts per request. Small batches let a slow machine finish and cache some of them in time. */
const BATCH = 16;
/** Maximum share of the remaining time, and maximum milliseconds, that the model may take. */
const TIME_SHARE = 0.6;
const MOST_MS = 5_000;
const MAX_LINES = 40;
const MAX_CHARS = 2_000;
const MAX_QUERY_CHARS = 2_000;
const MAX_FILE_BYTES = 512 * 1024;
const KEY_DIGITS = 32;

/**
 * Reorders hits using the user's embedding model. Contract: returns the same hits; hits that were not compared (no
 * answer from the model, or not in time) keep their position as far as possible; possible secrets are never sent to the
 * model; never throws.
 */
export async function compareMeaning(
  request: MeaningRequest,
): Promise<{ readonly hits: readonly Hit[]; readonly meaning: Meaning }> {
  const { query, hits, settings } = request;
  const passages = hits.map((hit) => toPassage(request, hit));
  const { question, vectors, fault } = await findVectors(request, sliceWhole(redact(query).text, MAX_QUERY_CHARS), [
    ...new Set(passages),
  ]);
  const similarities = passages.map((passage) => {
    const vector = vectors.get(passage);
    return question === null || vector === undefined ? null : similarityOf(question, vector);
  });
  const compared = similarities.filter((value) => value !== null).length;
  const meaning = { model: settings.model, compared, of: hits.length, fault };
  return { hits: mixMeaning(hits, similarities), meaning };
}

/** The best lines of a hit, preceded by its path, which gives the model context. */
function toPassage({ root }: MeaningRequest, { file, line, endLine }: Hit): string {
  const read = readInside(root, join(root, file), MAX_FILE_BYTES);
  const lines = read.ok && read.value.text !== null ? read.value.text.split("\n") : [];
  const own = lines.slice(line - 1, Math.min(Math.max(line, endLine), line - 1 + MAX_LINES));
  return sliceWhole(redact(`${file}\n${own.join("\n")}`).text, MAX_CHARS);
}

/** Vectors of the question and the passages, as far as time allows; cached vectors come first. */
async function findVectors({ settings, vectors: kept, budget }: MeaningRequest, query: string, passages: string[]) {
  const { signal, timeLeftMs } = budget;
  const stopAtMs = Math.max(timeLeftMs() * (1 - TIME_SHARE), timeLeftMs() - MOST_MS);
  const keyOf = (passage: string) => hashHex([settings.url, settings.model, passage], KEY_DIGITS);
  const vectors = new Map<string, Float32Array>();
  for (const passage of passages) {
    const vector = kept?.get(keyOf(passage)) ?? null;
    if (vector !== null) vectors.set(passage, vector);
  }
  let question: Float32Array | null = null;
  let waiting = passages.filter((passage) => !vectors.has(passage));
  while (question === null || waiting.length > 0) {
    const ms = Math.floor(timeLeftMs() - stopAtMs);
    if (ms <= 0) return { question, vectors, fault: LATE.fault };
    const batch = waiting.slice(0, BATCH);
    const asked: readonly string[] = question === null ? [query, ...batch] : batch;
    const answer = await withTimeLimit(signal, ms, (limited) => embed(settings, asked, limited));
    if (!answer.ok) return { question, vectors, fault: answer.fault };
    const own = new Map(batch.map((passage, at) => [passage, answer.value.at(at - batch.length) ?? EMPTY]));
    kept?.put(new Map([...own].map(([passage, vector]) => [keyOf(passage), vector])));
    if (question === null) {
      question = answer.value[0] ?? EMPTY;
      // Drop cached vectors of a different model with the same name.
      for (const [passage, { length }] of vectors) if (length !== question.length) vectors.delete(passage);
    }
    for (const [passage, vector] of own) {
      if (vector.length !== question.length) return { question, vectors, fault: GARBLED.fault };
      vectors.set(passage, vector);
    }
    waiting = passages.filter((passage) => !vectors.has(passage));
  }
  return { question, vectors, fault: null };
}

const EMPTY = new Float32Array(0);
