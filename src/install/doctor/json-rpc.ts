import { makeLineReader } from "../../base/lines.ts";
import type { InteractiveCall } from "../../base/subprocess/open-program.ts";
import { isRecord, parseObject } from "../../base/text.ts";
import { withTimeLimit } from "../../base/timers.ts";
import type { World } from "./world.ts";

/** A message to a program that speaks JSON-RPC, one message per line. A message without an id gets no answer. */
export interface RpcMessage {
  readonly id?: number;
  readonly method: string;
  readonly params: unknown;
}

/** Answers of a program: its results by id, or why some are missing. */
interface RpcAnswers {
  readonly results: ReadonlyMap<number, unknown>;
  /** Empty if every question was answered. */
  readonly why: string;
}

const MIB = 1024 * 1024;
const MAX_BYTES = 8 * MIB;

/**
 * Talks to a program over its standard input and output; a question is sent once the previous one is answered.
 * Contract: never throws; ends at the time limit; leaves no process behind.
 */
export function talk(
  world: Pick<World, "open">,
  program: Pick<InteractiveCall, "command" | "args" | "cwd" | "env">,
  messages: readonly RpcMessage[],
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<RpcAnswers> {
  return withTimeLimit(signal, limitMs, async (limited) => {
    const results = new Map<number, unknown>();
    const ids = messages.flatMap(({ id }) => (id === undefined ? [] : [id]));
    let why = "";
    let bytes = 0;
    let next = 0;
    let settle = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const say = () => {
      for (let isAsked = false; next < messages.length && !isAsked; next++) {
        const message = messages[next] as RpcMessage;
        opened.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
        isAsked = message.id !== undefined;
      }
      if (results.size === ids.length) settle();
    };
    const hear = (line: string) => {
      const message = parseObject(line);
      const id = message?.["id"];
      if (message === null || typeof id !== "number" || !ids.includes(id) || message["method"] !== undefined) return;
      const error = message["error"];
      if (error !== undefined) {
        why = `it refused: ${isRecord(error) ? String(error["message"]) : "no reason given"}`;
        settle();
        return;
      }
      results.set(id, message["result"]);
      say();
    };
    const reader = makeLineReader((lines) => lines.forEach(hear));
    const opened = await world.open({
      ...program,
      onStdout: (chunk) => {
        bytes += chunk.length;
        if (bytes <= MAX_BYTES) return reader.take(chunk);
        why ||= `it printed more than ${MAX_BYTES / MIB} MiB`;
        settle();
      },
      onStderr: () => {},
    });
    limited.addEventListener("abort", settle, { once: true });
    if (limited.aborted) settle();
    const ended = opened.ended.then(({ startError }) => {
      why ||= startError === "" ? "it ended" : `it cannot be started: ${startError}`;
    });
    say();
    await Promise.race([settled, ended]);
    if (results.size === ids.length) why = "";
    else why ||= `no answer within ${limitMs / 1_000} s`;
    opened.stop();
    return { results, why };
  });
}
