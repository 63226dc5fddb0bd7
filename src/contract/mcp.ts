/** Server name under which our tools are offered; clients' settings and the documents refer to it. */
export const MCP_SERVER_NAME = "code-intelligence-mcp";

/** Description of all tools for a model. */
export const MCP_INSTRUCTIONS =
  "Read-only answers about the code of this repository, each with file and line. What an answer had to leave out stands under limits.";

/** The same for the repositories of a team. */
export const TEAM_MCP_INSTRUCTIONS =
  "Read-only answers about the code of your team's repositories, each with repository, file and line. What an answer had to leave out stands under limits.";

/** JSON-RPC error codes for frames that are not valid calls. */
export const FRAME_ERRORS = {
  notJson: { code: -32700, message: "Parse error: not JSON" },
  tooLong: { code: -32600, message: "Invalid request: longer than 4 MiB" },
  tooDeep: { code: -32600, message: "Invalid request: nested too deeply" },
  batch: { code: -32600, message: "Invalid request: batches are not taken; send one message a line" },
  notRpc: { code: -32600, message: "Invalid request: not a JSON-RPC 2.0 message" },
} as const;

/** Messages of failed calls; scripts depend on them. */
export const CALL_ERRORS = {
  unknownTool: (name: string) => `Unknown tool: ${name}`,
  failed: (message: string) => `Error: ${message}`,
  invalid: (key: string, expected: string, got: string) => `Invalid ${key}: expected ${expected}, got ${got}`,
  unknownKeys: (keys: readonly string[], nearest: string, taken: readonly string[]) =>
    `Unknown argument${keys.length === 1 ? "" : "s"}: ${keys.join(", ")}; ${nearest === "" ? `taken are ${taken.join(", ")}` : `did you mean ${nearest}?`}`,
  hookFailed: (command: string, exitCode: number, output: string, error: string) =>
    `Hook command: ${command}\nExit code: ${exitCode}\nOutput:\n${output}\nStderr:\n${error}`,
  questionGone: () => "Error: the question that this answers is no longer open",
} as const;
