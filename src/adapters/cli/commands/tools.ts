import { type Command, type CommandExample, type Completes, REPO } from "./command.ts";

/** Additions to a tool's declaration for its command. */
interface ToolWords {
  readonly summary: string;
  readonly examples: readonly CommandExample[];
  /** Completions of its first word. */
  readonly words?: Completes;
}

/** By command name. A tool without an entry uses the first sentence of its own summary, and has no examples. */
export const TOOL_WORDS: Readonly<Record<string, ToolWords>> = {
  search: {
    summary: "find code by question, text or symbol",
    examples: [
      { line: 'groundwork search "where is the tax computed?"', about: "best hits first, each with its reason" },
      { line: "groundwork search rateFor --mode keyword --limit 3", about: "names alone" },
      {
        line: 'groundwork search --team "who consumes the orders endpoint?"',
        about: "all repositories of the team's server",
      },
    ],
  },
  "graph-rag": {
    summary: "find code around a question's best hits",
    examples: [
      { line: 'groundwork graph-rag "tax of a region"', about: "callers, callees, uses and tests" },
      { line: "groundwork graph-rag rateFor --depth 1 --json", about: "one step, as data" },
    ],
  },
  "call-chain": {
    summary: "trace who calls a symbol, and what it calls",
    examples: [
      { line: "groundwork call-chain rateFor", about: "both directions, three calls deep" },
      { line: "groundwork call-chain computeTotal --to readTable", about: "the calls between two" },
    ],
  },
  "bug-locate": {
    summary: "rank the places that an error most likely comes from",
    examples: [
      { line: 'groundwork bug-locate "RangeError: negative count of items"', about: "an error in words" },
      { line: "echo 'TypeError: rateFor is not a function' | groundwork bug-locate -", about: "from a pipe" },
    ],
  },
  impact: {
    summary: "what a change of a symbol or file affects",
    examples: [
      { line: "groundwork impact rateFor", about: "and which tests to run" },
      { line: "groundwork impact --file src/tax/lookup.ts --format md", about: "a whole file, as Markdown" },
      { line: "groundwork impact", about: "what is not committed yet" },
    ],
  },
  complexity: {
    summary: "measure the complexity of each function in a file",
    examples: [
      { line: "groundwork complexity src/checkout/total.ts --format text", about: "one file" },
      { line: "groundwork complexity src --json", about: "a folder, as data" },
    ],
    words: "file",
  },
  hotspot: {
    summary: "files that change most and are most complex",
    examples: [
      { line: "groundwork hotspot 5 --format text", about: "the top five" },
      { line: "groundwork hotspot --days 90 --path src", about: "three months, below a folder" },
    ],
  },
  "index-status": {
    summary: "whether this repository is indexed; also build, clear",
    examples: [
      { line: "groundwork index-status", about: "index, kind of project, last commits" },
      { line: "groundwork index-status clear", about: "remove the index; the next question builds a new one" },
    ],
    words: ["status", "build", "clear"],
  },
  investigate: {
    summary: "run several tools in turn, and rank what they agree on",
    examples: [
      { line: 'groundwork investigate "why is the tax 0 for some regions?"', about: "ranked places, and each step" },
      { line: 'groundwork investigate "who empties the cart?" --max-steps 4 --json', about: "fewer steps, as data" },
    ],
  },
};

/** Options of every tool's command, in addition to its inputs. */
export const TOOL_OPTIONS = {
  repo: REPO,
  each: {
    value: "FILE",
    completes: "file",
    doc: "one call for each line of FILE, a JSON object of inputs; - is standard input",
  },
  json: { doc: "all data as JSON" },
} as const satisfies Command["options"];
