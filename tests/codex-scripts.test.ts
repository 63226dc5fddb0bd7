import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "./support/doors.ts";

/** Scripts that anybody can run by hand against the doors: a line a case, another exit code than 0 where one fails. */
const scripts = readdirSync(join(projectRoot, "tests")).filter((name) => /^(?:mcp|smoke)_\w+\.sh$/.test(name));

describe("[CNI-17] scripts around the doors for Codex", () => {
  it.each(scripts)("tests/%s", (name) => {
    const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], TMPDIR: process.env["TMPDIR"] };
    const done = spawnSync(join(projectRoot, "tests", name), { env, encoding: "utf8" });
    expect(done.status, `${done.stdout}${done.stderr}`).toBe(0);
    expect(done.stdout).toMatch(/^(?:ok - .+\n){3,}/);
  });
});
