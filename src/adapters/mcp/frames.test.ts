import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FRAME_ERRORS } from "../../contract/mcp.ts";
import { type Frame, FrameReader } from "./frames.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

function read(...chunks: (string | Uint8Array)[]): Frame[] {
  const reader = new FrameReader();
  const frames = chunks.flatMap((chunk) => [...reader.push(Buffer.from(chunk as string))]);
  return [...frames, ...reader.finish()];
}

const errorOf = (line: string) => read(`${line}\n`).map((frame) => (frame.ok ? null : frame.error));

describe("frames of the MCP server", () => {
  it("are lines, however they are split into chunks; empty lines are ignored", () => {
    const text = `${JSON.stringify({ ...PING, params: { text: "價格\u2028é" } })}\n\n  \r\n${JSON.stringify(PING)}`;
    const bytes = Buffer.from(text);
    const whole = read(bytes);
    expect(whole.map((frame) => frame.ok && frame.value["id"])).toEqual([1, 1]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(read(...chunks)).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ["{", FRAME_ERRORS.notJson],
    ["\u0000\u0001", FRAME_ERRORS.notJson],
    ['"text"', FRAME_ERRORS.notRpc],
    ["null", FRAME_ERRORS.notRpc],
    ["{}", FRAME_ERRORS.notRpc],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', FRAME_ERRORS.notRpc],
    [`[${JSON.stringify(PING)}]`, FRAME_ERRORS.batch],
    ["[]", FRAME_ERRORS.batch],
    ["[".repeat(100_000), FRAME_ERRORS.tooDeep],
    [`{"a":${'{"a":'.repeat(70)}1${"}".repeat(71)}`, FRAME_ERRORS.tooDeep],
  ])("that are none are refused: %.30s", (line, error) => {
    expect(errorOf(line)).toEqual([error]);
  });

  it("brackets inside strings do not count as depth", () => {
    expect(errorOf(JSON.stringify({ ...PING, params: { a: `${"[{".repeat(500)}\\"` } }))).toEqual([null]);
  });

  it("a long one is dropped while it arrives, and the next is read", () => {
    const reader = new FrameReader();
    const part = Buffer.alloc(1024 * 1024, "x");
    for (let at = 0; at < 40; at++) expect([...reader.push(part)]).toEqual([]);
    const frames = [...reader.push(Buffer.from(`\n${JSON.stringify(PING)}\n`))];
    expect(frames.map((frame) => (frame.ok ? frame.value["id"] : frame.error))).toEqual([FRAME_ERRORS.tooLong, 1]);
  });

  it("an error has the id of the request if that is readable", () => {
    const ids = ['{"id":7}', '{"id":"a"}', '{"id":null}', '{"id":{}}', "nothing"].flatMap((line) =>
      read(line).map((frame) => (frame.ok ? "?" : frame.id)),
    );
    expect(ids).toEqual([7, "a", null, null, null]);
  });

  it("any input is one frame per line, and no error quotes it", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const frame of read(bytes)) if (!frame.ok) expect(Object.values(FRAME_ERRORS)).toContainEqual(frame.error);
      }),
    );
  });
});
