import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { makeAttemptFolder, makeWorkerFolder, removeLeftovers } from "./worker-folder.ts";

describe("[T-17] a worker's folder", () => {
  it("is removed by the next worker if its owner is gone, and only then", () => {
    const workers = join(makeFolder(), "workers");
    const made = makeWorkerFolder(workers);
    if (!made.ok) throw new Error(made.fault.message);
    const alive = makeAttemptFolder(made.value, "cdx-1-1");
    const dead = join(workers, `${process.pid}_1_before`);
    mkdirSync(join(dead, "cdx-2-1", "repo"), { recursive: true });
    mkdirSync(join(workers, "nobody"));
    const ended: string[] = [];
    removeLeftovers(workers, (clone) => ended.push(clone));
    expect(readdirSync(workers)).toEqual([made.value.slice(workers.length + 1)]);
    expect(existsSync(alive)).toBe(true);
    expect(ended).toContain(join(dead, "cdx-2-1", "repo"));
    removeLeftovers(join(workers, "nowhere"), () => {});
  });
});
