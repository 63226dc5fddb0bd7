// What the folder of grammars holds: `[file, source in node_modules]`, as the table of languages says.
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";

const project = resolve(import.meta.dirname, "..");
const { outputFiles } = buildSync({
  entryPoints: [join(project, "src", "engine", "parse", "grammars.ts")],
  bundle: true,
  format: "esm",
  write: false,
});
const { GRAMMAR_FILES } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);

export const grammarFiles = GRAMMAR_FILES.map(([file, source]) => [file, join(project, "node_modules", source)]);
