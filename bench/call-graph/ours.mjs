// Our edges of a repository, in the same form as the references.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { project } from "../support.mjs";

const SETTINGS = /(?:^|\/)(?:package\.json|[tj]sconfig[\w.]*\.json|go\.mod|Cargo\.toml)$/;
const LEFT_OUT = new Set([".git", "node_modules", "dist", "build", "target", ".next"]);

/** `{paths, edges: [{file, line, name, caller, target, confidence}], parseMs, resolveMs}` */
export async function readOurs(root) {
  const scratch = mkdtempSync(join(tmpdir(), "groundwork-graph-"));
  try {
    const { FileParser, languageOf, makeResolver } = await loadEngine(scratch);
    const parser = new FileParser({
      folder: join(project, "dist", "grammars"),
      clock: { monotonicMs: () => performance.now() },
    });
    const files = [];
    const byPath = new Map();
    const byName = new Map();
    const parseStart = process.cpuUsage();
    for (const path of walk(root, "")) {
      const text = () => readFileSync(join(root, path), "utf8");
      const language = languageOf(path, "");
      if (!language && !SETTINGS.test(path)) continue;
      const facts = language
        ? await parser.parse(languageOf(path, text()), text())
        : { symbols: [], calls: [], imports: [], bases: [], variables: [], namespace: "" };
      for (const [symbol, { name }] of facts.symbols.entries()) {
        if (byName.has(name)) byName.get(name).push({ file: files.length, symbol });
        else byName.set(name, [{ file: files.length, symbol }]);
      }
      byPath.set(path, files.length);
      files.push({ path, language: language?.id ?? "", facts, text });
    }
    const parseMs = cpuMs(parseStart);
    const resolver = makeResolver({
      fileCount: files.length,
      path: (file) => files[file].path,
      language: (file) => files[file].language,
      facts: (file) => files[file].facts,
      named: (name) => byName.get(name) ?? [],
      fileAt: (path) => byPath.get(path),
      text: (file) => files[file].text(),
    });
    const resolveStart = process.cpuUsage();
    const all = files.map((_, file) => resolver.resolve(file));
    const resolveMs = cpuMs(resolveStart);
    return {
      paths: files.map(({ path }) => path),
      edges: all.flatMap((edges, file) => toEdges(files, file, edges)),
      parseMs,
      resolveMs,
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function toEdges(files, file, { calls }) {
  const { path, facts } = files[file];
  return calls.map((edge) => {
    const to = files[edge.toFile];
    const symbol = to.facts.symbols[edge.toSymbol];
    return {
      file: path,
      line: edge.line,
      name: symbol.name,
      caller: callerLine(facts, edge.from),
      target: `${to.path}:${symbol.nameLine}`,
      confidence: edge.confidence,
    };
  });
}

/** Line of the function that contains a symbol; 0 for none. */
function callerLine({ symbols }, from) {
  for (let at = from; at !== null; at = symbols[at].parent) {
    if (symbols[at].kind === "function" || symbols[at].kind === "method") return symbols[at].nameLine;
  }
  return 0;
}

function* walk(root, folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  )) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) yield* walk(root, path);
    else if (entry.isFile()) yield path;
  }
}

async function loadEngine(scratch) {
  const entry = ["parse/file-parser.ts", "parse/languages/table.ts", "graph/resolver.ts"]
    .map((path) => `export * from ${JSON.stringify(join(project, "src", "engine", path))};`)
    .join("\n");
  const outfile = join(scratch, "engine.mjs");
  await build({
    stdin: { contents: entry, resolveDir: project },
    outfile,
    bundle: true,
    platform: "node",
    mainFields: ["module", "main"],
    format: "esm",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "warning",
  });
  return import(pathToFileURL(outfile).href);
}

function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
