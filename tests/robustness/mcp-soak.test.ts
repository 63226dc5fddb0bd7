import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findLeftProcesses, MARKER } from "../support/leftovers.ts";
import { HELLO, type RpcAnswer, startMcp } from "../support/mcp-process.ts";
import { SHOP } from "../support/shop-repo.ts";
import { GIT_FILES, makeFolder } from "../support/temp-folder.ts";

const CALLS = 500;
/** Number of calls sent before the first one is answered. */
const BURST = 50;

/** Returns user hooks that log every call and refuse some. */
function hooks(log: string) {
  const action = (command: string) => [{ hooks: [{ type: "command", command, timeout: 30_000 }] }];
  return {
    ".groundwork/hooks/beforeToolCall.json": JSON.stringify(
      action(`read -r line; echo "before $line" >> ${log}; case $line in *refused*) echo no >&2; exit 3 ;; esac`),
    ),
    ".groundwork/hooks/afterToolCall.json": JSON.stringify(action(`read -r line; echo "after $line" >> ${log}`)),
  };
}

function callAt(at: number) {
  if (at % 10 === 9) return { name: "ci_search", arguments: { query: `refused ${at}` } };
  if (at % 10 === 8) return { name: "ci_complexity", arguments: { path: `no/such/file-${at}.ts` } };
  if (at % 2 === 0) return { name: "ci_search", arguments: { query: `priceOf ${at}` } };
  return { name: "ci_complexity", arguments: { path: "src/price.ts", at } };
}

describe("[HOOK-10] a long session of the MCP server with hooks on", () => {
  it(`${CALLS} calls: one outcome and one run of each hook per call; nothing leaks or grows`, async () => {
    const log = join(makeFolder(), "log");
    const home = makeFolder(hooks(log));
    const marker = crypto.randomUUID();
    const index = { CI_AUTO_TOOLS_INDEX: "auto", GROUNDWORK_HOME: makeFolder() };
    const env = { PATH: process.env["PATH"], HOME: home, [MARKER]: marker, ...index };
    await using server = startMcp(makeFolder({ ...GIT_FILES, ...SHOP }), env);
    await server.ask("initialize", HELLO);
    // Indexed first, so that no builder is started during the test.
    const built = await server.ask("tools/call", { name: "ci_index", arguments: { action: "build" } });
    expect(JSON.stringify(built.result)).toContain("ready");
    const answers: RpcAnswer[] = [];
    const seen: { readonly open: number; readonly children: number }[] = [];
    for (let from = 0; from < CALLS; from += BURST) {
      const asked = Array.from({ length: BURST }, (_, at) => server.ask("tools/call", callAt(from + at)));
      answers.push(...(await Promise.all(asked)));
      seen.push({ open: openFiles(server.child.pid), children: childrenOf(server.child.pid) });
    }

    expect(new Set(answers.map(({ id }) => id)).size).toBe(CALLS);
    expect(answers.filter(({ result }) => result === undefined)).toEqual([]);
    expect(answers.filter(({ result }) => result?.["isError"] === true)).toHaveLength(CALLS / 5);
    const lines = readFileSync(log, "utf8")
      .trimEnd()
      .split("\n")
      .filter((line) => !line.includes("ci_index"));
    for (const moment of ["before", "after"]) {
      const told = lines.filter((line) => line.startsWith(`${moment} `));
      expect(told).toHaveLength(CALLS);
      expect(new Set(told).size).toBe(CALLS);
    }
    expect(seen.at(-1)?.open).toBeLessThanOrEqual((seen[0]?.open ?? 0) + 1);
    expect(seen.map(({ children }) => children)).toEqual(seen.map(() => 0));
    expect(await server.end()).toBe(0);
    expect(await findLeftProcesses(marker)).toEqual([]);
  });
});

function openFiles(pid: number | undefined): number {
  return process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : 0;
}

/** Number of child processes, including zombies. */
function childrenOf(pid: number | undefined): number {
  if (process.platform !== "linux") return 0;
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return new RegExp(`^PPid:\\s+${pid}$`, "m").test(readFileSync(`/proc/${name}/status`, "utf8"));
    } catch {
      return false;
    }
  }).length;
}
