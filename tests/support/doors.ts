import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds this project, without a trailing slash. */
export const projectRoot = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** Code caches that all tests share, made by `npm test`: a fresh state folder has none. Without them all works, slower. */
export const codeCache = { GROUNDWORK_CODE_CACHE: resolve(projectRoot, "node_modules/.cache/groundwork-code") };

/** The door Claude Code calls for every prompt. */
export const hookDoor = resolve(projectRoot, "hooks/context-inject-global.sh");

/** The door that puts the evidence in front of `codex exec`. */
export const codexAutoDoor = resolve(projectRoot, "bin/codex-auto");
