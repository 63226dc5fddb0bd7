import type { ImportedName } from "../facts.ts";
import { EVERYTHING, quoted, readNames, wholeSource } from "../imports.ts";
import type { Import } from "../language.ts";

/** Comments, and quoted text, which may look like comments. */
const COMMENT = /("[^"\n]*"|'[^'\n]*')|\/\*.*?\*\/|\/\/[^\n]*/gs;

/** `import`, `export … from`, `require(…)` and `import(…)` of JavaScript and TypeScript. */
export function readScriptImport(written: string): Import[] {
  const statement = !/\/[/*]/.test(written)
    ? written
    : written.replace(COMMENT, (_, quotes: string | undefined) => quotes ?? " ");
  const source = quoted(/(?:from|require\s*\(|import\s*\(|import)\s*(["'`][^"'`]*["'`])/s.exec(statement)?.[1] ?? "");
  if (source === "") return [];
  const binding = /^\s*(?:import|export)\b(?:\s+type\b)?(.*?)\bfrom\b/s.exec(statement)?.[1];
  if (binding !== undefined) return [{ source, names: readBinding(binding, /^\s*export/.test(statement)) }];
  const required = /^\s*([^=]+?)\s*=\s*(?:await\s+)?(?:require|import)\b/s.exec(statement)?.[1];
  return [{ source, names: required === undefined ? [] : readRequired(required) }];
}

function readBinding(binding: string, isExport: boolean): ImportedName[] {
  const group = /\{(.*)\}/s.exec(binding)?.[1];
  const star = /\*\s*(?:as\s+([\w$]+))?/.exec(binding.replace(/\{.*\}/s, ""));
  const first = /^\s*([\w$]+)/.exec(binding)?.[1];
  return [
    ...(first && !isExport ? [{ name: "default", alias: first }] : []),
    ...(star ? (star[1] ? wholeSource(star[1]) : EVERYTHING) : []),
    ...readNames(group?.replace(/\btype\s+(?=[\w$])/g, "") ?? "", / as /),
  ];
}

function readRequired(target: string): readonly ImportedName[] {
  const group = /^\{(.*)\}$/s.exec(target.trim())?.[1];
  return group === undefined ? wholeSource(target.trim()) : readNames(group, /\s*:\s*/);
}
