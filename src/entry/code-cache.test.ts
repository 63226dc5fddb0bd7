import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../tests/support/doors.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { CACHED_BUNDLES, packCode, readCode } from "./code-cache.ts";
import { SLOW_FLAGS } from "./start-quickly.ts";

const code = Buffer.from("compiled code, of some length");
const source = Buffer.from("the bundle");
const whole = packCode(code, source);
const NAME = "hook-judge.cjs";

/** Creates a folder that contains one cache. */
function makeCache(bytes: Uint8Array = whole): string {
  const folder = makeFolder();
  writeFileSync(join(folder, NAME), bytes, { mode: 0o600 });
  return folder;
}

const changed = (change: (bytes: Buffer) => void) => {
  const bytes = Buffer.from(whole);
  change(bytes);
  return bytes;
};

describe("code caches", () => {
  it("[P-1] are read if they are intact and only we can write to them", () => {
    expect(readCode(makeCache(), NAME, source)).toEqual(code);
    expect(readCode(null, NAME, source)).toBeUndefined();
    expect(readCode(makeFolder(), NAME, source)).toBeUndefined();
  });

  it.each<[string, Uint8Array]>([
    ["empty", new Uint8Array()],
    ["cut", whole.subarray(0, -1)],
    ["cut in half", whole.subarray(0, whole.length / 2)],
    ["longer", Buffer.concat([whole, whole])],
    ["one bit of it changed", changed((bytes) => bytes.writeUInt8((bytes[3] ?? 0) ^ 1, 3))],
    ["zeros in it, as after a power cut", changed((bytes) => bytes.fill(0, 10, 20))],
    ["nothing but zeros", new Uint8Array(whole.length)],
    ["of another bundle of the same length", packCode(code, Buffer.from("the Bundle"))],
  ])("[P-1] are ignored if damaged: %s", (_, bytes) => {
    expect(readCode(makeCache(bytes), NAME, source)).toBeUndefined();
  });

  it.each<[string, (folder: string) => void]>([
    ["a file that others may write", (folder) => chmodSync(join(folder, NAME), 0o660)],
    ["a folder that others may write", (folder) => chmodSync(folder, 0o777)],
    [
      "a link",
      (folder) => {
        const elsewhere = makeCache();
        execFileSync("rm", [join(folder, NAME)]);
        symlinkSync(join(elsewhere, NAME), join(folder, NAME));
      },
    ],
    ["a pipe", (folder) => execFileSync("sh", ["-c", 'rm "$1" && mkfifo "$1"', "sh", join(folder, NAME)])],
    ["a file of somebody else", (folder) => chownAway(join(folder, NAME))],
    ["a folder of somebody else", (folder) => chownAway(folder)],
  ])("[P-1] are never read from %s", (_, change) => {
    const folder = makeCache();
    change(folder);
    expect(readCode(folder, NAME, source)).toBeUndefined();
  });
});

/** Only root can give files away; for other users a mode that must be rejected too stands in. */
function chownAway(path: string): void {
  if (process.getuid?.() === 0) execFileSync("chown", ["12345", path]);
  else chmodSync(path, 0o722);
}

describe("the program that makes code caches", () => {
  const make = (folder: string) =>
    execFileSync(process.execPath, [join(projectRoot, "dist", "make-code-cache.cjs")], {
      env: { GROUNDWORK_CODE_CACHE: folder },
    });
  const ownName = () =>
    `${readFileSync(join(projectRoot, "dist", "build-id"), "utf8").trim()}-${process.version}-${process.arch}`;

  it("[P-1] makes caches that V8 accepts, replaces damaged ones, and removes those of older builds", () => {
    const folder = makeFolder();
    const old = ["0", "1", "2"].map((digit) => `${digit.repeat(16)}-v20.0.0-x64`);
    for (const [at, name] of [...old, "not ours"].entries()) {
      mkdirSync(join(folder, name));
      utimesSync(join(folder, name), 1_000 + at, 1_000 + at);
    }
    make(folder);
    expect(readdirSync(folder).toSorted()).toEqual([...old.slice(1), ownName(), "not ours"].toSorted());
    const own = join(folder, ownName());
    writeFileSync(join(own, NAME), "damaged");
    make(folder);
    for (const { name, quick } of CACHED_BUNDLES) {
      const bundle = readFileSync(join(projectRoot, "dist", name));
      const compiled = readCode(own, name, bundle);
      expect([name, compiled === undefined]).toEqual([name, false]);
      writeFileSync(join(folder, "code"), compiled ?? "");
      expect([name, isAccepted(join(projectRoot, "dist", name), join(folder, "code"), quick)]).toEqual([name, "true"]);
    }
  });

  it("[P-1] does nothing without a folder for them", () => {
    expect(make("relative").toString()).toBe("");
    expect(make("/proc/nowhere/at/all").toString()).toBe("");
  });
});

/** Returns "true" if a Node process with the flags of the entry points accepts a cache. */
function isAccepted(bundle: string, file: string, quick: boolean): string {
  const script = `
    const { readFileSync } = require("node:fs");
    for (const flag of ${JSON.stringify(quick ? SLOW_FLAGS : [])}) require("node:v8").setFlagsFromString("--no-" + flag);
    const text = "(function (exports, require, module, __filename, __dirname) {" + readFileSync(process.argv[1], "utf8") + "\\n})";
    const { cachedDataRejected } = new (require("node:vm").Script)(text, { cachedData: readFileSync(process.argv[2]) });
    console.log(cachedDataRejected === false);`;
  return execFileSync(process.execPath, ["-e", script, bundle, file], { encoding: "utf8" }).trim();
}
