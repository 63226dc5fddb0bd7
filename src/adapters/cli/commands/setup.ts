import { CLIENT_IDS } from "../../../contract/clients.ts";
import { ASKED_EXITS, SETTINGS_EXITS } from "../exit-codes.ts";
import { type Command, JSON_OPTION, REPO, YES } from "./command.ts";

const CLIENT = {
  value: "LIST",
  completes: CLIENT_IDS,
  doc: `only these clients, separated by commas: ${CLIENT_IDS.join(", ")}`,
} as const;
const DRY_RUN = { doc: "show what would change, write nothing" } as const;

/** Shells for which completions are available. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** Commands that set up this machine. */
export const SETUP = [
  {
    name: "install",
    group: "setup",
    summary: "put the hook into every client on this machine",
    usage: ["[options]"],
    about:
      "Shows what it would change, asks once, makes the changes, and tries each hook with a question. Backups are kept.",
    options: {
      client: CLIENT,
      yes: YES,
      "dry-run": DRY_RUN,
      json: JSON_OPTION,
      plugin: { doc: "install into Claude Code with its own plugin commands" },
      "sub-agents": { doc: "give evidence to Claude Code's sub-agents, too" },
      statusline: { doc: "a line in Claude Code's status bar, if it has none" },
      "with-hook": { doc: "only Claude Code's hook, without asking, as install.sh does" },
      global: { doc: "put codex-auto on the PATH, in /usr/local/bin, without asking" },
      local: { doc: "use codex-auto from its own folder, without asking" },
    },
    examples: [
      { line: "groundwork install --dry-run", about: "every file and line that would change" },
      { line: "groundwork install --client claude,codex --yes", about: "two clients, without asking" },
    ],
    exits: ASKED_EXITS,
  },
  {
    name: "uninstall",
    group: "setup",
    summary: "remove what install added",
    usage: ["[options]"],
    about:
      "Removes what install added, restores what was there before, and touches nothing else. Without a terminal it does not ask.",
    options: { client: CLIENT, yes: YES, "dry-run": DRY_RUN, json: JSON_OPTION },
    examples: [
      { line: "groundwork uninstall --dry-run", about: "what would be removed" },
      { line: "groundwork uninstall --client codex --yes", about: "one client, without asking" },
    ],
    exits: { 1: "you were asked and said no", ...SETTINGS_EXITS },
  },
  {
    name: "doctor",
    group: "setup",
    summary: "check everything that evidence depends on",
    usage: ["[options]"],
    about:
      "Program, state, index, every client and its hook, MCP, settings, resident, history: what was found, what was expected and what to do (docs/troubleshooting.md).",
    options: {
      repo: { ...REPO, doc: "repository to look at (default: the current folder)" },
      fix: { doc: "also repair what belongs to Groundwork alone, such as a stale lock" },
      json: JSON_OPTION,
    },
    examples: [
      { line: "groundwork doctor", about: "one line if all is well, more for each problem" },
      { line: "groundwork doctor --fix", about: "repair, then check again" },
    ],
    exits: { 1: "a check failed" },
  },
  {
    name: "config",
    group: "setup",
    summary: "every setting, its value and where it comes from",
    usage: ["explain [options]"],
    about: "Settings, variables, tools and MCP servers as they apply in a repository (docs/configuration.md).",
    options: { repo: REPO, json: JSON_OPTION },
    words: ["explain"],
    examples: [
      { line: "groundwork config explain", about: "all of them, with their origin" },
      { line: "groundwork config explain --json", about: "the same for scripts" },
    ],
    exits: SETTINGS_EXITS,
  },
  {
    name: "trust",
    group: "setup",
    summary: "let a repository's own settings do more than restrict",
    usage: ["[DIR] [options]", "--list [options]"],
    about: "Shows what would change, and asks. The trust holds until one of these files changes.",
    options: {
      repo: { ...REPO, doc: "the repository, if DIR is not given" },
      yes: YES,
      list: { doc: "list everything that you trust" },
      json: JSON_OPTION,
    },
    words: "folder",
    examples: [
      { line: "groundwork trust . --yes", about: "this repository, without asking" },
      { line: "groundwork trust --list", about: "everything that is trusted, and whether it has changed since" },
    ],
    exits: ASKED_EXITS,
  },
  {
    name: "untrust",
    group: "setup",
    summary: "stop trusting a repository",
    usage: ["[DIR] [options]"],
    about: "Also works for a repository that no longer exists.",
    options: {
      repo: { ...REPO, doc: "the repository, if DIR is not given" },
      json: JSON_OPTION,
    },
    words: "folder",
    examples: [
      { line: "groundwork untrust .", about: "this repository" },
      { line: "groundwork untrust ../your-repository --json", about: "another one" },
    ],
    exits: SETTINGS_EXITS,
  },
  {
    name: "completions",
    group: "setup",
    summary: "shell script that completes commands and options",
    usage: ["bash|zsh|fish"],
    about:
      "Prints the script for your shell. bash: save it as ~/.local/share/bash-completion/completions/groundwork; zsh: as _groundwork in a folder of $fpath; fish: as ~/.config/fish/completions/groundwork.fish.",
    options: {},
    words: SHELLS,
    examples: [
      { line: "groundwork completions bash", about: 'in ~/.bashrc: eval "$(groundwork completions bash)"' },
      { line: "groundwork completions fish", about: "the same for fish" },
    ],
  },
  {
    name: "help",
    group: "setup",
    summary: "all commands, or one in detail",
    usage: ["[command]"],
    about: "The same as --help after a command.",
    options: {},
    examples: [
      { line: "groundwork help try", about: "options, examples and exit codes of try" },
      { line: "groundwork help codex start", about: "the same for a command of codex" },
    ],
  },
] as const satisfies readonly Command[];
