import { parseArgs } from "node:util";
import { toMessage } from "../../base/text.ts";
import { JOB_MISUSE } from "../../contract/codex-job-texts.ts";
import type { JobStateName } from "../../contract/codex-jobs.ts";
import { readTyped } from "../../jobs/run/start-args.ts";

/** What every command line says. */
interface Common {
  /** Null where it is not named. */
  readonly cwd: string | null;
  readonly json: boolean;
}

/** Which jobs are meant. */
interface Filter {
  readonly state?: JobStateName | undefined;
  readonly tagContains?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** How a job is to be started. */
interface Start {
  readonly tag?: string | undefined;
  readonly maxParallel?: number | undefined;
  readonly priority?: number | undefined;
  readonly args: readonly string[];
}

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

/** A command line that is none: why. */
class Misuse extends Error {}

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

/** Reads a command line. Contract: never throws; a text is why it is none. Options of the run itself are not judged. */
export function readJobCommand(argv: readonly string[]): JobCommand | string {
  try {
    const [command = "", ...rest] = argv;
    if (["help", "--help", "-h"].includes(command)) return { name: "help", cwd: null, json: false };
    if (command === "") return JOB_MISUSE.noCommand;
    if (command === "start") return readStart(rest);
    if (command === "resume") return readResume(rest);
    const known = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    return known === undefined ? JOB_MISUSE.unknown(command) : readPlain(command, rest, known);
  } catch (thrown) {
    return thrown instanceof Misuse ? thrown.message : (toMessage(thrown).split(". ")[0] ?? "");
  }
}

function readPlain(
  name: string,
  args: readonly string[],
  { takes, hasId }: { readonly takes: readonly OptionName[]; readonly hasId: boolean },
): JobCommand {
  const names: readonly OptionName[] = ["cwd", "json", "help", ...takes];
  const options = Object.fromEntries(names.map((option) => [option, OPTIONS[option]]));
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const given = values as Readonly<Partial<Record<OptionName, string | boolean>>>;
  const text = (option: OptionName) => given[option] as string | undefined;
  const number = (option: OptionName) => toNumber(`--${option}`, text(option));
  const common = { cwd: text("cwd") ?? null, json: given.json === true };
  if (given.help === true) return { name: "help", ...common };
  const [id = "", extra] = hasId ? positionals : ["", positionals[0]];
  if (extra !== undefined) throw new Misuse(JOB_MISUSE.tooMany(name, extra));
  if (hasId && id === "") throw new Misuse(JOB_MISUSE.noId(name));
  if (name === "status") return { name, ...common, id };
  if (name === "logs") return { name, ...common, id, tail: number("tail") ?? null, follow: given.follow === true };
  if (name === "stop") return { name, ...common, id, force: given.force === true };
  if (name === "settle") return { name, ...common, path: id };
  const state = text("state");
  if (state !== undefined && !STATES.some((known) => known === state)) throw new Misuse(JOB_MISUSE.badState);
  const filter = {
    state: state as JobStateName | undefined,
    tagContains: text("tag-contains"),
    limit: number("limit"),
    offset: number("offset"),
  };
  if (name === "list" || name === "metrics") return { name, ...common, ...filter };
  const olderThanHours = number("older-than-hours") ?? CLEAN_AFTER_HOURS;
  return { name: "clean", ...common, ...filter, olderThanHours, dryRun: given["dry-run"] === true };
}

const OURS = ["--cwd", "--tag", "--max-parallel", "--priority"];

/** Takes our own options out; what is left is the run's. */
function readStart(args: readonly string[]): JobCommand {
  const { typed, rest } = readTyped(args, OURS);
  const values = new Map<string, string>();
  const left: string[] = [];
  let json = false;
  for (const { name, words } of typed) {
    const [first = "", value] = words;
    if (first === "--help" || first === "-h") return { name: "help", cwd: null, json: false };
    if (first === "--json") json = true;
    else if (!OURS.includes(name)) left.push(...words);
    else if (first !== name) values.set(name, first.slice(name.length + 1));
    else if (value === undefined) throw new Misuse(JOB_MISUSE.needsValue(name));
    else values.set(name, value);
  }
  return {
    name: "start",
    cwd: values.get("--cwd") ?? null,
    json,
    tag: values.get("--tag"),
    maxParallel: toNumber("--max-parallel", values.get("--max-parallel")),
    priority: toNumber("--priority", values.get("--priority")),
    args: rest.length === 0 ? left : [...left, "--", ...rest],
  };
}

function readResume(args: readonly string[]): JobCommand {
  const at = args.findIndex((arg) => arg === "--strategy" || arg.startsWith("--strategy="));
  const strategy = at === -1 ? "" : (args[at]?.split("=")[1] ?? args[at + 1] ?? "");
  if (at !== -1 && !["full-restart", "from-last-checkpoint"].includes(strategy))
    throw new Misuse(JOB_MISUSE.badStrategy);
  const others = at === -1 ? args : args.toSpliced(at, args[at]?.includes("=") === true ? 1 : 2);
  const started = readStart(others);
  if (started.name !== "start") return started;
  const [id = "", ...left] = started.args;
  if (id === "" || id.startsWith("-")) throw new Misuse(JOB_MISUSE.noId("resume"));
  return { ...started, name: "resume", id, isFresh: strategy === "full-restart", args: left };
}

function toNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^-?\d{1,9}$/.test(text)) throw new Misuse(JOB_MISUSE.needsNumber(option));
  if (text.startsWith("-") && option !== "--priority") throw new Misuse(JOB_MISUSE.needsNumber(option));
  return Number(text);
}
