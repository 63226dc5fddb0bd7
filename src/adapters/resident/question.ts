import type { Environment } from "../../base/environment.ts";

/** A question that an adapter passes to the resident. */
interface ResidentQuestion {
  /** The caller's variables, which apply to this question only. */
  readonly env: Environment;
  readonly payload: string;
}

const NUL = 0;

/**
 * Parses the body of a request: `NAME=value` pairs, each terminated by a NUL byte, another NUL byte, then the client's
 * payload. Contract: null for anything else.
 */
export function parseQuestion(body: Buffer): ResidentQuestion | null {
  const env: Record<string, string> = {};
  for (let start = 0; ; ) {
    const end = body.indexOf(NUL, start);
    if (end < 0) return null;
    if (end === start) return { env, payload: body.toString("utf8", end + 1) };
    const pair = body.toString("utf8", start, end);
    const at = pair.indexOf("=");
    if (at <= 0) return null;
    env[pair.slice(0, at)] = pair.slice(at + 1);
    start = end + 1;
  }
}

/** Serialises the body of a request. */
export function toQuestionBody({ env, payload }: ResidentQuestion): Buffer {
  const pairs = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}\0`]));
  return Buffer.from(`${pairs.join("")}\0${payload}`, "utf8");
}

/** Variables, in addition to our own, that a question is answered with. */
const CARRIED = new Set(["HOME", "PWD", "PATH", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR", "WORKING_DIRECTORY"]);

/** The variables of a caller that are sent with its question. */
export function carriedVariables(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => CARRIED.has(name) || /^(?:CI|GROUNDWORK|OTEL)_/.test(name)),
  );
}
