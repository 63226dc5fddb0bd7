/** Usage text of the command line. */
export const CLI_USAGE = `Usage: groundwork <command> [options]

  try <question>        run the tools for a question and show the evidence
      --repo DIR        repository to ask about (default: the current folder)
      --format FORMAT   text (default), json (the run document) or hook
      --json            the same as --format json
      --verbose         also signals, arguments and times
  explain <question>    what it is taken for, which of its words are names here, and
                        which tools would run and why; looks words up in the index,
                        runs nothing  [--repo DIR] [--json]
  enrich <question>     the question with its evidence, for one call of codex:
                        groundwork enrich "…" | codex exec -   [--repo DIR]
  index [DIR]           build the index or bring it up to date; it lies outside the
                        repository and is otherwise kept up to date by itself
                        [--json]
  resident              the process in the background that answers from memory:
                        status (default; exit 1 if there is none), start, stop
                        [--json]  Off: GROUNDWORK_RESIDENT=off (docs/resident.md)
  search <query>        ask one tool by itself; also graph-rag, call-chain,
                        bug-locate, impact, complexity, hotspot, index-status
                        "groundwork search --help" shows its options
  investigate <question>
                        several tools, one after the other, and what they agree on
  call <tool> [JSON]    one call of any tool with these arguments, for scripts; hooks
                        run as for every call  [--repo DIR] [--json]
  mcp                   the same tools as an MCP server on standard input and output;
                        also bin/code-intelligence-mcp (docs/mcp.md)
  codex <command>       Codex without a person: exec (one run, as start.sh), start, status,
                        logs, stop, list, resume, clean, metrics (as job.sh)
                        "groundwork codex --help" shows their options
  hook <client>         what that client's prompt hook calls: its payload on standard input,
                        exactly its output on standard output; claude, codex, gemini,
                        copilot, qwen, kimi, opencode
  statusline            one short line for Claude Code's status bar (its payload on standard
                        input): index, last evidence, or that it is off
  doctor                looks at everything that evidence depends on (program, state, index,
                        every client and its hook, MCP, settings, resident) and says what to
                        do; exit 1 if something fails  [--json] [--repo DIR]
      --fix             also puts right what is ours alone, such as a stale lock
  config explain        every setting, its value and where it comes from
                        [--repo DIR] [--json]
  off                   no prompt gets evidence any more, in any client; wins over every
                        setting and variable  [--json]
      --repo [DIR]      only in this repository, or that one
      --for TIME        30s, 10m, 2h, 7d; then it is on again by itself
  on                    take that back; says what else keeps it off
                        [--repo [DIR]] [--json]
  trust [DIR]           let a repository's own settings do more than narrow, as
                        long as its files stay as they are; shows what would
                        change and asks  [--yes] [--json]
      --list            everything that you trust  [--json]
  untrust [DIR]         take that back  [--json]
  install               put the hook into every client on this machine: shows what it
                        would change, asks once, does it and asks each hook a question
                        [--yes] [--dry-run] [--json]
      --client LIST     only these, with commas: claude, codex, gemini, copilot, qwen,
                        kimi, opencode
      --plugin          Claude Code by its own plugin commands instead
      --sub-agents      Claude Code's sub-agents get evidence, too
      --statusline      a line in Claude Code's status bar, where it has none (below)
      --with-hook, --global, --local
                        Claude Code's hook, codex-auto on the PATH; asks nobody
  uninstall             give back what was there before
                        [--client LIST] [--yes] [--dry-run] [--json]

  -h, --help   -v, --version

Switch everything off: groundwork off, or CI_AUTO_TOOLS=off. No network connection is opened
but to what you name yourself: a model for embeddings or investigations, MCP servers by url,
an OpenTelemetry endpoint (GROUNDWORK_OTEL=1). Codex has its own.
`;
