import { pushTo } from "../../base/maps.ts";
import { folderOf, foldersUp, inFolder, joinPath } from "./folders.ts";
import { ModuleFinder } from "./module-finder.ts";
import { question } from "./questions.ts";

/** Finds the files behind Python module names. */
export class PythonModules extends ModuleFinder {
  #packages: Map<string, string[]> | undefined;

  /** The file that a module name refers to in a file; undefined for external modules. */
  fileOf(file: number, source: string): number | undefined {
    const folder = folderOf(this.definitions.path(file));
    const dots = /^\.*/.exec(source)?.[0].length ?? 0;
    const path = source.slice(dots).replaceAll(".", "/");
    if (dots > 0) return this.#at(joinPath(folder, `${"../".repeat(dots - 1)}${path}`));
    const top = source.split(".")[0] ?? "";
    // A package is imported relative to the parent of its outermost folder; a plain module is next to the file or above
    // it.
    for (const around of this.#topFolders(top)) {
      const found = this.#at(joinPath(around, path));
      if (found !== undefined) return found;
    }
    for (const around of foldersUp(folder).reverse()) {
      // The contents of a package are imported only by their qualified name.
      this.questions.ask(question.at(frontOf(around)));
      if (this.#isPackage(around)) continue;
      const found = this.#at(joinPath(around, path)) ?? this.#at(joinPath(around, `src/${path}`));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A module inside the package whose `__init__` file is given. */
  inside(file: number, name: string): number | undefined {
    const path = this.definitions.path(file);
    return /(?:^|\/)__init__\.pyi?$/.test(path) ? this.#at(joinPath(folderOf(path), name)) : undefined;
  }

  #at(path: string | undefined): number | undefined {
    if (path === undefined) return undefined;
    this.questions.ask(question.at(path));
    return (
      this.definitions.fileAt(`${path}.py`) ??
      this.definitions.fileAt(frontOf(path)) ??
      this.definitions.fileAt(`${path}.pyi`)
    );
  }

  #isPackage(folder: string): boolean {
    return this.definitions.fileAt(frontOf(folder)) !== undefined;
  }

  /** Folders that contain an outermost package with that name. */
  #topFolders(name: string): readonly string[] {
    this.questions.ask(question.module("python", name));
    this.#packages ??= this.#readPackages();
    return this.#packages.get(name) ?? [];
  }

  /** The outermost packages, in the form of `Modules.settings`. */
  settings(): [number, string][] {
    this.#packages ??= this.#readPackages();
    return [...this.#packages].map(([name, folders]) => [question.module("python", name), folders.join("\0")]);
  }

  #readPackages(): Map<string, string[]> {
    const packages = new Map<string, string[]>();
    for (const file of this.folders.filesNamed("__init__.py")) {
      const folder = folderOf(this.definitions.path(file));
      const around = folderOf(folder);
      if (folder === "" || this.#isPackage(around)) continue;
      const name = folder.slice(around === "" ? 0 : around.length + 1);
      pushTo(packages, name, around);
    }
    return packages;
  }
}

/** The file that makes a folder a package. */
const frontOf = (folder: string) => inFolder(folder, "__init__.py");
