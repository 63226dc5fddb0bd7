/** Truncates to `max` UTF-16 code units including the final `…`, never inside a surrogate pair. */
export function cutText(text: string, max: number): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= max) return { text, truncated: false };
  return { text: `${sliceWhole(text, max - 1).trimEnd()}…`, truncated: true };
}

/** The first `max` UTF-16 code units, without splitting a surrogate pair. */
export function sliceWhole(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHighSurrogate ? max - 1 : max);
}

/** The first `max` UTF-8 bytes, without splitting a character. */
export function sliceBytes(text: string, max: number): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= max) return text;
  let end = max;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}

/** Number of bytes up to the last complete UTF-8 character: a cut may have split that character. */
export function wholeLength(bytes: Buffer): number {
  // A character has at most four bytes, and all but the first begin with the bits 10.
  for (let start = bytes.length - 1; start >= 0 && start >= bytes.length - 4; start--) {
    const byte = bytes[start] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return start + length > bytes.length ? start : bytes.length;
  }
  return bytes.length;
}

/** Collapses every run of whitespace and control characters into one space. */
export function toOneLine(text: string): string {
  return text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
}

/** Splits a name in camel case into words: `nothingFound` → `nothing found`. An all-caps name stays unchanged. */
export function toWords(name: string): string {
  return /[a-z]/.test(name) ? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : name;
}

/** Formats rows as aligned columns; numbers are right-aligned. */
export function toTable(rows: readonly (readonly (string | number)[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...rows.map((row) => String(row[at] ?? "").length)),
  );
  const pad = (cell: string | number, width = 0) =>
    typeof cell === "number" ? String(cell).padStart(width) : cell.padEnd(width);
  const toLine = (row: readonly (string | number)[]) => row.map((cell, at) => pad(cell, widths[at])).join("  ");
  return rows.map((row) => toLine(row).trimEnd()).join("\n");
}

/** True if at least a sixth of the letters are Chinese characters; then the frame around the results is in Chinese. */
export function isChinese(text: string): boolean {
  const head = text.slice(0, 4_000);
  const han = head.match(/[\u3400-\u9fff]/g)?.length ?? 0;
  const letters = head.match(/[A-Za-z]/g)?.length ?? 0;
  return han > 0 && han * 6 >= letters + han;
}

/** True for a plain object: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a whole number from 0 on. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Parses a JSON object; null for anything else. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Text under a key; empty if it is missing or not a text. */
export function textOf(record: Readonly<Record<string, unknown>> | null, key: string): string {
  const value = record?.[key];
  return typeof value === "string" ? value : "";
}

/** Code of a system error, such as `EACCES`; `unknown` for any other thrown value. */
export function toCode(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
}

/** Error message of any thrown value. */
export function toMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Says what went wrong: the code of a system error, such as `EACCES`; the message of any other thrown value. */
export function sayError(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : toMessage(thrown);
}

/** True for data nested deeper than `levels`. Contract: does not descend further than that. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}

/**
 * Rebuilds plain data with every string (keys too) passed through `change`.
 * Contract: nesting deeper than 64 levels becomes the string "…", so hostile data cannot exhaust the stack.
 */
export function mapStrings(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > 64) return "…";
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, depth + 1));
  // Object.fromEntries defines own properties, so a "__proto__" key stays data.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change, depth + 1)]),
  );
}

/** An English word without its plural or tense suffix. Contract: never cut to fewer than `shortest` letters. */
export function toStem(word: string, shortest: number): string {
  if (word.length <= 4) return word;
  return word.replace(/(?:ations?|ings?|ers?|ies|ied|es|ed|s|ly)$/, (ending) =>
    word.length - ending.length >= shortest ? "" : ending,
  );
}

/** Splits a comma-separated list of names. */
export function splitNames(written: string): string[] {
  return written
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
