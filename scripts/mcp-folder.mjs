// Content of mcp/codex-mcp-server/dist/: a file under the name that clients know, which loads the server.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const folder = resolve(import.meta.dirname, "../mcp/codex-mcp-server/dist");

/** Writes the file that mcp/server.sh starts. */
export function writeMcpFolder() {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.js"), 'require("../../../dist/codex-mcp.cjs");\n');
}
