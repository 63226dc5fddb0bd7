import { LANGUAGES } from "../../base/languages.ts";
import { isDemotedPath } from "../../base/path-rules.ts";
import { endingsOf } from "../languages.ts";
import { endingOfScript } from "../parse/script.ts";

/** What a path and the first lines say about a file, one bit each. */
export const TRAIT = {
  test: 1,
  /** Examples, documents, benchmarks, scripts, code of others. */
  aside: 2,
  /** Kept for old callers. */
  compat: 4,
  /** Only hands on what other files define. */
  reexport: 8,
  /** Declares types that are defined elsewhere. */
  declaration: 16,
  /** Text for people or data, not code. */
  prose: 32,
  /** Written by a program. */
  generated: 64,
  /** Code without an ending, told by its first line. */
  script: 128,
} as const;

const TEST =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing|testdata|fixtures?|e2e|__mocks__)(?:\/|$)|(?:^|\/)(?:test_[^/]*|conftest)\.\w+$|[._-](?:test|spec|tests|bench)\.\w+$|(?:Test|Tests|Spec|Suite)\.\w+$/;
const ASIDE =
  /(?:^|\/)(?:_?examples?|docs?_src|docs?|demos?|samples?|benchmarks?|benches|vendor|third_party|deps|scripts|playground|website)(?:\/|$)/;
const COMPAT = /(?:^|\/)_?(?:compat|legacy|deprecated)(?:\/|\.\w+$)/;
const REEXPORT = toPattern(
  "(?:^|/)",
  LANGUAGES.flatMap((entry) =>
    [...(entry.fronts ?? []), ...(entry.reexports ?? [])].flatMap((stem) =>
      endingsOf(entry).map((ending) => `${stem}.${ending}`),
    ),
  ),
);
const DECLARATION = toPattern(
  "\\.",
  LANGUAGES.flatMap(({ declarations = [] }) => declarations),
);
const PROSE = toPattern("\\.", LANGUAGES.filter(({ kind }) => kind !== "code").flatMap(endingsOf), "i");
const GENERATED = /@generated\b|\b(?:auto-?|automatically )generated\b|\bcode generated\b[^\n]{0,200}\bdo not edit\b/i;
/** Characters at the top of a file in which a generator names itself. */
const HEAD_CHARS = 600;

/** A pattern for paths that end in one of these texts. */
function toPattern(before: string, ends: readonly string[], flags = ""): RegExp {
  return new RegExp(`${before}(?:${ends.map((end) => end.replace(/[.+]/g, "\\$&")).join("|")})$`, flags);
}

/** Reads a path and the beginning of a file's text. Contract: bits of `TRAIT`; a function of its arguments. */
export function readTraits(path: string, text: string): number {
  return (
    (TEST.test(path) ? TRAIT.test : 0) |
    (ASIDE.test(path) || (!TEST.test(path) && isDemotedPath(path)) ? TRAIT.aside : 0) |
    (COMPAT.test(path) ? TRAIT.compat : 0) |
    (REEXPORT.test(path) ? TRAIT.reexport : 0) |
    (DECLARATION.test(path) ? TRAIT.declaration : 0) |
    (PROSE.test(path) ? TRAIT.prose : 0) |
    (GENERATED.test(text.slice(0, HEAD_CHARS)) ? TRAIT.generated : 0) |
    (endingOfScript(path, text) === "" ? 0 : TRAIT.script)
  );
}

/** A path in its parts: folders, the last part, that without its last ending, and that ending in lower case. */
export interface PathParts {
  readonly folders: readonly string[];
  readonly base: string;
  readonly stem: string;
  readonly ending: string;
}

/** Takes a repository-relative path apart. */
export function splitPath(path: string): PathParts {
  const folders = path.split("/");
  const base = folders.pop() ?? "";
  const dot = base.lastIndexOf(".");
  return {
    folders,
    base,
    stem: dot > 0 ? base.slice(0, dot) : base,
    ending: dot > 0 ? base.slice(dot).toLowerCase() : "",
  };
}
