import { sliceWhole, toOneLine } from "../base/text.ts";
import { docNear } from "./doc-near.ts";
import type { SymbolFact } from "./parse/facts.ts";
import type { Hit } from "./search/answer.ts";

/** A hit, described by the text of its file. */
interface ToldHit {
  /** 1-based, inclusive. */
  readonly line: number;
  readonly endLine: number;
  /** Qualified name of the definition there; empty if there is none. */
  readonly symbol: string;
  /** One line that summarises the code there. */
  readonly summary: string;
  readonly reason: string;
}

/** The text of a file that has a hit. */
interface HitText {
  readonly lines: readonly string[];
  /** False if the text has changed since the hit was found in it. */
  readonly isCurrent: boolean;
  /** Symbols of the file, if they are known. */
  readonly symbols: () => readonly Pick<SymbolFact, "name" | "startLine" | "doc" | "signature">[];
}

const MAX_SUMMARY_CHARS = 160;

/**
 * Describes a hit by the text of its file. Contract: refers to no line beyond the text; of a text that has changed,
 * only the beginning is used.
 */
export function tellHit(hit: Hit, text: HitText): ToldHit {
  const { lines } = text;
  const isThere = text.isCurrent && hit.line <= Math.max(1, lines.length);
  const [first, endLine] = isThere ? [hit.line, Math.min(hit.endLine, Math.max(1, lines.length))] : [1, 1];
  const isPassage = isThere && hit.definition === null && hit.isQuote !== true;
  const line = isPassage ? findTelling(lines, first, endLine, hit.words ?? []) : first;
  return {
    line,
    endLine,
    symbol: isThere ? (hit.definition ?? "") : "",
    summary: describe({ ...hit, line }, text),
    reason: tellReason(hit, lines.slice(line - 1, endLine)),
  };
}

/** First informative line of a passage: the first with one of the words, else the first with a letter. */
function findTelling(lines: readonly string[], first: number, end: number, words: readonly string[]): number {
  const shown = lines.slice(first - 1, end).map((text) => text.toLowerCase());
  const asked = shown.findIndex((text) => words.some((word) => text.includes(word.toLowerCase())));
  const lettered = shown.findIndex((text) => /\p{L}/u.test(text));
  return first + Math.max(0, asked < 0 ? lettered : asked);
}

/** Explains a hit: words that occur in its lines literally, and words that only resemble what occurs there. */
function tellReason({ reason, words = [] }: Hit, lines: readonly string[]): string {
  const text = lines.join("\n").toLowerCase();
  const stands = words.filter((word) => text.includes(word.toLowerCase()));
  const others = words.filter((word) => !stands.includes(word));
  const parts = [
    reason,
    stands.length === 0 ? "" : `text: ${stands.join(", ")}`,
    others.length === 0 ? "" : `similar: ${others.join(", ")}`,
  ].filter(Boolean);
  return parts.length === 0 ? "related to the other results" : parts.join("; ");
}

/** The first sentence of the definition's comment, otherwise the declaration, otherwise the line itself. */
function describe({ line, definition, isQuote }: Hit, { lines, symbols }: HitText): string {
  if (isQuote === true) return sliceWhole(toOneLine(lines[line - 1] ?? ""), MAX_SUMMARY_CHARS);
  const name = definition?.split(".").at(-1);
  const known =
    name === undefined ? undefined : symbols().find((symbol) => symbol.name === name && symbol.startLine === line);
  const doc = known === undefined && definition !== null ? docNear(lines, line) : (known?.doc ?? "");
  const [sentence = ""] = doc.split(/(?<=[.!?。])\s/, 1);
  return sliceWhole(toOneLine(sentence || known?.signature || (lines[line - 1] ?? "")), MAX_SUMMARY_CHARS);
}
