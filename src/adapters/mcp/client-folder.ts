import { fileURLToPath } from "node:url";
import { isRecord } from "../../base/text.ts";

/** Where a client may say which folder it works in. */
export interface FolderSources {
  /** Folder that the server was started in. */
  readonly current: string;
  /** `_meta` of the call. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** URIs of the client's roots. */
  readonly roots: readonly string[];
  /** The project that the environment names. */
  readonly project: string | undefined;
  /** Real path of a folder; null for what is none. */
  readonly toFolder: (path: string) => string | null;
}

/** Key under which Codex tells the folders of a session. */
const CODEX_META = "x-codex-turn-metadata";

/**
 * The folder that a call is about. Contract: pure but for `toFolder`; the server's own folder where it lies in one that the
 * client names or none is named, else the first that is there.
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

/** Codex names its folders as keys, with what it knows of each. */
function workspacesOf(told: unknown): string[] {
  const workspaces = isRecord(told) ? told["workspaces"] : undefined;
  const paths = isRecord(workspaces) ? Object.keys(workspaces) : Array.isArray(workspaces) ? workspaces : [];
  return paths.filter((path): path is string => typeof path === "string");
}

function toPath(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    // Not a file of this machine.
    return "";
  }
}
