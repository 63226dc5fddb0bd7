import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { identifyProcess, isSameProcess } from "./process-identity.ts";

describe("[CNI-11] the identity of a process", () => {
  it("is known as long as the process lives", async () => {
    const child = spawn("sleep", ["60"]);
    const identity = identifyProcess(child.pid ?? 0);
    expect(identity?.pid).toBe(child.pid);
    expect(identity !== null && isSameProcess(identity)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(identity !== null && isSameProcess(identity)).toBe(false);
  });

  it.skipIf(process.platform !== "linux")(
    "is somebody else where the number was given away or the system began anew",
    () => {
      const own = identifyProcess(process.pid);
      if (own === null) throw new Error("we are alive");
      expect(isSameProcess(own)).toBe(true);
      expect(isSameProcess({ ...own, startedAt: "1" })).toBe(false);
      expect(isSameProcess({ ...own, bootId: "another" })).toBe(false);
    },
  );

  it.each([0, -1, 1.5, Number.NaN, 2 ** 30])("there is no process with the id %d", (pid) => {
    expect(identifyProcess(pid)).toBe(null);
  });
});
