import { DURATION_FORM, parseDuration, toDuration } from "./duration.ts";

/** Accepted notation of a moment, for messages. */
export const MOMENT_FORM = `${DURATION_FORM}, or a date such as 2026-01-31`;

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2}))?$/;

/**
 * Parses a moment into milliseconds since the epoch: a duration before now, or a date of the local calendar with or
 * without a time. Contract: null for anything else.
 */
export function parseMoment(text: string, nowMs: number): number | null {
  const ago = parseDuration(text);
  if (ago !== null) return nowMs - ago;
  const [, ...parts] = DATE.exec(text) ?? [];
  if (parts.length === 0) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.map((part) => Number(part ?? 0));
  const date = new Date(year, month - 1, day, hour, minute);
  // Rejects dates that do not exist, such as 31 February.
  const isReal = date.getMonth() === month - 1 && date.getDate() === day && hour < 24 && minute < 60;
  return isReal ? date.getTime() : null;
}

/** How long ago something was, in its largest unit: `3m ago`. A time in the future counts as now. */
export function sayAgo(ms: number): string {
  const [largest = ""] = toDuration(ms).split(" ");
  return ms < 1_000 ? "now" : `${largest} ago`;
}

/** Formats a moment in the local time zone: `2026-01-31 14:03:22`. */
export function toLocalTime(ms: number): string {
  const date = new Date(ms);
  const two = (part: number) => String(part).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}
