import { LANGUAGES } from "../../base/languages.ts";
import { pushTo } from "../../base/maps.ts";
import { sharedTail, splitPath } from "./traits.ts";

const IMPORT =
  /^[ \t]*(?:(?:export\s+|pub\s+)?(?:import|from|use|using|alias|require|require_relative|require_once|include|mod|load)\b|#[ \t]*(?:include|import)\b|(?:export|import|\})[^;\n]*\bfrom\b|(?:const|let|var|local)\b[^=\n]*=\s*(?:await\s+)?(?:require|import|@import)\b|@import\b|source\s|"[\w./-]+"\s*$|[a-z_]\w*\s+"[\w./-]+"\s*$)(.*)$/;
const QUOTED = /["'<]([@\w./-]+)["'>]/g;
const MAX_IMPORTS = 400;

/** What an import line refers to: the parts of a module path, including imported names that may be files. */
export interface ImportLine {
  /** Path components, outermost first. */
  readonly parts: readonly string[];
  /** Number of levels a relative path goes up from the file's folder; null if the path is not relative. */
  readonly up: number | null;
}

/** Imports of a file. Contract: at most 400; recognised line by line, without a grammar. */
export function findImports(lines: readonly string[]): ImportLine[] {
  const imports: ImportLine[] = [];
  for (const line of lines) {
    if (imports.length >= MAX_IMPORTS) break;
    if (line.length > 300 || !IMPORT.test(line)) continue;
    imports.push(...readImport(line));
  }
  return imports;
}

function readImport(line: string): ImportLine[] {
  const quoted = [...line.matchAll(QUOTED)].map(([, path = ""]) => toImport(path.replace(/\.\w{1,4}$/, ""), "/"));
  if (quoted.length > 0) return quoted;
  const python = /^\s*from\s+(\.*)([\w.]*)\s+import\s+(.*)$/.exec(line);
  if (python !== null) {
    const [, dots = "", path = "", names = ""] = python;
    const base = path.split(".").filter(Boolean);
    const up = dots.length > 0 ? dots.length - 1 : null;
    const listed = names.match(/[A-Za-z_]\w*/g) ?? [];
    return [{ parts: base, up }, ...listed.slice(0, 20).map((name) => ({ parts: [...base, name], up }))];
  }
  const path =
    /^\s*(?:export\s+|pub\s+)?(?:import|use|using|alias|mod)\s+(?:static\s+|qualified\s+|type\s+)?([\w.:\\]+)/.exec(
      line,
    )?.[1];
  return path === undefined ? [] : [toImport(path, ".")];
}

function toImport(path: string, separator: "/" | "."): ImportLine {
  const parts = path.split(separator === "/" ? "/" : /[.:\\]+/);
  const ups = parts.filter((part) => part === "..").length;
  const isRelative = separator === "/" && parts[0]?.startsWith(".") === true;
  return {
    parts: parts.filter((part) => part !== "" && !/^(?:\.+|crate|self|super|@)$/.test(part)),
    up: isRelative ? ups : null,
  };
}

/** An import that matches more files is too ambiguous. */
const MOST_TARGETS = 3;

/**
 * Resolves imports to files: those whose path ends like the import. Contract: an import that matches many files
 * resolves to none; a file does not import itself.
 */
export function makeImportFinder(paths: readonly string[]): (from: number, imports: readonly ImportLine[]) => number[] {
  const byStem = new Map<string, number[]>();
  const trails = paths.map((path, file) => {
    const { folders, stem } = splitPath(path);
    const trail = withoutFolderFile([...folders, stem]).map(toKey);
    pushTo(byStem, trail.at(-1) ?? "", file);
    return trail;
  });
  const find = (from: number, { parts, up }: ImportLine): number[] => {
    const here = up === null ? [] : splitPath(paths[from] ?? "").folders;
    const path = up === null ? parts : [...here.slice(0, here.length - up), ...parts];
    const wanted = withoutFolderFile(path).map(toKey);
    let best: number[] = [];
    let depth = 0;
    for (const file of byStem.get(wanted.at(-1) ?? "") ?? []) {
      const same = sharedTail(trails[file] ?? [], wanted);
      if (file === from || (up !== null && same < wanted.length)) continue;
      if (same > depth) best = [];
      if (same >= depth) best.push(file);
      depth = Math.max(depth, same);
    }
    return best.length > MOST_TARGETS || (depth < Math.min(2, wanted.length) && best.length > 1) ? [] : best;
  };
  return (from, imports) => [...new Set(imports.flatMap((item) => find(from, item)))];
}

const FOLDER_FILES = new Set(LANGUAGES.flatMap(({ fronts = [], roots = [] }) => [...fronts, ...roots]));

/** Drops the name of a file that represents its folder, such as `index` or `mod`. */
function withoutFolderFile(trail: readonly string[]): readonly string[] {
  return trail.length > 1 && FOLDER_FILES.has(trail.at(-1) ?? "") ? trail.slice(0, -1) : trail;
}

/** `FooBar`, `foo_bar` and `foo-bar` are the same module in languages that derive one form from another. */
function toKey(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}
