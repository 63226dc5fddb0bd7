import { parentPort } from "node:worker_threads";
import { clientFrom, folderOfPrompt } from "../adapters/hook/client.ts";
import { toEmptyOutput } from "../adapters/hook/envelope.ts";
import { isWholeObject, parsePayload } from "../adapters/hook/payload.ts";
import { printAnswer, toInjection } from "../adapters/hook/print.ts";
import { whyNoTools } from "../adapters/hook/silent-prompt.ts";
import { isForAnyProcess } from "../adapters/resident/answer-slots.ts";
import type { Environment } from "../base/environment.ts";
import { startTimer } from "../base/timers.ts";
import { loadToolHooks } from "../config/hook-files.ts";
import { loadSettings } from "../config/load-settings.ts";
import { findHome } from "../config/places.ts";
import { RESIDENT_STATUS } from "../contract/resident.ts";
import { judgePrompt } from "../orchestrator/judge.ts";
import { makeDoorEngine } from "./engine.ts";
import { HeldRepositories } from "./held-repositories.ts";
import { runMcpCall } from "./mcp-call.ts";
import { orchestrate } from "./orchestrate.ts";
import { foldHistory, openOwnHistory } from "./own-history.ts";
import { doorLimitMs } from "./process.ts";
import { recordRun, withHistoryNotice } from "./record-run.ts";
import { recordSilent } from "./record-silent.ts";
import type { HandedCall } from "./resident-call.ts";
import type { AskedMessage, LastMessage, WarmMessage, WorkerMessage } from "./resident-messages.ts";

interface Reply {
  readonly status: number;
  readonly text: string;
  /** Work to do after the answer has been sent. */
  readonly afterwards?: () => void;
}

const DECLINED: Reply = { status: RESIDENT_STATUS.declined, text: "" };
/** Idle time after which pending runs are moved into their store. */
const FOLD_MS = 1_500;
/** Time limit of a call. */
const CALL_MS = 25_000;

const tell = (message: WorkerMessage) => parentPort?.postMessage(message);
const held = new HeldRepositories((repositories) => tell({ kind: "repositories", repositories }));

/**
 * The repository that a question is about, or null if it is not for a resident. External servers and the user's hooks
 * are programs, which belong to the caller's process and end with it.
 */
async function findRoot(env: Environment, folder: string): Promise<string | null> {
  const loaded = await loadSettings({ env, folder, bounds: [] });
  if (!loaded.ok) return null;
  const { settings, servers, root, top } = loaded.value;
  if (settings.resident === "off" || servers.length > 0) return null;
  const hooks = loadToolHooks(findHome(env), top);
  return hooks.before.length + hooks.after.length > 0 ? null : root.root;
}

async function answerHook({ env, payload, askedAtMs }: AskedMessage): Promise<Reply> {
  if (!isForAnyProcess(env)) return DECLINED;
  if (!isWholeObject(payload)) return { status: RESIDENT_STATUS.incomplete, text: "" };
  const prompt = parsePayload(payload, clientFrom(env, "UserPromptSubmit"), {});
  const judgement = judgePrompt(prompt.text, prompt.hints);
  const folder = folderOfPrompt(prompt, env, env["PWD"] ?? "");
  const startMs = askedAtMs;
  const why = whyNoTools(prompt, judgement, env);
  if (why !== null) {
    const afterwards = () => recordSilent({ env, folder, client: prompt.client.name, startMs, why });
    return { status: 200, text: toEmptyOutput(prompt), afterwards };
  }
  const root = await findRoot(env, folder);
  if (root === null) return DECLINED;
  const giveUp = new AbortController();
  const waitedMs = Math.max(0, Date.now() - askedAtMs);
  const timer = startTimer(doorLimitMs(env) - 1_000 - waitedMs, () => giveUp.abort());
  try {
    const question = { prompt: { ...prompt, judgement }, payload, env, folder, signal: giveUp.signal };
    const answer = await orchestrate(question, { ...held.partsFor(root, env), waitedMs });
    const injected = toInjection(answer.document, prompt.client.name);
    const afterwards = () => recordRun({ env, door: "hook", folder, answer, injected, startMs });
    return { status: 200, text: printAnswer(withHistoryNotice(answer, env), "hook", prompt), afterwards };
  } finally {
    clearTimeout(timer);
  }
}

async function answerCall({ env, payload }: AskedMessage): Promise<Reply> {
  if (!isForAnyProcess(env)) return DECLINED;
  const { name, args, folder } = JSON.parse(payload) as HandedCall;
  const root = await findRoot(env, folder);
  if (root === null) return DECLINED;
  const call = { name, args, signal: AbortSignal.timeout(CALL_MS), askUser: null, report: () => {} };
  const engine = makeDoorEngine(env, held.partsFor(root, env));
  return { status: 200, text: JSON.stringify(await runMcpCall(call, { folder, env, engine })) };
}

let fold: NodeJS.Timeout | undefined;
/** Brings the history up to date after some idle time. */
function foldLater(env: Environment): void {
  clearTimeout(fold);
  fold = startTimer(FOLD_MS, () => {
    last = last.then(() => foldHistory(env));
  });
}

/** Sends the last run of a repository, for status lines. */
async function tellLast({ env, root }: LastMessage): Promise<void> {
  const opened = await openOwnHistory(env);
  if (!opened.ok) return;
  try {
    tell({ kind: "last", root, run: opened.value.list({ repo: root, limit: 1 })[0] ?? null });
  } finally {
    opened.value.close();
  }
}

const ANSWERS = { hook: answerHook, call: answerCall };

// Sequential: each question reads one state of its index, and none slows another down.
let last: Promise<void> = Promise.resolve();
parentPort?.on("message", (asked: AskedMessage | WarmMessage | LastMessage) => {
  last = last.then(async () => {
    if (asked.kind === "last") return tellLast(asked).catch(() => {});
    if (asked.kind === "warm") return held.warm(asked.root, asked.env);
    // Pending events are handled first.
    await new Promise((resolve) => setImmediate(resolve));
    const { status, text, afterwards } = await ANSWERS[asked.kind](asked).catch(
      (): Reply => ({ status: RESIDENT_STATUS.failed, text: "" }),
    );
    tell({ kind: "answer", id: asked.id, status, text });
    afterwards?.();
    foldLater(asked.env);
    held.settle();
  });
});
