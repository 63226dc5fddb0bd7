import { spawn } from "node:child_process";
import { once } from "node:events";

/** The longest one client process may take; a test's own limit must be above the sum of its runs. */
export const CLIENT_LIMIT_MS = 120_000;

/** What a client left behind when it ended. */
export interface ClientResult {
  /** Exit code; null when a signal ended it. */
  code: number | null;
  /** All of stdout. */
  stdout: string;
  /** All of stderr. */
  stderr: string;
}

/**
 * Runs a client with an ended stdin, after `input` where there is one, in a process group of its own.
 *
 * Contract: settles within CLIENT_LIMIT_MS; afterwards nothing of the group is alive; throws when the program cannot be
 * started or ran out of time.
 */
export async function runClient(
  command: string,
  args: string[],
  { input = "", ...options }: { cwd: string; env: Record<string, string>; input?: string },
): Promise<ClientResult> {
  const child = spawn(command, args, { ...options, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  // A client that does not read it may be gone before it is written.
  child.stdin.on("error", () => {}).end(input);
  const printed = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (chunk: string) => {
      printed[stream] += chunk;
    });
  }
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child.pid);
    // A descendant in another group may still hold the pipes; without this we would wait for it.
    child.stdout.destroy();
    child.stderr.destroy();
  }, CLIENT_LIMIT_MS);
  // On "exit", not after "close": what outlives the client may keep its pipes open.
  child.once("exit", () => killGroup(child.pid));
  try {
    const [code] = await once(child, "close");
    if (timedOut) throw new Error(`${command} did not end within ${CLIENT_LIMIT_MS} ms\n${printed.stderr}`);
    return { code, ...printed };
  } finally {
    clearTimeout(timer);
  }
}

/** Kills the group and not only its leader: the native child of npm's Codex launcher survives the launcher. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // Nothing of the group is left, which is what we want.
  }
}
