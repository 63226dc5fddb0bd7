import { parseArgs } from "node:util";
import { toMessage } from "../../base/text.ts";
import type { JobStateName } from "../../contract/codex-jobs.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import type { ListFilter, ResumeInput } from "../../jobs/job/commands.ts";
import { readTyped } from "../../jobs/run/start-option-table.ts";
import { JOB_MISUSE } from "./codex-job-texts.ts";

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
  (
    | { readonly name: "help" }
    | ({ readonly name: "start" } & Start)
    | ({ readonly name: "resume"; readonly id: string; readonly isFresh: boolean } & Start)
    | { readonly name: "status"; readonly id: string }
    | { readonly name: "logs"; readonly id: string; readonly tail: number | null; readonly follow: boolean }
    | { readonly name: "stop"; readonly id: string; readonly force: boolean }
    | ({ readonly name: "list" | "metrics" } & Filter)
    | ({ readonly name: "clean"; readonly olderThanHours: number; readonly dryRun: boolean } & Filter)
    | { readonly name: "settle"; readonly path: string }
  );

const STATES: readonly JobStateName[] = ["queued", "running", "completed", "failed"];
/** A job that has just ended may still be looked at. */
const CLEAN_AFTER_HOURS = 24;

const OPTIONS = {
  cwd: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  tail: { type: "string" },
  follow: { type: "boolean", short: "f" },
  force: { type: "boolean" },
  state: { type: "string" },
  "tag-contains": { type: "string" },
  limit: { type: "string" },
  offset: { type: "string" },
  "older-than-hours": { type: "string" },
  "dry-run": { type: "boolean" },
} as const;

type OptionName = keyof typeof OPTIONS;
const FILTER = ["state", "tag-contains", "limit", "offset"] as const;
/** What each command takes besides `--cwd`, `--json` and `--help`, and whether it is about one job. */
const COMMANDS: Readonly<Record<string, { readonly takes: readonly OptionName[]; readonly hasId: boolean }>> = {
  status: { takes: [], hasId: true },
  logs: { takes: ["tail", "follow"], hasId: true },
  stop: { takes: ["force"], hasId: true },
  list: { takes: FILTER, hasId: false },
  metrics: { takes: ["state", "tag-contains"], hasId: false },
  clean: { takes: ["state", "tag-contains", "limit", "older-than-hours", "dry-run"], hasId: false },
  settle: { takes: [], hasId: true },
};

/** Reads a command line. Contract: never throws. Options of the run itself are not judged. */
export function readJobCommand(argv: readonly string[]): Outcome<JobCommand> {
  const [command = "", ...rest] = argv;
  if (["help", "--help", "-h"].includes(command)) return HELP;
  if (command === "") return misuse(JOB_MISUSE.noCommand);
  if (command === "start") return readStart(rest);
  if (command === "resume") return readResume(rest);
  const known = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  return known === undefined ? misuse(JOB_MISUSE.unknown(command)) : readPlain(command, rest, known);
}

const HELP: Outcome<JobCommand> = succeed({ name: "help", cwd: null, json: false });

function misuse(message: string): Outcome<never> {
  return fail("E_INVALID_ARGS", message);
}

function readPlain(
  name: string,
  args: readonly string[],
  { takes, hasId }: { readonly takes: readonly OptionName[]; readonly hasId: boolean },
): Outcome<JobCommand> {
  const words = readWords(args, ["cwd", "json", "help", ...takes]);
  if (!words.ok) return words;
  const { given, positionals } = words.value;
  const text = (option: OptionName) => given[option] as string | undefined;
  const common = { cwd: text("cwd") ?? null, json: given.json === true };
  if (given.help === true) return succeed({ name: "help", ...common });
  const [id = "", extra] = hasId ? positionals : ["", positionals[0]];
  if (extra !== undefined) return misuse(JOB_MISUSE.tooMany(name, extra));
  if (hasId && id === "") return misuse(JOB_MISUSE.noId(name));
  const state = text("state");
  if (state !== undefined && !STATES.some((known) => known === state)) return misuse(JOB_MISUSE.badState);
  const numbers = readNumbers(new Map(NUMBERS.map((option) => [`--${option}`, text(option)])));
  if (!numbers.ok) return numbers;
  const number = (option: (typeof NUMBERS)[number]) => numbers.value.get(`--${option}`);
  if (name === "status") return succeed({ name, ...common, id });
  if (name === "logs")
    return succeed({ name, ...common, id, tail: number("tail") ?? null, follow: given.follow === true });
  if (name === "stop") return succeed({ name, ...common, id, force: given.force === true });
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

/** Options and words of a command line, none but those that the command takes. */
function readWords(args: readonly string[], takes: readonly OptionName[]) {
  const options = Object.fromEntries(takes.map((option) => [option, OPTIONS[option]]));
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return succeed({ given: values as Readonly<Partial<Record<OptionName, string | boolean>>>, positionals });
  } catch (thrown) {
    return misuse(toMessage(thrown).split(". ")[0] ?? "");
  }
}

const OURS = ["--cwd", "--tag", "--max-parallel", "--priority"];

/** Takes our own options out; what is left is the run's. */
function readStart(args: readonly string[]): Outcome<JobCommand> {
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
    if (first === "--help" || first === "-h") return HELP;
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
  if (at !== -1 && !["full-restart", "from-last-checkpoint"].includes(strategy)) return misuse(JOB_MISUSE.badStrategy);
  const others = at === -1 ? args : args.toSpliced(at, args[at]?.includes("=") === true ? 1 : 2);
  const started = readStart(others);
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
