import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };

/** Version of this build. */
export const VERSION: string = manifest.version;

/** The Node versions that this build supports, as declared in package.json. */
export const WANTED_NODE: string = manifest.engines.node;

/** Describes the running program in one line: program, version, commit if the build recorded it, and node version. */
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
