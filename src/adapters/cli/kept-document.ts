import * as z from "zod/mini";
import { RunDocument } from "../../contract/run-document.ts";
import type { RunDetail } from "../../contract/run-history.ts";

/** Returns a run's document if it is valid: another orchestrator's document may have any form. */
export function readDocument({ document }: RunDetail): RunDocument | null {
  return document !== null && z.safeParse(RunDocument, document).success ? document : null;
}

/** Why only the row of a run can be shown; null if there is more. */
export function whyOnlyRow(detail: RunDetail): string | null {
  if (readDocument(detail) !== null) return null;
  if (detail.document !== null) return "its document has a different form, which --json prints unchanged";
  return detail.row.tools.length === 0
    ? "the prompt was not about code; of such a one nothing but this is kept"
    : "history was set to no-prompts, which keeps counts and no text";
}
