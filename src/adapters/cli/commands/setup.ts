import { CLIENT_IDS } from "../../../contract/clients.ts";
import { ASKED_EXITS, SETTINGS_EXITS } from "../exit-codes.ts";
import { type Command, JSON_OPTION, REPO, YES } from "./command.ts";

const CLIENT = {
  value: "LIST",
  completes: CLIENT_IDS,
  doc: `only these clients, with commas: ${CLIENT_IDS.join(", ")}`,
} as const;
const DRY_RUN = { doc: "show what would change, write nothing" } as const;

/** Shells that there are completions for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** Commands that set up this machine. */
export const SETUP = [
  {
    name: "install",
    group: "setup",
    summary: "put the hook into every client on this machine",
    usage: ["[options]"],
    about: "Shows what it would change, asks once, does it, and asks each hook a question. A backup is kept.",
    options: {
      client: CLIENT,
      yes: YES,
      "dry-run": DRY_RUN,
      json: JSON_OPTION,
      plugin: { doc: "Claude Code by its own plugin commands instead" },
      "sub-agents": { doc: "Claude Code's sub-agents get evidence, too" },
      statusline: { doc: "a line in Claude Code's status bar, where it has none" },
      "with-hook": { doc: "Claude Code's hook alone; asks nobody, as install.sh does" },
      global: { doc: "codex-auto on the PATH, in /usr/local/bin; asks nobody" },
      local: { doc: "codex-auto from its own folder; asks nobody" },
    },
    examples: [
      { line: "groundwork install --dry-run", about: "every file and line that would change" },
      { line: "groundwork install --client claude,codex --yes", about: "two clients, without a question" },
    ],
    exits: ASKED_EXITS,
  },
  {
    name: "uninstall",
    group: "setup",
    summary: "give back what was there before",
    usage: ["[options]"],
    about: "Takes away what install made, and nothing else. Without a terminal it asks nobody.",
    options: { client: CLIENT, yes: YES, "dry-run": DRY_RUN, json: JSON_OPTION },
    examples: [
      { line: "groundwork uninstall --dry-run", about: "what would be taken away" },
      { line: "groundwork uninstall --client codex --yes", about: "one client, without a question" },
    ],
    exits: { 1: "asked, and somebody said no", ...SETTINGS_EXITS },
  },
  {
    name: "doctor",
    group: "setup",
    summary: "look at everything that evidence depends on",
    usage: ["[options]"],
    about:
      "Program, state, index, every client and its hook, MCP, settings, resident, history: what was found, what was expected and what to do (docs/troubleshooting.md).",
    options: {
      repo: { ...REPO, doc: "repository to look at (default: the current folder)" },
      fix: { doc: "also put right what is ours alone, such as a stale lock" },
      json: JSON_OPTION,
    },
    examples: [
      { line: "groundwork doctor", about: "one line for all that is well, more for what is not" },
      { line: "groundwork doctor --fix", about: "mend what is ours, then look again" },
    ],
    exits: { 1: "a check failed" },
  },
  {
    name: "config",
    group: "setup",
    summary: "every setting, its value and where it comes from",
    usage: ["explain [options]"],
    about: "Settings, variables, tools and MCP servers as they count in a repository (docs/configuration.md).",
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
    summary: "let a repository's own settings do more than narrow",
    usage: ["[DIR] [options]", "--list [options]"],
    about: "Shows what would change, and asks. It holds as long as these files stay as they are.",
    options: {
      repo: { value: "DIR", completes: "folder", doc: "the repository, where DIR is not given" },
      yes: YES,
      list: { doc: "everything that you trust" },
      json: JSON_OPTION,
    },
    words: "folder",
    examples: [
      { line: "groundwork trust . --yes", about: "this repository, without a question" },
      { line: "groundwork trust --list", about: "all that is trusted, and whether it still is as it was" },
    ],
    exits: ASKED_EXITS,
  },
  {
    name: "untrust",
    group: "setup",
    summary: "take back the trust in a repository",
    usage: ["[DIR] [options]"],
    about: "A repository that is gone can be named, too.",
    options: {
      repo: { value: "DIR", completes: "folder", doc: "the repository, where DIR is not given" },
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
    summary: "what makes the Tab key complete commands and options",
    usage: ["bash|zsh|fish"],
    about:
      "Prints a script for your shell. bash: in ~/.local/share/bash-completion/completions/groundwork; zsh: as _groundwork in a folder of $fpath; fish: in ~/.config/fish/completions/groundwork.fish.",
    options: {},
    words: SHELLS,
    examples: [
      { line: "groundwork completions bash", about: 'in ~/.bashrc: eval "$(groundwork completions bash)"' },
      { line: "groundwork completions fish", about: "the same for fish" },
    ],
    exits: {},
  },
  {
    name: "help",
    group: "setup",
    summary: "all commands, or all about one",
    usage: ["[command]"],
    about: "The same as --help behind a command.",
    options: {},
    examples: [
      { line: "groundwork help try", about: "options, examples and exit codes of try" },
      { line: "groundwork help codex start", about: "those of a command of codex" },
    ],
    exits: {},
  },
] as const satisfies readonly Command[];
