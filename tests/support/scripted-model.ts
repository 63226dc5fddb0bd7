import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";

/** What the model was sent. */
interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the model says at one turn: calls of tools, or a text; or whatever else a server may do. */
export type ModelTurn =
  | { readonly calls: readonly (readonly [name: string, args: unknown])[]; readonly text?: string }
  | { readonly text: string }
  | ((response: ServerResponse) => void);

/** A language model on loopback that follows a script. */
export interface ScriptedModel extends LoopbackServer {
  readonly requests: ModelRequest[];
}

/** Starts one that speaks `api`; its last turn is repeated. Contract: it ends, open connections included, when disposed. */
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
