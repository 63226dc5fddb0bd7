import { LANGUAGES } from "../../base/languages.ts";

/** The library that runs grammars, as a file beside them. */
export const LIBRARY_FILE = "web-tree-sitter.wasm";

/** Name of a language's grammar in the folder of grammars. */
export const grammarFile = (language: string): string => `${language}.wasm`;

/** What the folder of grammars holds, and where each file comes from in `node_modules`. */
export const GRAMMAR_FILES: readonly (readonly [file: string, source: string])[] = [
  [LIBRARY_FILE, "web-tree-sitter/web-tree-sitter.wasm"],
  ...LANGUAGES.flatMap(({ id, grammar }) => (grammar === undefined ? [] : [[grammarFile(id), grammar] as const])),
];
