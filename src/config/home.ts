import type { Environment } from "../base/environment.ts";
import { toRealFolder } from "../base/repo-root.ts";
import { homeFolder } from "./places.ts";

/** Real path of the user's home folder, or null if the environment does not name an existing one. */
export function findHome(env: Environment): string | null {
  const home = homeFolder(env);
  return home === null ? null : toRealFolder(home);
}
