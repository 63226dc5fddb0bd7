import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { listFolder } from "../base/file-facts.ts";
import { identifyProcess } from "../base/process-identity.ts";

/** Returns a new temporary name beside a file; it contains the id of the writing process. */
export function toTempPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`);
}

/**
 * Finds temporary files of a file, and of its backups, that were left by processes killed while writing. Contract:
 * read-only; never throws; excludes those of running processes.
 */
export function findTempFiles(path: string): string[] {
  const prefix = `.${basename(path).replace(/\.backup\.\d{14}$/, "")}.`;
  return listFolder(dirname(path)).flatMap((name) => {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    const [, pid] = /^(?:backup\.\d{14}\.)?(\d+)-[0-9a-f]{8}\.tmp$/.exec(rest) ?? [];
    const isLeft = pid !== undefined && Number(pid) !== process.pid && identifyProcess(Number(pid)) === null;
    return isLeft ? [join(dirname(path), name)] : [];
  });
}
