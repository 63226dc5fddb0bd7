// Makes the folder of grammars from the table of languages.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";

const project = resolve(import.meta.dirname, "..");
const { outputFiles } = buildSync({
  entryPoints: [join(project, "src", "engine", "parse", "grammars.ts")],
  bundle: true,
  format: "esm",
  write: false,
});
const { GRAMMAR_FILES } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);

/** Source files of the grammars, relative to the project. */
export const grammarSources = GRAMMAR_FILES.map(([, source]) => join("node_modules", source));

/** Writes each grammar, compressed; its package also contains sources and other languages, which are left out. */
export function writeGrammars(folder) {
  mkdirSync(folder);
  for (const [file, source] of GRAMMAR_FILES) {
    writeFileSync(join(folder, file), gzipSync(readFileSync(join(project, "node_modules", source)), { level: 9 }));
  }
}
