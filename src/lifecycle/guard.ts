import { mapStrings } from "../base/text.ts";
import { isFixedLimit, LIMITS, type Limit } from "../contract/limits.ts";
import type { Redaction } from "../contract/run-document.ts";
import { defang } from "../safety/defang/defang.ts";
import { filterInstructions, filterLines, type LineRange } from "../safety/instructions/filter.ts";
import { hideFields } from "../safety/redact/data.ts";
import { redact, sumRedactions } from "../safety/redact/redact.ts";
import { dropForbidden, type PathPolicy } from "./guard-paths.ts";

/** Something that has passed the guard, and what the guard took out of it. */
export interface Guarded<T> {
  readonly value: T;
  readonly redactions: readonly Redaction[];
  readonly limits: readonly Limit[];
}

/** What the guard has to know. */
export type GuardPolicy = PathPolicy;

/** Short texts that passed as they are: keys, names and paths come again and again, in one call and from call to call. */
const harmless = new Set<string>();
const MOST_HARMLESS = 4_000;
const HARMLESS_CHARS = 200;

function rememberHarmless(text: string): void {
  if (text.length > HARMLESS_CHARS) return;
  if (harmless.size >= MOST_HARMLESS) harmless.clear();
  harmless.add(text);
}

/**
 * The one gate that everything from a tool or a file passes before anybody sees it: entries about forbidden paths go,
 * secrets are hidden, structure is defanged, planted instructions are removed. Contract: linear; applying it twice
 * changes nothing; every loss is in `limits`.
 */
export function guard<T>(value: T, policy: GuardPolicy): Guarded<T> {
  const redactions: (readonly Redaction[])[] = [];
  let filtered = 0;
  let dropped = 0;
  const kept = dropForbidden(value, policy, () => dropped++);
  // With its key in view first: a word under "password" is a secret that no text alone would tell.
  const named = hideFields(
    kept,
    (kind) => redactions.push([{ kind, count: 1 }]),
    (text) => policy.names?.has(text) === true,
  );
  const known = new Map<string, string>();
  const clean = mapStrings(named, (text) => {
    if (harmless.has(text) || policy.names?.has(text) === true) return text;
    // What was found in a text counts once.
    const before = known.get(text);
    if (before !== undefined) return before;
    // Invisible characters go first: one inside a key would hide it from the rules.
    const hidden = redact(defang(text));
    redactions.push(hidden.redactions);
    const calm = filterInstructions(hidden.text, text);
    filtered += calm.count;
    known.set(text, calm.text);
    if (calm.text === text) rememberHarmless(text);
    return calm.text;
  });
  const counts = sumRedactions(redactions);
  const limits: Limit[] = [];
  if (dropped > 0) limits.push(LIMITS.pathsFiltered(dropped));
  if (filtered > 0) limits.push(LIMITS.injectionFiltered());
  return { value: clean as T, redactions: counts, limits };
}

/**
 * The same gate for some lines of a file. Contract: they are cleaned together with all of `text`, so that a secret or an
 * order is found even where only its rest is among them; nothing of the other lines is returned.
 */
export function guardLines(text: string, shown: LineRange): Guarded<readonly string[]> {
  const hidden = redact(defang(text));
  const { lines, count } = filterLines(hidden.text, shown, text);
  return { value: lines, redactions: hidden.redactions, limits: count > 0 ? [LIMITS.injectionFiltered()] : [] };
}

/** Hides secrets and structure in what comes from a prompt or a settings file but from no tool. */
export function guardOwn<T>(value: T): T {
  return mapStrings(
    hideFields(value, () => {}),
    (text) => redact(defang(text)).text,
  ) as T;
}

/** Cleans limits: they may quote a repository's settings. Contract: what is removed is itself said. */
export function guardLimits(limits: readonly Limit[]): Limit[] {
  let filtered = 0;
  const clean = limits.map((limit) => {
    if (isFixedLimit(limit)) return limit;
    const { text, count } = filterInstructions(guardOwn(limit.text));
    filtered += count;
    return { ...limit, text };
  });
  return filtered > 0 ? [...clean, LIMITS.injectionFiltered()] : clean;
}
