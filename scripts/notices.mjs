// The licences of what the bundles and the folder of grammars contain, which must go along with copies of it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the package that a file of `node_modules` belongs to; null for a file of ours. */
function packageOf(path) {
  return path.match(/^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1] ?? null;
}

/** One text with the licence of every package that one of the files belongs to. */
export function collectNotices(files) {
  const folders = [...new Set(files.map(packageOf).filter((folder) => folder !== null))].sort();
  return folders
    .map((folder) => {
      const {
        name,
        version,
        license = "see its package",
      } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
      const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8");
      return `${name} ${version} (${license})\n\n${text.trim()}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}
