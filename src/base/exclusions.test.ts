import { expect, it } from "vitest";
import { countFloors } from "../../tests/support/cpu-floors.ts";
import { isQuickPattern, makeExcluder } from "./exclusions.ts";

it("[decision 8] patterns are relative to the top of the repository and to a root below it", () => {
  const isExcluded = makeExcluder(["private/", "/packages/app/keys.ts", "/drafts"], "packages/app");
  expect(["private/a.ts", "keys.ts", "drafts/a.ts", "src/private/a.ts"].filter((path) => !isExcluded(path))).toEqual(
    [],
  );
  expect(["src/keys.ts", "src/drafts.ts", "../packages/a.ts"].filter(isExcluded)).toEqual([]);
  expect(makeExcluder(["private/"], "private")("a.ts")).toBe(true);
  expect(makeExcluder([], "private")("a.ts")).toBe(false);
});

it("[ATO-BUD-1] patterns designed to be slow are rejected, and accepted ones are quick", () => {
  expect(["**/a/**", "a/**/b/**", "*.lock", "***"].filter((pattern) => !isQuickPattern(pattern))).toEqual([]);
  expect(["**/*/".repeat(20), "**/a/**/b/**"].filter(isQuickPattern)).toEqual([]);
  const isExcluded = makeExcluder(Array.from({ length: 256 }, (_, at) => `**/*/**/*${at}`));
  const spent = countFloors();
  expect(isExcluded(`${"folder/".repeat(40)}file.ts`)).toBe(false);
  expect(spent()).toBeLessThan(300);
});
