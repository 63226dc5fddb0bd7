import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { examine } from "./examine.ts";
import { checkOf } from "./ungrouped-check.ts";
import { PROJECT } from "./world.test-helper.ts";

const forever = () => new Promise<never>(() => {});

describe("[P-6] examinations", () => {
  it("end at their time limits, and one that hangs or throws does not affect the others", async () => {
    const steps: number[] = [];
    const checks = await examine(
      [
        { group: "a", name: "hangs", limitMs: 100, look: forever },
        { group: "b", name: "breaks", limitMs: 5_000, look: () => Promise.reject(new Error("oops")) },
        {
          group: "c",
          name: "works",
          limitMs: 5_000,
          look: () => [checkOf("one", "1").fine("1"), checkOf("two", "2").fine("2")],
        },
      ],
      (done) => steps.push(done),
    );
    expect(checks.map(({ group, name, status, measured }) => [group, name, status, measured])).toEqual([
      ["a", "hangs", "fail", "no answer within 0.1 s"],
      ["b", "breaks", "fail", "oops"],
      ["c", "one", "ok", "1"],
      ["c", "two", "ok", "2"],
    ]);
    expect(steps).toEqual([1, 2, 3]);
  });

  it("every section that a remedy links to has a heading in docs/troubleshooting.md", () => {
    const source = readFileSync(join(import.meta.dirname, "ungrouped-check.ts"), "utf8");
    const sections = Array.from(source.matchAll(/^ {2}\| "([a-z-]+)"/gm), (match) => match[1]);
    const page = readFileSync(join(PROJECT, "docs", "troubleshooting.md"), "utf8");
    const headings = Array.from(page.matchAll(/^#+ (.+)$/gm), (match) =>
      (match[1] ?? "")
        .toLowerCase()
        .replace(/[^\w\s-]/g, "")
        .replaceAll(" ", "-"),
    );
    expect(sections.length).toBeGreaterThan(15);
    expect(sections.filter((section) => !headings.includes(section ?? ""))).toEqual([]);
  });
});
