import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { identifyProcess } from "../../base/process-identity.ts";
import { toPlaceText } from "../../config/resident-place.ts";
import type { ResidentStatus } from "../../contract/resident.ts";
import { examine } from "./examine.ts";
import { residentExaminations } from "./resident.ts";
import { makeWorld } from "./world.test-helper.ts";

const RUNNING: ResidentStatus = {
  running: true,
  pid: process.pid,
  version: "1.2.3",
  started_at: "",
  rss_mb: 90,
  socket: "/s",
  repositories: [],
};

function makeFolder() {
  const { state, write } = makeWorld();
  const folder = join(state, "resident");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const place = (pid: number) => {
    const process = identifyProcess(pid) ?? { pid, startedAt: "1", bootId: "" };
    write(join(folder, "place"), toPlaceText({ socket: join(folder, "socket"), build: "b", process }), 0o600);
  };
  return { folder, place, write };
}

async function look(folder: string | null, status: Partial<ResidentStatus> = {}) {
  const askStatus = async () => ({ ...RUNNING, ...status });
  return (await examine(residentExaminations({ folder, version: "1.2.3", askStatus }), () => {}))[0];
}

describe("[P-6] the resident", () => {
  it("is fine if it runs, if it does not, and if it has no folder", async () => {
    const { folder, place } = makeFolder();
    expect(await look(folder)).toMatchObject({ status: "ok", measured: "not running" });
    expect(await look(null)).toMatchObject({ status: "ok" });
    place(process.pid);
    expect(await look(folder)).toMatchObject({
      status: "ok",
      measured: expect.stringContaining("version 1.2.3, 90 MB"),
    });
  });

  it("faults: another version, no answer, could not listen", async () => {
    const { folder, place, write } = makeFolder();
    write(join(folder, "failure"), "EPERM\n", 0o600);
    expect(await look(folder)).toMatchObject({ status: "warn", measured: "the last one could not listen: EPERM" });
    place(process.pid);
    expect(await look(folder, { version: "1.2.2" })).toMatchObject({ status: "warn", expected: "version 1.2.3" });
    expect(await look(folder, { running: false })).toMatchObject({
      status: "warn",
      remedy: expect.stringContaining("kill"),
    });
  });

  it("fault: files of an earlier one; --fix moves them away, but never those of a running one", async () => {
    const { folder, place, write } = makeFolder();
    place(2 ** 30);
    write(join(folder, "socket"), "");
    const found = await look(folder);
    expect(found).toMatchObject({ status: "warn", measured: expect.stringContaining("place and socket") });
    place(process.pid);
    expect(found?.mend?.()).toContain("nothing was touched");
    place(2 ** 30);
    expect(found?.mend?.()).toContain("moved out of the way");
    expect(existsSync(join(folder, "place"))).toBe(false);
    expect(await look(folder)).toMatchObject({ status: "ok" });
  });
});
