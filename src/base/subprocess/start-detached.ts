import { closeSync, openSync } from "node:fs";
import { CALL_MARK, JOB_MARK, killQuietly } from "./marks.ts";
import { ignore, type ProgramStart, type StartedProgram, spawnNow, spawnProcess } from "./spawn.ts";

type Surroundings = Pick<ProgramStart, "cwd" | "env">;

interface DetachedCall extends Surroundings {
  /** Files that receive its output; without them the output is discarded. */
  readonly outputFiles?: { readonly stdout: string; readonly stderr: string };
  /** File with its input; without one it has no input. */
  readonly inputFile?: string | undefined;
  /** Id of its job: sets the mark for `isJobProcess`, and removes the mark of the program that we may be part of. */
  readonly job?: string;
  /** Program that is started as soon as this one is gone, however it ends. */
  readonly heir?: Pick<ProgramStart, "command" | "args">;
}

/**
 * Starts a program that outlives us: in its own session, without any of our streams. Contract: never throws, and does
 * not wait for its end; null if it could not be started.
 */
export async function startDetached(
  command: string,
  args: readonly string[],
  { cwd, env, outputFiles, inputFile, job, heir }: DetachedCall,
): Promise<number | null> {
  const opened: number[] = [];
  let keeper: StartedProgram["child"] | null = null;
  try {
    if (outputFiles !== undefined)
      opened.push(openSync(outputFiles.stdout, "a", 0o600), openSync(outputFiles.stderr, "a", 0o600));
    const [stdout = "ignore", stderr = "ignore"] = opened;
    const stdin = inputFile === undefined ? "ignore" : openSync(inputFile, "r");
    if (typeof stdin === "number") opened.push(stdin);
    keeper = heir === undefined ? null : await startHeir(heir.command, heir.args, { cwd, env });
    const child = await spawnProcess(command, args, {
      cwd,
      env: job === undefined ? { ...env } : { ...env, [CALL_MARK]: undefined, [JOB_MARK]: job },
      detached: true,
      // Node passes no other descriptors on to its own children, so the pipe closes together with the program.
      stdio: [stdin, stdout, stderr, ...(keeper?.stdin == null ? [] : [keeper.stdin])],
    });
    child.on("error", ignore).unref();
    if (child.pid === undefined && keeper?.pid !== undefined) killQuietly(-keeper.pid);
    return child.pid ?? null;
  } catch {
    if (keeper?.pid !== undefined) killQuietly(-keeper.pid);
    return null;
  } finally {
    keeper?.stdin?.destroy();
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/**
 * Synchronous version for a process that is about to exit: without files, and without any of our streams. Contract:
 * never throws.
 */
export function startDetachedNow(command: string, args: readonly string[], { cwd, env }: Surroundings): void {
  try {
    spawnNow(command, args, { cwd, env: { ...env }, detached: true, stdio: "ignore" })
      .on("error", ignore)
      .unref();
  } catch {
    // The program could not be started.
  }
}

/**
 * Arranges for a program to be started as soon as this process is gone, however it ends: a shell waits for the end of a
 * pipe that only we hold open. Contract: never throws; call `dismiss` before a regular exit.
 */
export async function leaveHeir(
  command: string,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<{ readonly dismiss: () => void }> {
  try {
    const { pid } = await startHeir(command, args, surroundings);
    return { dismiss: () => pid !== undefined && killQuietly(-pid) };
  } catch {
    return { dismiss: ignore };
  }
}

/**
 * Starts a shell that waits for the end of its input. It carries no mark, so that killing marked processes spares it.
 */
async function startHeir(
  command: string,
  args: readonly string[],
  { cwd, env }: Surroundings,
): Promise<StartedProgram["child"]> {
  const child = await spawnProcess("/bin/sh", ["-c", 'cat >/dev/null 2>&1; exec "$@"', "sh", command, ...args], {
    cwd,
    env: { ...env, [CALL_MARK]: undefined, [JOB_MARK]: undefined },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.on("error", ignore).unref();
  child.stdin?.on("error", ignore);
  (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return child;
}
