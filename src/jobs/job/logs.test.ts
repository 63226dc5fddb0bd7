import { appendFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { countFloors } from "../../../tests/support/cpu-floors.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { sleepUsualMs } from "../../../tests/support/timed.ts";
import { until } from "../../../tests/support/until.ts";
import type { Outcome } from "../../contract/faults.ts";
import { readLogBytes, readLogLines, viewLog } from "./logs.ts";

function take<T>(given: Outcome<T>): T {
  if (!given.ok) throw new Error(given.fault.message);
  return given.value;
}

const placeOf = (text: string | Buffer) => {
  const folder = makeFolder();
  writeFileSync(join(folder, "job.log"), text);
  return { id: "x", cwd: folder, folder };
};

describe("[CNI-17] reading a log by bytes", () => {
  it.each([1, 3, 7])("yields pieces of %i bytes that add up to the log", (limit) => {
    const text = "zwölf Boxkämpfer 日本語 😀\n".repeat(500);
    const place = placeOf(text);
    let seen = "";
    let offset = 0;
    for (let rounds = 0; rounds < 100_000; rounds++) {
      const { chunk, nextOffset, eof, size } = take(readLogBytes(place, { offset, limit }));
      expect(size).toBe(Buffer.byteLength(text));
      seen += chunk;
      offset = nextOffset;
      if (eof) break;
    }
    expect(seen).toBe(text);
  });

  it.each([
    [{}, { chunk: "a".repeat(4_096), nextOffset: 4_096, eof: false }],
    [{ offset: 4_999 }, { chunk: "a", nextOffset: 5_000, eof: true }],
    [{ offset: 5_000 }, { chunk: "", nextOffset: 5_000, eof: true }],
    [{ offset: 99_999 }, { chunk: "", nextOffset: 5_000, eof: true }],
    [{ limit: 1 }, { chunk: "a", nextOffset: 1, eof: false }],
    [{ limit: 99_999_999 }, { nextOffset: 5_000, eof: true }],
  ])("%j", (part, expected) => {
    expect(take(readLogBytes(placeOf("a".repeat(5_000)), part))).toMatchObject(expected);
  });

  it("advances past bytes that are not text", () => {
    const place = placeOf(Buffer.from([0xff, 0xfe, 0xf0]));
    const first = take(readLogBytes(place, {}));
    expect(take(readLogBytes(place, { offset: first.nextOffset })).eof).toBe(true);
  });

  it("is refused for a missing log and behind a link", () => {
    const folder = makeFolder({ secret: "x" });
    expect(readLogBytes({ id: "x", cwd: folder, folder }, {})).toMatchObject({ ok: false });
    symlinkSync(join(folder, "secret"), join(folder, "job.log"));
    expect(readLogBytes({ id: "x", cwd: folder, folder }, {})).toMatchObject({ ok: false });
  });
});

describe("[CNI-17] reading a log by lines", () => {
  const ten = Array.from({ length: 10 }, (_, at) => `line ${at}`);
  it.each([
    [{}, ten, 10],
    [{ offsetLines: 8 }, ["line 8", "line 9"], 10],
    [{ offsetLines: 2, limitLines: 2 }, ["line 2", "line 3"], 10],
    [{ offsetLines: 20 }, [], 10],
    [{ tailLines: 2 }, ["line 8", "line 9"], 10],
    [{ tailLines: 0 }, [], 10],
    [{ tailLines: 99 }, ten, 10],
    [{ grep: "[13]$" }, ["line 1", "line 3"], 2],
    [{ grep: "[135]$", tailLines: 1 }, ["line 5"], 3],
    [{ grep: "[135]$", offsetLines: 1, limitLines: 1 }, ["line 3"], 3],
    [{ grep: "nothing" }, [], 0],
    [{ grep: "" }, ten, 10],
  ])("%j", async (range, lines, totalLines) => {
    for (const end of ["", "\n"])
      expect(take(await readLogLines(placeOf(ten.join("\n") + end), range))).toEqual({ lines, totalLines });
  });

  it("finds no lines in an empty log and refuses an invalid pattern", async () => {
    expect(take(await readLogLines(placeOf(""), {}))).toEqual({ lines: [], totalLines: 0 });
    expect(await readLogLines(placeOf("a"), { grep: "(" })).toMatchObject({ ok: false });
  });

  it("matches patterns in linear time", async () => {
    const spent = countFloors();
    await readLogLines(placeOf(`${"a".repeat(10_000)}!\n`.repeat(3)), { grep: "(a+)+$" });
    expect(spent()).toBeLessThan(300);
  });

  it("reads 200 MB with lines of any length", async () => {
    const place = placeOf("first\n");
    truncateSync(join(place.folder, "job.log"), 200_000_000);
    appendFileSync(join(place.folder, "job.log"), `\n${"x\n".repeat(5)}last\n`);
    const spent = countFloors();
    expect(take(await readLogLines(place, { tailLines: 2 }))).toEqual({ lines: ["x", "last"], totalLines: 8 });
    const { lines } = take(await readLogLines(place, { offsetLines: 1, limitLines: 1 }));
    expect(lines[0]).toHaveLength(16 * 1024);
    expect(spent()).toBeLessThan(1_000);
  });
});

describe("[CNI-17] viewing a log", () => {
  const see = async (
    place: ReturnType<typeof placeOf>,
    view: Partial<Parameters<typeof viewLog>[1]>,
    chunks: Buffer[] = [],
  ) => {
    const whole = { tail: null, follow: false, isOver: () => true, signal: new AbortController().signal, ...view };
    for await (const bytes of viewLog(place, whole)) chunks.push(bytes);
    return Buffer.concat(chunks).toString("utf8");
  };

  it.each([
    [null, "a\nb\nc\n"],
    [0, ""],
    [1, "c\n"],
    [2, "b\nc\n"],
    [3, "a\nb\nc\n"],
    [99, "a\nb\nc\n"],
  ])("shows its last %s lines", async (tail, expected) => {
    expect(await see(placeOf("a\nb\nc\n"), { tail })).toBe(expected);
  });

  it("shows the end of a long log", async () => {
    const place = placeOf(`${"x".repeat(99)}\n`.repeat(20_000));
    expect(await see(place, { tail: 5_000 })).toBe(`${"x".repeat(99)}\n`.repeat(5_000));
  });

  it("follows a growing log to its end, and starts over if the log does", async () => {
    const place = placeOf("one\n");
    let isOver = false;
    const chunks: Buffer[] = [];
    const seen = see(place, { follow: true, isOver: () => isOver }, chunks);
    await until(() => chunks.length === 1);
    appendFileSync(join(place.folder, "job.log"), "two\n");
    await until(() => chunks.length === 2);
    writeFileSync(join(place.folder, "job.log"), "new\n");
    await until(() => chunks.length === 3);
    isOver = true;
    expect(await seen).toBe("one\ntwo\nnew\n");
  });

  it("ends at the signal, and waits for a log that does not exist yet", async () => {
    const folder = makeFolder();
    const place = { id: "x", cwd: folder, folder };
    const stop = new AbortController();
    const chunks: Buffer[] = [];
    const seen = see(place, { follow: true, isOver: () => false, signal: stop.signal }, chunks);
    await sleepUsualMs(300);
    writeFileSync(join(folder, "job.log"), "late\n");
    await until(() => chunks.length === 1);
    stop.abort();
    expect(await seen).toBe("late\n");
  });
});
