import { countOf } from "./count-of.ts";
import { type FaultCode, fail } from "./faults.ts";

const CHECK = (server: string) => `check mcp_servers.${server} in your settings`;

function say(code: FaultCode, server: string, what: string, hint?: string) {
  return fail(code, `MCP server ${server}${what}`, hint);
}

const missing = (server: string, what: string, hint?: string) => say("E_TOOL_UNAVAILABLE", server, what, hint);

/** Why a tool of an MCP server cannot answer. Contract: messages name the server; no other code words them. */
export const SERVER_FAULTS = {
  notListed: (server: string, tool: string) =>
    fail("E_TOOL_UNAVAILABLE", `unknown tool ${tool}`, `your settings list no MCP server ${server}`),
  noSuchTool: (server: string, tool: string, nearest: string, count: number) => {
    const meant = nearest === "" ? "" : `; did you mean ${nearest}?`;
    return missing(server, ` has no tool ${tool}${meant}`, `it offers ${countOf(count, "tool")}`);
  },
  noProgram: (server: string, command: string) =>
    missing(server, `: there is no program ${command}`, `install it outside the repository, or ${CHECK(server)}`),
  noFolder: (server: string, folder: string) => missing(server, `: there is no folder ${folder}`, CHECK(server)),
  noVariable: (server: string, variable: string) =>
    missing(server, `: the variable ${variable} is not set`, `set it, or ${CHECK(server)}`),
  notStarted: (server: string, why: string) => missing(server, ` could not be started: ${why}`, CHECK(server)),
  notReached: (server: string, why: string) => missing(server, ` cannot be reached: ${why}`, CHECK(server)),
  httpStatus: (server: string, status: number) => {
    const why = status === 401 || status === 403 ? "its headers do not let us in; " : "";
    return missing(server, ` answered with HTTP status ${status}`, `${why}${CHECK(server)}`);
  },
  died: (server: string, how: string, said: string) =>
    missing(server, ` ended (${how})${said === "" ? "" : `: ${said}`}`, "the next call starts it again"),
  refused: (server: string, why: string) => missing(server, ` answered with an error: ${why}`),
  refusedArgs: (server: string, why: string) => say("E_INVALID_ARGS", server, ` refused the arguments: ${why}`),
  failed: (server: string, why: string) => missing(server, `: the tool failed: ${why}`),
  slowStart: (server: string, timeoutMs: number) => {
    const hint = `raise mcp_servers.${server}.timeout_ms if it is only slow`;
    return say("E_TIMEOUT", server, ` was not ready within ${timeoutMs} ms`, hint);
  },
  silent: (server: string, timeoutMs: number) =>
    say("E_TIMEOUT", server, ` gave no answer within ${Math.round(timeoutMs)} ms`, "the next call asks again"),
  cancelled: (server: string) => say("E_TIMEOUT", server, ": the call was given up"),
  garbled: (server: string) => {
    const hint = "its standard output is for messages alone";
    return say("E_PARSE", server, " answered with something other than an MCP message", hint);
  },
  tooLong: (server: string, maxBytes: number) =>
    say("E_BUDGET_EXCEEDED", server, ` answered with more than ${maxBytes} bytes`, "ask for less"),
} as const;
