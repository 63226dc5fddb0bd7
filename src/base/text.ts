/** Truncates to `max` UTF-16 code units including the final `…`, never inside a surrogate pair. */
export function cutText(text: string, max: number): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= max) return { text, truncated: false };
  return { text: `${sliceWhole(text, max - 1).trimEnd()}…`, truncated: true };
}

/** The first `max` UTF-16 code units, without splitting a surrogate pair. */
export function sliceWhole(text: string, max: number): string {
  const end = max > 0 && isHighSurrogate(text.charCodeAt(max - 1)) ? max - 1 : max;
  return text.slice(0, end);
}

/** The first `max` UTF-8 bytes, without splitting a character. */
export function sliceBytes(text: string, max: number): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= max) return text;
  let end = max;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Collapses every run of whitespace and control characters into one space. */
export function toOneLine(text: string): string {
  return text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
}

/** A count with its noun: `1 file`, `2 files`. */
export function countOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
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

/** Error message of any thrown value. */
export function toMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
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
