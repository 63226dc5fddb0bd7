import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Which build of the program lies on disk now; empty if none does. */
export function readBuild(): string {
  try {
    return readFileSync(join(__dirname, "build-id"), "utf8").trim();
  } catch {
    return "";
  }
}
