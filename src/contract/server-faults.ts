import { fail } from "./faults.ts";

const CHECK = (server: string) => `check mcp_servers.${server} in your settings`;

/** Why a tool of an MCP server cannot answer. Contract: messages name the server; the only place that words them. */
export const SERVER_FAULTS = {
  notListed: (server: string, tool: string) =>
    fail("E_TOOL_UNAVAILABLE", `unknown tool ${tool}`, `your settings list no MCP server ${server}`),
  noSuchTool: (server: string, tool: string, nearest: string, count: number) =>
    fail(
      "E_TOOL_UNAVAILABLE",
      `MCP server ${server} has no tool ${tool}${nearest === "" ? "" : `; did you mean ${nearest}?`}`,
      `it offers ${count} tool${count === 1 ? "" : "s"}`,
    ),
  noProgram: (server: string, command: string) =>
    fail(
      "E_TOOL_UNAVAILABLE",
      `MCP server ${server}: there is no program ${command}`,
      `install it outside the repository, or ${CHECK(server)}`,
    ),
  noFolder: (server: string, folder: string) =>
    fail("E_TOOL_UNAVAILABLE", `MCP server ${server}: there is no folder ${folder}`, CHECK(server)),
  noVariable: (server: string, variable: string) =>
    fail(
      "E_TOOL_UNAVAILABLE",
      `MCP server ${server}: the variable ${variable} is not set`,
      `set it, or ${CHECK(server)}`,
    ),
  notStarted: (server: string, why: string) =>
    fail("E_TOOL_UNAVAILABLE", `MCP server ${server} could not be started: ${why}`, CHECK(server)),
  notReached: (server: string, why: string) =>
    fail("E_TOOL_UNAVAILABLE", `MCP server ${server} cannot be reached: ${why}`, CHECK(server)),
  httpStatus: (server: string, status: number) =>
    fail(
      "E_TOOL_UNAVAILABLE",
      `MCP server ${server} answered with HTTP status ${status}`,
      status === 401 || status === 403 ? `its headers do not let us in; ${CHECK(server)}` : CHECK(server),
    ),
  died: (server: string, how: string, said: string) =>
    fail(
      "E_TOOL_UNAVAILABLE",
      `MCP server ${server} ended (${how})${said === "" ? "" : `: ${said}`}`,
      "the next call starts it again",
    ),
  refused: (server: string, why: string) =>
    fail("E_TOOL_UNAVAILABLE", `MCP server ${server} answered with an error: ${why}`),
  refusedArgs: (server: string, why: string) =>
    fail("E_INVALID_ARGS", `MCP server ${server} refused the arguments: ${why}`),
  failed: (server: string, why: string) => fail("E_TOOL_UNAVAILABLE", `MCP server ${server}: the tool failed: ${why}`),
  slowStart: (server: string, timeoutMs: number) =>
    fail(
      "E_TIMEOUT",
      `MCP server ${server} was not ready within ${timeoutMs} ms`,
      `raise mcp_servers.${server}.timeout_ms if it is only slow`,
    ),
  silent: (server: string, timeoutMs: number) =>
    fail(
      "E_TIMEOUT",
      `MCP server ${server} gave no answer within ${Math.round(timeoutMs)} ms`,
      "the next call asks again",
    ),
  cancelled: (server: string) => fail("E_TIMEOUT", `MCP server ${server}: the call was given up`),
  garbled: (server: string) =>
    fail(
      "E_PARSE",
      `MCP server ${server} answered with something else than an MCP message`,
      "its standard output is for messages alone",
    ),
  tooLong: (server: string, maxBytes: number) =>
    fail("E_BUDGET_EXCEEDED", `MCP server ${server} answered with more than ${maxBytes} bytes`, "ask for less"),
} as const;
