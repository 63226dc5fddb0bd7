import { CLIENT_IDS } from "../../../contract/clients.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { CALL } from "./asking.ts";
import { CODEX } from "./codex.ts";
import type { Command } from "./command.ts";

/** Commands for clients, scripts and other agents. */
export const MACHINE = [
  CALL,
  {
    name: "mcp",
    group: "machine",
    summary: "the tools as an MCP server on standard input and output",
    usage: [""],
    about: "The same as bin/code-intelligence-mcp (docs/mcp.md). Ends when its input ends.",
    options: {},
    examples: [
      { line: "claude mcp add code-intelligence -- groundwork mcp", about: "in Claude Code, for this repository" },
      { line: "codex mcp add code-intelligence -- groundwork mcp", about: "in Codex, if install has not done it" },
    ],
    exits: { 10: EXIT_CODES[10] },
  },
  {
    name: "hook",
    group: "machine",
    summary: "the command that a client's prompt hook runs",
    usage: ["<client>"],
    about:
      "Reads the client's payload from standard input, prints exactly what that client expects, and never fails a prompt. install adds it to the client's settings.",
    options: {},
    words: CLIENT_IDS,
    examples: [
      { line: `echo '{"prompt": "who calls rateFor()?"}' | groundwork hook codex`, about: "what Codex would be given" },
      {
        line: `echo '{"prompt": "who calls rateFor()?"}' | groundwork hook claude`,
        about: "the same for Claude Code",
      },
    ],
    exits: { 0: "always, if a client is named" },
  },
  {
    name: "statusline",
    group: "machine",
    summary: "one short line for Claude Code's status bar",
    usage: [""],
    about:
      "Reads the payload from standard input and prints the state of the index, what the last question about code found and when, or that evidence is off. Prints nothing if there is nothing to report. install --statusline adds it to the settings.",
    options: {},
    examples: [
      { line: `echo '{"cwd": "'"$PWD"'"}' | groundwork statusline`, about: "what the bar would show in this folder" },
      { line: "groundwork statusline < /dev/null", about: "the same, without a payload" },
    ],
    exits: { 0: "always" },
  },
  CODEX,
] as const satisfies readonly Command[];
