import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { describe, expect, it } from "vitest";
import { until } from "../../../tests/support/until.ts";
import { systemClock } from "../../base/clock.ts";
import type { UserAnswer, UserQuestion } from "../../contract/tool.ts";
import { type McpBackend, type McpCall, makeMcpServer } from "./server.ts";

const QUESTION: UserQuestion = { question: "Which colour?", options: ["red", "green"], multiSelect: false };
const TOOL = {
  name: "paint",
  description: "Paints.",
  inputSchema: { type: "object" as const },
  annotations: { readOnlyHint: true },
};
const done = (text: string) => ({ content: [{ type: "text" as const, text }] });

async function connect(callTool: McpBackend["callTool"], options: ClientOptions = {}) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  let ready = 0;
  const backend: McpBackend = {
    name: "painter",
    instructions: "Paints walls.",
    version: "1",
    width: 8,
    clock: systemClock,
    listTools: async () => [TOOL],
    callTool,
    onReady: () => ready++,
  };
  serveStdio(({ era }) => makeMcpServer(backend, era === "modern"), { transport: far });
  const client = new Client({ name: "test", version: "1" }, options);
  return { client, connected: () => client.connect(near), ready: () => ready };
}

const ERAS = [
  { era: "2025-11-25", versionNegotiation: { mode: "legacy" as const } },
  { era: "2026-07-28", versionNegotiation: { mode: "auto" as const } },
];

describe.each(ERAS)("the server towards a client of $era", ({ era, versionNegotiation }) => {
  it("identifies itself, lists its tools and passes calls on unchanged", async () => {
    const calls: McpCall[] = [];
    const { client, connected, ready } = await connect(
      async (call) => {
        calls.push(call);
        return done("painted");
      },
      { versionNegotiation },
    );
    await connected();
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    expect(client.getServerVersion()?.name).toBe("painter");
    expect(client.getInstructions()).toBe("Paints walls.");
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["paint"]);
    expect(ready()).toBeGreaterThan(0);
    const result = await client.callTool({ name: "paint", arguments: { wall: { side: "north" } } });
    expect(result.content).toEqual([{ type: "text", text: "painted" }]);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ name: "paint", args: { wall: { side: "north" } }, askUser: null });
  });

  it("shows a question as a form, and the call continues", async () => {
    let begun = 0;
    const answers: (UserAnswer | undefined)[] = [];
    const { client, connected } = await connect(
      async ({ askUser, signal }) => {
        begun++;
        for (let at = 0; at < 2; at++) answers.push(await askUser?.(QUESTION, signal));
        return done("asked");
      },
      { versionNegotiation, capabilities: { elicitation: { form: {} } } },
    );
    let asked = 0;
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      expect(params.message).toBe(QUESTION.question);
      return asked++ === 0 ? { action: "accept", content: { choice: "green" } } : { action: "decline" };
    });
    await connected();
    expect((await client.callTool({ name: "paint" })).content).toEqual([{ type: "text", text: "asked" }]);
    expect(begun).toBe(1);
    expect(answers).toEqual([{ selected: ["green"] }, { selected: [], cancelled: true }]);
  });

  it("forwards progress to the client that asked for it", async () => {
    const { client, connected } = await connect(
      async ({ report }) => {
        report({ done: 1, of: 2, message: "half" });
        return done("painted");
      },
      { versionNegotiation },
    );
    await connected();
    const heard: unknown[] = [];
    await client.callTool({ name: "paint" }, { onprogress: (progress) => heard.push(progress) });
    await client.callTool({ name: "paint" });
    expect(heard).toEqual([{ progress: 1, total: 2, message: "half" }]);
  });

  it("ends a call that the client cancels", async () => {
    let state = "";
    const { client, connected } = await connect(
      async ({ signal }) => {
        state = "running";
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        state = "aborted";
        return done("never seen");
      },
      { versionNegotiation },
    );
    await connected();
    const stop = new AbortController();
    const running = client.callTool({ name: "paint" }, { signal: stop.signal });
    await until(() => state === "running");
    stop.abort();
    await expect(running).rejects.toThrow();
    await until(() => state === "aborted");
  });
});

describe("the server", () => {
  it.each([
    ["none", {}],
    ["addresses only", { elicitation: { url: {} } }],
  ])("has nobody to ask where a client shows no forms: %s", async (_, capabilities) => {
    const { client, connected } = await connect(async ({ askUser }) => done(String(askUser)), { capabilities });
    await connected();
    expect((await client.callTool({ name: "paint" })).content).toEqual([{ type: "text", text: "null" }]);
  });

  it("a client that fails to show a form has not answered", async () => {
    const { client, connected } = await connect(
      async ({ askUser, signal }) => done(JSON.stringify(await askUser?.(QUESTION, signal))),
      { capabilities: { elicitation: {} } },
    );
    client.setRequestHandler("elicitation/create", async () => {
      throw new Error("no screen");
    });
    await connected();
    const { content } = await client.callTool({ name: "paint" });
    expect(content).toEqual([{ type: "text", text: '{"selected":[],"cancelled":true}' }]);
  });

  it("passes the client's roots to calls, and does not wait long for them", async () => {
    const roots = [{ uri: "file:///work" }];
    const call = async ({ roots: told }: McpCall) => done(told.join());
    const { client, connected } = await connect(call, { capabilities: { roots: { listChanged: true } } });
    client.setRequestHandler("roots/list", async () => ({ roots }));
    await connected();
    expect((await client.callTool({ name: "paint" })).content).toEqual([{ type: "text", text: "file:///work" }]);

    const silent = await connect(call, { capabilities: { roots: {} } });
    silent.client.setRequestHandler("roots/list", () => new Promise(() => {}));
    await silent.connected();
    expect((await silent.client.callTool({ name: "paint" })).content).toEqual([{ type: "text", text: "" }]);
  });

  it("an answer to a question that is not open is an error", async () => {
    const { client, connected } = await connect(async () => done("x"), { versionNegotiation: { mode: "auto" } });
    await connected();
    const stale = await client.request({ method: "tools/call", params: { name: "paint", requestState: "gone" } });
    expect(stale).toMatchObject({ isError: true });
  });
});
