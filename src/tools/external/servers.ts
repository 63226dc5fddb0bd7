import { isAbsolute } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { findProgram, isExecutable } from "../../base/find-program.ts";
import { toRealFolder } from "../../base/repo-root.ts";
import { openProgram } from "../../base/subprocess/open-program.ts";
import { toMessage } from "../../base/text.ts";
import type { McpServer, Reach } from "../../config/mcp-servers.ts";
import { findHome } from "../../config/places.ts";
import { type Fault, type Outcome, succeed } from "../../contract/faults.ts";
import { SERVER_FAULTS } from "../../contract/server-faults.ts";
import { redact } from "../../safety/redact/redact.ts";
import type { ServerSession } from "./mcp-client.ts";

/** The context in which servers are started. */
export interface Surroundings {
  readonly env: Environment;
  /** Root of the repository that the question is about. */
  readonly root: string;
}

/** A connected server, and a filter for secrets in its output. */
interface OpenServer {
  readonly session: ServerSession;
  readonly hide: (text: string) => string;
}

/** Environment variables that a program needs to run at all; the user lists any others. */
const PASSED_ON = ["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];
/** Shorter values are words that may occur anywhere. */
const MIN_HIDDEN_CHARS = 8;
const HIDDEN = "[hidden]";

/** Servers of this process, each once, keyed by their complete configuration. */
const sessions = new Map<string, Promise<Outcome<ServerSession>>>();

/**
 * Returns the server's session, started or connected on first use in this process. Contract: never throws; ends at the
 * signal, and starting a server at its own limit; a server that failed or ended is started again by the next call.
 */
export async function connectServer(
  server: McpServer,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<Outcome<OpenServer>> {
  const found = toTarget(server, surroundings);
  if (!found.ok) return found;
  const { target, secrets } = found.value;
  const hide = makeHider(secrets);
  const key = JSON.stringify([server.name, target]);
  const opening = sessions.get(key) ?? start(key, server, target);
  const opened = await untilAborted(opening, signal);
  if (opened === null) return SERVER_FAULTS.cancelled(server.name);
  return opened.ok ? succeed({ session: opened.value, hide }) : hideInFault(opened.fault, hide);
}

function start(key: string, { name, timeoutMs }: McpServer, target: Reach): Promise<Outcome<ServerSession>> {
  const onEnd = () => {
    if (sessions.get(key) === opening) sessions.delete(key);
  };
  const opening: Promise<Outcome<ServerSession>> = import("./mcp-client.ts")
    .then(({ openServer }) => openServer(name, target, { timeoutMs, run: openProgram, onEnd }))
    .catch((thrown: unknown) => {
      onEnd();
      return SERVER_FAULTS.notStarted(name, toMessage(thrown));
    });
  sessions.set(key, opening);
  return opening;
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return null;
  let stop = () => {};
  const aborted = new Promise<null>((resolve) => {
    stop = () => resolve(null);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

interface FoundTarget {
  readonly target: Reach;
  readonly secrets: readonly string[];
}

/** Resolves what the settings leave open: the root, the home folder, environment variables and the program's path. */
function toTarget({ name, reach }: McpServer, { env, root }: Surroundings): Outcome<FoundTarget> {
  const own = fillVariables(name, reach.kind === "program" ? reach.env : reach.headers, env);
  if (!own.ok) return own;
  const { filled, secrets } = own.value;
  if (reach.kind === "address") {
    const given = [...secrets, ...Object.values(filled), new URL(reach.url).search.slice(1)];
    return succeed({ target: { kind: "address", url: reach.url, headers: filled }, secrets: given });
  }
  // Without a home folder there are no settings that could list a server.
  const home = findHome(env) ?? "/";
  const place = (text: string) => text.replace(/^~(?=\/)/, () => home).replaceAll("{root}", () => root);
  const command = reach.command.includes("/")
    ? toExecutable(place(reach.command))
    : findProgram(reach.command, env["PATH"] ?? "", root);
  if (command === null) return SERVER_FAULTS.noProgram(name, reach.command);
  const cwd = reach.cwd === "" ? home : place(reach.cwd);
  if (toRealFolder(cwd) === null) return SERVER_FAULTS.noFolder(name, cwd);
  const passed = PASSED_ON.flatMap((variable) => {
    const value = env[variable];
    return value === undefined ? [] : [[variable, value] as const];
  });
  const target: Reach = {
    kind: "program",
    command,
    args: reach.args.map((arg) => arg.replaceAll("{root}", () => root)),
    cwd,
    env: { ...Object.fromEntries(passed), ...filled },
  };
  const named = Object.entries(filled).filter(([key, value]) => redact(`${key}="${value}"`).redactions.length > 0);
  return succeed({ target, secrets: [...secrets, ...named.map(([, value]) => value)] });
}

function toExecutable(path: string): string | null {
  return isExecutable(path) ? path : null;
}

/** `${NAME}` is replaced with an environment variable, so that a file need not contain a secret. */
function fillVariables(
  server: string,
  texts: Readonly<Record<string, string>>,
  env: Surroundings["env"],
): Outcome<{ readonly filled: Record<string, string>; readonly secrets: readonly string[] }> {
  const secrets: string[] = [];
  let missing = "";
  const filled = Object.entries(texts).map(([key, text]) => [
    key,
    text.replace(/\$\{(\w+)\}/g, (_all, variable: string) => {
      const value = env[variable];
      if (value === undefined) missing = variable;
      else secrets.push(value);
      return value ?? "";
    }),
  ]);
  if (missing !== "") return SERVER_FAULTS.noVariable(server, missing);
  return succeed({ filled: Object.fromEntries(filled), secrets });
}

/** Hides the values that the user configured for a server, because the server may repeat them in its answers. */
function makeHider(secrets: readonly string[]): (text: string) => string {
  const words = secrets.flatMap((secret) => [secret, ...secret.split(/\s+/)]);
  // Paths are not secrets, and answers are full of them.
  const hidden = words.filter((word) => word.length >= MIN_HIDDEN_CHARS && !isAbsolute(word));
  return (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
}

/** A fault without the values that were configured for its server. */
export function hideInFault(fault: Fault, hide: (text: string) => string): Outcome<never> {
  return { ok: false, fault: { ...fault, message: hide(fault.message) } };
}
