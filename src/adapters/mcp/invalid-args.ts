import * as z from "zod/mini";
import { CALL_ERRORS } from "../../contract/mcp.ts";
import type { ToolDeclaration } from "../../contract/tool.ts";
import { lowerArgs } from "../../lifecycle/clamp.ts";

/** What is wrong with arguments, as scripts know it; null where nothing is. Contract: pure; repeats no text of theirs. */
export function sayInvalid(tool: ToolDeclaration, given: Readonly<Record<string, unknown>>): string | null {
  const lowered = lowerArgs(tool, {}, given);
  const args = lowered.ok ? lowered.value.args : given;
  const parsed = z.safeParse(tool.input(), args);
  const [issue] = parsed.success ? [] : parsed.error.issues;
  if (issue === undefined) return null;
  const key = String(issue.path[0] ?? "input");
  const value: unknown = issue.path.length === 0 ? args : args[key];
  return CALL_ERRORS.invalid(key, expectedBy(issue), typeof value === "number" ? String(value) : typeOf(value));
}

function expectedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return issue.expected;
  if (issue.code === "invalid_value") return issue.values.map(String).join(" or ");
  const things = "origin" in issue && issue.origin === "string" ? " characters" : "";
  if (issue.code === "too_big") return `at most ${issue.maximum}${things}`;
  if (issue.code === "too_small") return `at least ${issue.minimum}${things}`;
  return "another value";
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
