// `npm run bench:lifecycle`: the overhead of the lifecycle per call. Without hooks: milliseconds per call of a tool
// that does nothing. With one before hook that does nothing: the ratio to spawning that command alone. Calls and spawns
// alternate, so that a busy machine slows both equally; each figure is a median.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSource, median } from "./support.mjs";

const CALLS = 2_000;
const ROUNDS = 60;
const COMMAND = ":";

const folder = mkdtempSync(join(tmpdir(), "groundwork-bench-"));
try {
  const { executeToolCall, makeRouter, systemClock, z } = await loadSource(
    folder,
    "src/safety/instructions",
    `export { executeToolCall } from "./src/lifecycle/tool-executor.ts";
    export { makeRouter } from "./src/lifecycle/tool-router.ts";
    export { systemClock } from "./src/base/clock.ts";
    export * as z from "zod/mini";`,
  );
  const input = z.object({ query: z.string() });
  const tool = {
    name: "bench",
    version: "1",
    effect: "read",
    timeoutMs: 5_000,
    ceilings: {},
    input: () => input,
    run: async () => ({ ok: true, value: { summary: "done", data: { a: 1 } } }),
  };
  const rules = (command) => [{ matcher: null, actions: [{ command, timeoutMs: 5_000 }] }];
  const callWith = (before) =>
    executeToolCall(
      { tool: "bench", args: { query: "q" }, origin: "cli" },
      {
        router: makeRouter([tool]),
        hooks: { before, after: [], limits: [] },
        ruleOf: (own) => own,
        root: folder,
        cwd: folder,
        isExcluded: () => false,
        usesIndex: false,
        prompt: "",
        env: { PATH: process.env.PATH },
        clock: systemClock,
        signal: new AbortController().signal,
        askUser: null,
      },
    );
  const alone = () =>
    new Promise((resolve) => {
      const child = spawn("/bin/sh", ["-c", COMMAND], { cwd: folder, env: { PATH: process.env.PATH } });
      // A command need not read its input.
      child.stdin.on("error", () => {}).end("{}");
      child.once("close", resolve);
    });
  const timed = async (work) => {
    const startMs = performance.now();
    await work();
    return performance.now() - startMs;
  };
  for (let at = 0; at < CALLS; at++) await callWith([]);
  const startMs = performance.now();
  for (let at = 0; at < CALLS; at++) await callWith([]);
  const perCall = (performance.now() - startMs) / CALLS;
  const pairs = [];
  for (let at = 0; at < ROUNDS; at++) {
    pairs.push({ alone: await timed(alone), hooked: await timed(() => callWith(rules(COMMAND))) });
  }
  const [aloneMs, hookedMs] = [median(pairs.map((pair) => pair.alone)), median(pairs.map((pair) => pair.hooked))];
  const say = (value, bar) => `${value.toFixed(3)}  (bar ${bar}: ${value <= bar ? "met" : "MISSED"})`;
  console.log(`a call without hooks, ms                    ${say(perCall, 0.2)}`);
  console.log(`the command alone, ms                       ${aloneMs.toFixed(2)}`);
  console.log(`a call with it as a hook, ms                ${hookedMs.toFixed(2)}`);
  console.log(`ratio                                       ${say(hookedMs / aloneMs, 1.3)}`);
  if (perCall > 0.2 || hookedMs / aloneMs > 1.3) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
