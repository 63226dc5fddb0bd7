import { CALL_EXITS, RUN_EXITS } from "../exit-codes.ts";
import { type Command, JSON_OPTION, REPO } from "./command.ts";

/** Commands that ask a question. */
export const ASKING = [
  {
    name: "try",
    group: "ask",
    summary: "run the tools for a question and show the evidence",
    usage: ["<question> [options]"],
    about: "What a client's hook would do with this prompt. A question that is - is read from standard input.",
    options: {
      repo: REPO,
      format: {
        value: "FORMAT",
        values: ["text", "json", "hook"],
        doc: "text (default), json (the run document) or hook (what Claude Code gets)",
      },
      json: { doc: "the same as --format json" },
      verbose: { doc: "also show signals, arguments and times" },
    },
    examples: [
      { line: 'groundwork try "where is the tax computed?"', about: "what a model would read, and what ran for it" },
      {
        line: 'groundwork try "why does rateFor() return undefined?" --verbose',
        about: "with everything that led to it",
      },
      { line: "git diff | groundwork try - --json", about: "a long question from a pipe; the whole run document" },
    ],
    exits: RUN_EXITS,
  },
  {
    name: "explain",
    group: "ask",
    summary: "how a question is classified, and which tools would run",
    usage: ["<question> [options]"],
    about: "Also shows which of its words are names in this repository. Reads the index, but runs no tool.",
    options: { repo: REPO, json: JSON_OPTION },
    examples: [
      { line: 'groundwork explain "why is the cart empty?"', about: "signals, names, intent and plan" },
      { line: 'groundwork explain "thanks, that works" --json', about: "a prompt that is not about code runs nothing" },
    ],
    exits: RUN_EXITS,
  },
  {
    name: "enrich",
    group: "ask",
    summary: "the question with its evidence, for another program",
    usage: ["<question> [options]"],
    about:
      "Prints the question followed by the evidence; what was left out goes to standard error. The question is printed even if everything else fails.",
    options: { repo: REPO },
    examples: [
      { line: 'groundwork enrich "why is the cart empty?" | codex exec -', about: "one run of Codex with evidence" },
      {
        line: 'groundwork enrich "who calls rateFor()?" > prompt.txt && cat prompt.txt',
        about: "for any other program",
      },
    ],
  },
] as const satisfies readonly Command[];

/** A single call of any tool, for scripts. */
export const CALL = {
  name: "call",
  group: "machine",
  summary: "call any tool with these arguments, for scripts",
  usage: ["<tool> [JSON] [options]"],
  about:
    "Your hooks run as for every call (docs/tool-hooks.md). If the arguments are -, they are read from standard input. Tools of your MCP servers can be called by name, too.",
  options: { repo: REPO, json: { doc: "result, limits and output of the hooks, as JSON" } },
  examples: [
    { line: `groundwork call ci_search '{"query": "rateFor"}' --json`, about: "the result with all its fields" },
    { line: `echo '{"symbol": "rateFor"}' | groundwork call ci_call_chain -`, about: "arguments from a pipe" },
  ],
  exits: CALL_EXITS,
} as const satisfies Command;
