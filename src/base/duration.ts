/** A day in milliseconds. */
export const DAY_MS = 86_400_000;

const UNITS = { d: DAY_MS, h: 3_600_000, m: 60_000, s: 1_000 } as const;
/** Ten years, the maximum duration. */
const MAX_MS = 3_650 * UNITS.d;

/** Accepted notation of a duration, for messages. */
export const DURATION_FORM = "30s, 10m, 2h or 7d";

/**
 * Parses a duration such as `2h` into milliseconds. Contract: null for anything but one number and one unit, for zero,
 * and for more than ten years.
 */
export function parseDuration(text: string): number | null {
  const [, count = "", unit = ""] = /^(\d{1,9})([dhms])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit as keyof typeof UNITS] ?? 0);
  return ms > 0 && ms <= MAX_MS ? ms : null;
}

/** Formats a duration for people: its largest unit and the next one, rounded down, such as `1h 59m`. */
export function toDuration(ms: number): string {
  const parts: string[] = [];
  let rest = Math.max(0, ms);
  for (const [unit, length] of Object.entries(UNITS)) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count}${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(" ") || "0s";
}
