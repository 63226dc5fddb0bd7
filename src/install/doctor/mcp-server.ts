import { join } from "node:path";
import { findProgram, isExecutable } from "../../base/find-program.ts";
import { isRecord } from "../../base/text.ts";
import { countOf } from "../../contract/count-of.ts";
import { findOurEntries, locateFiles } from "../clients/find-clients.ts";
import type { Examination } from "./examine.ts";
import { type RpcMessage, talk } from "./json-rpc.ts";
import { checkOf, type UngroupedCheck } from "./ungrouped-check.ts";
import { toSeconds, type World } from "./world.ts";

const LIMIT_MS = 8_000;
const MESSAGES: readonly RpcMessage[] = [
  {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "groundwork-doctor", version: "1" },
    },
  },
  { method: "notifications/initialized", params: {} },
  { id: 2, method: "tools/list", params: {} },
];

/** Starts our MCP server as a client would and asks for its tools; checks the entry for it in the settings of Codex. */
export function mcpExaminations(world: World): Examination[] {
  const { home } = world;
  const entry = { group: "mcp", name: "entry in Codex", limitMs: 5_000 };
  return [
    {
      group: "mcp",
      name: "handshake",
      limitMs: LIMIT_MS + 2_000,
      look: async (signal) => [await shakeHands(world, signal)],
    },
    ...(home === null ? [] : [{ ...entry, look: () => [checkEntry(world, home)] }]),
  ];
}

/** Codex silently skips an entry whose program does not exist. */
function checkEntry(world: World, home: string): UngroupedCheck {
  const check = checkOf("entry in Codex", "none, or one that leads to a program");
  const found = findOurEntries(locateFiles("codex", home, world.env)).find(({ what }) => what === "MCP server");
  // Unreadable settings are reported by the examination of the client.
  const entry = found?.entries.ok ? found.entries.value[0] : undefined;
  if (entry === undefined) return check.fine("none");
  if (isExecutable(entry.command) || findProgram(entry.command, world.env["PATH"] ?? "", null) !== null)
    return check.fine(entry.command);
  const remedy = { text: 'run "groundwork install"', section: "the-mcp-server-does-not-answer" } as const;
  return check.poor("fail", `${entry.command} is gone`, remedy);
}

async function shakeHands(world: World, signal: AbortSignal): Promise<UngroupedCheck> {
  const { clock, env, folder: cwd, projectRoot } = world;
  const startMs = clock.monotonicMs();
  const command = join(projectRoot, "bin", "code-intelligence-mcp");
  // A tool call would start a background process (resident or index); listing the tools must not.
  const quiet = { ...env, GROUNDWORK_RESIDENT: "off", CI_AUTO_TOOLS_INDEX: "off" };
  const { results, why } = await talk(world, { command, args: [], cwd, env: quiet }, MESSAGES, {
    limitMs: LIMIT_MS,
    signal,
  });
  const listed = results.get(2);
  const tools = isRecord(listed) && Array.isArray(listed["tools"]) ? listed["tools"].length : 0;
  const check = checkOf("handshake", "initialize and tools/list are answered");
  if (tools > 0) return check.fine(`${countOf(tools, "tool")} in ${toSeconds(clock.monotonicMs() - startMs)}`);
  const text = `run ${command} by hand and read its output`;
  const section = "the-mcp-server-does-not-answer";
  return check.poor("fail", why || "it lists no tools", { text, section });
}
