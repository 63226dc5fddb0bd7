import { isAbsolute } from "node:path";

/** Settings file of a repository, relative to its root. */
export const REPOSITORY_FILE = "config/auto-tools.yaml";
/** Settings file of the user, relative to the home folder. */
export const USER_FILE = ".groundwork/auto-tools.yaml";

/** What the user trusts, relative to the home folder. */
export const TRUST_FILE = ".groundwork/trust.json";
/** Folders of a repository whose `*.json` files name programs to run, once they are trusted. */
export const REPOSITORY_HOOK_FOLDERS = [".groundwork/hooks", ".snow/hooks"];

/** The user's home, or null where the environment names none: a relative one would be a folder of the repository. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string | null {
  const home = env["HOME"];
  return home !== undefined && isAbsolute(home) ? home : null;
}
