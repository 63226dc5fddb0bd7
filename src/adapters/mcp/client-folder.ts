import { fileURLToPath } from "node:url";
import { isRecord } from "../../base/text.ts";

/** Sources for the folder that a client works in. */
interface FolderSources {
  /** Folder in which the server was started. */
  readonly current: string;
  /** `_meta` of the call. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** URIs of the client's roots. */
  readonly roots: readonly string[];
  /** Project folder from the environment. */
  readonly project: string | undefined;
  /** Real path of a folder; null if it is not a folder. */
  readonly toFolder: (path: string) => string | null;
}

/** Key under which Codex reports the folders of a session. */
const CODEX_META = "x-codex-turn-metadata";

/**
 * Chooses the folder of a call. Contract: pure, except for `toFolder`; returns the server's own folder if it is inside
 * a named folder or none is named, otherwise the first named folder that exists.
 */
export function chooseFolder({ current, meta, roots, project, toFolder }: FolderSources): string {
  const own = toFolder(current);
  const named = [...workspacesOf(meta?.[CODEX_META]), ...roots.map(toPath), project ?? ""]
    .filter(Boolean)
    .flatMap((path) => toFolder(path) ?? []);
  const [first] = named;
  if (first === undefined || named.some((folder) => own === folder || own?.startsWith(`${folder}/`))) return current;
  return first;
}

/** Folders reported by Codex: the keys of an object, or the items of a list. */
function workspacesOf(told: unknown): string[] {
  const workspaces = isRecord(told) ? told["workspaces"] : undefined;
  const paths = isRecord(workspaces) ? Object.keys(workspaces) : Array.isArray(workspaces) ? workspaces : [];
  return paths.filter((path): path is string => typeof path === "string");
}

function toPath(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    // Not a file URI.
    return "";
  }
}
