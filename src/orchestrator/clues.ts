import { writtenEndings } from "../base/languages.ts";
import { once } from "../base/once.ts";
import { sliceWhole } from "../base/text.ts";

/**
 * References in a prompt: places, names, errors, code. All patterns are bounded, and therefore linear in the prompt.
 */
export interface PromptClues {
  /** Paths as written, without `@` and line suffix. */
  readonly paths: readonly string[];
  /** Identifiers, most specific first. */
  readonly symbols: readonly string[];
  /** Error line or stack trace; empty if there is none. */
  readonly error: string;
  readonly hasTrace: boolean;
  readonly hasCode: boolean;
}

/** Number of characters of a prompt that are analysed: a question is short, the rest is pasted material. */
export const MAX_ANALYSED_CHARS = 20_000;

const AT_REFERENCE = /(?<![\w@])@(file:|folder:)?([\w.-]{1,100}(?:\/[\w.-]{1,100}){0,20}\/?)/g;
/** A path with a folder, or a file name with a known extension; files that hold secrets are included. */
const pathPattern = once(
  () =>
    new RegExp(
      `(?<![\\w/@.-])(?!@)((?:\\.{1,2}/|/|~/)?(?:[\\w@.-]{1,100}/){1,20}[\\w@.-]{1,100}|[\\w-]{1,80}\\.(?:${writtenEndings("code", "settings", "document")}|env|pem|key))(?![\\w/])`,
      "gi",
    ),
);
const BARE_SENSITIVE = /(?<![\w/.-])(\.env(?:\.\w{1,20})?|\.npmrc|id_rsa(?:\.\w{1,10})?)(?![\w/])/g;
const BACKTICK = /`([^`\n]{1,120})`/g;
const CODE_BLOCK =
  /```|^(?:[ \t]{0,8}(?:import |from .{1,60} import|def |class |function |const |let |var |public |private |func |fn |if \(|for \(|return |#include|package )|[+-]{3} [ab]\/|@@ -\d)|[=().:<>"'[\]\s][^\n]{0,200}[;{]\s*$/m;
/** Lines that only occur in stack traces and in the output of compilers, sanitizers and test runs, by language. */
const TRACE = new RegExp(
  [
    // JavaScript, Java, Kotlin, C#: at name (place:line)
    "^\\s{0,8}at .{1,200}[:(]\\S{0,200}\\d",
    "^Caused by: |^Exception in thread |^Unhandled exception\\. ",
    // Python
    '^\\s{0,8}File "[^"\\n]{1,300}", line \\d+|^Traceback \\(most',
    // Go, Rust
    "^goroutine \\d+ \\[|^panic: |thread '[^'\\n]{1,60}' panicked|^error\\[E\\d{4}\\]:|^\\s{0,8}--> [^\\n]{1,200}:\\d+:\\d+",
    // C and C++: compilers, linkers, sanitizers, debuggers
    "^[\\w./\\\\-]{1,200}:\\d{1,6}(?::\\d{1,5})?: (?:fatal )?(?:error|warning|note|undefined)|^==\\d+==\\s?ERROR|#\\d{1,3} {1,3}0x[0-9a-f]{4,16} in |undefined reference to|runtime error: ",
    // Ruby, PHP, Swift, shell
    "^\\s{0,8}(?:from )?[\\w./-]{1,200}\\.rb:\\d+:in |^#\\d{1,3} [\\w./-]{1,200}\\.php\\(\\d+\\)|PHP (?:Fatal|Parse|Warning|Notice)|^Fatal error: |EXC_BAD_ACCESS|: line \\d{1,6}: [^\\n]{1,120}: command not found",
    // Test runs and package managers
    "^\\s{0,4}--- FAIL: |^FAIL(?:ED)? [\\w./-]{1,200}|^npm ERR! |^E {3}\\w",
  ].join("|"),
  "m",
);
const ERROR_NAME =
  /\b(?:[A-Z][A-Za-z]{1,60}(?:Error|Exception|Fault|Panic)|[a-z][\w.]{1,80}\.[A-Z]\w{1,60}(?:Error|Exception)|ERR_[A-Z0-9_]{2,60}|E[A-Z]{4,20}(?=[ :,])|SIG[A-Z]{3,6}|error TS\d{4}|error CS\d{4}|ORA-\d{5}|SQLSTATE\b|[Ss]egmentation fault|[Uu]ndefined is not|[Cc]annot read propert|[Nn]ull pointer|[Nn]o such file or directory|[Pp]ermission denied|[Cc]onnection refused)/;
const QUOTED = /["“「']([^"”」'\n]{6,300})["”」']/g;
const IDENTIFIER =
  /(?<![\w$@/.-])(?:[A-Za-z_$][\w$]{0,80}(?:(?:\.|::|#|->)[A-Za-z_$][\w$]{0,80}){1,6}|[a-z_$][a-z0-9$]{0,40}[A-Z][\w$]{0,60}|[A-Z][a-z0-9]{1,40}[A-Z][\w$]{0,60}|[A-Za-z]\w{0,60}_\w{1,60}|[A-Za-z_]\w{1,60}(?=\(\)?))(?![\w$])/g;
const SHOUTED = /(?<![\w$])[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}(?![\w$])/g;

/**
 * Prefilter for anything that the patterns above could match: a special character, a digit, an unusual capital, a word
 * that opens a line of code or occurs in errors. Small talk has none of these, and compiling the patterns costs more
 * than running them.
 */
const SUSPECT =
  /[^A-Za-z\s\u3000-\u9fff\uff00-\uffef,.!?']|[a-z][A-Z]|[A-Z]{2}|\.\w|^[ \t]{0,8}(?:import|from|def|class|function|const|let|var|public|private|func|fn|return|package) |fault|undefined|pointer|directory|denied|refused|panic|propert/m;
const NO_CLUES: PromptClues = { paths: [], symbols: [], error: "", hasTrace: false, hasCode: false };

/** Errors of languages and runtimes, which identify what happened but not where. */
const BUILT_IN_ERRORS =
  /^(?:(?:Type|Reference|Range|Syntax|Value|Key|Index|Attribute|Runtime|Import|ModuleNotFound|Name|Assertion|IO|OS|Unicode\w{1,8}|ZeroDivision|Recursion|Memory|Overflow|NotImplemented|Standard|Argument|NoMethod)Error|(?:NullPointer|NullReference|IllegalArgument|IllegalState|ClassCast|IndexOutOfBounds|ArrayIndexOutOfBounds|ArgumentNull|InvalidOperation|Concurrent\w{1,20}|Runtime|IO)Exception)$/;
/** Product names that are spelt like identifiers. */
const NOT_SYMBOLS =
  /^(?:GitHub|GitLab|JavaScript|TypeScript|PostgreSQL|MySQL|iPhone|YouTube|OpenAI|ChatGPT|LinkedIn|macOS|iOS|JavaDoc|WeChat|PayPal|e\.g|i\.e|McDonald)$/;

/**
 * Finds the references in a prompt. Contract: pure; expects at most `MAX_ANALYSED_CHARS` characters in NFKC; lists are
 * bounded.
 */
export function findClues(text: string): PromptClues {
  if (!SUSPECT.test(text)) return NO_CLUES;
  const paths = unique([
    ...atReferences(text),
    ...matches(pathPattern(), text).filter(
      (path) => !/^\/\//.test(path) && !/^\d+\/\d+/.test(path) && !isUrlTail(text, path),
    ),
    ...matches(BARE_SENSITIVE, text),
  ]).slice(0, 12);
  const ticked = matches(BACKTICK, text).filter((name) => /^[\w$.:#>()-]{2,80}$/.test(name) && !paths.includes(name));
  const symbols = unique(
    [
      ...ticked.map((name) => name.replace(/\(.{0,40}$/, "")),
      ...matches(SHOUTED, text),
      ...matches(IDENTIFIER, text),
    ].filter(
      (name) =>
        name.length > 1 &&
        !NOT_SYMBOLS.test(name) &&
        !BUILT_IN_ERRORS.test(name) &&
        !paths.some((path) => path.includes(name)),
    ),
  ).slice(0, 8);
  const hasTrace = TRACE.test(text);
  return { paths, symbols, error: findError(text, hasTrace), hasTrace, hasCode: CODE_BLOCK.test(text) };
}

/** Finds `@file:x`, `@folder:x` and `@path`; a bare `@name` is a person. */
function atReferences(text: string): string[] {
  return Array.from(text.matchAll(AT_REFERENCE), ([, kind, path = ""]) =>
    kind !== undefined || /[/.]/.test(path) ? path : "",
  ).filter(Boolean);
}

function findError(text: string, hasTrace: boolean): string {
  if (hasTrace) return sliceWhole(text, 4_000);
  const line = text.split("\n").find((candidate) => ERROR_NAME.test(candidate.slice(0, 2_000)));
  if (line === undefined) return "";
  const quoted = matches(QUOTED, line.slice(0, 2_000)).find((part) => ERROR_NAME.test(part));
  return sliceWhole((quoted ?? line).trim(), 500);
}

function isUrlTail(text: string, path: string): boolean {
  const at = text.indexOf(path);
  return /https?:\/{0,2}$/i.test(text.slice(Math.max(0, at - 8), at)) || /^(?:https?:|www\.)/i.test(path);
}

function matches(pattern: RegExp, text: string): string[] {
  return Array.from(text.matchAll(pattern), (match) => match[1] ?? match[0]);
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
