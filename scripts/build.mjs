// Bundles one program per entry point into dist/. CommonJS, because Node starts it faster than an ES module.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { build } from "esbuild";
import { LOADED_LATER, PROGRAMS } from "./bundles.mjs";
import { grammarFiles } from "./grammars.mjs";
import { writeMcpFolder } from "./mcp-folder.mjs";

/** What is loaded later is a bundle of its own, which `import()` finds beside the one that asks for it. */
const apart = {
  name: "apart",
  setup({ onResolve }) {
    const names = new Set(Object.keys(LOADED_LATER));
    onResolve({ filter: /^yaml$|\.ts$/ }, ({ kind, path }) => {
      const name = basename(path, ".ts");
      return kind === "dynamic-import" && names.has(name) ? { path: `./${name}.cjs`, external: true } : undefined;
    });
  },
};

// Built next to the old build and then moved into its place, so that a hook that runs meanwhile finds a complete build.
const fresh = "dist.new";
rmSync(fresh, { recursive: true, force: true });
await build({
  entryPoints: { ...PROGRAMS, ...LOADED_LATER },
  outdir: fresh,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  // A plain require(): import() would start the module loader.
  supported: { "dynamic-import": false },
  // Some packages have a main file that bundlers cannot follow.
  mainFields: ["module", "main"],
  minify: true,
  // Chinese word lists stay unescaped: escaped they would take twice as long to read.
  charset: "utf8",
  legalComments: "none",
  plugins: [apart],
  // The package's import() entry asks for its own location, which a CommonJS bundle cannot provide.
  alias: { "web-tree-sitter": "./node_modules/web-tree-sitter/web-tree-sitter.cjs" },
  // Models and the glossary are next to the code that reads them, in the sources as in the build.
  define: { "import.meta.dirname": "__dirname" },
  logLevel: "warning",
});
for (const file of readdirSync("src", { recursive: true }).filter((name) => /\.(?:model|txt)$/.test(name))) {
  copyFileSync(`src/${file}`, `${fresh}/${basename(file)}`);
}
// Only the grammars themselves: their packages also contain sources and other languages.
mkdirSync(`${fresh}/grammars`);
for (const [file, source] of grammarFiles) copyFileSync(source, `${fresh}/grammars/${file}`);

// Type declarations for programs that use us as a library.
execFileSync(process.execPath, [
  "node_modules/typescript/bin/tsc",
  ...["--project", "tsconfig.library.json", "--outDir", `${fresh}/types`],
]);

// The bundles needed for a question have a code cache, which is made by asking one about an indexed copy of some of our
// own sources, so that the code that reads an index is included.
// Nothing of the environment except PATH is passed on: the builder's may name tools or an orchestrator.
const sample = mkdtempSync(join(tmpdir(), "groundwork-build-"));
try {
  const env = { PATH: process.env.PATH, CI_AUTO_TOOLS: "on", GROUNDWORK_HOME: `${sample}/home` };
  const run = (program, args, input = "") =>
    execFileSync(process.execPath, [...program, ...args], {
      cwd: `${sample}/repository`,
      env,
      input,
      stdio: ["pipe", "ignore", "inherit"],
    });
  for (const folder of ["lifecycle", "contract"]) {
    cpSync(`src/${folder}`, `${sample}/repository/src/${folder}`, { recursive: true });
  }
  const commandLine = resolve(fresh, "cli.cjs");
  run([commandLine], ["index"]);
  const question = "how does the guard hide secrets in executeToolCall?";
  const recorder = resolve("scripts/code-cache.cjs");
  run([recorder, resolve(fresh, "hook.cjs")], ["--format", "hook"], JSON.stringify({ prompt: question }));
  run([recorder, commandLine], ["search", question]);
  const say = (id, method, params) => `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "build", version: "0" } };
  const search = { name: "ci_search", arguments: { query: question } };
  const session = say(1, "initialize", client) + say(2, "tools/list", {}) + say(3, "tools/call", search);
  run([recorder, resolve(fresh, "mcp.cjs")], [], session);
} finally {
  rmSync(sample, { recursive: true, force: true });
}

// The entry points start this node, whatever a repository puts on the PATH.
writeFileSync(`${fresh}/node-path`, `${process.execPath}\n`);
if (existsSync("dist")) renameSync("dist", "dist.old");
renameSync(fresh, "dist");
rmSync("dist.old", { recursive: true, force: true });
writeMcpFolder();
