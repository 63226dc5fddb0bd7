import { readFileSync } from "node:fs";
import { CLIENTS, type ClientId } from "../src/contract/clients.ts";

const NAME = "groundwork";
const OWNER = { name: "Groundwork" };
const SERVER = "code-intelligence";
/** Timeout in seconds that the clients apply to the hook; longer than every budget of ours. */
const TIMEOUT_SECONDS = 20;

/** Returns the plugin manifests for Claude Code and Codex, by path, with the version of the package. */
export function pluginManifests(): (readonly [string, string])[] {
  const { version, description } = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, string>;
  const manifest = { name: NAME, version, description, author: OWNER };
  const plugin = { name: NAME, source: "./plugin", description };
  const server = { command: "code-intelligence-mcp", args: [] };
  const files: Record<string, unknown> = {
    ".claude-plugin/marketplace.json": { name: NAME, description, owner: OWNER, plugins: [plugin] },
    "plugin/.claude-plugin/plugin.json": manifest,
    "plugin/hooks/hooks.json": hooksOf("claude"),
    // Without alwaysLoad, Claude Code offers the tools to its model only on request.
    "plugin/.mcp.json": { mcpServers: { [SERVER]: { ...server, alwaysLoad: true } } },
    "plugin/.codex-plugin/plugin.json": { ...manifest, hooks: "./codex-hooks.json", mcpServers: "./codex-mcp.json" },
    "plugin/codex-hooks.json": hooksOf("codex"),
    "plugin/codex-mcp.json": { mcpServers: { [SERVER]: server } },
  };
  return Object.entries(files).map(([path, value]) => [path, `${JSON.stringify(value, null, 2)}\n`]);
}

/** Returns a client's hook. It calls the program on the PATH, if any, because the plugin's folder may be a copy. */
function hooksOf(client: ClientId) {
  const command = `command -v groundwork >/dev/null 2>&1 && groundwork hook ${client} || true`;
  return { hooks: { [CLIENTS[client].event]: [{ hooks: [{ type: "command", command, timeout: TIMEOUT_SECONDS }] }] } };
}
