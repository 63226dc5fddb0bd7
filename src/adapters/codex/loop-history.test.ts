import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { openHistory } from "./loop-history.ts";

const nowMs = () => Date.parse("2026-01-01");

function place(isKept = true) {
  const home = makeFolder();
  const state = join(home, "state");
  const open = (root = makeFolder()) => openHistory({ env: { GROUNDWORK_HOME: state }, root, isKept, nowMs });
  return { state, file: join(state, "codex-auto", "history.jsonl"), open };
}

describe("[P-4] the loop's history", () => {
  it("is available in the next run, newest first, with several lines as one input", () => {
    const { open, file } = place();
    const first = open();
    for (const text of ["one", "two\n\tlines", "one"]) first.add(text);
    expect(open().entries()).toEqual(["one", "two\n\tlines"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("contains what another loop wrote in the meantime", () => {
    const { open } = place();
    const [mine, theirs] = [open(), open()];
    theirs.add("theirs");
    mine.add("mine");
    expect(mine.entries()).toEqual(["mine"]);
    expect(open().entries()).toEqual(["mine", "theirs"]);
  });

  it("never stores a secret", () => {
    const { open, file } = place();
    const secret = `ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`;
    const history = open();
    history.add(`why is ${secret} refused?`);
    expect(readFileSync(file, "utf8")).not.toContain(secret);
    // While the loop runs, the person who typed it can still recall it.
    expect(history.entries()[0]).toContain(secret);
  });

  it.each([
    ["in number", 600, 1],
    ["in bytes", 480, 530],
  ])("is bounded %s", (_name, count, length) => {
    const { open, file } = place();
    mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
    const old = Array.from({ length: count }, (_, at) => `${at} ${"x".repeat(length)}`);
    writeFileSync(file, old.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    const history = open();
    for (const entry of ["字".repeat(2_000), "x".repeat(5_000)]) history.add(entry);
    expect(history.entries().length).toBeLessThanOrEqual(500);
    expect(statSync(file).size).toBeLessThanOrEqual(256 * 1024);
    const kept = open().entries();
    // The entry that is too long is not stored; the one before it is, and displaces the oldest.
    expect(kept[0]).toBe("字".repeat(2_000));
    expect(kept[1]).toBe(old.at(-1));
    expect(kept).not.toContain(old[0]);
  });

  it("is neither read nor written if nothing may be stored", () => {
    const { open, file, state } = place(false);
    mkdirSync(join(state, "codex-auto"), { recursive: true, mode: 0o700 });
    writeFileSync(file, '"old"\n');
    const history = open();
    history.add("new");
    expect(history.entries()).toEqual(["new"]);
    expect(readFileSync(file, "utf8")).toBe('"old"\n');
  });

  it("is not kept inside the repository", () => {
    const { open, state } = place();
    const history = open(join(state, ".."));
    history.add("new");
    expect(existsSync(state)).toBe(false);
  });

  it.each<[string, (file: string) => void]>([
    ["damaged lines are left out", (file) => writeFileSync(file, '"a"\n{"no":1}\n"broken\n"b"\n')],
    ["a link is not followed", (file) => symlinkSync("/etc/hostname", file)],
    ["a folder is none", (file) => mkdirSync(file)],
    ["a file that is too long is none", (file) => writeFileSync(file, `"${"x".repeat(300_000)}"\n`)],
  ])("%s, and the next input is kept", (_name, damage) => {
    const { open, file } = place();
    mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
    damage(file);
    const history = open();
    expect(["a", "b", undefined]).toContain(history.entries()[0]);
    history.add("next");
    expect(open().entries()[0]).toBe("next");
  });

  it("a folder that others may write to is not used", () => {
    const { open, file } = place();
    mkdirSync(join(file, ".."), { recursive: true });
    chmodSync(join(file, ".."), 0o777);
    open().add("next");
    expect(existsSync(file)).toBe(false);
  });
});
