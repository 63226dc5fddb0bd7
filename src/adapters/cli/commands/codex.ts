import { APPROVAL_POLICIES, SANDBOX_MODES } from "../../../contract/codex-jobs.ts";
import { TEAM_JOB_STATES } from "../../../contract/team-jobs.ts";
import { listStartOptions } from "../../../jobs/run/start-texts.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { COMMON_OPTIONS, type Command, type CommandOption, type Completes, JSON_OPTION, REPO } from "./command.ts";

/** Job states that can be filtered by. */
const JOB_STATES = ["queued", "running", "completed", "failed"] as const;

/** How a job is resumed. */
export const RESUME_STRATEGIES = ["from-last-checkpoint", "full-restart"] as const;

/** Options of all job commands. */
export const JOB_COMMON_OPTIONS = {
  cwd: {
    value: "DIR",
    completes: "folder",
    doc: "folder that Codex works in (default: the current one); jobs are kept in DIR/.codex-father/sessions/",
  },
  json: JSON_OPTION,
  help: COMMON_OPTIONS.help,
} as const satisfies Command["options"];

const STATE = { value: "STATE", values: JOB_STATES, doc: `only jobs in this state: ${JOB_STATES.join(", ")}` } as const;
/** Selects the team's server instead of this folder. */
const TEAM = {
  doc: "jobs on the team's server at GROUNDWORK_TEAM_URL, with the token in GROUNDWORK_TEAM_TOKEN",
} as const;
/** A team's jobs have two more states. */
const ANY_STATE = {
  value: "STATE",
  values: TEAM_JOB_STATES,
  doc: `${STATE.doc}; with --team also lost and stopped`,
} as const;
const TAG_CONTAINS = { value: "TEXT", doc: "only jobs whose tag contains this" } as const;
const LIMIT = { value: "N", doc: "at most this many" } as const;

/** Options that job.sh adds to those of a run. */
const JOB_OPTIONS = {
  tag: { value: "NAME", doc: "becomes part of the job's id" },
  "max-parallel": { value: "N", doc: "wait until fewer than N jobs of this folder are running" },
  priority: { value: "N", doc: "waiting jobs with a higher number start first (default 0)" },
} as const satisfies Command["options"];

/** Options that only jobs of a team have. */
const TEAM_START = {
  team: TEAM,
  repo: {
    value: "URL",
    doc: "--team: the repository, as https://…, ssh://… or file://…; a worker must list a prefix of it",
  },
  commit: { value: "REV", doc: "--team: a commit, a branch or a tag (default: what is checked out there)" },
  network: { doc: "--team: with workspace-write, Codex may use the network" },
  retry: { value: "N", doc: "--team: retry up to N times if a worker is lost or fails (default: never)" },
} as const satisfies Command["options"];

/** Possible values of a run's options, by placeholder. */
const WORDS: Readonly<Record<string, Completes>> = {
  "<mode>": SANDBOX_MODES,
  "<policy>": APPROVAL_POLICIES,
  "<path>": "file",
  "<path…>": "file",
  "<dir>": "folder",
};

/** Parses the options of a run from the usage of start.sh. */
function readRunOptions(): Record<string, CommandOption> {
  const rows = listStartOptions().flatMap(({ written, doc }) => {
    const [, short, name = "", value] = /^(?:-(\w), )?--([\w-]+)(?: (<.+>))?$/.exec(written) ?? [];
    if (name === "" || name === "help") return [];
    const words = name === "preset" ? ["sprint", "analysis", "secure", "fast"] : WORDS[value ?? ""];
    const placeholder = value === undefined ? {} : { value: value.replace(/[<>]/g, "").toUpperCase() };
    const option = { ...placeholder, ...(short === undefined ? {} : { short }), doc };
    return [[name, words === undefined ? option : { ...option, completes: words }] as const];
  });
  return Object.fromEntries(rows);
}

/** The options of a run, as in start.sh. */
const RUN_OPTIONS: Command["options"] = readRunOptions();

const GROUP = { group: "machine", isApart: true } as const;
const ID = "<id> [options]";

/** Commands that run Codex unattended: `groundwork codex …`, and job.sh. */
export const CODEX_COMMANDS = [
  {
    ...GROUP,
    name: "exec",
    summary: "run Codex now and wait for it, as start.sh does",
    usage: ["[options] [-- arguments of codex…]"],
    about: "start.sh --help prints the same, in Chinese where the locale is Chinese.",
    options: { ...RUN_OPTIONS, help: JOB_COMMON_OPTIONS.help },
    examples: [
      { line: 'groundwork codex exec --sandbox read-only --task "review the last commit"', about: "one question" },
      {
        line: "git diff | groundwork codex exec --sandbox read-only -f - --dry-run",
        about: "what Codex would be given",
      },
    ],
    exits: { 124: "Codex was ended after --timeout", 127: EXIT_CODES[127], 130: EXIT_CODES[130] },
  },
  {
    ...GROUP,
    name: "start",
    summary: "start Codex in the background and return at once",
    usage: ["[options]"],
    about:
      "Takes all options of exec, too; a wrong one makes the job fail. With --team, a worker of the team runs the job, and only --task, --sandbox (default: read-only), --timeout, --tag and the options marked --team apply.",
    options: { ...JOB_OPTIONS, ...TEAM_START, ...JOB_COMMON_OPTIONS },
    more: RUN_OPTIONS,
    examples: [
      {
        line: 'groundwork codex start --sandbox workspace-write --tag fix --task "fix the failing test"',
        about: "prints the id of the job",
      },
      {
        line: 'groundwork codex start --max-parallel 2 --sandbox read-only --task "list the modules"',
        about: "waits until fewer than two are running",
      },
    ],
  },
  {
    ...GROUP,
    name: "status",
    summary: "what a job is doing, or how it ended",
    usage: [ID],
    options: { team: TEAM, ...JOB_COMMON_OPTIONS },
    examples: [{ line: "groundwork codex status cdx-20261116_093000-fix", about: "for people; --json for programs" }],
  },
  {
    ...GROUP,
    name: "logs",
    summary: "the log of a job",
    usage: [ID],
    options: {
      tail: { value: "N", doc: "only the last N lines" },
      follow: { short: "f", doc: "keep printing until the job has ended" },
      team: TEAM,
      ...JOB_COMMON_OPTIONS,
    },
    examples: [
      { line: "groundwork codex logs cdx-20261116_093000-fix --tail 20", about: "its last lines" },
      { line: "groundwork codex logs cdx-20261116_093000-fix --follow", about: "to its end, or Ctrl-C" },
    ],
    exits: { 130: EXIT_CODES[130] },
  },
  {
    ...GROUP,
    name: "stop",
    summary: "stop a job and everything it started",
    usage: [ID],
    options: { force: { doc: "kill it at once" }, team: TEAM, ...JOB_COMMON_OPTIONS },
    examples: [
      { line: "groundwork codex stop cdx-20261116_093000-fix", about: "a job that has already ended is not an error" },
    ],
    exits: { 1: "asked to stop, but not ended yet" },
  },
  {
    ...GROUP,
    name: "list",
    summary: "all jobs, newest first",
    usage: ["[options]"],
    options: {
      state: ANY_STATE,
      "tag-contains": TAG_CONTAINS,
      limit: LIMIT,
      offset: { value: "N", doc: "skip the first N" },
      team: TEAM,
      ...JOB_COMMON_OPTIONS,
    },
    examples: [
      { line: "groundwork codex list", about: "jobs of this folder" },
      { line: "groundwork codex list --state completed --limit 5 --json", about: "for programs" },
    ],
  },
  {
    ...GROUP,
    name: "fetch",
    summary: "fetch the changes of a team's job into this repository, as a branch",
    usage: ["<id> --team [--repo DIR]"],
    about: "The branch is codex/JOB/ATTEMPT; work tree, index and all other branches stay as they are.",
    options: { team: TEAM, repo: REPO, json: JOB_COMMON_OPTIONS.json, help: JOB_COMMON_OPTIONS.help },
    examples: [{ line: "groundwork codex fetch cdx-20261116_093000-kwmzrtqa --team", about: "into this repository" }],
    exits: { 40: "the server does not answer" },
  },
  {
    ...GROUP,
    name: "resume",
    summary: "start a new job with the options of one that has ended",
    usage: [ID],
    about: "Continues the same session of Codex. Takes the options of start, too; they are added.",
    more: RUN_OPTIONS,
    options: {
      strategy: { value: "HOW", values: RESUME_STRATEGIES, doc: "full-restart: in a new session of Codex" },
      ...JOB_OPTIONS,
      ...JOB_COMMON_OPTIONS,
    },
    examples: [{ line: 'groundwork codex resume cdx-20261116_093000-fix --task "now the other test"', about: "go on" }],
  },
  {
    ...GROUP,
    name: "clean",
    summary: "remove jobs that ended more than 24 hours ago",
    usage: ["[options]"],
    options: {
      "older-than-hours": { value: "N", doc: "only jobs that ended more than N hours ago (default 24)" },
      state: STATE,
      "tag-contains": TAG_CONTAINS,
      limit: LIMIT,
      "dry-run": { doc: "show what would be removed" },
      ...JOB_COMMON_OPTIONS,
    },
    examples: [{ line: "groundwork codex clean --older-than-hours 72 --dry-run", about: "look first" }],
  },
  {
    ...GROUP,
    name: "metrics",
    summary: "how many jobs, how they ended, time and tokens",
    usage: ["[options]"],
    options: { state: STATE, "tag-contains": TAG_CONTAINS, ...JOB_COMMON_OPTIONS },
    examples: [{ line: "groundwork codex metrics --json", about: "for programs" }],
  },
] as const satisfies readonly Command[];

/** The parent command. */
export const CODEX = {
  ...GROUP,
  name: "codex",
  summary: "run Codex unattended: now, or as a background job",
  usage: ["<command> [options]"],
  about: "exec is start.sh, the other commands are job.sh (docs/codex-jobs.md).",
  options: { help: JOB_COMMON_OPTIONS.help },
  examples: [
    { line: 'groundwork codex exec --sandbox read-only --task "review the last commit"', about: "wait for it" },
    { line: "groundwork codex list", about: "jobs of this folder" },
  ],
  exits: { 1: "stop: asked to stop, but not ended yet" },
  commands: CODEX_COMMANDS,
} as const satisfies Command;
