import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { projectRoot, QUIET } from "./doors.ts";

/** The door that MCP clients start. */
export const mcpDoor = resolve(projectRoot, "bin/code-intelligence-mcp");

/** The door of the server for Codex jobs. */
export const codexDoor = resolve(projectRoot, "mcp/server.sh");

/** One message of the server, unchanged. */
export interface RpcAnswer {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A running server that is addressed line by line. */
export interface McpProcess extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  /** All messages so far, in order. A line that is not JSON makes `parse` throw. */
  readonly answers: RpcAnswer[];
  readonly stderr: () => string;
  /** Sends bytes unchanged. Contract: waits if the server is slow to read. */
  readonly send: (frame: string | Uint8Array) => Promise<void>;
  /** Sends a request and waits for its answer. */
  readonly ask: (method: string, params?: unknown) => Promise<RpcAnswer>;
  /** Waits for a message that fits. */
  readonly hear: (fits: (answer: RpcAnswer) => boolean) => Promise<RpcAnswer>;
  /** Closes its input and waits until it exits. Returns the exit code. */
  readonly end: () => Promise<number | null>;
}

const LIMIT_MS = 180_000;

/** Starts the server. Contract: disposing it kills its process group. */
export function startMcp(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  door: string = mcpDoor,
): McpProcess {
  const child = spawn(door, [], {
    cwd,
    env: { ...QUIET, ...env },
    detached: true,
  });
  const answers: RpcAnswer[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) answers.push(JSON.parse(line) as RpcAnswer);
    for (const look of waiting) look();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  child.stdin.on("error", () => {});
  const ended = once(child, "close");
  const hear = (fits: (answer: RpcAnswer) => boolean) =>
    new Promise<RpcAnswer>((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`nothing heard\n${stderr}`)), LIMIT_MS);
      let from = 0;
      const look = () => {
        const found = answers.slice(from).find(fits);
        from = answers.length;
        if (found === undefined) return;
        clearTimeout(timer);
        waiting.delete(look);
        done(found);
      };
      waiting.add(look);
      look();
    });
  const send = async (frame: string | Uint8Array) => {
    if (!child.stdin.write(frame)) await once(child.stdin, "drain");
  };
  let asked = 0;
  return {
    child,
    answers,
    stderr: () => stderr,
    send,
    hear,
    ask: async (method, params = {}) => {
      const id = `asked-${asked++}`;
      await send(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return hear((answer) => answer.id === id);
    },
    end: async () => {
      child.stdin.end();
      const [code] = await ended;
      return code as number | null;
    },
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        process.kill(-child.pid, "SIGKILL");
        await ended;
      }
    },
  };
}

/** Parameters of the first message of a client. */
export const HELLO = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};
