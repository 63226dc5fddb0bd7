import { readFileSync } from "node:fs";
import { once } from "./once.ts";
import { toCode } from "./text.ts";

/** Identifies one process, as opposed to a later one that reuses its PID. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in a system-specific unit; empty if the system does not report it. */
  readonly startedAt: string;
  /** Identifier of the current boot; empty if the system does not report it. */
  readonly bootId: string;
}

const bootId = once(() => readQuietly("/proc/sys/kernel/random/boot_id").trim());

/** Identifies the process that has a PID now. Contract: never throws; null if there is none. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isThere(pid)) return null;
  const fields = statOf(pid);
  // A zombie has already ended.
  if (fields?.state === "Z" || fields?.state === "X") return null;
  return { pid, startedAt: fields?.startedAt ?? "", bootId: bootId() };
}

/** True if exactly this process is alive. Contract: false for another process that reuses the PID. */
export function isSameProcess({ pid, startedAt, bootId: boot }: ProcessIdentity): boolean {
  const now = identifyProcess(pid);
  return now !== null && now.startedAt === startedAt && now.bootId === boot;
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: the process exists but belongs to another user.
    return toCode(thrown) === "EPERM";
  }
}

function statOf(pid: number): { readonly state: string; readonly startedAt: string } | null {
  const text = readQuietly(`/proc/${pid}/stat`);
  // The process name, in parentheses, may itself contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return text === "" ? null : { state: fields[0] ?? "", startedAt: fields[19] ?? "" };
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
