import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillBlocks, generatedBlocks, generatedFiles } from "../../scripts/generated.ts";
import { projectRoot, readProjectFile } from "../support/doors.ts";

const pages = readdirSync(join(projectRoot, "docs")).filter((name) => name.endsWith(".md"));

describe("generated files are up to date (npm run generate)", () => {
  it.each([...generatedFiles()])("%s", (path, content) => {
    expect(readProjectFile(path)).toBe(content);
  });

  it.each(pages)("docs/%s", (name) => {
    const page = readProjectFile(join("docs", name));
    expect(fillBlocks(page)).toBe(page);
  });

  it("the models match their training lines (npm run train)", () => {
    const check = () => execFileSync(process.execPath, ["training/train.mjs", "--check"], { cwd: projectRoot });
    expect(check).not.toThrow();
  });

  it("every generated table is on some page", () => {
    const all = pages.map((name) => readProjectFile(join("docs", name))).join("\n");
    for (const name of generatedBlocks().keys()) expect(all).toContain(`<!-- generated:${name} -->`);
  });
});
