import { measureFor } from "../../contract/clients.ts";
import { type HookAnswer, type KnownClient, makeSample, readHookOutput, toHookPayload } from "../hook-question.ts";
import { checkOf, type UngroupedCheck } from "./ungrouped-check.ts";
import { type Ran, runInTime, toSeconds, type World } from "./world.ts";

/** Time to start a program on a busy machine. */
const START_MS = 3_000;

/** Maximum time to wait for a hook. */
export function hookLimitMs({ budgetMs }: Pick<World, "budgetMs">): number {
  return budgetMs + START_MS;
}

/** Asks a hook a question as its client would. Contract: writes nothing and leaves no process running. */
export function askHook(
  world: World,
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  { client, path, signal }: { readonly client: KnownClient; readonly path: string; readonly signal: AbortSignal },
): Promise<Ran> {
  const { question, cwd, env } = makeSample(world.projectRoot, { ...world.env, PATH: path });
  const stdin = toHookPayload(client, cwd, question);
  return runInTime(world, { command, args, cwd, env, stdin }, { limitMs: hookLimitMs(world), signal });
}

/** Reads a hook's answer. Contract: one that failed has not answered, whatever it printed. */
export function readHookRun(client: KnownClient, ran: Ran): HookAnswer {
  const refuse = (why: string): HookAnswer => ({ why, context: "" });
  if (ran.startError !== "") return refuse(`it cannot be started: ${ran.startError}`);
  if (ran.isLate) return refuse(`no answer within ${toSeconds(ran.ms)}`);
  if (ran.exitCode !== 0) return refuse(`it ended with ${ran.exitCode ?? "a signal"}`);
  return readHookOutput(client, ran.stdout);
}

/** Judges the result of asking a hook. */
export function judgeHookRun(client: KnownClient, ran: Ran, { budgetMs }: World): UngroupedCheck {
  const check = checkOf("answer", `evidence within ${toSeconds(budgetMs)}, in the form that ${client.title} reads`);
  const remedy = { text: 'run "groundwork install"', section: "the-hook-does-not-answer" } as const;
  const { why, context } = readHookRun(client, ran);
  if (why !== "") return check.poor("fail", why, remedy);
  const took = toSeconds(ran.ms);
  if (context === "") return check.poor("warn", `${took}, no evidence`, remedy);
  const measured = `${took}, ${measureFor(client.name, context)} ${client.unit === "bytes" ? "bytes" : "characters"}`;
  return ran.ms > budgetMs ? check.poor("warn", measured, remedy) : check.fine(measured);
}
