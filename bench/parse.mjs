// `node bench/parse.mjs <folder>`: the cost of parsing every file of a folder, in one thread: files, symbols, calls,
// CPU and MB/s per language, and peak memory.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { project } from "./support.mjs";

const root = process.argv[2];
if (root === undefined) {
  console.log("usage: node bench/parse.mjs <folder>");
  process.exit(1);
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const scratch = mkdtempSync(join(tmpdir(), "groundwork-parse-"));
try {
  const bundle = join(scratch, "parse.cjs");
  await build({
    stdin: {
      contents: `export { FileParser } from "./file-parser.ts"; export { languageOf } from "./languages/table.ts";`,
      resolveDir: join(project, "src", "engine", "parse"),
    },
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "cjs",
    alias: { "web-tree-sitter": join(project, "node_modules", "web-tree-sitter", "web-tree-sitter.cjs") },
    logLevel: "warning",
  });
  const { FileParser, languageOf } = createRequire(import.meta.url)(bundle);
  const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
  const parser = new FileParser({ folder: join(project, "dist", "grammars"), clock });

  const byLanguage = new Map();
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (/(?:^|\/)(?:\.git|node_modules)\//.test(path) || !languageOf(path, "")) continue;
    const text = readFileSync(join(root, path), "utf8");
    const language = languageOf(path, text);
    byLanguage.set(language, [...(byLanguage.get(language) ?? []), text]);
  }
  const start = cpuMs();
  for (const [language, texts] of byLanguage) {
    const before = cpuMs();
    const told = { symbols: 0, calls: 0, incomplete: 0 };
    for (const text of texts) {
      const { symbols, calls, complete } = await parser.parse(language, text);
      told.symbols += symbols.length;
      told.calls += calls.length;
      if (!complete) told.incomplete++;
    }
    const ms = cpuMs() - before;
    const mb = texts.reduce((sum, text) => sum + text.length, 0) / 1e6;
    console.log(
      `${language.id.padEnd(10)} ${String(texts.length).padStart(6)} files ${mb.toFixed(1).padStart(6)} MB ` +
        `${String(told.symbols).padStart(7)} symbols ${String(told.calls).padStart(7)} calls ` +
        `${told.incomplete} incomplete ${(ms / 1000).toFixed(2)} s CPU ${((mb / ms) * 1000).toFixed(2)} MB/s`,
    );
  }
  const peakMb = process.resourceUsage().maxRSS / 1024;
  console.log(`all ${((cpuMs() - start) / 1000).toFixed(2)} s CPU, peak ${peakMb.toFixed(0)} MB`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
