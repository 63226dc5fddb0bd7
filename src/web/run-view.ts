import { mapStrings, sliceWhole } from "../base/text.ts";
import { findClient, measureFor } from "../contract/clients.ts";
import { countOf } from "../contract/count-of.ts";
import type { RunDetail } from "../contract/run-history.ts";
import type { RunView } from "./wire.ts";

/** Maximum length of each text of a run that is sent, and of all its texts together. */
const MAX_TEXT_CHARS = 1_000_000;
const MAX_RUN_CHARS = 6_000_000;

/**
 * Converts a run for the page. Contract: texts that are too long for a page are truncated, and this is reported; a
 * document that is too long as a whole is omitted.
 */
export function toRunView(detail: RunDetail): RunView {
  const client = findClient(detail.row.client);
  const injectedSize = client === undefined ? detail.injected.length : measureFor(client.name, detail.injected);
  const told: string[] = [...detail.cut];
  let chars = 0;
  let cutTexts = 0;
  const cut = (text: string) => {
    chars += Math.min(text.length, MAX_TEXT_CHARS);
    if (text.length <= MAX_TEXT_CHARS) return text;
    cutTexts++;
    return sliceWhole(text, MAX_TEXT_CHARS);
  };
  const injected = cut(detail.injected);
  if (cutTexts > 0)
    told.push(`the page shows the first ${MAX_TEXT_CHARS} of ${detail.injected.length} injected characters`);
  cutTexts = 0;
  const row = mapStrings(detail.row, cut) as RunDetail["row"];
  let document = mapStrings(detail.document, cut) as RunDetail["document"];
  if (cutTexts > 0) told.push(`${countOf(cutTexts, "text")} cut to the first ${MAX_TEXT_CHARS} characters each`);
  if (chars > MAX_RUN_CHARS) {
    document = null;
    told.push("the document is too long for a page; groundwork show prints it");
  }
  return {
    ...detail,
    row,
    document,
    injected,
    cut: told,
    client_title: client?.title ?? detail.row.client,
    unit: client?.unit ?? "utf16",
    injected_size: injectedSize,
  };
}
