// Bundles one program per entry point into dist/. CommonJS, because Node starts it faster than an ES module.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";
import { hashBuild } from "./build-hash.mjs";
import { LOADED_LATER, PROGRAMS } from "./bundles.mjs";
import { grammarSources, writeGrammars } from "./grammars.mjs";
import { writeMcpFolder } from "./mcp-folder.mjs";
import { collectNotices } from "./notices.mjs";
import { buildPage } from "./page.mjs";

/** Builds each module that is loaded later as its own bundle, next to the one whose `import()` loads it. */
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
const { metafile } = await build({
  entryPoints: { ...PROGRAMS, ...LOADED_LATER },
  outdir: fresh,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  metafile: true,
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
writeGrammars(`${fresh}/grammars`);
const page = await buildPage(`${fresh}/page`);
writeFileSync(
  `${fresh}/third-party-licenses.txt`,
  collectNotices([...Object.keys(metafile.inputs), ...page.inputs, ...grammarSources]),
);

// Type declarations for programs that use us as a library.
execFileSync(process.execPath, [
  "node_modules/typescript/bin/tsc",
  ...["--project", "tsconfig.library.json", "--outDir", `${fresh}/types`],
]);

// Identifies the build: a door asks only a resident of the same build, and uses only code caches of it.
writeFileSync(`${fresh}/build-id`, `${hashBuild(fresh)}\n`);

// Printed by `groundwork --version`; missing if the sources are not a clone.
const described = spawnSync("git", ["describe", "--always", "--dirty", "--abbrev=10", "--exclude", "*"], {
  encoding: "utf8",
});
if (described.status === 0) writeFileSync(`${fresh}/commit`, described.stdout);

// In a clone, the entry points start this node, whatever a repository puts on the PATH. Not part of the package.
writeFileSync(`${fresh}/node-path`, `${process.execPath}\n`);
if (existsSync("dist")) renameSync("dist", "dist.old");
renameSync(fresh, "dist");
rmSync("dist.old", { recursive: true, force: true });
writeMcpFolder();
