import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { liesInside, putInPlace, readStateFile, replaceFile, writeStateFile } from "./state-files.ts";

const NAME = "aaaa.json";
const nowMs = Date.now();
const keeping = { isOurs: (name: string) => /^[a-f0-9]{4}\.json$/.test(name), most: 3, maxAgeMs: 60_000, nowMs };
const write = (folder: string, name = NAME, text = "new") => writeStateFile(folder, name, text, keeping);
const read = (folder: string) => readStateFile(folder, NAME, 100);
const age = (path: string, ms: number) => utimesSync(path, (nowMs - ms) / 1_000, (nowMs - ms) / 1_000);

describe("[decision 9] state files", () => {
  it("are readable only by their owner, and so is their folder", () => {
    const folder = join(makeFolder(), "state", "sessions");
    write(folder);
    expect(read(folder)).toBe("new");
    expect([statSync(folder).mode & 0o777, statSync(join(folder, NAME)).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readdirSync(folder)).toEqual([NAME]);
  });

  it.each<[string, (path: string) => void]>([
    ["nothing", () => {}],
    ["too long", (path) => writeFileSync(path, "x".repeat(101))],
    ["binary", (path) => writeFileSync(path, "a\0b")],
    ["a folder", (path) => mkdirSync(path)],
    ["a link", (path) => symlinkSync("/etc/hostname", path)],
    ["a link to nowhere", (path) => symlinkSync(`${path}-missing`, path)],
    ["a FIFO", (path) => execFileSync("mkfifo", [path])],
    ["a link to a device", (path) => symlinkSync("/dev/zero", path)],
  ])("what is not a file of ours is not read, and does not block: %s", (_name, make) => {
    const folder = makeFolder();
    make(join(folder, NAME));
    expect(read(folder)).toBeNull();
    write(folder);
    expect(["new", null]).toContain(read(folder));
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("a symlink in place of a file is replaced, never followed", () => {
    const folder = makeFolder({ "sessions/.keep": "", "mine.txt": "precious" });
    symlinkSync(join(folder, "mine.txt"), join(folder, "sessions", NAME));
    write(join(folder, "sessions"));
    expect(readFileSync(join(folder, "mine.txt"), "utf8")).toBe("precious");
    expect(read(join(folder, "sessions"))).toBe("new");
  });

  it.each<[string, (folder: string) => void]>([
    ["a link", (folder) => symlinkSync(makeFolder(), folder)],
    ["a link to nowhere", (folder) => symlinkSync(join(makeFolder(), "gone"), folder)],
    ["a file", (folder) => writeFileSync(folder, "")],
    ["writable for others", (folder) => chmodSync(mkdirSync(folder, { recursive: true }) ?? folder, 0o777)],
  ])("a folder that others can write is neither read nor written: %s", (_name, make) => {
    const folder = join(makeFolder(), "sessions");
    make(folder);
    write(folder);
    expect(read(folder)).toBeNull();
    expect(existsSync(join(folder, NAME))).toBe(false);
  });

  it("a missing home folder is not created", () => {
    const top = makeFolder();
    write(join(top, "home", ".cache", "groundwork", "sessions"));
    expect(readdirSync(top)).toEqual([]);
    write(join(top, ".cache", "groundwork", "sessions"));
    expect(read(join(top, ".cache", "groundwork", "sessions"))).toBe("new");
  });

  it.each(["/dev/null/sessions", "/proc/groundwork/sessions"])(
    "a folder that cannot be created is not an error: %s",
    (folder) => {
      write(folder);
      expect(read(folder)).toBeNull();
    },
  );

  it("the oldest and the expired files are removed, those of others stay", () => {
    const folder = makeFolder({ "notes.json": "mine", "cccc.json.txt": "mine" });
    for (const [name, ms] of [
      ["0001.json", 90_000],
      ["0002.json", 5_000],
      ["0003.json", 4_000],
      ["0004.json", 3_000],
      ["0005.json.77.tmp", 10_000_000],
      ["0006.json.78.tmp", 1_000],
      ["notes.json", 10_000_000],
    ] as const) {
      writeFileSync(join(folder, name), "x");
      age(join(folder, name), ms);
    }
    write(folder);
    expect(readdirSync(folder).toSorted()).toEqual([
      "0003.json",
      "0004.json",
      "0006.json.78.tmp",
      NAME,
      "cccc.json.txt",
      "notes.json",
    ]);
  });

  it("whether a folder is inside a root is decided by real paths, even if it does not exist yet", () => {
    const root = makeFolder({ "state/.keep": "" });
    const away = makeFolder();
    symlinkSync(join(root, "state"), join(away, "link"));
    symlinkSync(away, join(root, "out"));
    expect(
      [root, join(root, "state"), join(root, "new", "deep"), join(away, "link"), join(away, "link", "new")].map(
        (path) => liesInside(path, root),
      ),
    ).toEqual([true, true, true, true, true]);
    expect(
      [away, join(away, "new"), `${root}-2`, join(root, "out", "new"), join(root, "..")].map((path) =>
        liesInside(path, root),
      ),
    ).toEqual([false, false, false, false, false]);
  });

  it("a file is written completely or not at all", () => {
    const folder = makeFolder({ "taken/x": "" });
    expect(replaceFile(folder, "a", "one") && replaceFile(folder, "a", "two")).toBe(true);
    expect(readFileSync(join(folder, "a"), "utf8")).toBe("two");
    expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o600);
    expect(replaceFile(folder, "taken", "x")).toBe(false);
    expect(replaceFile(join(folder, "none"), "a", "x")).toBe(false);
    symlinkSync(folder, join(folder, "link"));
    expect(replaceFile(join(folder, "link"), "a", "three")).toBe(false);
    expect(readdirSync(folder).toSorted()).toEqual(["a", "link", "taken"]);
  });

  it("a symlink is replaced and not followed, and what cannot be replaced is reported", () => {
    const folder = makeFolder({ elsewhere: "theirs", "taken/x": "" });
    symlinkSync(join(folder, "elsewhere"), join(folder, "a"));
    expect(putInPlace(join(folder, "a"), "mine")).toBe("");
    expect(["a", "elsewhere"].map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(["mine", "theirs"]);
    expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o600);
    expect(putInPlace(join(folder, "taken"), "mine")).toContain("taken");
    expect(putInPlace(join(folder, "none", "x"), "mine")).toContain("ENOENT");
    expect(readdirSync(folder).toSorted()).toEqual(["a", "elsewhere", "taken"]);
  });
});
