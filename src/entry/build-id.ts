import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the id of the build that is on disk now; empty if there is none. */
export function readBuild(): string {
  try {
    return readFileSync(join(__dirname, "build-id"), "utf8").trim();
  } catch {
    return "";
  }
}
