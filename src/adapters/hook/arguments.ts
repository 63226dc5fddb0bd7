import type { Hints } from "../../orchestrator/signals.ts";

/** Variable with the path of a program that replaces the orchestrator. */
export const ORCHESTRATOR_VARIABLE = "CI_AUTO_TOOLS_ORCHESTRATOR_PATH";

/** Output format of the answer. */
export type HookFormat = "hook" | "json" | "text";

/** The parsed command line of the entry point. */
export interface HookArguments {
  readonly help: boolean;
  readonly format: HookFormat;
  /** Prompt on the command line; null if it comes from standard input. */
  readonly prompt: string | null;
  readonly analyzeIntent: boolean;
  readonly hints: Hints;
}

/** Usage text of the entry point. */
export const HOOK_USAGE = `Usage: context-inject-global.sh [options] < payload.json

Takes a prompt, runs the read-only tools that fit it, and prints the evidence.
Standard input: JSON with "prompt" (what Claude Code and Codex send to a hook).

  --prompt TEXT        the prompt, in place of standard input
  --format FORMAT      hook (default: envelope for the client, always exit 0),
                       json (the run document) or text (for people)
  --analyze-intent     print what the prompt was taken for, and run nothing
  --file PATH          a file that the prompt is about
  --line N             a line in it
  --function NAME      a function that the prompt is about
  --with-history       the prompt goes on from earlier ones
  -h, --help           this text

Exit codes of json and text: 0 success, 10 no orchestrator,
20 configuration, 30 output invalid, 40 tool failed, 50 budget or timeout.
Switch off: CI_AUTO_TOOLS=off. More: docs/auto-tools.md
`;

/** Parses the command line. Contract: unknown arguments are ignored; an unknown format means hook. */
export function parseHookArguments(argv: readonly string[]): HookArguments {
  const values = new Map<string, string>();
  const flags = new Set<string>();
  for (let at = 0; at < argv.length; at++) {
    const [name = "", inline] = splitOption(argv[at] ?? "");
    if (!VALUED.has(name)) flags.add(name);
    else if (inline !== undefined) values.set(name, inline);
    else if (argv[at + 1] !== undefined) values.set(name, argv[++at] ?? "");
  }
  const format = values.get("--format");
  const line = Number(values.get("--line"));
  const file = values.get("--file");
  const functionName = values.get("--function");
  return {
    help: flags.has("--help") || flags.has("-h"),
    format: format === "json" || format === "text" ? format : "hook",
    prompt: values.get("--prompt") ?? null,
    analyzeIntent: flags.has("--analyze-intent"),
    hints: {
      ...(file === undefined ? {} : { file }),
      ...(Number.isInteger(line) && line > 0 ? { line } : {}),
      ...(functionName === undefined ? {} : { functionName }),
      ...(flags.has("--with-history") ? { withHistory: true } : {}),
    },
  };
}

const VALUED = new Set(["--prompt", "--format", "--file", "--line", "--function"]);

function splitOption(argument: string): [string, string?] {
  const at = argument.indexOf("=");
  return argument.startsWith("--") && at > 0 ? [argument.slice(0, at), argument.slice(at + 1)] : [argument];
}
