import { describe, expect, it } from "vitest";
import { DURATION_FORM, parseDuration, toDuration } from "./duration.ts";

describe("[K 2] durations", () => {
  it.each([
    ["30s", 30_000],
    ["10m", 600_000],
    ["2h", 7_200_000],
    ["7d", 604_800_000],
    ["90m", 5_400_000],
    ["3650d", 315_360_000_000],
  ])("%s", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(["", "2", "h", "0s", "-1h", "1.5h", "2 h", "2H", "1h30m", "2w", "3651d", "9999999999d", "２h"])(
    "%j is none",
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );

  it.each([
    [0, "0s"],
    [999, "0s"],
    [30_000, "30s"],
    [90_000, "1m 30s"],
    [600_000, "10m"],
    [7_199_999, "1h 59m"],
    [7_200_000, "2h"],
    [90_000_000, "1d 1h"],
    [604_800_000, "7d"],
    [-5, "0s"],
  ])("%d ms is formatted as %s", (ms, text) => {
    expect(toDuration(ms)).toBe(text);
  });

  it("says which notation is accepted", () => {
    expect(DURATION_FORM).toBe("30s, 10m, 2h or 7d");
  });
});
