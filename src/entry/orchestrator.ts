import { clientFrom } from "../adapters/hook/client.ts";
import { isWholeObject, parsePayload } from "../adapters/hook/payload.ts";
import { stopAllPrograms } from "../base/subprocess/spawn.ts";
import { toMessage } from "../base/text.ts";
import { startTimer } from "../base/timers.ts";
import type { KernelAnswer } from "../orchestrator/document.ts";
import { askKernel, emptyAnswer } from "./orchestrate.ts";
import { doorLimitMs, endTogether, printAndExit, readInput, startedMs, workingFolder } from "./process.ts";
import { recordRun } from "./record-run.ts";

const USAGE = `Usage: auto-tool-orchestrator.sh < payload.json

Takes JSON with "prompt" on standard input and prints the run document (schema 1.0).
Exit codes: 0 success, 20 configuration, 30 output invalid, 40 tool failed, 50 budget or timeout.
Variables: docs/configuration.md
`;

const client = clientFrom(
  process.env,
  process.env["CI_ORCH_CLIENT_EVENT"] === "UserPromptSubmit" ? "UserPromptSubmit" : "cli",
);
const nothing = { client, text: "", env: process.env };
const giveUp = new AbortController();

function answer({ document, exitCode }: KernelAnswer): void {
  printAndExit(`${JSON.stringify(document)}\n`, exitCode);
}

async function main(): Promise<void> {
  if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h"))
    return printAndExit(USAGE, 0);
  startTimer(doorLimitMs() - 1_000, () => giveUp.abort()).unref();
  startTimer(doorLimitMs(), () =>
    answer(emptyAnswer({ code: "E_TIMEOUT", detail: "no answer in time" }, nothing)),
  ).unref();
  const prompt = parsePayload(await readInput(isWholeObject), client, {});
  const folder = workingFolder();
  const given = await askKernel({ prompt, env: process.env, folder, signal: giveUp.signal });
  const door = client.event === "UserPromptSubmit" ? "hook" : "cli";
  const injected = given.document.fused_context.for_model.additional_context;
  recordRun({ env: process.env, door, folder, answer: given, injected, startMs: startedMs() });
  answer(given);
}

const failOpen = (thrown: unknown) =>
  answer(emptyAnswer({ code: "E_ORCHESTRATOR", detail: toMessage(thrown) }, nothing));
endTogether(stopAllPrograms);
process.once("uncaughtException", failOpen);
main().catch(failOpen);
