import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { chooseFolder } from "../adapters/mcp/client-folder.ts";
import { type McpBackend, type McpCall, makeMcpServer } from "../adapters/mcp/server.ts";
import { StdioTransport } from "../adapters/mcp/stdio-transport.ts";
import { toRealFolder } from "../base/repo-root.ts";
import { toMessage } from "../base/text.ts";
import { workingFolder } from "./process.ts";

/** How a server shuts down. */
interface McpEnd {
  /** Resolves when it is time to exit after the end of input; its argument resolves when every request is answered. */
  readonly afterInput: (allAnswered: Promise<void>) => Promise<unknown>;
  /** Called when the reader of the answers has gone away. */
  readonly onGone: () => void;
}

/**
 * Serves one client on standard input and output; exits once input has ended and `end` agrees. Contract: from
 * here on only the protocol writes to standard output; a bug in a call does not end the server.
 */
export function serveMcp(backend: McpBackend, end: McpEnd): void {
  // All other output goes to standard error.
  const print = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const transport = new StdioTransport({
    input: process.stdin,
    write: (line) => {
      print(line);
      return process.stdout.writableLength;
    },
    whenTaken: (then) => process.stdout.once("drain", then),
  });
  transport.onend = (allAnswered) => {
    // Exits with the code of an earlier signal, if there was one.
    const leave = () => print("", () => process.exit());
    end.afterInput(allAnswered).then(leave, leave);
  };
  process.stdout.on("error", end.onGone);
  process.on("uncaughtException", (error) => process.stderr.write(`${backend.name}: ${toMessage(error)}\n`));
  serveStdio(({ era }) => makeMcpServer(backend, era === "modern"), { transport });
}

/** The folder that a call is about. */
export function folderFor(roots: McpCall["roots"], meta?: McpCall["meta"]): string {
  return chooseFolder({
    current: workingFolder(),
    meta,
    roots,
    project: process.env["CLAUDE_PROJECT_DIR"],
    toFolder: toRealFolder,
  });
}
