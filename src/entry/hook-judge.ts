import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseHookArguments } from "../adapters/hook/arguments.ts";
import { EMPTY_ENVELOPE, UNAVAILABLE_ENVELOPE } from "../adapters/hook/envelope.ts";
import { isWholeObject, parsePayload, toPrompt } from "../adapters/hook/payload.ts";
import { ORCHESTRATOR_VARIABLE } from "../adapters/hook/variables.ts";
import { homeFolder, SESSIONS_FOLDER, sessionFileName, stateFolder, TRUST_FILE, USER_FILE } from "../config/places.ts";
import type { Client } from "../contract/run-document.ts";
import { mayBecomeCode } from "../orchestrator/follow-up.ts";
import { type Judgement, judgePrompt } from "../orchestrator/judge.ts";
import type { Prompt } from "../orchestrator/prompt.ts";
import { loadCached } from "./load-cached.ts";
import { isTerminal, printAndExit, readInput } from "./process.ts";
import { startQuickly } from "./start-quickly.ts";

const args = parseHookArguments(process.argv.slice(2));
const client: Client = {
  name: process.env["CI_ORCH_CLIENT_NAME"] === "codex-cli" ? "codex-cli" : "claude-code",
  event: args.format === "hook" ? "UserPromptSubmit" : "cli",
};

/**
 * True if the kernel would inject nothing regardless of the repository, so that most prompts cost little more than
 * starting node: the prompt is clearly not about code, the format is hook, nobody is watching, and nothing can widen
 * `auto` to `on`. A repository's settings file cannot do so unless the user trusts some repository.
 */
function isClearlySilent(prompt: Prompt, judgement: Judgement): boolean {
  const { env } = process;
  if (args.format !== "hook" || args.help || args.analyzeIntent || prompt.asksForTool) return false;
  if (env["CI_AUTO_TOOLS"] === "on" || env[ORCHESTRATOR_VARIABLE] || env["CI_AUTO_TOOLS_PRINT_STDERR_SUMMARY"])
    return false;
  const home = homeFolder(env);
  if (home !== null && [USER_FILE, TRUST_FILE].some((path) => existsSync(join(home, path)))) return false;
  if (isTerminal(2)) return false;
  return judgement.analysis.intent === null && !judgement.analysis.isOpen && !mayGoOn(prompt, judgement);
}

/** True if a prompt may refer to an earlier prompt of its session. */
function mayGoOn({ text, client: { session_id } }: Prompt, judgement: Judgement): boolean {
  const state = stateFolder(process.env);
  if (session_id === undefined || state === null) return false;
  return existsSync(join(state, SESSIONS_FOLDER, sessionFileName(session_id))) && mayBecomeCode(text, judgement);
}

async function main(): Promise<void> {
  const payload =
    args.prompt === null && !args.help ? await readInput(isWholeObject) : JSON.stringify({ prompt: args.prompt });
  const prompt =
    args.prompt === null ? parsePayload(payload, client, args.hints) : toPrompt(args.prompt, client, args.hints);
  const judgement = judgePrompt(prompt.text, prompt.hints);
  if (isClearlySilent(prompt, judgement)) return printAndExit(EMPTY_ENVELOPE, 0);
  startQuickly();
  // Typed as the module, loaded as the bundle.
  const { answerHook } = loadCached("hook-answer.cjs") as typeof import("./hook-answer.ts");
  await answerHook(args, { ...prompt, judgement }, payload);
}

main().catch(() => {
  // Our own code failed to load: in other formats the shell script prints a suitable answer.
  process.exit(args.format === "hook" ? printAndExit(UNAVAILABLE_ENVELOPE, 0) : 70);
});
