import type { Environment } from "../../base/environment.ts";
import { runProgram } from "../../base/subprocess/run-program.ts";
import { limitTime } from "../../base/time-limit.ts";

/** Which Codex it is. */
export interface CodexVersion {
  readonly major: number;
  readonly minor: number;
  /** As Codex writes it. */
  readonly text: string;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4_096;

/**
 * Asks a Codex for its version. Contract: never throws, takes at most ten seconds; null where it says nothing readable.
 */
export async function readCodexVersion(
  codex: string,
  call: {
    readonly cwd: string;
    readonly env: Environment;
    readonly signal: AbortSignal;
  },
): Promise<CodexVersion | null> {
  const { signal, release } = limitTime(call.signal, TIMEOUT_MS);
  const { exitCode, stdout } = await runProgram({
    command: codex,
    args: ["--version"],
    cwd: call.cwd,
    env: call.env,
    stdin: "",
    signal,
    maxStdoutBytes: MAX_BYTES,
    maxStderrBytes: MAX_BYTES,
  }).finally(release);
  return exitCode === 0 ? parseVersion(stdout) : null;
}

/** Reads what `codex --version` prints (`codex-cli 0.166.0`); null where that is no version of Codex. */
export function parseVersion(text: string): CodexVersion | null {
  const [, version, major, minor] = /^codex(?:-cli)?\s+v?((\d{1,6})\.(\d{1,6})(?:[.-]\S*)?)\s*$/m.exec(text) ?? [];
  if (version === undefined) return null;
  return { major: Number(major), minor: Number(minor), text: version };
}
