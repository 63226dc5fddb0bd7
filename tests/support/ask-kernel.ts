import { systemClock } from "../../src/base/clock.ts";
import type { Client } from "../../src/contract/run-document.ts";
import { makeFileEngine } from "../../src/engine/engine.ts";
import type { KernelAnswer } from "../../src/orchestrator/document.ts";
import { runKernel } from "../../src/orchestrator/kernel.ts";
import { makeRegistry } from "../../src/tools/registry.ts";

/** Context of a question. */
export interface Asking {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sessionId?: string;
  readonly event?: Client["event"];
}

/** Asks the kernel as a door does, with the real tools. */
export function askKernel(text: string, { folder, env, sessionId, event = "cli" }: Asking): Promise<KernelAnswer> {
  const session = sessionId === undefined ? {} : { session_id: sessionId };
  const prompt = {
    text,
    client: { name: "claude-code" as const, event, ...session },
    hints: {},
    asksForTool: false,
    limits: [],
  };
  const tools = makeRegistry(makeFileEngine(systemClock));
  return runKernel(prompt, {
    env: { CI_AUTO_TOOLS_INDEX: "off", ...env },
    folder,
    clock: systemClock,
    tools,
    signal: new AbortController().signal,
  });
}
