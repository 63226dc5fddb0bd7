import { LANGUAGES } from "../../base/languages.ts";

/** The library that runs grammars, as a file beside them. */
export const LIBRARY_FILE = "web-tree-sitter.wasm.gz";

/** Name of a language's grammar in the folder of grammars. Compressed, all of them take a tenth of 32 MB. */
export const grammarFile = (language: string): string => `${language}.wasm.gz`;

/** Files of the grammar folder, and the source of each in `node_modules`. */
export const GRAMMAR_FILES: readonly (readonly [file: string, source: string])[] = [
  [LIBRARY_FILE, "web-tree-sitter/web-tree-sitter.wasm"],
  ...LANGUAGES.flatMap(({ id, grammar }) => (grammar === undefined ? [] : [[grammarFile(id), grammar] as const])),
];
