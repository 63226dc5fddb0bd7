import { type Outcome, succeed } from "../../contract/faults.ts";
import type { ListFilter, ResumeInput } from "../../jobs/job/commands.ts";
import { readTyped } from "../../jobs/run/start-option-table.ts";
import { JOB_MISUSE } from "./codex-job-texts.ts";
import { CODEX_COMMANDS, JOB_COMMON_OPTIONS, RESUME_STRATEGIES } from "./commands/codex.ts";
import type { Command } from "./commands/command.ts";
import { readWords, sayUnknown, wrongLine } from "./read-command.ts";

interface Common {
  /** Null if not given. */
  readonly cwd: string | null;
  readonly json: boolean;
}

type Filter = Omit<ListFilter, "cwd">;
type Start = Omit<ResumeInput, "cwd" | "id" | "isFresh" | "stdin">;

/** A parsed job command. */
export type JobCommand = Common &
  /** `of` is the command that help was requested for; empty for all. */
  (
    | { readonly name: "help"; readonly of: string }
    | ({ readonly name: "start" } & Start)
    | ({ readonly name: "resume"; readonly id: string; readonly isFresh: boolean } & Start)
    | { readonly name: "status"; readonly id: string }
    | { readonly name: "logs"; readonly id: string; readonly tail: number | null; readonly follow: boolean }
    | { readonly name: "stop"; readonly id: string; readonly force: boolean }
    | ({ readonly name: "list" | "metrics" } & Filter)
    | ({ readonly name: "clean"; readonly olderThanHours: number; readonly dryRun: boolean } & Filter)
    | { readonly name: "settle"; readonly path: string }
  );

/** Default minimum age in hours: a job that has just ended may still be of interest. */
const CLEAN_AFTER_HOURS = 24;

/** Commands parsed elsewhere: runs by start.sh, and commands of a team's server. */
const NOT_OURS = ["exec", "fetch"];
/** Internal command with which a finished run reports its end; not meant for people. */
const SETTLE = { name: "settle", usage: ["<id>"], options: JOB_COMMON_OPTIONS, isApart: true } as const;
type JobSpec = Pick<Command, "name" | "usage" | "options" | "isApart">;
const SPECS: readonly JobSpec[] = [...CODEX_COMMANDS.filter(({ name }) => !NOT_OURS.includes(name)), SETTLE];

/** Parses a command line. Contract: never throws. Does not validate the options of the run itself. */
export function readJobCommand(argv: readonly string[]): Outcome<JobCommand> {
  const [command = "", ...rest] = argv;
  if (["help", "--help", "-h"].includes(command)) return helpOf("");
  if (command === "") return wrongLine(JOB_MISUSE.noCommand);
  if (command === "start") return readStart(rest);
  if (command === "resume") return readResume(rest);
  const known = SPECS.find(({ name }) => name === command);
  if (known !== undefined) return readPlain(known, rest);
  const names = SPECS.filter((spec) => spec !== SETTLE).map(({ name }) => name);
  return wrongLine(sayUnknown("command", command, names));
}

const helpOf = (of: string): Outcome<JobCommand> => succeed({ name: "help", of, cwd: null, json: false });

function readPlain(spec: JobSpec, args: readonly string[]): Outcome<JobCommand> {
  const { name } = spec;
  const hasId = spec.usage[0]?.startsWith("<id>") === true;
  const read = readWords(spec, args);
  if (!read.ok) return read;
  const { values: given, words: positionals } = read.value;
  const text = (option: string) => (typeof given[option] === "string" ? given[option] : undefined);
  const common = { cwd: text("cwd") ?? null, json: given["json"] === true };
  if (given["help"] === true) return helpOf(name);
  const [id = "", extra] = hasId ? positionals : ["", positionals[0]];
  if (extra !== undefined) return wrongLine(JOB_MISUSE.tooMany(name, extra));
  if (hasId && id === "") return wrongLine(JOB_MISUSE.noId(name));
  const numbers = readNumbers(["tail", "limit", "offset", "older-than-hours"], text);
  if (!numbers.ok) return numbers;
  const { tail = null, limit, offset, "older-than-hours": olderThanHours = CLEAN_AFTER_HOURS } = numbers.value;
  if (name === "status") return succeed({ name, ...common, id });
  if (name === "logs") return succeed({ name, ...common, id, tail, follow: given["follow"] === true });
  if (name === "stop") return succeed({ name, ...common, id, force: given["force"] === true });
  if (name === "settle") return succeed({ name, ...common, path: id });
  const filter = { state: text("state"), tagContains: text("tag-contains"), limit, offset };
  if (name === "list" || name === "metrics") return succeed({ name, ...common, ...filter });
  return succeed({ name: "clean", ...common, ...filter, olderThanHours, dryRun: given["dry-run"] === true });
}

const OURS = ["--cwd", "--tag", "--max-parallel", "--priority"];

/** Extracts our own options; the rest belongs to the run. */
function readStart(args: readonly string[], command = "start"): Outcome<JobCommand> {
  const { typed, rest } = readTyped(args, OURS);
  const values = new Map<string, string>();
  const left: string[] = [];
  let json = false;
  for (const {
    name,
    words,
    values: [value],
  } of typed) {
    const [first = ""] = words;
    if (first === "--help" || first === "-h") return helpOf(command);
    if (first === "--json") json = true;
    else if (!OURS.includes(name)) left.push(...words);
    else if (value === undefined) return wrongLine(JOB_MISUSE.needsValue(name));
    else values.set(name, value);
  }
  const numbers = readNumbers(["max-parallel", "priority"], (option) => values.get(`--${option}`));
  if (!numbers.ok) return numbers;
  return succeed({
    name: "start",
    cwd: values.get("--cwd") ?? null,
    json,
    tag: values.get("--tag"),
    maxParallel: numbers.value["max-parallel"],
    priority: numbers.value.priority,
    args: rest.length === 0 ? left : [...left, "--", ...rest],
  });
}

function readResume(args: readonly string[]): Outcome<JobCommand> {
  const { typed, rest } = readTyped(args, [...OURS, "--strategy"]);
  const given = typed.find(({ name }) => name === "--strategy");
  const [strategy] = given?.values ?? [];
  if (given !== undefined && !RESUME_STRATEGIES.some((known) => known === strategy))
    return wrongLine(JOB_MISUSE.badStrategy);
  const others = typed.filter((option) => option !== given).flatMap(({ words }) => words);
  const started = readStart(rest.length === 0 ? others : [...others, "--", ...rest], "resume");
  if (!started.ok || started.value.name !== "start") return started;
  const [id = "", ...left] = started.value.args;
  if (id === "" || id.startsWith("-")) return wrongLine(JOB_MISUSE.noId("resume"));
  return succeed({ ...started.value, name: "resume", id, isFresh: strategy === "full-restart", args: left });
}

/** Parses the values of options that take whole numbers; options that were not given are omitted. */
export function readNumbers<Option extends string>(
  options: readonly Option[],
  textOf: (option: Option) => string | undefined,
): Outcome<{ readonly [Name in Option]?: number }> {
  const numbers: { [Name in Option]?: number } = {};
  for (const option of options) {
    const text = textOf(option);
    if (text === undefined) continue;
    const isNumber = (option === "priority" ? /^-?\d{1,9}$/ : /^\d{1,9}$/).test(text);
    if (!isNumber) return wrongLine(JOB_MISUSE.needsNumber(`--${option}`));
    numbers[option] = Number(text);
  }
  return succeed(numbers);
}
