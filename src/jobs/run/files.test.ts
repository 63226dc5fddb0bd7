import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { openGrowing, reserveFile, takeOver } from "./files.ts";

const quiet = (line: string) => {
  throw new Error(line);
};
const modeOf = (path: string) => statSync(path).mode & 0o777;
const text = (path: string) => readFileSync(path, "utf8");

describe("files of a run", () => {
  it("are appended to; a link is followed only if the user named it", () => {
    const folder = makeFolder({ "elsewhere.txt": "", "a.log": "before\n" });
    const path = join(folder, "a.log");
    const log = openGrowing(path, { isNamed: false, tell: quiet });
    log.write("one\n");
    log.write("two\n");
    log.close();
    expect(text(path)).toBe("before\none\ntwo\n");
    symlinkSync(join(folder, "elsewhere.txt"), join(folder, "b.log"));
    const told: string[] = [];
    for (const isNamed of [false, true]) {
      const linked = openGrowing(join(folder, "b.log"), { isNamed, tell: (line) => told.push(line) });
      linked.write("x");
      linked.close();
    }
    expect(told).toEqual([expect.stringContaining("ELOOP")]);
    expect(text(join(folder, "elsewhere.txt"))).toBe("x");
  });

  it.skipIf(!existsSync("/dev/full"))("report a full disk once", () => {
    const told: string[] = [];
    const log = openGrowing("/dev/full", { isNamed: true, tell: (line) => told.push(line) });
    for (let at = 0; at < 5; at++) log.write("line\n");
    log.close();
    expect(told).toEqual([expect.stringMatching(/^\/dev\/full could not be written: ENOSPC/)]);
  });

  it("are written again once that is possible, with a note about the gap", () => {
    const folder = makeFolder();
    const path = join(folder, "late", "a.log");
    const log = openGrowing(path, { isNamed: false, tell: () => undefined });
    log.write("lost\n");
    mkdirSync(join(folder, "late"));
    log.write("kept\n");
    expect(text(path)).toBe("[log] 5 characters are missing here: they could not be written\nkept\n");
  });

  it("are read and made private if another program wrote them", () => {
    const folder = makeFolder({ "last.txt": "done" });
    symlinkSync(join(folder, "last.txt"), join(folder, "link.txt"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    expect(takeOver(join(folder, "last.txt"), 100)).toBe("done");
    expect(modeOf(join(folder, "last.txt"))).toBe(0o600);
    expect(takeOver(join(folder, "last.txt"), 2)).toBe("do");
    for (const name of ["none.txt", "link.txt", "pipe", "."]) expect(takeOver(join(folder, name), 100)).toBe("");
  });
});

describe("reserved space", () => {
  it("is blank until it is filled, and keeps its size", () => {
    const path = join(makeFolder(), "outcome.json");
    const room = reserveFile(path, quiet);
    expect([text(path).trim(), statSync(path).size, modeOf(path)]).toEqual(["", 4_096, 0o600]);
    room.fill('{"exit_code":0}\n');
    expect([JSON.parse(text(path)), statSync(path).size]).toEqual([{ exit_code: 0 }, 4_096]);
  });

  it("replaces a link and an earlier run's file", () => {
    const folder = makeFolder({ "elsewhere.txt": "theirs", "outcome.json": "old" });
    reserveFile(join(folder, "outcome.json"), quiet).fill("new");
    expect(text(join(folder, "outcome.json")).trim()).toBe("new");
    symlinkSync(join(folder, "elsewhere.txt"), join(folder, "o2.json"));
    reserveFile(join(folder, "o2.json"), quiet).fill("new");
    expect(text(join(folder, "elsewhere.txt"))).toBe("theirs");
  });

  it("can be filled even if no file may grow any more", () => {
    const folder = makeFolder();
    // A limit on file sizes simulates a full disk: space that was reserved before remains usable.
    const script = `
      import { reserveFile, openGrowing } from ${JSON.stringify(join(import.meta.dirname, "files.ts"))};
      const room = reserveFile(${JSON.stringify(join(folder, "outcome.json"))}, console.error);
      const log = openGrowing(${JSON.stringify(join(folder, "job.log"))}, { isNamed: false, tell: console.log });
      for (let at = 0; at < 20; at++) log.write("x".repeat(1000));
      room.fill("the end");`;
    const bundle = join(folder, "script.cjs");
    const esbuild = join(import.meta.dirname, "../../../node_modules/.bin/esbuild");
    const source = execFileSync(
      esbuild,
      ["--bundle", "--platform=node", "--format=cjs", "--log-level=error", "--loader=ts"],
      {
        input: script,
        cwd: import.meta.dirname,
        encoding: "utf8",
      },
    );
    writeFileSync(bundle, source);
    const told = execFileSync("bash", ["-c", 'ulimit -f 8; exec "$@"', "bash", process.execPath, bundle], {
      encoding: "utf8",
    });
    expect(told.trim().split("\n")).toEqual([expect.stringContaining("EFBIG")]);
    expect(statSync(join(folder, "job.log")).size).toBe(8_192);
    expect(text(join(folder, "outcome.json")).trim()).toBe("the end");
  });

  it("is reported if it cannot be reserved; filling it is then harmless", () => {
    const told: string[] = [];
    reserveFile(join(makeFolder(), "none", "outcome.json"), (line) => told.push(line)).fill("x");
    expect(told).toHaveLength(1);
  });
});
