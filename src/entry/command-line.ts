import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { explainConfig, printConfig } from "../adapters/cli/config-explain.ts";
import { printTry } from "../adapters/cli/results.ts";
import { findTool } from "../adapters/cli/tool-command.ts";
import { CLI_USAGE } from "../adapters/cli/usage.ts";
import { enrichPrompt, toAddition } from "../adapters/codex/round.ts";
import { toPrompt } from "../adapters/hook/payload.ts";
import { printAnswer, toInjection, userTexts } from "../adapters/hook/print.ts";
import { systemClock } from "../base/clock.ts";
import { toRealFolder } from "../base/repo-root.ts";
import { stopAllPrograms } from "../base/subprocess/spawn.ts";
import { toMessage } from "../base/text.ts";
import { loadSettings } from "../config/load-settings.ts";
import { findHome } from "../config/places.ts";
import { judgeTrust } from "../config/trust.ts";
import { CLIENT_IDS } from "../contract/clients.ts";
import { FAULTS } from "../contract/faults.ts";
import { LIMITS, toLimitsText } from "../contract/limits.ts";
import type { Client } from "../contract/run-document.ts";
import { makeFileEngine } from "../engine/engine.ts";
import { isPlan } from "../orchestrator/document.ts";
import { makeRegistry } from "../tools/registry.ts";
import { callByName } from "./call-command.ts";
import { examineAll } from "./doctor-command.ts";
import { explainQuestion } from "./explain-command.ts";
import { indexRepository } from "./index-command.ts";
import { installClients, uninstallClients } from "./install-command.ts";
import { switchOff, switchOn, withOwnRepo } from "./off-command.ts";
import { orchestrate } from "./orchestrate.ts";
import { failed, misuse, type Printed } from "./printed.ts";
import { endTogether, printAndExit, projectRoot, readInput, workingFolder } from "./process.ts";
import { recordRun } from "./record-run.ts";
import { steerResident } from "./resident-command.ts";
import { runToolCommand } from "./tool-command.ts";
import { makeDoorTools } from "./tools.ts";
import { trustRepository, untrustRepository } from "./trust-command.ts";
import { sayVersion } from "./version.ts";

const OPTIONS = {
  repo: { type: "string" },
  format: { type: "string" },
  json: { type: "boolean" },
  verbose: { type: "boolean" },
  client: { type: "string" },
  plugin: { type: "boolean" },
  "sub-agents": { type: "boolean" },
  statusline: { type: "boolean" },
  "with-hook": { type: "boolean" },
  global: { type: "boolean" },
  local: { type: "boolean" },
  "dry-run": { type: "boolean" },
  yes: { type: "boolean" },
  list: { type: "boolean" },
  fix: { type: "boolean" },
  for: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>["values"];

/** Runs the tools for a question, as a client's hook would. */
async function ask(question: string, options: Options, env: NodeJS.ProcessEnv) {
  const client: Client = { name: "claude-code", event: options.format === "hook" ? "UserPromptSubmit" : "cli" };
  const folder = options.repo === undefined ? workingFolder() : resolve(options.repo);
  const prompt = toPrompt(question, client, {});
  const payload = JSON.stringify({ prompt: question });
  const startMs = systemClock.nowMs();
  const { signal } = new AbortController();
  const answer = await orchestrate({ prompt, payload, env, folder, projectRoot, signal });
  const keep = (injected: string) => recordRun({ env, door: "cli", folder, answer, injected, startMs });
  return { answer, keep };
}

async function tryQuestion(words: readonly string[], options: Options): Promise<Printed> {
  const format = options.json === true ? "json" : (options.format ?? "text");
  if (format !== "text" && format !== "json" && format !== "hook") return misuse("--format takes text, json or hook");
  const question = await questionFrom(words);
  if (question === "") return misuse("try needs a question");
  const { answer, keep } = await ask(question, { ...options, format }, process.env);
  const { document, exitCode } = answer;
  const { additional_context } = document.fused_context.for_model;
  keep(format === "hook" ? toInjection(document, document.client.name) : additional_context);
  if (format !== "text")
    return {
      text: printAnswer(answer, format, { client: answer.document.client }),
      exitCode: format === "hook" ? 0 : exitCode,
    };
  return { text: `Question: ${question}\n\n${printTry(document, { verbose: options.verbose === true })}`, exitCode };
}

async function explain(words: readonly string[], options: Options): Promise<Printed> {
  const question = await questionFrom(words);
  if (question === "") return misuse("explain needs a question");
  return explainQuestion(question, { repo: options.repo, json: options.json === true });
}

async function enrich(words: readonly string[], options: Options): Promise<Printed> {
  const question = await questionFrom(words);
  if (question === "") return misuse("enrich needs a question");
  const { answer, keep } = await ask(question, options, process.env);
  const { document } = answer;
  const isBare = document.fused_context.for_model.additional_context === "";
  keep(isBare ? "" : toAddition(question, answer));
  const { limits_text } = userTexts(document);
  const planned = isPlan(document) ? toLimitsText([LIMITS.planMode()]) : "";
  const told = [`run_id: ${document.run_id}`, limits_text, planned].filter(Boolean);
  process.stderr.write(`${told.join("\n")}\n`);
  // Fail open: whatever went wrong, codex gets at least the question.
  return { text: `${isBare ? question : enrichPrompt(question, answer)}\n`, exitCode: 0 };
}

async function config(words: readonly string[], options: Options): Promise<Printed> {
  if (words[0] !== "explain") return misuse('config knows one command: "config explain"');
  const folder = options.repo === undefined ? workingFolder() : resolve(options.repo);
  const loaded = await loadSettings({ env: process.env, folder, bounds: makeRegistry(makeFileEngine(systemClock)) });
  if (!loaded.ok) return failed(loaded.fault);
  const { top, trust: found } = loaded.value;
  // A repository without a settings file may still have other trusted files.
  const trust = found ?? judgeTrust(findHome(process.env), top);
  const text =
    options.json === true
      ? `${JSON.stringify(explainConfig(loaded.value, trust, process.env))}\n`
      : printConfig(loaded.value, trust, process.env);
  return { text, exitCode: loaded.value.fault === null ? 0 : FAULTS.E_CONFIG.exit };
}

async function questionFrom(words: readonly string[]): Promise<string> {
  return (words.length === 1 && words[0] === "-" ? await readInput() : words.join(" ")).trim();
}

const COMMANDS: Readonly<Record<string, (words: readonly string[], options: Options) => Promise<Printed>>> = {
  try: tryQuestion,
  explain,
  enrich,
  config,
  off: switchOff,
  on: switchOn,
  trust: trustRepository,
  untrust: untrustRepository,
  index: indexRepository,
  resident: steerResident,
  doctor: examineAll,
  // `hook <client>` is dispatched by the shell script and never gets here.
  hook: async () => misuse(`hook needs a client: ${CLIENT_IDS.join(", ")}`),
  // `statusline` alone is dispatched by the shell script and never gets here.
  statusline: async () => misuse("statusline takes no arguments"),
  // `mcp` without arguments is dispatched earlier and never gets here.
  mcp: async () => misuse("mcp takes no arguments"),
  install: installClients,
  uninstall: uninstallClients,
};

async function main(): Promise<Printed> {
  const [first = "", ...rest] = process.argv.slice(2);
  const tools = makeDoorTools(process.env);
  const tool = findTool(tools, first, rest);
  if (tool !== undefined) return runToolCommand(tool, tools, rest);
  let parsed: { values: Options; positionals: string[] };
  try {
    parsed = parseArgs({ args: withOwnRepo(process.argv.slice(2)), options: OPTIONS, allowPositionals: true });
  } catch (thrown) {
    return misuse(toMessage(thrown).split(". ")[0] ?? "");
  }
  const [command = "", ...words] = parsed.positionals;
  if (parsed.values.version === true) return { text: `${sayVersion("groundwork")}\n`, exitCode: 0 };
  if (parsed.values.help === true || command === "" || command === "help") return { text: CLI_USAGE, exitCode: 0 };
  const { repo } = parsed.values;
  if (repo !== undefined && toRealFolder(repo) === null) return misuse(`--repo ${repo} is not a folder`);
  if (command === "call") return callByName(words, tools, parsed.values);
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  return run === undefined ? misuse(`unknown command ${command}`) : run(words, parsed.values);
}

endTogether(stopAllPrograms);
main().then(
  ({ text, exitCode }) => printAndExit(text, exitCode),
  (thrown) => {
    process.stderr.write(`groundwork: ${toMessage(thrown)}\n`);
    printAndExit("", FAULTS.E_UNKNOWN.exit);
  },
);
