import type { FileStep } from "./apply.ts";
import { type BackupRecord, isIntact } from "./receipt.ts";
import type { ReportItem } from "./report.ts";

/** Steps to apply and items to report. Contract: plain data; creating it writes nothing. */
export interface InstallPlan {
  readonly steps: readonly FileStep[];
  readonly items: readonly ReportItem[];
  readonly notes: readonly string[];
}

/** One planner's part of an installation, with its record for the receipt. */
export interface PlanPart<Kept> extends InstallPlan {
  readonly record: Kept;
}

/** An empty plan. */
export const NOTHING: InstallPlan = { steps: [], items: [], notes: [] };

/** Joins several plans into one, in order. */
export function joinPlans(parts: readonly InstallPlan[]): InstallPlan {
  return {
    steps: parts.flatMap((part) => part.steps),
    items: parts.flatMap((part) => part.items),
    notes: parts.flatMap((part) => part.notes),
  };
}

/** Plans the removal of a backup that is no longer needed: it is intact, and the file has the same content again. */
export function planCopyRemoval(copy: BackupRecord | null, sha256After: string | null): InstallPlan {
  if (copy === null || sha256After !== copy.sha256 || !isIntact(copy)) return NOTHING;
  return {
    ...NOTHING,
    steps: [{ kind: "remove", path: copy.path }],
    items: [{ action: "remove", path: copy.path, detail: "copy, the same as the file again" }],
  };
}
