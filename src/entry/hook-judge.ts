import { parseHookArguments } from "../adapters/hook/arguments.ts";
import { clientFrom, folderOfPrompt, whyUnknown } from "../adapters/hook/client.ts";
import { toEmptyOutput, toUnavailableOutput } from "../adapters/hook/envelope.ts";
import { isWholeObject, parsePayload, toPrompt } from "../adapters/hook/payload.ts";
import { whyNoTools } from "../adapters/hook/silent-prompt.ts";
import { judgePrompt } from "../orchestrator/judge.ts";
import { loadCached } from "./load-cached.ts";
import { isTerminal, printAndExit, readInput, startedMs, workingFolder, writeAll } from "./process.ts";
import { recordSilent } from "./record-silent.ts";
import { startQuickly } from "./start-quickly.ts";

const args = parseHookArguments(process.argv.slice(2));
const client = clientFrom(process.env, args.format === "hook" ? "UserPromptSubmit" : "cli");

async function main(): Promise<void> {
  writeAll(2, whyUnknown(process.env));
  const payload =
    args.prompt === null && !args.help ? await readInput(isWholeObject) : JSON.stringify({ prompt: args.prompt });
  const prompt =
    args.prompt === null ? parsePayload(payload, client, args.hints) : toPrompt(args.prompt, client, args.hints);
  const judgement = judgePrompt(prompt.text, prompt.hints);
  // A user who watches at a terminal, or requested another output, is told why nothing is injected.
  const isPlain = args.format === "hook" && !args.help && !args.analyzeIntent;
  const why = isPlain && !isTerminal(2) ? whyNoTools(prompt, judgement, process.env) : null;
  if (why !== null) {
    writeAll(1, toEmptyOutput(prompt));
    const folder = folderOfPrompt(prompt, process.env, workingFolder());
    recordSilent({ env: process.env, folder, client: client.name, startMs: startedMs(), why });
    return printAndExit("", 0);
  }
  startQuickly();
  // Typed as the module, loaded as the bundle.
  const { answerHook } = loadCached("hook-answer.cjs") as typeof import("./hook-answer.ts");
  await answerHook(args, { ...prompt, judgement }, payload);
}

main().catch(() => {
  // Our own code failed to load: in other formats the shell script prints a suitable answer.
  process.exit(args.format === "hook" ? printAndExit(toUnavailableOutput({ client }), 0) : 70);
});
