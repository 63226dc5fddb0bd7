import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** This project's folder, without a trailing slash. */
export const projectRoot = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** Reads a file of this project. */
export const readProjectFile = (path: string): string => readFileSync(resolve(projectRoot, path), "utf8");

/**
 * Code caches shared by all tests, made by `npm test`, as a fresh state folder has none. Without them tests are slower.
 */
export const codeCache = { GROUNDWORK_CODE_CACHE: resolve(projectRoot, "node_modules/.cache/groundwork-code") };

/** Variables for most tests: no builder and no resident may outlive a test. */
export const QUIET = { CI_AUTO_TOOLS_INDEX: "off", GROUNDWORK_RESIDENT: "off", ...codeCache };

/** The command line. */
export const groundwork = resolve(projectRoot, "bin/groundwork");

/** The door that Claude Code calls for every prompt. */
export const hookDoor = resolve(projectRoot, "hooks/context-inject-global.sh");

/** The door that puts the evidence in front of `codex exec`. */
export const codexAutoDoor = resolve(projectRoot, "bin/codex-auto");
