import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";

/** A request to the model. */
interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One turn of the model: tool calls or a text; or a function that writes any response. */
export type ModelTurn =
  | { readonly calls: readonly (readonly [name: string, args: unknown])[]; readonly text?: string }
  | { readonly text: string }
  | ((response: ServerResponse) => void);

/** A scripted language model on loopback. */
interface ScriptedModel extends LoopbackServer {
  readonly requests: ModelRequest[];
}

/** Starts one with the given API; its last turn repeats. Contract: disposing it ends it, including open connections. */
export async function startScriptedModel(
  api: "openai" | "anthropic",
  turns: readonly ModelTurn[],
): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString("utf8");
    requests.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) });
    const turn = turns[Math.min(requests.length, turns.length) - 1];
    if (typeof turn === "function") turn(response);
    else if (turn !== undefined) response.end(JSON.stringify(WRITE[api](turn, requests.length)));
  });
  return { ...server, requests };
}

type SaidTurn = Exclude<ModelTurn, (response: ServerResponse) => void>;

const callsOf = (turn: SaidTurn, round: number) =>
  ("calls" in turn ? turn.calls : []).map(([name, args], at) => ({ id: `call-${round}-${at}`, name, args }));

const WRITE = {
  openai: (turn: SaidTurn, round: number) => ({
    choices: [
      {
        message: {
          role: "assistant",
          content: turn.text ?? null,
          tool_calls: callsOf(turn, round).map(({ id, name, args }) => ({
            id,
            type: "function",
            function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
          })),
        },
      },
    ],
  }),
  anthropic: (turn: SaidTurn, round: number) => ({
    role: "assistant",
    content: [
      ...(turn.text === undefined ? [] : [{ type: "text", text: turn.text }]),
      ...callsOf(turn, round).map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args })),
    ],
  }),
};
