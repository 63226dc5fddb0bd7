import { MAX_FIGURE_DAYS, USUAL_FIGURE_DAYS } from "../../../contract/figures.ts";
import { EXIT_CODES, HISTORY_EXITS, SETTINGS_EXITS } from "../exit-codes.ts";
import { type Command, JSON_OPTION, YES } from "./command.ts";

const REPO = {
  value: "DIR",
  completes: "folder",
  mayBeGone: true,
  doc: "only runs of this repository (default: all)",
} as const;
const SINCE = { value: "WHEN", doc: "only runs since then: 2d, 10m, or a date such as 2026-01-31" } as const;

const PLACE = { value: "DIR", isOptional: true, completes: "folder" } as const;

/** Commands that show past runs, and switch evidence off and on. */
export const SEEING = [
  {
    name: "runs",
    group: "see",
    summary: "recent runs, in every repository",
    usage: ["[options]", "purge --all|--repo DIR|--before WHEN [--yes] [--json]"],
    about:
      "Newest first. purge deletes runs for good; on a terminal it asks first. What is kept, and for how long: docs/seeing.md.",
    options: {
      repo: REPO,
      since: SINCE,
      silent: { doc: "also show prompts for which nothing was injected" },
      limit: { value: "N", doc: "at most this many (default 20; with --jsonl all)" },
      json: { doc: "an array of runs; purge: how many were removed" },
      jsonl: { doc: "export all runs, one JSON object per line" },
      follow: { doc: "oldest first, then new runs as they come, until Ctrl-C" },
      all: { doc: "purge: every run" },
      before: { value: "WHEN", doc: "purge: runs before then: 7d, or a date" },
      yes: { doc: `purge: ${YES.doc}` },
    },
    words: ["purge"],
    examples: [
      { line: "groundwork runs --since 2d", about: "outcome, repository, characters, time and question of each" },
      { line: "groundwork runs --repo . --silent --json", about: "all runs of this repository, for scripts" },
      { line: "groundwork runs purge --before 7d", about: "remove runs older than a week" },
    ],
    exits: { 1: "purge: you were asked and said no", ...HISTORY_EXITS, 130: EXIT_CODES[130] },
  },
  {
    name: "show",
    group: "see",
    summary: "one run: why, what, how long, and what was left out",
    usage: ["[last|ID] [options]", "--diff ID ID [--json]"],
    about:
      "Without an ID, shows the last run with evidence, of this repository if you are in one. An ID is one that runs lists, a run_id or a key.",
    options: {
      injected: { doc: "exactly what the model received, and nothing else" },
      json: { doc: "the run document; with --diff the comparison" },
      diff: { doc: "how the second of two runs differs from the first" },
      repo: { ...REPO, doc: "the last run of this repository" },
    },
    words: ["last"],
    examples: [
      { line: "groundwork show", about: "question, reasons, plan, times, findings, limits" },
      { line: "groundwork show last --injected", about: "the text that was put into the prompt, byte for byte" },
    ],
    exits: { 1: "no such run is kept", ...HISTORY_EXITS },
  },
  {
    name: "stats",
    group: "see",
    summary: "how often it helps, how fast it is, why it was silent",
    usage: ["[options]", "--team [--days N] [--json]", "--team --pending [--json]"],
    about:
      "Of all runs that are kept, unless options narrow them. Times are those of runs that used tools. With --team, of everybody who shares figures with your team's server (GROUNDWORK_TEAM_URL, GROUNDWORK_TEAM_TOKEN); what you share yourself, and how to stop: docs/team.md.",
    options: {
      since: SINCE,
      repo: REPO,
      team: { doc: "figures of your team, from its server" },
      days: {
        value: "N",
        doc: `with --team: of the last N days (default ${USUAL_FIGURE_DAYS}, at most ${MAX_FIGURE_DAYS})`,
      },
      pending: { doc: "with --team: what this machine would send next, and whether it will; sends nothing" },
      json: JSON_OPTION,
    },
    examples: [
      { line: "groundwork stats --since 7d", about: "the last week, day by day" },
      { line: "groundwork stats --repo . --json", about: "this repository, for scripts" },
      { line: "groundwork stats --team --pending", about: "what would be shared, before it is" },
    ],
    exits: {
      ...HISTORY_EXITS,
      20: "the history, or the settings of the team's server, cannot be used",
      40: "the team's server does not answer",
    },
  },
  {
    name: "ui",
    group: "see",
    summary: "all of this on a page in your browser",
    usage: ["[options]"],
    intro: "Serves a page that shows every run, what it was worth, the repository and Codex jobs, until Ctrl-C.",
    about:
      "The first line printed is its address, with a token; only this machine can reach it. A second ui prints the address of the first. See docs/web.md.",
    options: {
      port: { value: "N", doc: "port to serve it on (default 7417, or another one if that is taken)" },
      open: { doc: "also open it in your browser" },
    },
    examples: [
      { line: "groundwork ui", about: "print the address, and serve the page until Ctrl-C" },
      { line: "groundwork ui --open", about: "the same, and open it" },
    ],
    exits: { 10: "another ui is just starting or ending", ...HISTORY_EXITS },
  },
  {
    name: "mark",
    group: "see",
    summary: "record whether a run was useful, for the figures",
    usage: ["useful|useless [last|ID] [options]"],
    about: "Without an ID, the last run with evidence, of this repository if you are in one.",
    options: { json: JSON_OPTION },
    words: ["useful", "useless"],
    examples: [
      { line: "groundwork mark useful", about: "the last run helped" },
      { line: "groundwork mark useless last --json", about: "it did not; for scripts" },
    ],
    exits: { 1: "no such run is kept", ...HISTORY_EXITS },
  },
  {
    name: "off",
    group: "see",
    summary: "switch evidence off, in all clients",
    usage: ["[options]"],
    about:
      "Overrides every setting and variable, from the next prompt on. Tools that you or a client call by name still answer. For a single prompt, write #nocontext in it.",
    options: {
      repo: { ...PLACE, doc: "only in this repository, or in DIR (default: everywhere)" },
      for: { value: "TIME", doc: "30s, 10m, 2h, 7d; after that it is on again" },
      json: JSON_OPTION,
    },
    examples: [
      { line: "groundwork off --for 2h", about: "everywhere, for two hours" },
      { line: "groundwork off --repo", about: "in this repository, until you run groundwork on" },
    ],
    exits: SETTINGS_EXITS,
  },
  {
    name: "on",
    group: "see",
    summary: "switch it on again, and show what else keeps it off",
    usage: ["[options]"],
    about: "Also the way out if the record of off cannot be read, which counts as off everywhere.",
    options: { repo: { ...PLACE, mayBeGone: true, doc: "undo off for a repository" }, json: JSON_OPTION },
    examples: [
      { line: "groundwork on", about: "undo off for everywhere" },
      { line: "groundwork on --repo --json", about: "this repository again, for scripts" },
    ],
    exits: SETTINGS_EXITS,
  },
] as const satisfies readonly Command[];
