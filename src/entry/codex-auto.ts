import { createInterface } from "node:readline";
import { CODEX_USAGE, type CodexArguments, parseCodexArguments } from "../adapters/codex/arguments.ts";
import type { Loop } from "../adapters/codex/loop.ts";
import { runRound, toAddition } from "../adapters/codex/round.ts";
import { toSummary } from "../adapters/hook/print.ts";
import { findProgram, withSafePath } from "../base/find-program.ts";
import { ENDING_SIGNALS, INTERRUPT } from "../base/signals.ts";
import { stopAllPrograms } from "../base/subprocess/spawn.ts";
import { passOnSignal } from "../base/subprocess/stream-program.ts";
import { toMessage } from "../base/text.ts";
import { startTimer } from "../base/timers.ts";
import { FAULTS } from "../contract/faults.ts";
import type { Client } from "../contract/run-document.ts";
import { isPlan, type KernelAnswer } from "../orchestrator/document.ts";
import { askText } from "./ask-text.ts";
import { makeTerminalLoop } from "./codex-loop.ts";
import { loadCached } from "./load-cached.ts";
import { printAndExit, readInput, workingFolder } from "./process.ts";
import { sayVersion } from "./version.ts";

const client: Client = { name: "codex-cli", event: "cli" };
const args = parseCodexArguments(process.argv.slice(2));
const env: NodeJS.ProcessEnv = { ...process.env, ...args.env };
/** How long codex may take to exit after a signal. */
const GRACE_MS = 3_000;
let interrupted = 0;
/** The interactive loop, which handles Ctrl-C while it runs; null if there is none. */
let loop: Loop | null = null;
const tell = (text: string) => process.stderr.write(text);

/** True if codex is not to be started, as far as can be determined without running the orchestrator. */
function wantsPlan(given: NodeJS.ProcessEnv): boolean {
  return given["CI_AUTO_TOOLS_MODE"] === "plan" || given["CI_AUTO_TOOLS_DRY_RUN"] === "1";
}

/** Handles one prompt: runs the orchestrator, then codex. Codex starts even if the orchestrator failed. */
async function answerRound(text: string): Promise<number> {
  const folder = workingFolder();
  const { signal } = new AbortController();
  const toInjected = (given: KernelAnswer) => toAddition(text, given);
  const asked = await askText(text, { door: "codex", client, env, folder, signal, toInjected });
  const { document, exitCode } = asked;
  if (isPlan(document) || (exitCode === FAULTS.E_ORCHESTRATOR.exit && wantsPlan(env))) {
    process.stdout.write(`${JSON.stringify(document)}\n`);
    return exitCode;
  }
  // The document already contains the limits, so the summary is skipped, unless the orchestrator ran nothing at all.
  if (!args.printsDocument || document.degraded.degraded_to === "empty") tell(toSummary(document));
  const safe = withSafePath(env, folder);
  const codex = findProgram("codex", safe.PATH, null);
  if (codex === null) {
    if (args.printsDocument) process.stdout.write(`${JSON.stringify(document)}\n`);
    tell("codex-auto: codex is not on PATH; install it with: npm install -g @openai/codex\n");
    return 40;
  }
  const write = (chunk: string | Buffer) => process.stdout.write(chunk);
  // An empty injection has no session plan, but the session must continue anyway.
  const fallbackCommand = env["CI_CODEX_SESSION_MODE"] === "exec" ? "codex exec" : "codex exec resume --last";
  return runRound({
    prompt: text,
    answer: asked,
    codex,
    fallbackCommand,
    folder,
    env: safe,
    write,
    tell,
    printsDocument: args.printsDocument,
  });
}

/** Yields the prompts from a pipe, one per line. */
async function* readRounds(): AsyncGenerator<string> {
  for await (const line of createInterface({ input: process.stdin })) if (line.trim() !== "") yield line;
}

/** Answers one input after another from a user at a terminal. */
async function runLoop(): Promise<void> {
  loop = await makeTerminalLoop(args, env);
  await loop.answerAll();
  printAndExit("", 0);
}

async function main({ help, version, job, words, error }: CodexArguments): Promise<void> {
  if (help) return printAndExit(CODEX_USAGE, 0);
  if (version) return printAndExit(`${sayVersion("codex-auto")}\n`, 0);
  if (error !== "") {
    tell(`codex-auto: ${error}\n`);
    return printAndExit("", 1);
  }
  if (job !== null) return startJob(words, job);
  if (words.length === 0 && process.stdin.isTTY) return runLoop();
  const given = words.length === 1 && words[0] === "-" ? await readInput() : words.join(" ");
  let code: number | null = null;
  if (words.length > 0) code = given.trim() === "" ? null : await answerRound(given);
  else {
    for await (const line of readRounds()) {
      code = await answerRound(line);
      if (interrupted > 0) break;
    }
  }
  if (interrupted > 0) return printAndExit("", interrupted);
  if (code === null) tell('codex-auto: no prompt; give one as an argument, see "codex-auto --help"\n');
  printAndExit("", code ?? 1);
}

/** Hands the prompt to a job, which gathers the evidence itself. */
function startJob(words: readonly string[], options: readonly string[]): void {
  const isPiped = words.length === 1 && words[0] === "-";
  const prompt = isPiped ? ["-f", "-"] : [`--task=${words.join(" ")}`];
  // The bundle parses the arguments as if it had been started directly.
  process.argv.splice(2, process.argv.length, "start", "--with-context", ...options, ...prompt);
  loadCached("codex-job.cjs");
}

function fail(thrown: unknown): void {
  tell(`codex-auto: ${toMessage(thrown)}\n`);
  printAndExit("", 40);
}

process.once("exit", () => {
  loop?.close();
  stopAllPrograms();
});
for (const [signal, code] of ENDING_SIGNALS) {
  process.on(signal, () => {
    if (signal === INTERRUPT && loop !== null) return loop.interrupt();
    // The second signal exits without waiting.
    if (interrupted > 0) process.exit(code);
    interrupted = code;
    // Codex receives the signal first and gets time to save its session; without codex there is nothing to wait for.
    if (passOnSignal(signal) === 0) process.exit(code);
    startTimer(GRACE_MS, () => process.exit(code)).unref();
  });
}
process.once("uncaughtException", fail);
main(args).catch(fail);
