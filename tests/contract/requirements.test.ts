import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REQUIREMENTS } from "../requirements.ts";
import { projectRoot } from "../support/doors.ts";

/** Titles of the tests in a file. */
function titlesOf(path: string): string[] {
  const text = readFileSync(join(projectRoot, path), "utf8");
  const pattern = path.endsWith(".bats")
    ? /^@test "(.+)" \{$/gm
    : /\b(?:it|test|describe)(?:\.each\([\s\S]*?\))?\(\s*["'`]([^"'`]+)/g;
  return Array.from(text.matchAll(pattern), (match) => match[1] ?? "");
}

const IDS = /\b(?:ATO-[A-Z]+-\d+|HOOK-\d+|CNI-\d+|AC-\d{3}|(?:REQ|SC)-ATO-\d{3}|B-33|decision [289])\b/g;

describe("requirements", () => {
  it.each(Object.entries(REQUIREMENTS))("%s has a test that names it in every file it is mapped to", (id, paths) => {
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) {
      const named = titlesOf(path).some((title) => title.match(IDS)?.some((found) => found === id));
      expect(named, `${path} has no test with ${id} in its title`).toBe(true);
    }
  });

  it("every id of the contract is mapped", () => {
    const groups: Readonly<Record<string, number>> = {
      "ATO-SCOPE": 7,
      "ATO-CHAIN": 8,
      "ATO-CDX": 8,
      "ATO-CTL": 14,
      "ATO-SEC": 8,
      "ATO-PATH": 6,
      "ATO-RED": 2,
      "ATO-BUD": 6,
      "ATO-JSON": 4,
      "ATO-FAIL": 9,
      "ATO-INJ": 2,
      "ATO-LANG": 1,
      "ATO-FUSE": 9,
      "ATO-INST": 4,
      HOOK: 14,
      CNI: 20,
    };
    const wanted = [
      ...Object.entries(groups).flatMap(([group, count]) =>
        Array.from({ length: count }, (_, at) => `${group}-${at + 1}`),
      ),
      ...Array.from({ length: 15 }, (_, at) => `AC-${String(at + 1).padStart(3, "0")}`),
      ...[1, 2, 3, 6, 7, 9].flatMap((number) => [`REQ-ATO-00${number}`, `SC-ATO-00${number}`]),
      ...["decision 2", "decision 8", "decision 9", "B-33"],
    ];
    expect(Object.keys(REQUIREMENTS).toSorted()).toEqual(wanted.toSorted());
  });
});
