// Bundles one program per door into dist/. CommonJS, because Node starts it sooner than a module.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";

const doors = ["hook", "hook-judge", "hook-answer", "orchestrator", "codex-auto", "cli"];

/** The YAML reader is a bundle of its own: only who has a settings file pays for loading it. */
const yamlApart = {
  name: "yaml-apart",
  setup({ onResolve }) {
    onResolve({ filter: /^yaml$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./yaml.cjs", external: true } : undefined,
    );
  },
};

// Built beside the old one and then put in its place, so that a hook which runs meanwhile finds a whole build.
const fresh = "dist.new";
rmSync(fresh, { recursive: true, force: true });
await build({
  entryPoints: { ...Object.fromEntries(doors.map((door) => [door, `src/entry/${door}.ts`])), yaml: "yaml" },
  outdir: fresh,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  // A plain require(): loading through import() would start the module loader.
  supported: { "dynamic-import": false },
  // Some packages offer a main file that no bundler can follow.
  mainFields: ["module", "main"],
  minify: true,
  // Chinese word lists as they are: escaped they would be twice as long to read.
  charset: "utf8",
  legalComments: "none",
  plugins: [yamlApart],
  // Models and the glossary lie beside whoever reads them, in the sources as in the build.
  define: { "import.meta.dirname": "__dirname" },
  logLevel: "warning",
});
for (const file of readdirSync("src", { recursive: true }).filter((name) => /\.(?:model|txt)$/.test(name))) {
  copyFileSync(`src/${file}`, `${fresh}/${basename(file)}`);
}

// What a prompt needs lies in bundles with a code cache: the judging, and what only a code prompt needs.
// Nothing of the environment: whoever builds may have tools or an orchestrator of their own in it.
const env = { PATH: process.env.PATH, CI_AUTO_TOOLS: "on" };
for (const bundle of ["hook-answer", "hook-judge"]) {
  execFileSync(process.execPath, ["scripts/code-cache.cjs", `${fresh}/${bundle}.cjs`], {
    env,
    input: '{"prompt":"fix the bug in answerHook"}',
    stdio: ["pipe", "ignore", "inherit"],
  });
}

if (existsSync("dist")) renameSync("dist", "dist.old");
renameSync(fresh, "dist");
rmSync("dist.old", { recursive: true, force: true });
