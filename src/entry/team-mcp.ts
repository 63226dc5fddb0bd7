import { createMcpHandler } from "@modelcontextprotocol/server";
import { makeMcpServer } from "../adapters/mcp/server.ts";
import { toListedTools } from "../adapters/mcp/tool-list.ts";
import { sayUnknownTool, toCallResult, toErrorResult } from "../adapters/mcp/tool-result.ts";
import { systemClock } from "../base/clock.ts";
import { succeed } from "../contract/faults.ts";
import { MCP_SERVER_NAME, TEAM_MCP_INSTRUCTIONS } from "../contract/mcp.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { makePlainDeps } from "../lifecycle/lifecycle-deps.ts";
import { executeToolCall } from "../lifecycle/tool-executor.ts";
import { makeRepoEngine } from "../server/code/repo-engine.ts";
import { orFault } from "../server/database.ts";
import type { Reply } from "../server/http.ts";
import type { Route, RouteCall } from "../server/routes.ts";
import { searchRepos } from "../server/search/search-route.ts";
import { teamCodeTools } from "../tools/team-code.ts";
import { type TeamSearch, teamSearchTool } from "../tools/team-search.ts";
import { VERSION } from "./version.ts";

const MAX_BODY_BYTES = 1024 * 1024;
/** Maximum number of concurrent calls per request, which has a single database connection. */
const WIDTH = 1;
const TIMEOUT_MS = 20_000;

/**
 * MCP over streamable HTTP, for clients that have no other access to the team's repositories. Contract: stateless;
 * every request stands alone.
 */
export const teamMcp: Route = {
  template: "/mcp",
  maxBytes: MAX_BODY_BYTES,
  isOneLook: true,
  methods: { POST: answerMcp },
};

async function answerMcp(call: RouteCall): Promise<Reply> {
  const tools = [teamSearchTool(searchAs(call)), ...teamCodeTools(makeRepoEngine(call.transaction, call.holder))];
  const { fetch: answer } = createMcpHandler(({ era }) =>
    makeMcpServer(
      {
        name: MCP_SERVER_NAME,
        instructions: TEAM_MCP_INSTRUCTIONS,
        version: VERSION,
        width: WIDTH,
        clock: systemClock,
        listTools: async () => toListedTools(tools),
        callTool: ({ name, args, signal }) => runCall(tools, name, args, signal),
        onReady: () => {},
      },
      era === "modern",
    ),
  );
  const { accept = "", "content-type": type = "", "mcp-protocol-version": version } = call.headers;
  const headers = new Headers({ accept, "content-type": type });
  if (typeof version === "string") headers.set("mcp-protocol-version", version);
  // The server has already checked the Host and Origin headers.
  const response = await answer(new Request("http://server/mcp", { method: "POST", headers, body: call.body }));
  const told = response.headers.get("content-type");
  return {
    status: response.status,
    body: await response.text(),
    headers: told === null ? {} : { "content-type": told },
  };
}

/** The team's repositories as visible to the holder of the request's token. */
function searchAs({ transaction, holder }: RouteCall): TeamSearch {
  return {
    url: "",
    inPrompts: null,
    ask: (question) => {
      const asked = { ...question, repos: [...question.repos], own: question.own ?? null };
      return orFault(async () => succeed(await searchRepos(transaction, holder, asked)));
    },
  };
}

/** Runs a call through the usual lifecycle. */
async function runCall(
  tools: readonly ToolDeclaration[],
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) {
  const tool = tools.find((own) => own.name === name);
  if (tool === undefined) return toErrorResult(sayUnknownTool(name));
  const deps = makePlainDeps(tools, systemClock, TIMEOUT_MS);
  return toCallResult(tool, await executeToolCall({ tool: name, args, origin: "mcp" }, { ...deps, signal }));
}
