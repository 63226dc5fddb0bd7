import { spawn } from "node:child_process";
import { once } from "node:events";
import { collectOutput } from "../support/run-program.ts";

/** Time limit of one client process; the limit of a test must exceed the sum of its runs. */
export const CLIENT_LIMIT_MS = 120_000;

/** Result of running a client. */
export interface ClientResult {
  /** Exit code; null if a signal ended it. */
  code: number | null;
  /** All of stdout. */
  stdout: string;
  /** All of stderr. */
  stderr: string;
}

/**
 * Runs a client in its own process group, with `input`, if any, as its complete stdin.
 *
 * Contract: settles within CLIENT_LIMIT_MS; afterwards no process of the group is alive; throws if the program cannot
 * be started or runs out of time.
 */
export async function runClient(
  command: string,
  args: string[],
  { input = "", ...options }: { cwd: string; env: Record<string, string>; input?: string },
): Promise<ClientResult> {
  const child = spawn(command, args, { ...options, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  // A client that does not read its input may exit before it is written.
  child.stdin.on("error", () => {}).end(input);
  const printed = collectOutput(child);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child.pid);
    // A descendant in another group may hold the pipes open; without this we would wait for it.
    child.stdout.destroy();
    child.stderr.destroy();
  }, CLIENT_LIMIT_MS);
  // On "exit", not after "close": processes that outlive the client may keep its pipes open.
  child.once("exit", () => killGroup(child.pid));
  try {
    const [code] = await once(child, "close");
    if (timedOut) throw new Error(`${command} did not end within ${CLIENT_LIMIT_MS} ms\n${printed.stderr}`);
    return { code, ...printed };
  } finally {
    clearTimeout(timer);
  }
}

/** Kills the whole group: the native child of npm's Codex launcher survives the launcher. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // No process of the group is left, as intended.
  }
}
