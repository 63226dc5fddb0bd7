import { type GuardPolicy, guard, guardOwn } from "../lifecycle/guard.ts";
import { MAX_ANALYSED_CHARS, type PromptClues } from "./clues.ts";
import type { FusedFinding } from "./fuse.ts";
import { type Evidence, type Subject, type Turn, toKeys } from "./memory.ts";

/** What a turn is made from. */
export interface TurnParts {
  readonly text: string;
  readonly clues: PromptClues;
  /** The clues' paths that lie inside the repository. */
  readonly paths: readonly string[];
  /** All that was found, most useful first. */
  readonly findings: readonly FusedFinding[];
  /** What of it stood in the prompt's block. */
  readonly shown: Evidence;
  readonly policy: GuardPolicy;
}

/**
 * What is to be remembered of a turn. Contract: names, paths and keys alone; a name that the guard would change, by
 * itself or where it stands in the prompt, is left out, so that no secret is written down.
 */
export function toTurn({ text, clues, paths, findings, shown, policy }: TurnParts): Omit<Turn, "of"> {
  const isClean = makeCleanTest(text, policy);
  const found = findings.filter(({ symbol, path }) => symbol !== "" && isClean(symbol) && isClean(path));
  // Of `Printer.format` the method may have been found, or the class that holds it.
  const placeOf = (name: string) =>
    toParts(name).reduceRight((path, part) => path || (found.find(({ symbol }) => symbol === part)?.path ?? ""), "");
  const named = clues.symbols.filter(isClean).map((symbol) => ({ symbol, path: placeOf(symbol), named: true }));
  const others = found
    .map(({ symbol, path }) => ({ symbol, path, named: false }))
    .filter(({ symbol }) => !named.some((subject) => toParts(subject.symbol).includes(symbol)));
  // What the repository knows comes before what only the question says, such as a method of the language.
  const known = [...named.filter(({ path }) => path !== ""), ...named.filter(({ path }) => path === "")];
  return { subjects: unique([...known, ...others]), paths: paths.filter(isClean), given: toKeys(shown) };
}

function toParts(name: string): string[] {
  return name.split(/\.|::|#|->/);
}

function unique(subjects: readonly Subject[]): Subject[] {
  return subjects.filter(({ symbol }, at) => subjects.findIndex((other) => other.symbol === symbol) === at);
}

function makeCleanTest(text: string, policy: GuardPolicy): (name: string) => boolean {
  const head = text.slice(0, MAX_ANALYSED_CHARS).normalize("NFKC");
  const clean = guardOwn(head);
  return (name) => guard(name, policy).value === name && (clean.includes(name) || !head.includes(name));
}
