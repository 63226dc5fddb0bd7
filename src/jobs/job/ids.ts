import { cleanTag, toRunName, toTimestamp } from "../run/session-paths.ts";

/** A tag as it stands in ids: what names of files must not have becomes `-`, and no two dots stand together. */
export function toTag(text: string): string {
  return cleanTag(text).replace(/\.{2,}/g, ".");
}

/** `cdx-<YYYYmmdd_HHMMSS>[-tag]`, the time in UTC. */
export function toJobId(ms: number, tag: string): string {
  return `cdx-${toRunName(toTimestamp(ms), tag)}`;
}

/** True for the name of a job's folder: nothing that leads elsewhere. */
export function isJobId(id: string): boolean {
  return /^[A-Za-z0-9_.:-]{1,200}$/.test(id) && !id.startsWith(".") && !id.includes("..");
}
