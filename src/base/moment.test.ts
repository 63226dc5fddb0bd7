import { expect, it } from "vitest";
import { parseMoment, sayAgo, toLocalTime } from "./moment.ts";

const NOW = new Date(2026, 0, 31, 14, 3, 22).getTime();

it("[K 2] a moment is a duration ago, or a date of the local calendar", () => {
  expect(parseMoment("2h", NOW)).toBe(NOW - 7_200_000);
  expect(parseMoment("2026-01-30", NOW)).toBe(new Date(2026, 0, 30).getTime());
  expect(parseMoment("2026-01-30T08:15", NOW)).toBe(new Date(2026, 0, 30, 8, 15).getTime());
  expect(parseMoment("2026-01-30 08:15", NOW)).toBe(new Date(2026, 0, 30, 8, 15).getTime());
  expect(parseMoment("2028-02-29", NOW)).toBe(new Date(2028, 1, 29).getTime());
});

it.each(["", "2", "2w", "-2h", "yesterday", "2026-02-31", "2026-13-01", "2026-00-10", "2026-01-30T24:00", "26-01-30"])(
  "[K 2] %j is no moment",
  (text) => expect(parseMoment(text, NOW)).toBeNull(),
);

it("[K 2] says how long ago something was in one unit", () => {
  const said = [-5_000, 0, 999, 1_000, 59_999, 61_000, 7_199_000, 86_400_000 * 23.5].map(sayAgo);
  expect(said).toEqual(["now", "now", "now", "1s ago", "59s ago", "1m ago", "1h ago", "23d ago"]);
});

it("[K 2] shows a moment in the local time zone", () => {
  expect(toLocalTime(NOW)).toBe("2026-01-31 14:03:22");
});
