import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Clock } from "../../base/clock.ts";
import { CALL_ERRORS } from "../../contract/mcp.ts";
import type { AskUser, ToolProgress } from "../../contract/tool.ts";
import { NO_ANSWER, readForm, toForm } from "./elicitation.ts";
import { OpenCall } from "./open-call.ts";
import { makeReporter } from "./progress.ts";
import { makeSlots } from "./slots.ts";
import type { ListedTool } from "./tool-list.ts";
import { type CallResult, toErrorResult } from "./tool-result.ts";

/** A call as requested by a client. */
export interface McpCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** `_meta` of the request. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** URIs of the client's roots; empty if it does not provide them. */
  readonly roots: readonly string[];
  readonly signal: AbortSignal;
  readonly askUser: AskUser | null;
  readonly report: (progress: ToolProgress) => void;
}

/** The implementation behind a server. */
export interface McpBackend {
  /** Name that clients and their settings use. */
  readonly name: string;
  /** Description of all its tools for a model. */
  readonly instructions: string;
  readonly version: string;
  /** Maximum number of concurrent calls; further calls wait. */
  readonly width: number;
  readonly clock: Clock;
  readonly listTools: () => Promise<readonly ListedTool[]>;
  /** Contract: never throws. */
  readonly callTool: (call: McpCall) => Promise<CallResult>;
  /** Called when a client is ready. */
  readonly onReady: () => void;
}

/** How long a call waits for the client's roots. */
const ROOTS_MS = 500;
/** How long a person has to answer; the call's own time limit is shorter. */
const ANSWER_MS = 10 * 60_000;
const FIRST_WITH_LISTS = "2025-11-25";
const ANSWER_KEY = "answer";

/** Makes the server of a connection. Contract: does nothing until asked; a failed call is a result, never a throw. */
export function makeMcpServer(backend: McpBackend, isModern: boolean): Server {
  const server = new Server(
    { name: backend.name, version: backend.version },
    { capabilities: { tools: {} }, instructions: backend.instructions },
  );
  const inSlot = makeSlots(backend.width);
  const open = new Map<string, OpenCall<CallResult>>();
  let roots: Promise<readonly string[]> = Promise.resolve([]);
  const askRoots = () => {
    if (server.getClientCapabilities()?.roots === undefined) return;
    roots = server.listRoots(undefined, { timeout: ROOTS_MS }).then(
      (told) => told.roots.map(({ uri }) => uri),
      () => [],
    );
  };
  server.oninitialized = () => {
    askRoots();
    backend.onReady();
  };
  server.setNotificationHandler("notifications/roots/list_changed", askRoots);
  server.setRequestHandler("tools/list", async () => {
    const tools = await backend.listTools();
    backend.onReady();
    return { tools: [...tools] };
  });

  const toCall = (
    params: { name: string; arguments?: Record<string, unknown> | undefined },
    { mcpReq }: ServerContext,
  ) => {
    const token = mcpReq._meta?.progressToken;
    const report =
      token === undefined
        ? () => {}
        : makeReporter(token, backend.clock.monotonicMs, (sent) => {
            mcpReq.notify({ method: "notifications/progress", params: { ...sent } }).catch(() => {});
          });
    return { name: params.name, args: params.arguments ?? {}, meta: mcpReq._meta, report };
  };
  const hasLists = () => (server.getNegotiatedProtocolVersion() ?? "") >= FIRST_WITH_LISTS;
  const pushQuestion =
    ({ mcpReq }: ServerContext): AskUser =>
    async (question, signal) => {
      try {
        const form = toForm(question, { hasLists: hasLists() });
        return readForm(question, await mcpReq.elicitInput(form, { signal, timeout: ANSWER_MS }));
      } catch {
        // The client went away, or cannot show the form after all.
        return NO_ANSWER;
      }
    };
  /** Waits for a call whose questions are returned as results; the client sends the answer in another request. */
  const step = async (call: OpenCall<CallResult>, signal: AbortSignal): Promise<CallResult | InputRequiredResult> => {
    const next = await call.next(signal);
    if (next.kind === "done") return next.value;
    const form = inputRequired.elicit(toForm(next.question, { hasLists: true }));
    return inputRequired({ inputRequests: { [ANSWER_KEY]: form }, requestState: call.id });
  };
  const goOn = async (id: string, { mcpReq }: ServerContext): Promise<CallResult | InputRequiredResult> => {
    const call = open.get(id);
    if (call === undefined) return toErrorResult(CALL_ERRORS.questionGone());
    const told = inputResponse(mcpReq.inputResponses, ANSWER_KEY);
    const { question } = call;
    if (question !== null) {
      const { action, content } = told.kind === "elicit" ? told : { action: "cancel" as const, content: undefined };
      call.answer(readForm(question, { action, ...(content === undefined ? {} : { content: content as never }) }));
    }
    return step(call, mcpReq.signal);
  };

  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const { mcpReq } = ctx;
    const state = mcpReq.requestState();
    if (typeof state === "string") return goOn(state, ctx);
    const told = toCall(params, ctx);
    const capabilities = isModern ? envelopeCapabilities(ctx) : server.getClientCapabilities();
    const canAsk = canShowForms(capabilities);
    const run = (askUser: AskUser | null, signal: AbortSignal) =>
      inSlot(async () => backend.callTool({ ...told, roots: await roots, askUser, signal }));
    if (!isModern || !canAsk) return run(canAsk ? pushQuestion(ctx) : null, mcpReq.signal);
    const call = new OpenCall<CallResult>(run);
    open.set(call.id, call);
    const forget = () => open.delete(call.id);
    call.ended.then(forget, forget);
    return step(call, mcpReq.signal);
  });
  return server;
}

function envelopeCapabilities({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  // The SDK has validated it before any handler runs.
  return envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
}

/** An elicitation capability without modes means forms. */
function canShowForms(capabilities: ClientCapabilities | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
