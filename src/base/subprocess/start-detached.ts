import { closeSync, openSync } from "node:fs";
import { CALL_MARK, JOB_MARK, killQuietly } from "./marks.ts";
import { ignore, type ProgramStart, type StartedProgram, spawnNow, spawnProcess } from "./spawn.ts";

type Surroundings = Pick<ProgramStart, "cwd" | "env">;

interface DetachedCall extends Surroundings {
  /** Files that take its output; without them it goes nowhere. */
  readonly outputFiles?: { readonly stdout: string; readonly stderr: string };
  /** File that it reads as its input; without one there is none. */
  readonly inputFile?: string | undefined;
  /** Marks it, for `isJobProcess`, and frees it of the mark of the program that we may be part of. */
  readonly job?: string;
  /** What is started at the moment when it is gone, however it goes. */
  readonly heir?: Pick<ProgramStart, "command" | "args">;
}

/**
 * Starts a program that outlives us: in a session of its own, holding none of our streams. Contract: never throws, and
 * does not wait for its end; null where it could not be started.
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
      // Node passes nothing but the first three on to what it starts: the pipe ends with the program alone.
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
 * The same at once, for a process that is about to end: without files, and holding none of our streams. Contract: never
 * throws.
 */
export function startDetachedNow(command: string, args: readonly string[], { cwd, env }: Surroundings): void {
  try {
    spawnNow(command, args, { cwd, env: { ...env }, detached: true, stdio: "ignore" })
      .on("error", ignore)
      .unref();
  } catch {
    // It could not be started.
  }
}

/**
 * Has a program started at the moment when this process is gone, however it goes: a shell waits for the end of a pipe that
 * only we hold. Contract: never throws; whoever ends in order dismisses it first.
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

/** A shell that waits for the end of its input. It carries no mark: whoever ends what is marked must not end it as well. */
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
