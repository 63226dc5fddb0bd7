import { readFileSync } from "node:fs";
import { once } from "./once.ts";

/** One process, told apart from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it began, in a unit of the system's own; empty where the system does not tell. */
  readonly startedAt: string;
  /** Which run of the system it belongs to; empty where the system does not tell. */
  readonly bootId: string;
}

const bootId = once(() => readQuietly("/proc/sys/kernel/random/boot_id").trim());

/** Tells who has a process number now. Contract: never throws; null where nobody has. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isThere(pid)) return null;
  const fields = statOf(pid);
  // A process that has ended but was not waited for yet does nothing any more.
  if (fields?.state === "Z" || fields?.state === "X") return null;
  return { pid, startedAt: fields?.startedAt ?? "", bootId: bootId() };
}

/** True where that very process is alive. Contract: a number that was given to another process is not it. */
export function isSameProcess({ pid, startedAt, bootId: boot }: ProcessIdentity): boolean {
  const now = identifyProcess(pid);
  return now !== null && now.startedAt === startedAt && now.bootId === boot;
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // Somebody else's process is one, too.
    return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM";
  }
}

function statOf(pid: number): { readonly state: string; readonly startedAt: string } | null {
  const text = readQuietly(`/proc/${pid}/stat`);
  // The name, in brackets, may hold blanks and brackets of its own.
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
