import type { Environment } from "../base/environment.ts";
import { type Join, readJoinBook } from "../config/join-book.ts";
import { findHome } from "../config/places.ts";
import { findCommonFolder } from "../engine/history/git-folder.ts";

/** The store that a repository has joined, if any; `damage` says why it cannot be determined. */
export function findJoin(env: Environment, root: string): { readonly join: Join | null; readonly damage: string } {
  const home = findHome(env);
  const repository = home === null ? null : findCommonFolder(root);
  if (home === null || repository === null) return { join: null, damage: "" };
  const { joins, damage } = readJoinBook(home);
  return { join: joins.find((one) => one.repository === repository) ?? null, damage: damage ?? "" };
}
