// Writes everything that is generated from the code: the schema, the settings file, tables in the documentation.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";

const scratch = mkdtempSync("node_modules/.generate-");
try {
  const outfile = join(scratch, "generated.cjs");
  await build({
    entryPoints: ["scripts/generated.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    // Only declarations are used: neither the store nor the files next to the sources are opened.
    external: ["web-tree-sitter"],
    define: { "import.meta.dirname": '"src"' },
    logLevel: "warning",
  });
  const { generatedFiles, fillBlocks } = createRequire(import.meta.url)(join(process.cwd(), outfile));
  for (const [path, content] of generatedFiles()) writeFileSync(path, content);
  for (const name of readdirSync("docs").filter((entry) => entry.endsWith(".md"))) {
    const path = join("docs", name);
    const page = readFileSync(path, "utf8");
    if (fillBlocks(page) !== page) writeFileSync(path, fillBlocks(page));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
