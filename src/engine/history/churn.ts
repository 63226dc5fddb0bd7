import type { CommitWindow } from "./read-history.ts";

/** How often a file changed within a number of days. */
export interface Churn {
  readonly commits: number;
  readonly authors: number;
  readonly lastAtMs: number;
  /** The second half of the period compared with the first. */
  readonly trend: "rising" | "steady" | "falling";
}

/** Counts the changes of each file. */
export function countChurn({ commits, fromMs, untilMs }: CommitWindow): Map<string, Churn> {
  const middleMs = (fromMs + untilMs) / 2;
  const counts = new Map<string, { early: number; late: number; lastAtMs: number; authors: Set<string> }>();
  for (const { files, atMs, author } of commits) {
    for (const path of files) {
      const own = counts.get(path) ?? { early: 0, late: 0, lastAtMs: atMs, authors: new Set<string>() };
      if (atMs > middleMs) own.late++;
      else own.early++;
      own.lastAtMs = Math.max(own.lastAtMs, atMs);
      own.authors.add(author);
      counts.set(path, own);
    }
  }
  return new Map(
    Array.from(counts, ([path, { early, late, lastAtMs, authors }]) => [
      path,
      {
        commits: early + late,
        authors: authors.size,
        lastAtMs,
        trend: late > early ? "rising" : late < early ? "falling" : "steady",
      },
    ]),
  );
}
