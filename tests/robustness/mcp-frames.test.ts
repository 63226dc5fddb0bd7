import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HELLO, startMcp } from "../support/mcp-process.ts";
import { GIT_FILES, makeFolder } from "../support/temp-folder.ts";

const SECRET = `AKIA${"ABCDEFGH".repeat(2)}`;
const FRAMES = 10_000;

const deep = (depth: number) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${"[".repeat(depth)}${"]".repeat(depth)}}`;
const call = (params: unknown, id: unknown = 1) => JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });

/** Lines that no client should send. None of them is a call that would run a tool. */
const badFrame = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10))),
  fc.string({ maxLength: 100 }).map((text) => `{"jsonrpc":"2.0","id":1,"method":"${text}`),
  fc.json().map((text) => text.replaceAll("\n", " ")),
  fc.json().map((text) => `[${text.replaceAll("\n", " ")}]`),
  fc.jsonValue().map((id) => JSON.stringify({ jsonrpc: "2.0", id, method: "no/such/method" })),
  fc.jsonValue().map((method) => JSON.stringify({ jsonrpc: "2.0", id: 1, method })),
  fc.jsonValue().map((params) => call(params)),
  fc.jsonValue().map((name) => call({ name })),
  fc.jsonValue().map((args) => call({ name: "ci_search", arguments: args })),
  fc.jsonValue().map((query) => call({ name: "ci_search", arguments: { query: [query], token: SECRET } })),
  fc.string().map((name) => call({ name: `../../etc/${name}${SECRET}`, arguments: {} })),
  fc.jsonValue().map((result) => JSON.stringify({ jsonrpc: "2.0", id: 99, result })),
  fc
    .jsonValue()
    .map((requestId) => JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } })),
  fc
    .jsonValue()
    .map((protocolVersion) =>
      JSON.stringify({ jsonrpc: "2.0", id: 2, method: "initialize", params: { protocolVersion } }),
    ),
  fc.integer({ min: 60, max: 5_000 }).map(deep),
  fc.constantFrom(
    '{"jsonrpc":"2.0","id":1,"method":"\\ud800"}',
    call({ name: "\ud800", arguments: { query: 1, "\udfff": 2 } }),
  ),
  fc.constantFrom("", " ", "\u0000", "{}", "[]", "null", "\ufeff{}", '{"__proto__":{"polluted":1}}', '{"id":1e400}'),
  fc.constant(call({ name: "ci_search", arguments: { query: 5 }, _meta: { progressToken: {} } })),
);

describe("[HOOK-4] the MCP server survives any input", () => {
  it(`${FRAMES} bad frames: each is answered or skipped, nothing leaks, nothing grows, calls still work`, async () => {
    const root = makeFolder({ ...GIT_FILES, "src/price.ts": "export function priceOf() {}\n" });
    await using server = startMcp(root, { PATH: process.env["PATH"], HOME: makeFolder(), TOKEN: SECRET });
    expect((await server.ask("initialize", HELLO)).result).toBeDefined();
    expect(
      (await server.ask("tools/call", { name: "ci_search", arguments: { query: "priceOf" } })).result,
    ).toBeDefined();
    const before = residentMb(server.child.pid);

    for (const frame of fc.sample(badFrame, { numRuns: FRAMES, seed: 6 })) {
      await server.send(frame);
      await server.send("\n");
    }
    await server.send(Buffer.alloc(64 * 1024 * 1024, "x"));
    await server.send("\n");
    const last = await server.ask("tools/call", { name: "ci_search", arguments: { query: "priceOf" } });
    expect(JSON.stringify(last.result)).toContain("src/price.ts");

    // Allows for garbage that has not been collected yet.
    expect(residentMb(server.child.pid) - before).toBeLessThan(150);
    const errors = server.answers.flatMap(
      ({ error, result }) => error ?? (result?.["isError"] === true ? [result] : []),
    );
    expect(errors.length).toBeGreaterThan(FRAMES / 4);
    // Only the first leak is shown, because there are thousands of errors.
    const leaks = new RegExp(`${SECRET}|${root}|node_modules|\\.cjs|\\.ts:|at Object\\.`);
    expect(errors.find((error) => leaks.test(JSON.stringify(error)))).toBeUndefined();
    expect(server.stderr()).toBe("");
    expect(await server.end()).toBe(0);
  });
});

function residentMb(pid: number | undefined): number {
  if (process.platform !== "linux") return 0;
  const [, kb = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kb) / 1_024;
}
