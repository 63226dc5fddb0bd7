import { findNearest } from "../../base/edit-distance.ts";
import { guessPlaces } from "../../base/guess-findings.ts";
import { cutText, isRecord, mapStrings, toOneLine } from "../../base/text.ts";
import {
  type AutoTool,
  CLUE_NAMES,
  type McpServer,
  splitExternalName,
  toExternalName,
} from "../../config/mcp-servers.ts";
import { type Outcome, succeed } from "../../contract/faults.ts";
import { LIMITS } from "../../contract/limits.ts";
import { SERVER_FAULTS } from "../../contract/server-faults.ts";
import {
  type Clues,
  defineTool,
  type ExternalTools,
  NO_PLACE,
  type ToolAnswer,
  type ToolDeclaration,
  type ToolFinding,
} from "../../contract/tool.ts";
import { toLenientInput } from "./lenient-input.ts";
import type { ServerAnswer, ServerTool } from "./mcp-client.ts";
import { connectServer, hideInFault, type Surroundings } from "./servers.ts";

const MAX_SUMMARY_CHARS = 160;
/** A call that was requested explicitly may take as long as one of ours. */
const ASKED_TIMEOUT_MS = 60_000;

/**
 * Tools of the user's MCP servers. Contract: starts no server until one of its tools is looked up; names are
 * `server__tool`, and only for servers that are listed.
 */
export function makeExternalTools(servers: readonly McpServer[], surroundings: Surroundings): ExternalTools {
  return {
    // For planned tools the settings contain everything a plan needs; the server is contacted only when they run.
    planned: servers.flatMap((server) =>
      [...server.tools.keys()].map((tool) => declare(server, { name: tool, ...UNSEEN }, surroundings)),
    ),
    find: async (name, signal) => {
      const parts = splitExternalName(name);
      const server = servers.find((own) => own.name === parts?.server);
      if (parts === null) return undefined;
      if (server === undefined) return SERVER_FAULTS.notListed(parts.server, name);
      const opened = await connectServer(server, surroundings, signal);
      if (!opened.ok) return opened;
      const { tools, version } = opened.value.session;
      const tool = tools.find((own) => own.name === parts.tool);
      if (tool !== undefined) return succeed(declare(server, tool, surroundings, version));
      const names = tools.map((own) => own.name);
      return SERVER_FAULTS.noSuchTool(server.name, parts.tool, findNearest(parts.tool, names), names.length);
    },
  };
}

/** Placeholders for what is unknown before the server has been contacted. */
const UNSEEN = { description: "", inputSchema: {}, isReadOnly: true };
const NOT_AUTOMATIC: AutoTool = { tier: 2, args: {}, ceilings: {}, timeoutMs: ASKED_TIMEOUT_MS };

function declare(server: McpServer, tool: ServerTool, surroundings: Surroundings, version = "-"): ToolDeclaration {
  const name = toExternalName(server.name, tool.name);
  const rule = server.tools.get(tool.name) ?? NOT_AUTOMATIC;
  return defineTool({
    name,
    summary: cutText(toOneLine(tool.description), MAX_SUMMARY_CHARS).text,
    tier: rule.tier,
    effect: tool.isReadOnly ? "read" : "write",
    version: /^[\w.+-]{1,40}$/.test(version) ? version : "-",
    timeoutMs: rule.timeoutMs,
    input: () => toLenientInput(tool.inputSchema),
    ceilings: rule.ceilings,
    plan: (clues) => planArgs(server.name, rule, clues),
    run: async (input, context) => {
      const opened = await connectServer(server, surroundings, context.signal);
      if (!opened.ok) return opened;
      const { session, hide } = opened.value;
      const answer = await session.call(tool.name, input, {
        signal: context.signal,
        timeoutMs: context.timeLeftMs(),
        onProgress: (done, of) => context.report({ done, ...(of === undefined ? {} : { of }) }),
      });
      if (!answer.ok) return hideInFault(answer.fault, hide);
      const { texts, structured } = answer.value;
      return toToolAnswer(server.name, name, {
        ...answer.value,
        texts: texts.map(hide),
        structured: mapStrings(structured, hide),
      });
    },
    toFindings,
  });
}

/** Arguments according to the user's mapping; none if a required clue is missing. */
function planArgs(server: string, { args }: AutoTool, clues: Clues): ReturnType<ToolDeclaration["plan"]> {
  const known: Readonly<Record<(typeof CLUE_NAMES)[number], string>> = {
    query: clues.query,
    symbol: clues.symbols[0] ?? "",
    path: clues.paths[0] ?? "",
    error: clues.error,
  };
  const used = CLUE_NAMES.filter((clue) => Object.values(args).some((value) => String(value).includes(`{${clue}}`)));
  if (used.some((clue) => known[clue] === "")) return null;
  const filled = Object.entries(args).map(([key, value]) => [
    key,
    typeof value === "string"
      ? value.replace(/\{(\w+)\}/g, (_all, clue: (typeof CLUE_NAMES)[number]) => known[clue])
      : value,
  ]);
  const reason = `your MCP server ${server}${used.length === 0 ? "" : `, asked for the ${used.join(" and the ")}`}`;
  return { args: Object.fromEntries(filled), reason };
}

/** What a server's tool answered with: its structured data may be of any shape. */
type ServerData = Pick<ServerAnswer, "texts" | "structured">;

function toToolAnswer(server: string, name: string, answer: ServerAnswer): Outcome<ToolAnswer<ServerData>> {
  const { texts, structured, leftOut } = answer;
  const first = toOneLine(
    texts
      .find((text) => text.trim() !== "")
      ?.trim()
      .split("\n", 1)[0] ?? "",
  );
  if (answer.isError) return SERVER_FAULTS.failed(server, first || "no reason given");
  return succeed({
    summary: first || (structured === null ? "nothing" : "structured data"),
    data: { texts, structured },
    ...(leftOut > 0 ? { limits: [LIMITS.partsLeftOut(name, leftOut)] } : {}),
  });
}

/** One finding per entry of the structured data that names a file; if there is none, one per text. */
function toFindings({ texts, structured }: ServerData): ToolFinding[] {
  const lists = isRecord(structured) ? Object.values(structured).filter(Array.isArray) : [];
  const placed = lists.flatMap(guessPlaces);
  if (placed.length > 0) return placed;
  return (
    texts
      .filter((text) => text.trim() !== "")
      // Without a path or a name of their own, two texts would be taken for duplicates.
      .map((text, at) => ({ ...NO_PLACE, title: `part ${at + 1}`, summary: toOneLine(text), confidence: 0.5 }))
  );
}
