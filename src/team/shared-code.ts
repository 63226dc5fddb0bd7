import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { base64, MOST_LINES, short, whole } from "./shared-shapes.ts";

/** Bytes of the name of a piece of code: the beginning of a hash of what is in it. */
export const CODE_NAME_BYTES = 16;
/** Most symbols of a file, most calls in it, and most characters of either. */
const MOST_ROWS = 200_000;
const MOST_CODE_CHARS = 8 * 1024 * 1024;

/** What is known of the code of one file: packed symbols and packed edges, of `engine/store/facts.ts` and `engine/store/edges.ts`. */
export type CodeText = readonly [symbols: string, edges: string];

/** The name of a piece of code. Files with the same code share it. */
export function nameOfCode([symbols, edges]: CodeText): Buffer {
  const hash = createHash("sha256").update(symbols).update("\0").update(edges).digest();
  return hash.subarray(0, CODE_NAME_BYTES);
}

/** Pieces of code. */
export const CodeMessage = z.strictObject({
  rows: z.array(z.tuple([short(MOST_CODE_CHARS), short(MOST_CODE_CHARS)])).check(z.maxLength(50_000)),
});

const place = () => z.nullable(whole(MOST_ROWS));
const flag = () => z.boolean();

/** Packed symbols, as they are read. */
export const SymbolRows = z
  .array(
    z.tuple([
      ...([short(), short(20), place(), short(), short()] as const),
      ...([whole(MOST_LINES), whole(MOST_LINES), whole(MOST_LINES), short(), short(20), flag()] as const),
      ...([whole(MOST_LINES), whole(MOST_LINES), short()] as const),
    ]),
  )
  .check(z.maxLength(MOST_ROWS));

const at = () => whole(MOST_ROWS);
const sure = () => z.number().check(z.gt(0), z.lte(1));

/** Packed edges, as they are read. */
export const EdgeRows = z.strictObject({
  paths: z.array(short()).check(z.maxLength(MOST_ROWS)),
  calls: z
    .array(z.tuple([place(), at(), at(), short(), whole(MOST_LINES), sure(), short(20)]))
    .check(z.maxLength(MOST_ROWS)),
  bases: z.array(z.tuple([at(), at(), at(), short()])).check(z.maxLength(MOST_ROWS)),
  imports: z.array(at()).check(z.maxLength(MOST_ROWS)),
});

/**
 * What calls what in a repository. Files are those of its state, numbered by path: `code` has the name of the code of each, all zero where
 * there is none; the files that file `n` brings in are the `targets` from `starts[n]` to `starts[n + 1]`.
 */
export const GraphMessage = z.strictObject({ code: base64(), starts: base64(), targets: base64() });

/** What a server has of the code of a repository: names of what is there, one after the other, and whether its state has a graph. */
export const SharedGraph = z.object({ code: base64(), is_complete: z.boolean() });
/** The same, as it is read. */
export type SharedGraph = z.infer<typeof SharedGraph>;
