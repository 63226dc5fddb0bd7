import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };

/** Version of this build. */
export const VERSION: string = manifest.version;

/** The versions of Node that this build runs on, as package.json says it. */
export const WANTED_NODE: string = manifest.engines.node;

/** One line that says what runs: program, version, commit where the build knew it, and node. */
export function sayVersion(program: string): string {
  return `${program} ${VERSION} (${[...readCommit(), `node ${process.versions.node}`].join(", ")})`;
}

function readCommit(): string[] {
  try {
    return [readFileSync(join(__dirname, "commit"), "utf8").trim()];
  } catch {
    return [];
  }
}
