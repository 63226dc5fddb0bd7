import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds this project, without a trailing slash. */
export const projectRoot = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** The door Claude Code calls for every prompt. */
export const hookDoor = resolve(projectRoot, "hooks/context-inject-global.sh");

/** The door that puts the evidence in front of `codex exec`. */
export const codexAutoDoor = resolve(projectRoot, "bin/codex-auto");
