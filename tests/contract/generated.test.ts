import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { fillBlocks, generatedBlocks, generatedFiles } from "../../scripts/generated.ts";
import { readModel } from "../../src/base/linear-model.ts";
import { projectRoot, readProjectFile } from "../support/doors.ts";
import { makeFolder } from "../support/temp-folder.ts";

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

  it("the trainer finds in the sources what it packs a model with", async () => {
    const { loadFeatures, train } = await import(pathToFileURL(join(projectRoot, "training/train.mjs")).href);
    const rows = ["yes", "no"].map((word) => ({ isYes: word === "yes", weight: 1, features: [word] }));
    const { bytes } = await train({ orders: 1, exponent: 4 }, { lib: await loadFeatures(""), lines: 2, rows });
    const path = join(makeFolder(), "small.model");
    writeFileSync(path, bytes);
    const { weightOf } = readModel(path);
    expect([Math.sign(weightOf("yes")), Math.sign(weightOf("no"))]).toEqual([1, -1]);
  });

  it("every generated table is on some page", () => {
    const all = pages.map((name) => readProjectFile(join("docs", name))).join("\n");
    for (const name of generatedBlocks().keys()) expect(all).toContain(`<!-- generated:${name} -->`);
  });
});
