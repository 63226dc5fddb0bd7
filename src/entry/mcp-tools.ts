import type { McpCall } from "../adapters/mcp/server.ts";
import { type ListedTool, toListedTools } from "../adapters/mcp/tool-list.ts";
import type { CallResult } from "../adapters/mcp/tool-result.ts";
import { once } from "../base/once.ts";
import { stopAllPrograms } from "../base/subprocess/spawn.ts";
import { loadSettings } from "../config/load-settings.ts";
import { SETTINGS } from "../config/settings.ts";
import type { Outcome } from "../contract/faults.ts";
import type { ToolProgress } from "../contract/tool.ts";
import type { BuildReport } from "../engine/build/build-index.ts";
import { keepReaders } from "../engine/store/readers.ts";
import { makeDoorEngine } from "./engine.ts";
import { runMcpCall } from "./mcp-call.ts";
import { askResidentForCall, isForResident } from "./resident-call.ts";
import { offerResident } from "./start-resident.ts";
import { makeDoorTools } from "./tools.ts";

process.once("exit", stopAllPrograms);

/** Indexes stay open between calls. */
const readers = keepReaders();

const doorTools = once(() => makeDoorTools(process.env));

/** Every tool as clients see it. Cached, because a client that asks repeatedly must not keep the server busy. */
export const listTools: () => ListedTool[] = once(() => toListedTools(doorTools()));

/**
 * Runs one call from a folder, in the resident if one is running, so that several servers share one index in memory.
 * Contract: never throws; closes the engine afterwards; each call sees the current files.
 */
export async function callTool(call: McpCall, folder: string): Promise<CallResult> {
  const tool = doorTools().find(({ name }) => name === call.name);
  if (tool !== undefined && isForResident(tool) && process.env[SETTINGS.resident.env] !== "off") {
    const answered = await askResidentForCall(call, folder);
    if (answered !== null) return answered;
    offerResident(process.env, folder).catch(() => {});
  }
  return runMcpCall(call, { folder, env: process.env, engine: makeDoorEngine(process.env, { buildNow, readers }) });
}

/** Starts building the index of a folder's repository in the background. Contract: never throws; waits for nothing. */
export async function warmUp(folder: string): Promise<void> {
  const loaded = await loadSettings({ env: process.env, folder, bounds: [] });
  if (!loaded.ok || loaded.value.settings.index !== "auto") return;
  const { root, source } = loaded.value.root;
  // A folder outside any repository may be anything, even a whole home folder.
  if (source === "no-git-root") return;
  await makeDoorEngine(process.env).build(root, { signal: new AbortController().signal, report: () => {} });
}

const PHASES = [
  { phase: "text", doing: "reading text" },
  { phase: "code", doing: "reading code" },
  { phase: "graph", doing: "following calls" },
  { phase: "history", doing: "reading history" },
];
const PER_PHASE = 100;

async function buildNow(
  root: string,
  { signal, report }: { readonly signal: AbortSignal; readonly report: (progress: Required<ToolProgress>) => void },
): Promise<Outcome<BuildReport>> {
  // A separate bundle, because callers rarely wait for an index.
  const { runBuild } = await import("./run-build.ts");
  return runBuild(root, process.env, {
    signal,
    onProgress: ({ phase, done, total }) => {
      const at = PHASES.findIndex((own) => own.phase === phase);
      const share = total === 0 ? 0 : Math.min(1, done / total);
      const count = total === 0 ? "" : ` (${done} of ${total})`;
      report({
        done: Math.round((at + share) * PER_PHASE),
        of: PHASES.length * PER_PHASE,
        message: `${PHASES[at]?.doing ?? phase}${count}`,
      });
    },
  });
}
