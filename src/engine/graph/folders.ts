import { pushTo } from "../../base/maps.ts";
import type { Definitions } from "./definitions.ts";

/** The folder of a path; empty for the root. */
export function folderOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "" : path.slice(0, at);
}

/** The last component of a path. */
export const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The path of an entry of a folder. */
export const inFolder = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

/** Joins a relative path to a folder and resolves `.` and `..`; undefined if the result is outside the root. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** A folder and its ancestors, innermost first, ending with the root. */
export function foldersUp(folder: string): string[] {
  const folders: string[] = [];
  for (let at = folder; at !== ""; at = folderOf(at)) folders.push(at);
  folders.push("");
  return folders;
}

/** All paths, indexed by folder and by file name. Built on first use. */
export class Folders {
  readonly #definitions: Definitions;
  #byFolder: Map<string, number[]> | undefined;
  #byBase: Map<string, number[]> | undefined;

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** Files directly in a folder. */
  filesIn(folder: string): readonly number[] {
    this.#byFolder ??= this.#group(folderOf);
    return this.#byFolder.get(folder) ?? [];
  }

  /** Files with this name. */
  filesNamed(base: string): readonly number[] {
    this.#byBase ??= this.#group(baseOf);
    return this.#byBase.get(base) ?? [];
  }

  #group(keyOf: (path: string) => string): Map<string, number[]> {
    const groups = new Map<string, number[]>();
    for (let file = 0; file < this.#definitions.fileCount; file++) {
      pushTo(groups, keyOf(this.#definitions.path(file)), file);
    }
    return groups;
  }
}
