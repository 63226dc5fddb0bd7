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
  config explain        every setting, its value and where it comes from
                        [--repo DIR] [--json]
  trust [DIR]           let a repository's own settings do more than narrow, as
                        long as its files stay as they are; shows what would
                        change and asks  [--yes] [--json]
      --list            everything that you trust  [--json]
  untrust [DIR]         take that back  [--json]
  install               put the hook into Claude Code, codex-auto on the PATH
                        --with-hook [--global] [--local] [--dry-run] [--json]
  uninstall             remove exactly what install added  [--dry-run] [--json]

  -h, --help   -v, --version

Switch everything off: CI_AUTO_TOOLS=off. No network connection is opened but to what you name
yourself: a model for embeddings or investigations, MCP servers by url. Codex has its own.
`;
