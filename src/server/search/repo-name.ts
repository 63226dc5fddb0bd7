import { termsOfWord, wordsOf } from "../../engine/search/words.ts";
import type { DecodedPostings } from "../../engine/store/postings.ts";

/** A path that has its repository's name among the folders that count, the three innermost ones. */
const NEAR = /^(?:[^/]+\/){0,2}[^/]+$/;

/**
 * Treats the name of a repository as a folder of its files, as it would be if all repositories were in one folder, so
 * that a question that names the repository finds it. `paths` are relative to the repository.
 */
export function makeNamed(
  repo: string,
  paths: readonly string[],
): (term: string, found: DecodedPostings | null) => DecodedPostings | null {
  const terms = new Set(wordsOf(repo).flatMap((word) => termsOfWord(word)));
  let near: Int32Array | undefined;
  return (term, found) => {
    if (!terms.has(term)) return found;
    near ??= Int32Array.from(paths.flatMap((path, slot) => (NEAR.test(path) ? [slot] : [])));
    return addPaths(found, near);
  };
}

/** Returns the postings with one more path occurrence in each of these files. */
function addPaths(found: DecodedPostings | null, near: Int32Array): DecodedPostings | null {
  if (near.length === 0) return found;
  const old = found ?? NOWHERE;
  const slots = Int32Array.from(new Set([...old.slots, ...near])).sort();
  const rowOf = new Map(Array.from(old.slots, (slot, at) => [slot, at]));
  const added = new Set(near);
  const column = (values: Int32Array, more: (slot: number) => number = () => 0) =>
    slots.map((slot) => (values[rowOf.get(slot) ?? -1] ?? 0) + more(slot));
  const lineStarts = new Int32Array(slots.length + 1);
  let end = old.lineStarts[0] ?? 0;
  slots.forEach((slot, at) => {
    const row = rowOf.get(slot);
    lineStarts[at] = end;
    // A file with the word only in its path has no lines.
    if (row !== undefined) end = old.lineStarts[row + 1] ?? end;
    lineStarts[at + 1] = end;
  });
  const { body, name, doc, path, bytes } = old;
  const paths = column(path, (slot) => Number(added.has(slot)));
  return { slots, body: column(body), name: column(name), doc: column(doc), path: paths, lineStarts, bytes };
}

const EMPTY = new Int32Array(0);
const NOWHERE: DecodedPostings = {
  slots: EMPTY,
  body: EMPTY,
  name: EMPTY,
  path: EMPTY,
  doc: EMPTY,
  lineStarts: new Int32Array(1),
  bytes: new Uint8Array(0),
};
