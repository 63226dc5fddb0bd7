import { CLIENT_IDS } from "../../../contract/clients.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { CALL } from "./asking.ts";
import { CODEX } from "./codex.ts";
import type { Command } from "./command.ts";

/** Commands that clients, scripts and other agents use. */
export const MACHINE = [
  CALL,
  {
    name: "mcp",
    group: "machine",
    summary: "the tools as an MCP server on standard input and output",
    usage: [""],
    about: "The same as bin/code-intelligence-mcp (docs/mcp.md). Ends with its input.",
    options: {},
    examples: [
      { line: "claude mcp add code-intelligence -- groundwork mcp", about: "in Claude Code, for this repository" },
      { line: "codex mcp add code-intelligence -- groundwork mcp", about: "in Codex, where install has not done it" },
    ],
    exits: { 10: EXIT_CODES[10] },
  },
  {
    name: "hook",
    group: "machine",
    summary: "what a client's prompt hook calls",
    usage: ["<client>"],
    about:
      "Takes the client's payload on standard input, prints exactly what that client reads, and never fails a prompt. install writes it into the client's settings.",
    options: {},
    words: CLIENT_IDS,
    examples: [
      { line: `echo '{"prompt": "who calls rateFor()?"}' | groundwork hook codex`, about: "what Codex would be given" },
      {
        line: `echo '{"prompt": "who calls rateFor()?"}' | groundwork hook claude`,
        about: "the same for Claude Code",
      },
    ],
    exits: { 0: "always, as soon as a client is named" },
  },
  {
    name: "statusline",
    group: "machine",
    summary: "one short line for Claude Code's status bar",
    usage: [""],
    about:
      "Takes its payload on standard input and says how the index is, what the last question about code brought and when, or that it is off. Prints nothing where there is nothing to say. install --statusline puts it into the settings.",
    options: {},
    examples: [
      { line: `echo '{"cwd": "'"$PWD"'"}' | groundwork statusline`, about: "what the bar would show here" },
      { line: "groundwork statusline < /dev/null", about: "the same, by the current folder" },
    ],
    exits: { 0: "always" },
  },
  CODEX,
] as const satisfies readonly Command[];
