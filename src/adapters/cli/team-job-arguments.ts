import { type Outcome, succeed } from "../../contract/faults.ts";
import { TEAM_JOB_LIMITS, TEAM_SANDBOXES, type TeamJobRequest } from "../../contract/team-jobs.ts";
import type { ListFilter } from "../../jobs/job/commands.ts";
import { readNumbers } from "./codex-job-arguments.ts";
import { JOB_MISUSE } from "./codex-job-texts.ts";
import { CODEX_COMMANDS } from "./commands/codex.ts";
import type { Command } from "./commands/command.ts";
import { readWords, sayUnknown, wrongLine } from "./read-command.ts";

/** A parsed command for jobs of a team. */
export type TeamJobCommand = { readonly json: boolean } & (
  | { readonly name: "help"; readonly of: string }
  | { readonly name: "start"; readonly request: TeamJobRequest }
  | { readonly name: "status" | "stop"; readonly id: string }
  | { readonly name: "logs"; readonly id: string; readonly tail: number | null; readonly follow: boolean }
  | { readonly name: "fetch"; readonly id: string; readonly repo: string | null }
  | ({ readonly name: "list" } & Pick<ListFilter, "state" | "limit" | "offset">)
);

/** Options that apply to jobs of a team, by command; others are refused, because they would have no effect. */
const OPTIONS = {
  start: ["team", "repo", "commit", "task", "sandbox", "network", "retry", "timeout", "tag", "json", "help"],
  status: ["team", "json", "help"],
  logs: ["tail", "follow", "team", "help"],
  stop: ["team", "json", "help"],
  list: ["state", "limit", "offset", "team", "json", "help"],
  fetch: ["team", "repo", "json", "help"],
} as const;
type Name = keyof typeof OPTIONS;

/** True for a command line about jobs of a team. */
export function isAboutTeam(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv[0] === "fetch" || argv.slice(0, end === -1 ? argv.length : end).includes("--team");
}

/** Parses a command line. Contract: never throws. */
export function readTeamJobCommand(argv: readonly string[]): Outcome<TeamJobCommand> {
  const [name = "", ...rest] = argv;
  const known = (Object.keys(OPTIONS) as Name[]).find((one) => one === name);
  if (known === undefined) return wrongLine(sayUnknown("command", `${name} --team`, Object.keys(OPTIONS)));
  const read = readWords({ options: optionsOf(known), isApart: true }, rest);
  if (!read.ok) return read;
  const { words, values } = read.value;
  const text = (option: string) => (typeof values[option] === "string" ? values[option] : undefined);
  const json = values["json"] === true;
  if (values["help"] === true) return succeed({ name: "help", of: known, json });
  const takesId = known !== "start" && known !== "list";
  const [id = "", extra] = takesId ? words : ["", words[0]];
  if (extra !== undefined) return wrongLine(JOB_MISUSE.tooMany(known, extra));
  if (takesId && id === "") return wrongLine(JOB_MISUSE.noId(known));
  const numbers = readNumbers(["tail", "limit", "offset", "retry", "timeout"], text);
  if (!numbers.ok) return numbers;
  const { tail = null, limit, offset } = numbers.value;
  if (known === "start") return readStart(text, numbers.value, { json, network: values["network"] === true });
  if (known === "logs") return succeed({ name: known, id, json, tail, follow: values["follow"] === true });
  if (known === "fetch") return succeed({ name: known, id, json, repo: text("repo") ?? null });
  if (known !== "list") return succeed({ name: known, id, json });
  return succeed({ name: known, json, state: text("state"), limit, offset });
}

function optionsOf(name: Name): Command["options"] {
  const command: Command | undefined = CODEX_COMMANDS.find((one) => one.name === name);
  const all = { ...command?.more, ...command?.options };
  return Object.fromEntries(
    OPTIONS[name].flatMap((option) => (all[option] === undefined ? [] : [[option, all[option]]])),
  );
}

function readStart(
  text: (option: string) => string | undefined,
  { retry = 0, timeout = 0 }: { readonly retry?: number; readonly timeout?: number },
  { json, network }: { readonly json: boolean; readonly network: boolean },
): Outcome<TeamJobCommand> {
  const [repo = "", task = ""] = [text("repo"), text("task")];
  if (repo === "") return wrongLine("start --team needs --repo URL, the repository to work in");
  if (task.trim() === "") return wrongLine("start --team needs --task TEXT");
  if (Buffer.byteLength(task) > TEAM_JOB_LIMITS.taskBytes)
    return wrongLine(`--task takes at most ${TEAM_JOB_LIMITS.taskBytes} bytes`);
  const sandbox = TEAM_SANDBOXES.find((known) => known === (text("sandbox") ?? TEAM_SANDBOXES[0]));
  if (sandbox === undefined) return wrongLine(`--sandbox takes ${TEAM_SANDBOXES.join(" or ")} on a team's worker`);
  if (network && sandbox === "read-only") return wrongLine("--network counts with --sandbox workspace-write alone");
  if (retry > TEAM_JOB_LIMITS.retries) return wrongLine(`--retry takes at most ${TEAM_JOB_LIMITS.retries}`);
  if (timeout > TEAM_JOB_LIMITS.timeoutSeconds)
    return wrongLine(`--timeout takes at most ${TEAM_JOB_LIMITS.timeoutSeconds}`);
  const request = { repo, commit: text("commit") ?? "", task, tag: text("tag") ?? "", sandbox, network, retry };
  return succeed({ name: "start", json, request: { ...request, timeout_seconds: timeout } });
}
