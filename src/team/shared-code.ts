import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { base64, list, MOST_LINES, short, wholeNumber } from "./shared-shapes.ts";

/** Length in bytes of the name of a piece of code: a truncated hash of its content. */
export const CODE_NAME_BYTES = 16;
/** Maximum number of symbols and of calls of a file, and maximum length of each list in characters. */
const MOST_ROWS = 200_000;
const MOST_CODE_CHARS = 8 * 1024 * 1024;

/**
 * Packed code facts of one file: symbols and edges in the formats of `engine/store/facts.ts` and
 * `engine/store/edges.ts`.
 */
export type CodeText = readonly [symbols: string, edges: string];

/** Returns the name of a piece of code. Files with the same code share a name. */
export function nameOfCode([symbols, edges]: CodeText): Buffer {
  const hash = createHash("sha256").update(symbols).update("\0").update(edges).digest();
  return hash.subarray(0, CODE_NAME_BYTES);
}

/** Splits concatenated names of pieces of code, by their hex; leaves out the zeros of files without code. */
export function splitCodeNames(names: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 0; at + CODE_NAME_BYTES <= names.length; at += CODE_NAME_BYTES) {
    const name = names.subarray(at, at + CODE_NAME_BYTES);
    if (isCodeName(name)) found.set(name.toString("hex"), name);
  }
  return found;
}

/** True for the name of a piece of code, false for zeros. */
export function isCodeName(name: Buffer): boolean {
  return name.some((byte) => byte !== 0);
}

/** Message with pieces of code. */
export const CodeMessage = z.strictObject({
  rows: list(z.tuple([short(MOST_CODE_CHARS), short(MOST_CODE_CHARS)]), 50_000),
});

const place = () => z.nullable(wholeNumber(MOST_ROWS));
const line = () => wholeNumber(MOST_LINES);
const flag = () => z.boolean();

/** Shape of unpacked symbols. */
export const SymbolRows = list(
  z.tuple([
    ...([short(), short(20), place(), short(), short()] as const),
    ...([line(), line(), line(), short(), short(20), flag()] as const),
    ...([line(), line(), short()] as const),
  ]),
  MOST_ROWS,
);

const at = () => wholeNumber(MOST_ROWS);
const sure = () => z.number().check(z.gt(0), z.lte(1));

/** Shape of unpacked edges. */
export const EdgeRows = z.strictObject({
  paths: list(short(), MOST_ROWS),
  calls: list(z.tuple([place(), at(), at(), short(), line(), sure(), short(20)]), MOST_ROWS),
  bases: list(z.tuple([at(), at(), at(), short()]), MOST_ROWS),
  imports: list(at(), MOST_ROWS),
});

/**
 * Call graph of a repository. Files are those of its state, numbered by path: `code` holds the name of the code of each
 * file, all zero if it has none; file `n` imports the files `targets[starts[n]]` up to, but not including,
 * `targets[starts[n + 1]]`.
 */
export const GraphMessage = z.strictObject({ code: base64(), starts: base64(), targets: base64() });

/**
 * Graph data that a server has of a repository: the concatenated names of its pieces of code, and whether its state has
 * a graph.
 */
export const SharedGraph = z.object({ code: base64(), is_complete: z.boolean() });
/** Type of a parsed `SharedGraph`. */
export type SharedGraph = z.infer<typeof SharedGraph>;
