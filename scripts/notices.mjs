// Licences of the packages in the bundles and the folder of grammars; they must accompany every copy.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the package folder of a file in `node_modules`; null for a file of ours. */
function packageOf(path) {
  return path.match(/^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1] ?? null;
}

/** Returns one text with the licences of all packages that the files belong to. */
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
