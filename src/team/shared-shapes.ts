import * as z from "zod/mini";

/** Maximum length of a path, a term or a name in characters. */
const MOST_CHARS = 1_000;
/** Maximum number of lines of a file; above the size limit of indexed files in bytes. */
export const MOST_LINES = 600_000;

/** Shape of a text that PostgreSQL can store. */
export const short = (most = MOST_CHARS) => z.string().check(z.maxLength(most), z.regex(/^[^\0]*$/));
/** Shape of bytes in base64. */
export const base64 = () => z.string().check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/));
/** Shape of a list of at most `most` items. */
export const list = <T extends z.ZodMiniType>(item: T, most: number) => z.array(item).check(z.maxLength(most));
/** Shape of an integer from 0 to `most`. */
export const wholeNumber = (most: number) => z.number().check(z.int(), z.gte(0), z.lte(most));
