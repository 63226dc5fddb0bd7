import * as z from "zod/mini";
import { RunDocument } from "../../contract/run-document.ts";
import type { RunDetail } from "../../contract/run-history.ts";

/** The document of a run, as far as it can be shown: another orchestrator's may have any form. */
export function readDocument({ document }: RunDetail): RunDocument | null {
  return document !== null && z.safeParse(RunDocument, document).success ? document : null;
}

/** Why there is nothing to show but a row; null where there is more. */
export function whyOnlyRow(detail: RunDetail): string | null {
  if (readDocument(detail) !== null) return null;
  if (detail.document !== null) return "its document has a form of its own, which --json prints as it is";
  return detail.row.tools.length === 0
    ? "the prompt was not about code; of such a one nothing but this is kept"
    : "history was set to no-prompts, which keeps counts and no text";
}
