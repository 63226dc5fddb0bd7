import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "./support/doors.ts";

const scripts = readdirSync(join(projectRoot, "tests")).filter((name) => name.endsWith(".sh"));

describe("scripts that test a door from outside [CNI-5] [CNI-6] [CNI-7]", () => {
  it.each(scripts)("tests/%s", (name) => {
    const { status, stdout, stderr } = spawnSync(join(projectRoot, "tests", name), { encoding: "utf8" });
    expect({ status, failed: stdout.match(/^not ok .*/gm) ?? [] }, `${stdout}\n${stderr}`).toEqual({
      status: 0,
      failed: [],
    });
  });
});
