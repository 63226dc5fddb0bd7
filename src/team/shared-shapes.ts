import * as z from "zod/mini";

/** Most characters of a path, a term or a name. */
const MOST_CHARS = 1_000;
/** Most lines of a file: none that is read has more bytes. */
export const MOST_LINES = 600_000;

/** A text that PostgreSQL can keep. */
export const short = (most = MOST_CHARS) => z.string().check(z.maxLength(most), z.regex(/^[^\0]*$/));
/** Bytes. */
export const base64 = () => z.string().check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/));
/** A number from 0 on. */
export const whole = (most: number) => z.number().check(z.int(), z.gte(0), z.lte(most));
