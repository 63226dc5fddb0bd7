// The page in the browser: what `groundwork ui` serves. No other door loads any of it.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";

const SOURCE = "src/web/page";

/** Bundles the page into a folder. Parts that are loaded later are separate files, so that the list is drawn first. */
export async function buildPage(folder) {
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    entryPoints: [`${SOURCE}/main.tsx`, `${SOURCE}/page.css`],
    outdir: folder,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    metafile: true,
    format: "esm",
    platform: "browser",
    // Browsers of 2024, the first to support `light-dark()`.
    target: ["chrome123", "firefox121", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  });
  copyFileSync(`${SOURCE}/icon.svg`, `${folder}/icon.svg`);
  // Modules that the program always loads are preloaded together with it.
  const { imports } = Object.entries(metafile.outputs).find(([path]) => path.endsWith("/main.js"))[1];
  const early = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => basename(path));
  const links = early.map((name) => `<link rel="modulepreload" href="/${name}" />`).join("");
  const html = readFileSync(`${SOURCE}/index.html`, "utf8").replace("<!-- preload -->", links);
  writeFileSync(`${folder}/index.html`, html);
  return { inputs: Object.keys(metafile.inputs) };
}
