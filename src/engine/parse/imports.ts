import type { ImportedName } from "./facts.ts";
import type { Import } from "./language.ts";

/** The import of every name of a source; none if the source is empty. */
export const importAll = (source: string): readonly Import[] => (source === "" ? [] : [{ source, names: EVERYTHING }]);

/** Every name of a source, unchanged. */
export const EVERYTHING: readonly ImportedName[] = [{ name: "*", alias: "" }];

/** A source as a whole, bound to a name of this file. */
export const wholeSource = (alias: string): readonly ImportedName[] => [{ name: "*", alias }];

/** `a, b as c` → names; `renames` matches the separator between a name and its alias. */
export function readNames(list: string, renames: RegExp): ImportedName[] {
  return list
    .split(",")
    .map((part) => part.replace(/\s+/g, " ").trim())
    .filter((part) => part !== "")
    .map((part) => {
      const [name = "", alias = name] = part.split(renames).map((word) => word.trim());
      return { name, alias: name === "*" && alias === "*" ? "" : alias };
    });
}

/** How a language writes a path that ends with a group of names. */
interface PathStyle {
  readonly separator: string;
  /** The separator between a name and its alias. */
  readonly renames: RegExp;
}

/** `a::b::{c, d::e as f, g::*}` → one import per source. Contract: groups are followed at most eight levels deep. */
export function readPaths(path: string, separator = ".", renames = / as /): Import[] {
  const found = new Map<string, ImportedName[]>();
  follow("", path, { separator, renames }, found, 0);
  return Array.from(found, ([source, names]) => ({ source, names }));
}

function follow(
  before: string,
  path: string,
  style: PathStyle,
  found: Map<string, ImportedName[]>,
  depth: number,
): void {
  const text = path.trim();
  if (text === "" || depth > 8) return;
  const open = text.indexOf("{");
  if (open >= 0) {
    const head = joinPath(before, text.slice(0, open).trim(), style.separator);
    for (const part of splitGroup(text.slice(open + 1, text.lastIndexOf("}"))))
      follow(head, part, style, found, depth + 1);
    return;
  }
  const [full = "", alias] = text.split(style.renames).map((word) => word.trim());
  const at = full.lastIndexOf(style.separator);
  const last = at < 0 ? full : full.slice(at + style.separator.length);
  const source = joinPath(before, at < 0 ? "" : full.slice(0, at), style.separator);
  const names = found.get(source) ?? [];
  if (last === "*") names.push({ name: "*", alias: "" });
  else
    names.push({
      name: last,
      alias: alias ?? (last === "self" ? (source.split(style.separator).at(-1) ?? last) : last),
    });
  found.set(source, names);
}

function joinPath(before: string, after: string, separator: string): string {
  const end = after.endsWith(separator) ? after.slice(0, -separator.length) : after;
  return [before, end].filter((part) => part !== "").join(separator);
}

/** Splits at the commas of the outermost level. */
function splitGroup(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "{") depth++;
    else if (sign === "}") depth--;
    else if (sign === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

/** The text between the first pair of quotes. */
export function quoted(text: string): string {
  return /(["'`])(.*?)\1/s.exec(text)?.[2] ?? "";
}
