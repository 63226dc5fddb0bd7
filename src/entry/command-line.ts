import type { Command, OptionValues } from "../adapters/cli/commands/command.ts";
import { COMMANDS, type CommandName } from "../adapters/cli/commands/table.ts";
import { TOP_OPTIONS } from "../adapters/cli/help.ts";
import { readWords, sayUnknown, splitCommand } from "../adapters/cli/read-command.ts";
import { findTool } from "../adapters/cli/tool-command.ts";
import { toRealFolder } from "../base/repo-root.ts";
import { stopAllPrograms } from "../base/subprocess/spawn.ts";
import { toMessage } from "../base/text.ts";
import { CLIENT_IDS } from "../contract/clients.ts";
import { FAULTS } from "../contract/faults.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { enrich, explain, tryQuestion } from "./ask-commands.ts";
import { callByName } from "./call-command.ts";
import { explainSettings } from "./config-command.ts";
import { examineAll } from "./doctor-command.ts";
import { showState } from "./first-screen.ts";
import { allCommands, printCompletions, sayHelp } from "./help-command.ts";
import { indexRepository } from "./index-command.ts";
import { installClients, uninstallClients } from "./install-command.ts";
import { markRun } from "./mark-command.ts";
import { switchOff, switchOn } from "./off-command.ts";
import { misuse, type Printed } from "./printed.ts";
import { endTogether, printAndExit } from "./process.ts";
import { steerResident } from "./resident-command.ts";
import { listRuns } from "./runs-command.ts";
import { showRun } from "./show-command.ts";
import { countKept } from "./stats-command.ts";
import { runToolCommand } from "./tool-command.ts";
import { makeDoorTools } from "./tools.ts";
import { trustRepository, untrustRepository } from "./trust-command.ts";
import { sayVersion } from "./version.ts";

/** Implementations of the commands in the table: each gets its words, its option values and the tools. */
type Runs = {
  readonly [C in (typeof COMMANDS)[number] as C["name"]]: (
    words: readonly string[],
    options: OptionValues<C>,
    tools: readonly ToolDeclaration[],
  ) => Promise<Printed>;
};

const RUNS: Runs = {
  try: tryQuestion,
  explain,
  enrich,
  call: callByName,
  config: explainSettings,
  trust: trustRepository,
  untrust: untrustRepository,
  index: indexRepository,
  base: async (words, options) => (await import("./base-command.ts")).steerBases(words, options),
  resident: steerResident,
  runs: listRuns,
  show: showRun,
  stats: countKept,
  mark: markRun,
  off: switchOff,
  on: switchOn,
  // In a bundle of its own: no other command needs a server.
  ui: async (words, options) => (await import("./ui-command.ts")).serveUi(words, options),
  // Likewise for the parts of the team server.
  serve: async (...given) => (await import("./serve-command.ts")).serveTeam(...given),
  team: async (words, options) => (await import("./team-command.ts")).steerTeam(words, options),
  doctor: examineAll,
  install: installClients,
  uninstall: uninstallClients,
  completions: printCompletions,
  help: async (words, { color }, tools) => sayHelp(words, { tools, color }),
  // `hook <client>` is dispatched by the shell script and never gets here.
  hook: async () => misuse(`hook needs a client: ${CLIENT_IDS.join(", ")}`, "hook"),
  // The same applies to `statusline` without arguments.
  statusline: async () => misuse("statusline takes no arguments", "statusline"),
  // `mcp` without arguments is dispatched earlier and never gets here.
  mcp: async () => misuse("mcp takes no arguments", "mcp"),
  // The same applies to `codex`.
  codex: async () => misuse("codex needs a command", "codex"),
};

async function main(): Promise<Printed> {
  const { name, rest } = splitCommand(process.argv.slice(2), COMMANDS);
  const tools = makeDoorTools(process.env);
  if (name === "") return runBare(rest, tools);
  const tool = findTool(tools, name, rest);
  if (tool !== undefined) return runToolCommand(tool, name, tools, rest);
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) {
    const names = allCommands(tools).map((one) => one.name);
    return misuse(sayUnknown("command", name, names));
  }
  if ("isApart" in command) return misuse(`options of ${name} come after it`, name);
  const read = readWords(command, rest);
  if (!read.ok) return misuse(read.fault.message, name);
  const { words, values } = read.value;
  const { repo, color } = values;
  if (values["help"] === true) return sayHelp([name], { tools, color: typeof color === "string" ? color : undefined });
  const { options }: Command = command;
  if (typeof repo === "string" && repo !== "" && options["repo"]?.mayBeGone !== true && toRealFolder(repo) === null)
    return misuse(`--repo ${repo} is not a folder`, name);
  // The parser has read exactly the options that the table declares for this command.
  const run = RUNS[command.name as CommandName] as (
    words: readonly string[],
    options: typeof values,
    tools: readonly ToolDeclaration[],
  ) => Promise<Printed>;
  return run(words, values, tools);
}

/** Handles options without a command, or no arguments at all. */
async function runBare(argv: readonly string[], tools: readonly ToolDeclaration[]): Promise<Printed> {
  const read = readWords({ options: TOP_OPTIONS }, argv);
  if (!read.ok) return misuse(read.fault.message);
  const { version, help, color } = read.value.values;
  const chosen = { color: typeof color === "string" ? color : undefined };
  if (version === true) return { text: `${sayVersion("groundwork")}\n`, exitCode: 0 };
  return help === true ? sayHelp([], { tools, ...chosen }) : showState(chosen);
}

endTogether(stopAllPrograms);
main().then(
  ({ text, exitCode }) => printAndExit(text, exitCode),
  (thrown) => {
    process.stderr.write(`groundwork: ${toMessage(thrown)}\n`);
    printAndExit("", FAULTS.E_UNKNOWN.exit);
  },
);
