// Bundles one program per door into dist/. CommonJS, because Node starts it some 8 ms sooner than a module.
import { rmSync } from "node:fs";
import { build } from "esbuild";

const doors = ["hook", "orchestrator", "codex-auto", "cli"];

rmSync("dist", { recursive: true, force: true });
await build({
  entryPoints: Object.fromEntries(doors.map((door) => [door, `src/entry/${door}.ts`])),
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  minifySyntax: true,
  legalComments: "none",
  logLevel: "warning",
});
