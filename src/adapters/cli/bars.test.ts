import { expect, it } from "vitest";
import { bar, gauge, piece, sparkline } from "./bars.ts";

it("[K 2] a share is a bar; a share above zero is visible", () => {
  expect([0, 0.0001, 0.25, 0.5, 1, 7].map((share) => bar(share, 8))).toEqual([
    "",
    "▏",
    "██",
    "████",
    "█".repeat(8),
    "█".repeat(8),
  ]);
  expect(gauge(0.5, 8)).toEqual({ filled: "████", rest: "░░░░" });
  expect(gauge(0.3, 10)).toEqual({ filled: "███", rest: "░".repeat(7) });
});

it("[K 2] an interval is drawn at its place, however short", () => {
  expect(piece(0, 100, 100, 10)).toBe("█".repeat(10));
  expect(piece(50, 25, 100, 8)).toBe("    ██");
  expect(piece(100, 0.1, 100, 8)).toBe("       ▏");
  expect(piece(90, 50, 100, 10)).toBe("         █");
  expect(piece(0, 0, 0, 10)).toBe("");
});

it("[K 2] figures are small columns", () => {
  expect(sparkline([0, 1, 4, 8])).toBe(" ▁▄█");
  expect(sparkline([0, 0])).toBe("  ");
});
