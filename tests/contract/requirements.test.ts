import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot, readProjectFile } from "../support/doors.ts";
import { idsIn, idsOfPage, mapRequirements, titlesOf } from "../support/requirements.ts";

const tests = ["src", "tests"]
  .flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  )
  .filter((path) => /\.(?:test\.ts|bats)$/.test(path) && !path.includes("node_modules"))
  // Ids in the titles and samples of this file prove nothing.
  .filter((path) => path !== "tests/contract/requirements.test.ts");
const ids = idsOfPage(readProjectFile("docs/requirements.md"));
const proved = mapRequirements(tests.map((path) => [path, readProjectFile(path)]));

describe("requirements", () => {
  it("the page lists each id once", () => {
    expect(ids.length).toBeGreaterThan(200);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it("every id is in the title of a test", () => {
    expect(ids.filter((id) => !proved.has(id))).toEqual([]);
  });

  it("every id in a title is on the page", () => {
    const unknown = [...proved].filter(([id]) => !ids.includes(id));
    expect(unknown).toEqual([]);
  });

  it("no id is missing from the numbered groups of the founding documents", () => {
    const numbered = ids.filter((id) => /^(?:ATO-[A-Z]+|HOOK|CNI|AC)-\d+$/.test(id));
    const groups = new Map<string, number[]>();
    for (const id of numbered) {
      const [, group = "", number] = /^(.+)-(\d+)$/.exec(id) ?? [];
      groups.set(group, [...(groups.get(group) ?? []), Number(number)]);
    }
    expect(groups.size).toBe(17);
    for (const [group, numbers] of groups)
      expect([group, ...numbers]).toEqual([group, ...numbers.map((_, at) => at + 1)]);
  });
});

describe("the map from ids to tests", () => {
  const page = ["| id | what must hold | from |", "| --- | --- | --- |", "| AC-001 | x | S0 |", "| G B.4 | y | G |"];

  it("reads only titles, of every kind of test", () => {
    const text = [
      "// AC-002 in a comment",
      'describe("[AC-003] a", () => {});',
      'it.each([[1], ["(AC-004)"]])("[G D.12 HOOK-2] %s", () => {});',
      'it.skipIf(isRoot())(\n  "[ATO-CTL-9a] b", () => {});',
      'const text = "AC-005";',
    ].join("\n");
    const shell = '# AC-006\n@test "AC-007 [D-8 B-33]: c" {\n  echo "AC-008"\n}\n';
    const map = mapRequirements([
      ["a.test.ts", text],
      ["b.bats", shell],
    ]);
    expect(Object.fromEntries(map)).toEqual({
      "AC-003": ["a.test.ts"],
      "G D.12": ["a.test.ts"],
      "HOOK-2": ["a.test.ts"],
      "ATO-CTL-9a": ["a.test.ts"],
      "AC-007": ["b.bats"],
      "decision 8": ["b.bats"],
      "B-33": ["b.bats"],
    });
  });

  it("shows ids without a test and unknown ids", () => {
    const known = idsOfPage(page.join("\n"));
    expect(known).toEqual(["AC-001", "G B.4"]);
    const map = mapRequirements([["a.test.ts", 'it("[AC-001] [AC-099] a", () => {});']]);
    expect(known.filter((id) => !map.has(id))).toEqual(["G B.4"]);
    expect([...map.keys()].filter((id) => !known.includes(id))).toEqual(["AC-099"]);
  });

  it("does not mistake other words for ids", () => {
    expect(titlesOf("a.test.ts", 'expect(edit("AC-001"))')).toEqual([]);
    expect(idsIn("ABC-001 SHA-1 XB-3 UTF-8 D.4 G 4")).toEqual([]);
  });
});
