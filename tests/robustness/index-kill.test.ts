import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../support/doors.ts";
import { killBuilds } from "../support/kill-builds.ts";
import { makeFolder } from "../support/temp-folder.ts";

const ROUNDS = 5;

describe("a killed builder", () => {
  it(`kill -9 at ${ROUNDS} moments spoils no answer, and the next build repairs the index`, {
    timeout: 300_000,
  }, async () => {
    const cli = join(projectRoot, "dist", "cli.cjs");
    const { problems } = await killBuilds({ folder: makeFolder(), cli, rounds: ROUNDS, files: 130, seed: 1 });
    expect(problems).toEqual([]);
  });
});
