import type { LanguageEntry } from "../../base/languages.ts";
import { entryOfEnding } from "../languages.ts";
import { toWordSet } from "../word-set.ts";
import type { DefinitionKind, IndexedDefinition } from "./source.ts";

const KEYWORD =
  /(?:^|(?<!\bas)[\s;{(])(class|interface|struct|enum|trait|type|module|defmodule|def|defp|defmacro|defmacrop|defstruct|func|function\*?|fn|fun|object|protocol|record|typedef|namespace|data|newtype|instance|impl|macro_rules!|extension|union|actor|typealias|const|let|var|val|sub)\s+(?:self\.|<[^>]{0,80}>\s*|\([^)]{0,80}\)\s*)?([A-Za-z_$][\w$.:]{0,120})/g;
const METHOD =
  /^[ \t]*(?:(?:public|private|protected|internal|static|final|abstract|override|async|virtual|inline|constexpr|extern|unsafe|export|default|get|set|synchronized|open|suspend|readonly|explicit|friend)\s+){0,6}(?:[\w$<>[\],.:&*?]{1,80}\s+[*&]{0,3}){0,2}([A-Za-z_$][\w$]*(?:::~?[A-Za-z_]\w*)?)\s*\([^;]*$/;
const ASSIGNED =
  /^[ \t]*(?:local\s+|export\s+)?(?:[A-Za-z_][\w.]{0,60}\.)?([A-Za-z_$][\w$]*)\s*[:=]\s*(?:async\s+)?(?:function\b|\([^)]{0,200}\)\s*=>|[A-Za-z_]\w*\s*=>)/;
const SHELL = /^(?:function\s+)?([A-Za-z_][\w:.-]*)\s*\(\)\s*\{?/;
const HASKELL = /^([a-z_][\w']*)\s*::/;
const MACRO = /^[ \t]*#[ \t]*define\s+([A-Za-z_]\w*)\(/;
const TYPES = toWordSet(
  "class interface struct enum trait type module defmodule object protocol record typedef namespace data newtype union actor typealias extension impl instance",
);
const VALUES = new Set(["const", "let", "var", "val"]);
const NOT_NAMES = toWordSet(
  "if for while switch catch return function with elif else do sizeof throw new and or not in assert await yield typeof case when unless until print super this self foreach match loop",
);
/** Pre-filter: matches every line that defines something by a keyword, an assignment or a macro. */
const MAYBE =
  /(?:^|[\s;{(])(?:class|interface|struct|enum|trait|type|module|def|defmodule|defp|defmacrop?|defstruct|func|function\*?|fn|fun|object|protocol|record|typedef|namespace|data|newtype|instance|impl|macro_rules!|extension|union|actor|typealias|const|let|var|val|sub)\s|=>|[:=]\s*(?:async\s+)?function|#[ \t]*define/;
const PLAIN_CALL = /^[ \t]*[A-Za-z_$][\w$]*\s*\(.*\)\s*$/;
const STATEMENT = /^\s*(?:return|throw|new|await|yield|else|delete)\b/;
/**
 * Lines at a definition's own indentation that still belong to it: brackets, `else` and the like, labels, directives.
 */
const STILL_INSIDE = /^(?:[)\]}{]|end\b|else\b|catch\b|finally\b|rescue\b|ensure\b|except\b|#|\/\/|[A-Za-z_]\w*:\s*$)/;
const CLOSES = /^(?:\}|end\b)/;
const MAX_LINE = 400;
const MAX_DEFINITIONS = 5_000;

interface Start {
  readonly name: string;
  readonly kind: DefinitionKind;
  readonly at: number;
  readonly indent: number;
}

/**
 * Finds the definitions of a file line by line: for languages without a grammar, and until the grammar has run.
 * Contract: ordered by line; a definition ends before the next one at its indentation.
 */
export function findLineDefinitions(lines: readonly string[], ending: string): IndexedDefinition[] {
  const starts: Start[] = [];
  const language = entryOfEnding(ending) ?? UNKNOWN;
  const isLikeMethod = methodTest(language);
  lines.forEach((line, at) => {
    if (line.length > MAX_LINE || starts.length >= MAX_DEFINITIONS) return;
    // Cheap tests first: most lines define nothing, and this runs for every line of a repository.
    if (MAYBE.test(line) || isLikeMethod(line)) starts.push(...definedIn(line, at, language));
  });
  const open: { readonly name: string; readonly indent: number; readonly endLine: number; readonly isType: boolean }[] =
    [];
  return starts.map((start, index) => {
    const endLine = findEnd(lines, start, starts, index);
    while (open.length > 0) {
      const last = open.at(-1);
      if (last === undefined || (last.endLine >= start.at + 1 && last.indent < start.indent)) break;
      open.pop();
    }
    const around = open.filter(({ isType }) => isType).map(({ name }) => name);
    open.push({ name: start.name, indent: start.indent, endLine, isType: start.kind === "type" });
    return {
      name: start.name,
      qualified: [...around, start.name].join("."),
      kind: start.kind,
      line: start.at + 1,
      endLine,
    };
  });
}

/** Properties of a language that determine how its lines are parsed. */
type LineTraits = Pick<LanguageEntry, "functionsBy" | "hasInnerValues" | "hasPreprocessor">;
const UNKNOWN: LineTraits = {};

/** Whether a line may define a method or function without a keyword. */
function methodTest({ functionsBy }: LineTraits): (line: string) => boolean {
  switch (functionsBy) {
    case "empty-parentheses":
      return (line) => line.includes("()");
    case "signature":
      return (line) => line.includes("::");
    case "keyword":
      return () => false;
    default:
      return (line) => line.includes("(") && isOpen(line);
  }
}

/** Whether the construct on a line continues after it: the line ends with a bracket, a comma, a colon or an arrow. */
function isOpen(line: string): boolean {
  const end = line.trimEnd();
  return "{:(,)".includes(end.charAt(end.length - 1)) || end.endsWith("=>");
}

function definedIn(line: string, at: number, language: LineTraits): Start[] {
  const trimmed = line.trimStart();
  const indent = line.length - trimmed.length;
  if (trimmed === "" || trimmed.startsWith("//") || trimmed.startsWith("*")) return [];
  if (trimmed.startsWith("#")) {
    const macro = language.hasPreprocessor ? MACRO.exec(line)?.[1] : undefined;
    return macro === undefined ? [] : [{ name: macro, kind: "function", at, indent }];
  }
  const found: Start[] = [];
  for (const [, keyword = "", written = ""] of line.matchAll(KEYWORD)) {
    const isValue = VALUES.has(keyword);
    // Other code cannot refer to a variable inside a function.
    if (isValue && indent > 0 && !language.hasInnerValues) continue;
    const name = lastPart(written);
    if (name === "" || NOT_NAMES.has(name)) continue;
    const isZigType = isValue && /=\s*(?:extern\s+|packed\s+)?(?:struct|enum|union)\b/.test(line);
    const isArrow = isValue && /=\s*(?:async\s+)?(?:function\b|\(|[A-Za-z_]\w*\s*=>|<)/.test(line);
    found.push({
      name,
      kind: TYPES.has(keyword) || isZigType ? "type" : isValue && !isArrow ? "value" : "function",
      at,
      indent,
    });
  }
  if (found.length > 0) return found;
  const name = nameOfMethod(line, language);
  return name === null ? [] : [{ name, kind: "function", at, indent }];
}

function nameOfMethod(line: string, { functionsBy }: LineTraits): string | null {
  if (functionsBy === "empty-parentheses") return keep(SHELL.exec(line)?.[1]);
  if (functionsBy === "signature") return keep(HASKELL.exec(line)?.[1]);
  if (STATEMENT.test(line)) return null;
  const assigned = ASSIGNED.exec(line)?.[1];
  if (assigned !== undefined) return keep(assigned);
  if (functionsBy === "keyword" || !isOpen(line) || PLAIN_CALL.test(line)) return null;
  return keep(METHOD.exec(line)?.[1]);
}

function keep(written: string | undefined): string | null {
  const name = lastPart(written ?? "");
  return name === "" || NOT_NAMES.has(name) ? null : name;
}

function lastPart(written: string): string {
  return (
    written
      .split(/[.:]+/)
      .filter((part) => part !== "")
      .at(-1) ?? ""
  );
}

/** The last line of a definition, by indentation; at most up to the next definition that is not nested in it. */
function findEnd(lines: readonly string[], start: Start, starts: readonly Start[], index: number): number {
  let before = lines.length;
  for (let next = index + 1; next < starts.length; next++) {
    const other = starts[next];
    if (other !== undefined && other.indent <= start.indent && other.at > start.at) {
      before = other.at;
      break;
    }
  }
  let end = start.at + 1;
  for (let at = start.at + 1; at < before; at++) {
    const trimmed = (lines[at] ?? "").trimStart();
    if (trimmed === "") continue;
    const indent = (lines[at] ?? "").length - trimmed.length;
    if (indent <= start.indent && !STILL_INSIDE.test(trimmed)) break;
    end = at + 1;
    if (indent <= start.indent && CLOSES.test(trimmed)) break;
  }
  return end;
}
