import type * as z from "zod/mini";
import { findNearest } from "../../base/edit-distance.ts";
import { isRecord } from "../../base/text.ts";
import { CALL_ERRORS } from "../../contract/mcp.ts";
import type { ToolDeclaration } from "../../contract/tool.ts";
import { type Rejection, UNTOLD } from "../../lifecycle/clamp.ts";
import { guardOwn } from "../../lifecycle/guard.ts";

/** Valid names of tools and arguments. */
const NAME = /^[A-Za-z][\w.-]{0,63}$/;
/** Maximum number of names in a message. */
const MOST_NAMES = 5;

/**
 * Describes what is wrong with arguments, in the words that scripts depend on. Contract: pure; quotes only their names.
 */
export function sayInvalid(tool: ToolDeclaration, { issue, args }: Rejection): string {
  if (issue.code === "unrecognized_keys") return sayUnknown(issue.keys, Object.keys(tool.input().shape));
  const key = issue.path.length === 0 ? "input" : issue.path.map(showName).join(".");
  const value = issue.path.reduce<unknown>(
    (inner, step) => (isRecord(inner) || Array.isArray(inner) ? Reflect.get(inner, step) : undefined),
    args,
  );
  const hint = issue.message === UNTOLD ? "" : `; ${issue.message}`;
  return CALL_ERRORS.invalid(key, expectedBy(issue), typeof value === "number" ? String(value) : typeOf(value)) + hint;
}

function sayUnknown(keys: readonly string[], taken: readonly string[]): string {
  return CALL_ERRORS.unknownKeys(keys.slice(0, MOST_NAMES).map(showName), findNearest(keys[0] ?? "", taken), taken);
}

/** A name that a client sent, for a message; `?` for anything that does not look like a name. */
export function showName(name: PropertyKey): string {
  const text = String(name);
  return typeof name === "number" || NAME.test(text) ? guardOwn(text) : "?";
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
