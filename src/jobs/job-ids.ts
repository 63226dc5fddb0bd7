import { toCompactTime } from "../base/clock.ts";

/** Longest tag: an id with it is still a name that every file system takes. */
const MAX_TAG_CHARS = 100;

/** A tag as it stands in ids: what names of files must not have becomes `-`. */
export function toTag(text: string): string {
  return text
    .replace(/[^A-Za-z0-9_.-]/g, "-")
    .replace(/\.{2,}/g, ".")
    .slice(0, MAX_TAG_CHARS);
}

/** `cdx-<YYYYmmdd_HHMMSS>[-tag]`, the time in UTC. */
export function toJobId(ms: number, tag: string): string {
  const time = toCompactTime(ms).replace("-", "_");
  return tag === "" ? `cdx-${time}` : `cdx-${time}-${tag}`;
}

/** True for the name of a job's folder: nothing that leads elsewhere. */
export function isJobId(id: string): boolean {
  return /^[A-Za-z0-9_.:-]{1,200}$/.test(id) && !id.startsWith(".") && !id.includes("..");
}
