import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { examine } from "./examine.ts";
import { talk } from "./json-rpc.ts";
import { mcpExaminations } from "./mcp-server.ts";
import { installHooks, makeWorld } from "./world.test-helper.ts";

const MESSAGES = [
  { id: 1, method: "initialize", params: {} },
  { method: "initialized", params: {} },
  { id: 2, method: "list", params: {} },
];

function ask(script: string, limitMs = 20_000) {
  const { world, folder } = makeWorld();
  const program = { command: "/bin/sh", args: ["-c", script], cwd: folder, env: { PATH: "/usr/bin:/bin" } };
  return talk(world, program, MESSAGES, { limitMs, signal: new AbortController().signal });
}

describe("[P-6] talking to a program", () => {
  it("sends a question once the previous one is answered", async () => {
    const script = `read a; echo 'a log line'; echo '{"id":1,"result":"one"}'; read b; read c; echo '{"method":"note"}'; printf '{"id":2,'; echo '"result":"two"}'; sleep 60`;
    const { results, why } = await ask(script);
    expect([why, [...results]]).toEqual([
      "",
      [
        [1, "one"],
        [2, "two"],
      ],
    ]);
  });

  it("a character split between two chunks stays whole", async () => {
    const script = `read a; printf '{"id":1,"result":"\\303'; sleep 0.3; printf '\\251"}\\n'; read b; read c; echo '{"id":2,"result":0}'; sleep 60`;
    expect((await ask(script)).results.get(1)).toBe("é");
  });

  it.each([
    ["says nothing", "sleep 60", "no answer within 0.3 s"],
    ["says too much", "head -c 9000000 /dev/zero; sleep 60", "it printed more than 8 MiB"],
    ["ends", `read a; echo '{"id":1,"result":1}'`, "it ended"],
    ["refuses", `read a; echo '{"id":1,"error":{"message":"no such method"}}'; sleep 60`, "it refused: no such method"],
  ])("a program that %s", async (what, script, why) => {
    expect((await ask(script, what === "says nothing" ? 300 : 20_000)).why).toBe(why);
  });

  it("reports a missing program", async () => {
    const { world, folder } = makeWorld();
    const program = { command: "/nowhere/program", args: [], cwd: folder, env: {} };
    const { why } = await talk(world, program, MESSAGES, { limitMs: 20_000, signal: new AbortController().signal });
    expect(why).toContain("it cannot be started");
  });
});

describe("[P-6] the MCP server", () => {
  it("answers initialize and tools/list over a real pipe", async () => {
    const { world } = makeWorld();
    const checks = await examine(mcpExaminations(world), () => {});
    expect(checks).toMatchObject([
      { group: "mcp", name: "handshake", status: "ok", measured: expect.stringMatching(/^\d+ tools in /) },
      { group: "mcp", name: "entry in Codex", status: "ok", measured: "none" },
    ]);
  });

  it("fault: it does not answer", async () => {
    const { folder, write } = makeWorld();
    write(`${folder}/broken/bin/code-intelligence-mcp`, "#!/bin/sh\nexit 3\n", 0o755);
    const { world } = makeWorld({ projectRoot: `${folder}/broken` });
    const checks = await examine(mcpExaminations(world), () => {});
    expect(checks[0]).toMatchObject({ status: "fail", measured: "it ended" });
    expect(checks[0]?.remedy).toContain("docs/troubleshooting.md#the-mcp-server-does-not-answer");
  });

  it("fault: the program of the entry in Codex does not exist", async () => {
    const { world, home } = makeWorld();
    installHooks(["codex"], home, world.env);
    const look = async () => (await examine(mcpExaminations(world), () => {}))[1];
    expect(await look()).toMatchObject({ status: "ok", measured: join(home, ".codex/hooks/groundwork.sh") });
    rmSync(join(home, ".codex/hooks/groundwork.sh"));
    expect(await look()).toMatchObject({ status: "fail", measured: expect.stringContaining("is gone") });
  });
});
