import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { makeRun } from "./ended-run.test-helper.ts";
import { toRecord } from "./record.ts";
import { appendToSpool, hasSpool, takeSpool } from "./spool.ts";

const record = (prompt: string) => toRecord(makeRun(prompt));
const promptsOf = (folder: string) => takeSpool(folder).records.map(({ row }) => row.prompt);

describe("[K 1] the spool", () => {
  it("returns appended runs until they are done, then never again", () => {
    const folder = join(makeFolder(), "history");
    for (const prompt of ["one", "two", "三"]) expect(appendToSpool(folder, record(prompt))).toBe(true);
    expect(statSync(join(folder, "spool.jsonl")).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const taken = takeSpool(folder);
    expect(taken.records.map(({ row }) => row.prompt)).toEqual(["one", "two", "三"]);
    taken.done();
    expect(hasSpool(folder)).toBe(false);
    expect(promptsOf(folder)).toEqual([]);
  });

  it("returns runs again that a reader took but did not import", () => {
    const folder = join(makeFolder(), "history");
    appendToSpool(folder, record("one"));
    expect(promptsOf(folder)).toEqual(["one"]);
    appendToSpool(folder, record("two"));
    expect(takeSpool(folder).records).toHaveLength(2);
  });

  it("skips a truncated or invalid line without losing others", () => {
    const folder = join(makeFolder(), "history");
    appendToSpool(folder, record("one"));
    appendFileSync(join(folder, "spool.jsonl"), '{"row":{"key":"x"');
    appendToSpool(folder, record("two"));
    appendFileSync(join(folder, "spool.jsonl"), "null\n[]\n{}\n");
    expect(promptsOf(folder)).toEqual(["one", "two"]);
  });

  it.each(["a folder", "a pipe", "a link"])("accepts no run if %s is in its place, without delay", (kind) => {
    const folder = join(makeFolder(), "history");
    mkdirSync(folder, { mode: 0o700 });
    const path = join(folder, "spool.jsonl");
    const target = join(makeFolder(), "target");
    if (kind === "a folder") mkdirSync(path);
    if (kind === "a pipe") execFileSync("mkfifo", [path]);
    if (kind === "a link") symlinkSync(target, path);
    expect(appendToSpool(folder, record("one"))).toBe(false);
    expect(existsSync(target)).toBe(false);
    // The next reader moves the obstacle out of the way.
    takeSpool(folder).done();
    expect(appendToSpool(folder, record("two"))).toBe(true);
    expect(promptsOf(folder)).toEqual(["two"]);
  });

  it("accepts no run if others can write to the folder, or if there is none", () => {
    const folder = makeFolder();
    mkdirSync(join(folder, "open"), { mode: 0o777 });
    execFileSync("chmod", ["777", join(folder, "open")]);
    expect(appendToSpool(join(folder, "open"), record("one"))).toBe(false);
    writeFileSync(join(folder, "file"), "");
    expect(appendToSpool(join(folder, "file", "history"), record("one"))).toBe(false);
    expect(readdirSync(join(folder, "open"))).toEqual([]);
    expect(readFileSync(join(folder, "file"), "utf8")).toBe("");
  });
});
