import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import type { ListFilter, ResumeInput } from "../../jobs/job/commands.ts";
import { readTyped } from "../../jobs/run/start-option-table.ts";
import { JOB_MISUSE } from "./codex-job-texts.ts";
import { CODEX_COMMANDS, JOB_COMMON_OPTIONS, RESUME_STRATEGIES } from "./commands/codex.ts";
import type { Command } from "./commands/command.ts";
import { readWords, sayUnknown } from "./read-command.ts";

/** What every command line says. */
interface Common {
  /** Null where it is not named. */
  readonly cwd: string | null;
  readonly json: boolean;
}

type Filter = Omit<ListFilter, "cwd">;
type Start = Omit<ResumeInput, "cwd" | "id" | "isFresh" | "stdin">;

/** A command about jobs, read. */
export type JobCommand = Common &
  /** `of` is the command that it is about; empty for all. */
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

/** A job that has just ended may still be looked at. */
const CLEAN_AFTER_HOURS = 24;

/** What is read elsewhere: a run by start.sh, and what only a team's server has. */
const NOT_OURS = ["exec", "fetch"];
/** What a run calls once it has ended; nobody types it. */
const SETTLE = { name: "settle", usage: ["<id>"], options: JOB_COMMON_OPTIONS, isApart: true } as const;
type JobSpec = Pick<Command, "name" | "usage" | "options" | "isApart">;
const SPECS: readonly JobSpec[] = [...CODEX_COMMANDS.filter(({ name }) => !NOT_OURS.includes(name)), SETTLE];

/** Reads a command line. Contract: never throws. Options of the run itself are not judged. */
export function readJobCommand(argv: readonly string[]): Outcome<JobCommand> {
  const [command = "", ...rest] = argv;
  if (["help", "--help", "-h"].includes(command)) return helpOf("");
  if (command === "") return misuse(JOB_MISUSE.noCommand);
  if (command === "start") return readStart(rest);
  if (command === "resume") return readResume(rest);
  const known = SPECS.find(({ name }) => name === command);
  if (known !== undefined) return readPlain(known, rest);
  const names = SPECS.filter((spec) => spec !== SETTLE).map(({ name }) => name);
  return misuse(sayUnknown("command", command, names));
}

const helpOf = (of: string): Outcome<JobCommand> => succeed({ name: "help", of, cwd: null, json: false });

function misuse(message: string): Outcome<never> {
  return fail("E_INVALID_ARGS", message);
}

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
  if (extra !== undefined) return misuse(JOB_MISUSE.tooMany(name, extra));
  if (hasId && id === "") return misuse(JOB_MISUSE.noId(name));
  const state = text("state");
  const numbers = readNumbers(new Map(NUMBERS.map((option) => [`--${option}`, text(option)])));
  if (!numbers.ok) return numbers;
  const number = (option: (typeof NUMBERS)[number]) => numbers.value.get(`--${option}`);
  if (name === "status") return succeed({ name, ...common, id });
  if (name === "logs")
    return succeed({ name, ...common, id, tail: number("tail") ?? null, follow: given["follow"] === true });
  if (name === "stop") return succeed({ name, ...common, id, force: given["force"] === true });
  if (name === "settle") return succeed({ name, ...common, path: id });
  const filter = {
    state,
    tagContains: text("tag-contains"),
    limit: number("limit"),
    offset: number("offset"),
  };
  if (name === "list" || name === "metrics") return succeed({ name, ...common, ...filter });
  const olderThanHours = number("older-than-hours") ?? CLEAN_AFTER_HOURS;
  return succeed({ name: "clean", ...common, ...filter, olderThanHours, dryRun: given["dry-run"] === true });
}

const NUMBERS = ["tail", "limit", "offset", "older-than-hours"] as const;

const OURS = ["--cwd", "--tag", "--max-parallel", "--priority"];

/** Takes our own options out; what is left is the run's. */
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
    else if (value === undefined) return misuse(JOB_MISUSE.needsValue(name));
    else values.set(name, value);
  }
  const numbers = readNumbers(new Map(["--max-parallel", "--priority"].map((name) => [name, values.get(name)])));
  if (!numbers.ok) return numbers;
  return succeed({
    name: "start",
    cwd: values.get("--cwd") ?? null,
    json,
    tag: values.get("--tag"),
    maxParallel: numbers.value.get("--max-parallel"),
    priority: numbers.value.get("--priority"),
    args: rest.length === 0 ? left : [...left, "--", ...rest],
  });
}

function readResume(args: readonly string[]): Outcome<JobCommand> {
  const at = args.findIndex((arg) => arg === "--strategy" || arg.startsWith("--strategy="));
  const strategy = at === -1 ? "" : (args[at]?.split("=")[1] ?? args[at + 1] ?? "");
  if (at !== -1 && !RESUME_STRATEGIES.some((known) => known === strategy)) return misuse(JOB_MISUSE.badStrategy);
  const others = at === -1 ? args : args.toSpliced(at, args[at]?.includes("=") === true ? 1 : 2);
  const started = readStart(others, "resume");
  if (!started.ok || started.value.name !== "start") return started;
  const [id = "", ...left] = started.value.args;
  if (id === "" || id.startsWith("-")) return misuse(JOB_MISUSE.noId("resume"));
  return succeed({ ...started.value, name: "resume", id, isFresh: strategy === "full-restart", args: left });
}

/** The numbers among the values of options; one that was not given is not among them. */
function readNumbers(given: ReadonlyMap<string, string | undefined>): Outcome<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>();
  for (const [option, text] of given) {
    if (text === undefined) continue;
    const isNumber = (option === "--priority" ? /^-?\d{1,9}$/ : /^\d{1,9}$/).test(text);
    if (!isNumber) return misuse(JOB_MISUSE.needsNumber(option));
    numbers.set(option, Number(text));
  }
  return succeed(numbers);
}
