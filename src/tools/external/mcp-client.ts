import {
  Client,
  deserializeMessage,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import type { OpenProgram, openProgram } from "../../base/subprocess/open-program.ts";
import { isRecord, toMessage, toOneLine } from "../../base/text.ts";
import { startTimer } from "../../base/timers.ts";
import type { Reach } from "../../config/mcp-servers.ts";
import { type Fault, type Outcome, succeed } from "../../contract/faults.ts";
import { SERVER_FAULTS } from "../../contract/server-faults.ts";

// Loaded only when a server is needed: the SDK is larger than everything else that a prompt loads.

/** A tool as its server describes it. */
export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  /** The tool itself declares that it changes nothing. */
  readonly isReadOnly: boolean;
}

/** A tool's answer: its texts, its data, and the number of parts that were neither. */
export interface ServerAnswer {
  readonly isError: boolean;
  readonly texts: readonly string[];
  readonly structured: unknown;
  readonly leftOut: number;
}

interface ServerCallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onProgress: (done: number, of: number | undefined) => void;
}

/** A connected server. */
export interface ServerSession {
  readonly tools: readonly ServerTool[];
  readonly version: string;
  /**
   * Contract: never throws; after a fault of the server itself the session is closed, unless other calls are in
   * progress.
   */
  readonly call: (
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: ServerCallOptions,
  ) => Promise<Outcome<ServerAnswer>>;
}

/** What opening a server needs besides its target. */
export interface Opening {
  /** Limit for starting the server and listing its tools. */
  readonly timeoutMs: number;
  /** Injected, because this bundle would otherwise have its own list of programs to stop at exit. */
  readonly run: typeof openProgram;
  /** Called once the session can no longer be used; possibly more than once. */
  readonly onEnd: () => void;
}

/** Largest message that is read: far more than any model is given. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const MAX_STDERR_CHARS = 2_000;
const MAX_TOOLS = 1_000;
/** Our own limit expires slightly before the call's, so that the fault can name the server. */
const HEAD_START = 0.1;
const MAX_HEAD_START_MS = 250;

/** State of a connection besides its messages. */
interface Line {
  /** Why it ended; the first reason wins. */
  trouble: ((server: string) => { readonly fault: Fault }) | null;
  /** The last part of the program's standard error. */
  stderr: string;
  /** Number of lines on standard output that were not messages. */
  noise: number;
}

/**
 * Starts or connects to a server and asks for its tools. Contract: never throws; takes at most `timeoutMs`, after which
 * nothing of the attempt remains.
 */
export async function openServer(
  name: string,
  target: Reach,
  { timeoutMs, run, onEnd }: Opening,
): Promise<Outcome<ServerSession>> {
  const line: Line = { trouble: null, stderr: "", noise: 0 };
  const transport = target.kind === "program" ? openPipe(target, line, run) : openAddress(target, line);
  const client = new Client(
    { name: "groundwork", version: "1" },
    {
      // Server schemas are not validated: compiling their patterns would mean running the server's code.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  client.onclose = onEnd;
  const close = () => {
    onEnd();
    void client.close().catch(() => {});
  };
  const endMs = performance.now() + timeoutMs;
  const options = () => {
    const leftMs = Math.max(1, endMs - performance.now());
    return { timeout: leftMs, maxTotalTimeout: leftMs };
  };
  let tools: ServerTool[];
  try {
    await within(timeoutMs, client.connect(transport, options()));
    const listed = await within(endMs - performance.now(), client.listTools({}, options()));
    tools = listed.tools.slice(0, MAX_TOOLS).map((tool) => ({
      name: tool.name,
      description: tool.description ?? "",
      inputSchema: tool.inputSchema,
      isReadOnly: tool.annotations?.readOnlyHint === true,
    }));
  } catch (thrown) {
    close();
    const late = line.noise > 0 ? SERVER_FAULTS.garbled(name) : SERVER_FAULTS.slowStart(name, timeoutMs);
    return { ok: false, fault: toFault(name, thrown, line, late.fault) };
  }
  let underWay = 0;
  const call: ServerSession["call"] = async (tool, args, { signal, timeoutMs: limitMs, onProgress }) => {
    underWay++;
    const noiseBefore = line.noise;
    const timeout = Math.max(1, limitMs - Math.min(limitMs * HEAD_START, MAX_HEAD_START_MS));
    const lateMs = performance.now() + timeout;
    try {
      const answer = await client.callTool(
        { name: tool, arguments: { ...args } },
        { signal, timeout, maxTotalTimeout: timeout, onprogress: ({ progress, total }) => onProgress(progress, total) },
      );
      return succeed(toAnswer(answer));
    } catch (thrown) {
      // A server that rejects a call is healthy; one that does not answer may never do so again.
      const isGivenUp = signal.aborted && performance.now() < lateMs;
      const isWell = thrown instanceof ProtocolError || isGivenUp || underWay > 1;
      if (!isWell || line.trouble !== null) close();
      const late = line.noise > noiseBefore ? SERVER_FAULTS.garbled(name) : SERVER_FAULTS.silent(name, limitMs);
      return { ok: false, fault: toFault(name, thrown, line, late.fault) };
    } finally {
      underWay--;
    }
  };
  return succeed({ tools, version: client.getServerVersion()?.version ?? "", call });
}

/** Limits what the SDK itself does not limit, such as opening a connection. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = startTimer(limitMs, () => reject(new SdkError(SdkErrorCode.RequestTimeout, "late")));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Messages, one per line, over the pipes of a program. */
function openPipe(target: Reach & { kind: "program" }, line: Line, run: typeof openProgram): Transport {
  let program: OpenProgram | null = null;
  let rest: Buffer[] = [];
  let size = 0;
  const read = (text: string) => {
    if (text.trim() === "") return;
    try {
      transport.onmessage?.(deserializeMessage(text));
    } catch {
      line.noise++;
      // Programs print all kinds of things; only a broken line that was meant as a message is a fault.
      if (text.includes('"jsonrpc"')) end((server) => SERVER_FAULTS.garbled(server));
    }
  };
  const end = (trouble: NonNullable<Line["trouble"]>) => {
    line.trouble ??= trouble;
    program?.stop();
  };
  const transport: Transport = {
    start: async () => {
      program = await run({
        ...target,
        onStdout: (chunk) => {
          let from = 0;
          for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
            const whole = Buffer.concat([...rest, chunk.subarray(from, at)]).toString("utf8");
            rest = [];
            size = 0;
            from = at + 1;
            read(whole);
          }
          rest.push(chunk.subarray(from));
          size += chunk.length - from;
          if (size > MAX_MESSAGE_BYTES) end((server) => SERVER_FAULTS.tooLong(server, MAX_MESSAGE_BYTES));
        },
        onStderr: (chunk) => {
          line.stderr = (line.stderr + chunk.toString("utf8")).slice(-MAX_STDERR_CHARS);
        },
      });
      void program.ended.then(({ exitCode, signal, startError }) => {
        line.trouble ??= (server) =>
          startError === ""
            ? SERVER_FAULTS.died(server, exitCode === null ? String(signal) : `exit code ${exitCode}`, saidIn(line))
            : SERVER_FAULTS.notStarted(server, startError);
        transport.onclose?.();
      });
    },
    send: async (message: JSONRPCMessage) => program?.write(serializeMessage(message)),
    close: async () => program?.stop(),
  };
  return transport;
}

/** The last three lines that a program wrote to its standard error, as one line. */
function saidIn({ stderr }: Line): string {
  return toOneLine(stderr.trim().split("\n").slice(-3).join(" "));
}

/** Messages over HTTP: only to the address itself, with no redirects to another and no stream that stays open. */
function openAddress({ url, headers }: Reach & { kind: "address" }, line: Line): Transport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    redirectPolicy: "same-origin",
    fetch: async (address, init) => {
      // Only answers are awaited; a stream of messages initiated by the server is refused.
      if (init?.method === "GET") return new Response(null, { status: 405 });
      const response = await fetch(address, init);
      if (!response.ok || response.body === null) return response;
      let size = 0;
      const body = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, controller) => {
            size += chunk.length;
            if (size <= MAX_MESSAGE_BYTES) return controller.enqueue(chunk);
            line.trouble ??= (server) => SERVER_FAULTS.tooLong(server, MAX_MESSAGE_BYTES);
            controller.error(new Error("too long"));
          },
        }),
      );
      return new Response(body, { status: response.status, headers: response.headers });
    },
  });
}

function toAnswer(answer: Awaited<ReturnType<Client["callTool"]>>): ServerAnswer {
  const texts: string[] = [];
  let leftOut = 0;
  for (const part of answer.content) {
    if (part.type === "text") texts.push(part.text);
    else if (part.type === "resource" && "text" in part.resource) texts.push(part.resource.text);
    else leftOut++;
  }
  return { isError: answer.isError === true, texts, structured: answer.structuredContent ?? null, leftOut };
}

function toFault(server: string, thrown: unknown, line: Line, late: Fault): Fault {
  if (line.trouble !== null) return line.trouble(server).fault;
  if (thrown instanceof ProtocolError) {
    const make = thrown.code === ProtocolErrorCode.InvalidParams ? SERVER_FAULTS.refusedArgs : SERVER_FAULTS.refused;
    return make(server, toOneLine(thrown.message)).fault;
  }
  if (thrown instanceof SdkHttpError && thrown.status !== undefined)
    return SERVER_FAULTS.httpStatus(server, thrown.status).fault;
  const code = thrown instanceof SdkError ? thrown.code : null;
  if (code === SdkErrorCode.RequestTimeout) return late;
  if (code === SdkErrorCode.InvalidResult || code === SdkErrorCode.ClientHttpUnexpectedContent || isParseError(thrown))
    return SERVER_FAULTS.garbled(server).fault;
  return SERVER_FAULTS.notReached(server, toOneLine(causeOf(thrown))).fault;
}

function isParseError(thrown: unknown): boolean {
  return thrown instanceof SyntaxError || (thrown instanceof Error && /zod/i.test(thrown.constructor.name));
}

/** `fetch` reports only that it failed; the reason is in `cause`. */
function causeOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (cause === undefined) return toMessage(thrown);
  return isRecord(cause) && typeof cause["code"] === "string" ? cause["code"] : toMessage(cause);
}
