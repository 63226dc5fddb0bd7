import { join } from "node:path";
import { hashHex } from "../base/hash.ts";
import { readInside } from "../base/jail.ts";
import { sliceWhole } from "../base/text.ts";
import { withTimeLimit } from "../base/time-limit.ts";
import type { EmbeddingTrouble } from "../contract/limits.ts";
import { redact } from "../safety/redact/redact.ts";
import { type EmbeddingSettings, embed } from "./embedder.ts";
import type { OpenBudget } from "./repository.ts";
import type { Hit } from "./search/answer.ts";
import { mixMeaning, similarityOf } from "./search/meaning.ts";
import type { VectorStore } from "./store/vector-store.ts";

/** How far the meaning of hits was compared. */
export interface Meaning {
  readonly model: string;
  /** Hits that were compared, of how many. */
  readonly compared: number;
  readonly of: number;
  /** Why there are not more; null where all were compared. */
  readonly trouble: EmbeddingTrouble | null;
}

/** What comparing takes. */
export interface MeaningRequest {
  readonly root: string;
  readonly query: string;
  /** By words, best first. */
  readonly hits: readonly Hit[];
  readonly settings: EmbeddingSettings;
  /** Where vectors are kept; null where nothing is. */
  readonly vectors: VectorStore | null;
  readonly budget: Pick<OpenBudget, "signal" | "timeLeftMs">;
}

/** Texts of one request: a model on a slow machine does some of them in time, and these are kept. */
const BATCH = 16;
/** Share of the time that is left, and milliseconds, that the model may take. */
const TIME_SHARE = 0.6;
const MOST_MS = 5_000;
const MAX_LINES = 40;
const MAX_CHARS = 2_000;
const MAX_QUERY_CHARS = 2_000;
const MAX_FILE_BYTES = 512 * 1024;
const KEY_DIGITS = 32;

/**
 * Lets a model of the user's have a say in the order of hits. Contract: the same hits; where it does not answer, or not
 * in time, those that were not compared keep their place as far as it goes; what may be a secret is not shown to it;
 * never throws.
 */
export async function compareMeaning(
  request: MeaningRequest,
): Promise<{ readonly hits: readonly Hit[]; readonly meaning: Meaning }> {
  const { query, hits, settings } = request;
  const passages = hits.map((hit) => toPassage(request, hit));
  const { question, vectors, trouble } = await findVectors(request, sliceWhole(redact(query).text, MAX_QUERY_CHARS), [
    ...new Set(passages),
  ]);
  const similarities = passages.map((passage) => {
    const vector = vectors.get(passage);
    return question === null || vector === undefined ? null : similarityOf(question, vector);
  });
  const compared = similarities.filter((value) => value !== null).length;
  const meaning = { model: settings.model, compared, of: hits.length, trouble };
  return { hits: mixMeaning(hits, similarities), meaning };
}

/** The best lines of a hit, with the path above them, because it says what they are about. */
function toPassage({ root }: MeaningRequest, { file, line, endLine }: Hit): string {
  const read = readInside(root, join(root, file), MAX_FILE_BYTES);
  const lines = read.ok && read.value.text !== null ? read.value.text.split("\n") : [];
  const own = lines.slice(line - 1, Math.min(Math.max(line, endLine), line - 1 + MAX_LINES));
  return sliceWhole(redact(`${file}\n${own.join("\n")}`).text, MAX_CHARS);
}

/** The vectors of the question and of passages, kept ones first, as far as time goes. */
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
    if (ms <= 0) return { question, vectors, trouble: "late" as const };
    const batch = waiting.slice(0, BATCH);
    const asked: readonly string[] = question === null ? [query, ...batch] : batch;
    const answer = await withTimeLimit(signal, ms, (limited) => embed(settings, asked, limited));
    if ("trouble" in answer) return { question, vectors, trouble: answer.trouble };
    const own = new Map(batch.map((passage, at) => [passage, answer.vectors.at(at - batch.length) ?? EMPTY]));
    kept?.put(new Map([...own].map(([passage, vector]) => [keyOf(passage), vector])));
    if (question === null) {
      question = answer.vectors[0] ?? EMPTY;
      // Kept from a model that went by the same name.
      for (const [passage, { length }] of vectors) if (length !== question.length) vectors.delete(passage);
    }
    for (const [passage, vector] of own) {
      if (vector.length !== question.length) return { question, vectors, trouble: "garbled" as const };
      vectors.set(passage, vector);
    }
    waiting = passages.filter((passage) => !vectors.has(passage));
  }
  return { question, vectors, trouble: null };
}

const EMPTY = new Float32Array(0);
