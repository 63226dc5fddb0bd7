import { HOOK_USAGE, type HookArguments, parseHookArguments } from "../adapters/hook/arguments.ts";
import { printIntent } from "../adapters/hook/intent.ts";
import { parsePayload, toPrompt } from "../adapters/hook/payload.ts";
import { EMPTY_ENVELOPE, printDocument, toSummary } from "../adapters/hook/print.ts";
import { toMessage } from "../base/text.ts";
import type { Client } from "../contract/run-document.ts";
import type { KernelAnswer } from "../orchestrator/kernel.ts";
import { emptyAnswer, orchestrate } from "./orchestrate.ts";
import { doorLimitMs, endOnSignals, printAndExit, projectRoot, readInput, workingFolder } from "./process.ts";

const args = parseHookArguments(process.argv.slice(2));
const client: Client = {
  name: process.env["CI_ORCH_CLIENT_NAME"] === "codex-cli" ? "codex-cli" : "claude-code",
  event: args.format === "hook" ? "UserPromptSubmit" : "cli",
};
const giveUp = new AbortController();

/** Prints an answer in the wanted format. The hook envelope exits 0 whatever happened, or the client drops it. */
function answer({ document, exitCode }: KernelAnswer): void {
  const isWatched = process.stderr.isTTY || process.env["CI_AUTO_TOOLS_PRINT_STDERR_SUMMARY"] === "1";
  if (args.format === "hook" && isWatched) process.stderr.write(toSummary(document));
  printAndExit(printDocument(document, args.format, client.name), args.format === "hook" ? 0 : exitCode);
}

async function main({ help, analyzeIntent, hints, format, prompt: given }: HookArguments): Promise<void> {
  if (help) return printAndExit(HOOK_USAGE, 0);
  const payload = given === null ? await readInput() : JSON.stringify({ prompt: given });
  const prompt = given === null ? parsePayload(payload, client, hints) : toPrompt(given, client, hints);
  if (analyzeIntent) {
    const { text, exitCode } = printIntent(prompt, format);
    return printAndExit(text, exitCode);
  }
  // Aborting leaves the kernel a second to answer with what it has.
  setTimeout(() => giveUp.abort(), doorLimitMs() - 1_000).unref();
  setTimeout(() => answer(emptyAnswer("E_TIMEOUT", client, prompt.text, "no answer in time")), doorLimitMs()).unref();
  const folder = workingFolder();
  answer(await orchestrate({ prompt, payload, env: process.env, folder, projectRoot, signal: giveUp.signal }));
}

function failOpen(thrown: unknown): void {
  if (args.format === "hook") printAndExit(EMPTY_ENVELOPE, 0);
  else answer(emptyAnswer("E_ORCHESTRATOR", client, "", toMessage(thrown)));
}

endOnSignals((signal) => (args.format === "hook" ? 0 : signal === "SIGINT" ? 130 : 143));
process.once("uncaughtException", failOpen);
main(args).catch(failOpen);
