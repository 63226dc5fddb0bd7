import { findRepoRoot, toRealFolder } from "../../base/repo-root.ts";
import { LIMITS_PREFIX, type Limit, readLimitsText, toLimitsText } from "../../contract/limits.ts";
import type { RunDocument } from "../../contract/run-document.ts";
import { guard, guardLimits, guardOwn } from "../../lifecycle/guard.ts";
import { cleanInFrame } from "../../orchestrator/render.ts";
import { userTexts } from "./print.ts";

const HEADINGS = ["[Auto Tools] ", "[Results] "];

/** A document that is clean, and its limits as values. */
interface GuardedDocument {
  readonly document: RunDocument;
  readonly limits: readonly Limit[];
}

/**
 * Another orchestrator's document with everything in it cleaned as a tool's answer is. Contract: headings, limits and our own
 * frame keep their marks; a document of ours comes out as it went in; what was taken out is told in its limits.
 */
export function guardDocument(document: RunDocument, folder: string): GuardedDocument {
  const real = toRealFolder(folder);
  const policy = { root: real === null ? folder : findRepoRoot(real).root, isExcluded: () => false };
  const told: Limit[] = [];
  const clean = <T>(value: T): T => {
    const { value: own, limits } = guard(value, policy);
    told.push(...limits);
    return own;
  };
  const { inputs, fused_context, ...rest } = document;
  const { for_model } = fused_context;
  const { tool_plan_text, results_text, limits_text } = userTexts(document);
  const context = cleanInFrame(for_model.additional_context, (body) => cleanLines(body, [LIMITS_PREFIX], clean));
  const texts = {
    tool_plan_text: cleanLines(tool_plan_text, HEADINGS, clean),
    results_text: cleanLines(results_text, HEADINGS, clean),
  };
  // Every key stays in its place: whoever compares documents sees what changed and nothing else.
  const whole = {
    ...document,
    ...clean(rest),
    inputs: guardOwn(inputs),
    fused_context: {
      ...fused_context,
      for_model: { ...for_model, ...clean({ ...for_model, additional_context: "" }) },
    },
  };
  const limits = guardLimits([...readLimitsText(limits_text), ...told]);
  whole.fused_context.for_model.additional_context = context;
  whole.fused_context.for_user = { ...texts, limits_text: toLimitsText(limits) };
  return { document: whole, limits };
}

/** Cleans a text whose lines may begin with one of our marks, which stays. */
function cleanLines(text: string, marks: readonly string[], clean: (text: string) => string): string {
  const parts: string[] = [];
  let plain: string[] = [];
  const flush = () => {
    if (plain.length > 0) parts.push(clean(plain.join("\n")));
    plain = [];
  };
  for (const line of text.split("\n")) {
    const found = marks.find((mark) => line.startsWith(mark));
    if (found === undefined) plain.push(line);
    else {
      flush();
      parts.push(found + clean(line.slice(found.length)));
    }
  }
  flush();
  return parts.join("\n");
}
