import { type InstallPlan, NOTHING } from "./plan-part.ts";
import { type BackupRecord, isIntact } from "./receipt.ts";

/** Plans the removal of a backup that is no longer needed: it is intact, and the file has the same content again. */
export function planCopyRemoval(copy: BackupRecord | null, sha256After: string | null): InstallPlan {
  if (copy === null || sha256After !== copy.sha256 || !isIntact(copy)) return NOTHING;
  return {
    ...NOTHING,
    steps: [{ kind: "remove", path: copy.path }],
    items: [{ action: "remove", path: copy.path, detail: "copy, the same as the file again" }],
  };
}
