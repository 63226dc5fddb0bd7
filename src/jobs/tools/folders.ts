import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { toMessage } from "../../base/text.ts";
import { type Outcome, succeed } from "../../contract/faults.ts";
import { CODEX_FAULTS } from "./texts.ts";

/** Real path of the folder that a caller names, from where it stands. Contract: never throws; one that cannot be entered is a fault. */
export function findFolder(named: string | undefined, from: string): Outcome<string> {
  const folder = resolve(from, named ?? "");
  try {
    if (!statSync(folder).isDirectory()) return CODEX_FAULTS.badFolder(folder, "not a folder");
    accessSync(folder, constants.R_OK | constants.X_OK);
    return succeed(realpathSync(folder));
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : "";
    const why = code === "ENOENT" ? "no such folder" : code === "EACCES" ? "may not be entered" : toMessage(thrown);
    return CODEX_FAULTS.badFolder(folder, why);
  }
}
