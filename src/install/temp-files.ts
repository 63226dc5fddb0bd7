import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { listFolder } from "../base/file-facts.ts";
import { once } from "../base/once.ts";
import { identifyProcess } from "../base/process-identity.ts";

const startedAt = once(() => identifyProcess(process.pid)?.startedAt ?? "");

/**
 * Returns a new temporary name beside a file. It identifies the writing process by its id and start time: an id alone
 * is soon that of another process.
 */
export function toTempPath(path: string): string {
  const writer = `${process.pid}-${startedAt()}`;
  return join(dirname(path), `.${basename(path)}.${writer}-${randomBytes(4).toString("hex")}.tmp`);
}

/**
 * Finds temporary files of a file, and of its backups, that were left by processes killed while writing. Contract:
 * read-only; never throws; excludes those of running processes.
 */
export function findTempFiles(path: string): string[] {
  const prefix = `.${basename(path).replace(/\.backup\.\d{14}$/, "")}.`;
  return listFolder(dirname(path)).flatMap((name) => {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    const [, pid, started] = /^(?:backup\.\d{14}\.)?(\d+)-(\d*)-[0-9a-f]{8}\.tmp$/.exec(rest) ?? [];
    const isLeft = pid !== undefined && identifyProcess(Number(pid))?.startedAt !== started;
    return isLeft ? [join(dirname(path), name)] : [];
  });
}
