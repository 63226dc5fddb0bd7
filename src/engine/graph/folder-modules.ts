import { familyOf } from "./families.ts";
import { baseOf, folderOf, foldersUp, inFolder, joinPath } from "./folders.ts";
import { ModuleFinder } from "./module-finder.ts";
import { question } from "./questions.ts";

/** Finds Go packages, which are folders. */
export class GoModules extends ModuleFinder {
  #modules: (readonly [string, string])[] | undefined;

  /** The files of the package that an import path refers to; empty for external packages. */
  filesOf(source: string): readonly number[] {
    this.#modules ??= this.#readModules();
    for (let end = source.length; end > 0; end = source.lastIndexOf("/", end - 1))
      this.questions.ask(question.module("go", source.slice(0, end)));
    for (const [name, folder] of this.#modules) {
      if (source !== name && !source.startsWith(`${name}/`)) continue;
      const files = this.filesIn(joinPath(folder, source.slice(name.length)) ?? "");
      if (files.length > 0) return files;
    }
    return [];
  }

  /** The Go files of a folder. */
  filesIn(folder: string): readonly number[] {
    this.questions.ask(question.folder(folder));
    return this.folders.filesIn(folder).filter((file) => familyOf(this.definitions.language(file))?.modules === "go");
  }

  /** The modules of the repository, in the form of `Modules.settings`. */
  settings(): [number, string][] {
    this.#modules ??= this.#readModules();
    const folders = new Map<string, string>();
    for (const [name, folder] of this.#modules) folders.set(name, `${folders.get(name) ?? ""}\0${folder}`);
    return [...folders].map(([name, all]) => [question.module("go", name), all]);
  }

  /** Modules and their folders, longest name first. */
  #readModules(): (readonly [string, string])[] {
    const modules: (readonly [string, string])[] = [];
    for (const file of this.folders.filesNamed("go.mod")) {
      const name = /^module\s+"?([^\s"]+)/m.exec(this.definitions.text(file) ?? "")?.[1];
      if (name !== undefined) modules.push([name, folderOf(this.definitions.path(file))]);
    }
    return modules.sort(([one], [other]) => other.length - one.length);
  }
}

/** Finds the files of Rust modules. */
export class RustModules extends ModuleFinder {
  #crates: Map<string, number> | undefined;

  /** The root file of a crate. */
  crate(name: string): number | undefined {
    this.questions.ask(question.module("rust", name));
    this.#crates ??= this.#readCrates();
    return this.#crates.get(name);
  }

  /** The crates of the repository, in the form of `Modules.settings`. */
  settings(): [number, string][] {
    this.#crates ??= this.#readCrates();
    return [...this.#crates].map(([name, root]) => [question.module("rust", name), this.definitions.path(root)]);
  }

  /** The root file of the crate that contains a file. */
  rootOf(file: number): number | undefined {
    for (const folder of foldersUp(folderOf(this.definitions.path(file)))) {
      for (const name of ["lib.rs", "main.rs"]) {
        const found = this.askAt(inFolder(folder, name));
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** A module that is declared in a file. */
  inside(file: number, name: string): number | undefined {
    const path = inFolder(this.#folderFor(file), name);
    return this.askAt(`${path}.rs`) ?? this.askAt(`${path}/mod.rs`);
  }

  /** The file of the parent module. */
  above(file: number): number | undefined {
    const folder = this.#folderFor(file);
    const around = folderOf(folder);
    const front = ["mod.rs", "lib.rs", "main.rs"].map((name) => inFolder(around, name));
    for (const path of [`${around}.rs`, ...front]) {
      const found = this.askAt(path);
      if (found !== undefined && found !== file) return found;
    }
    return undefined;
  }

  /** The folder that contains the modules declared in a file. */
  #folderFor(file: number): string {
    const path = this.definitions.path(file);
    return /^(?:mod|lib|main)\.rs$/.test(baseOf(path)) ? folderOf(path) : path.replace(/\.rs$/, "");
  }

  #readCrates(): Map<string, number> {
    const crates = new Map<string, number>();
    for (const file of this.folders.filesNamed("Cargo.toml")) {
      const text = this.definitions.text(file) ?? "";
      const name = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(text)?.[1]?.replaceAll("-", "_");
      const folder = folderOf(this.definitions.path(file));
      const root = this.definitions.fileAt(inFolder(folder, "src/lib.rs"));
      if (name !== undefined && root !== undefined && !crates.has(name)) crates.set(name, root);
    }
    return crates;
  }
}

/** Finds files that are referenced by path: C headers, and Ruby, Bash and PHP scripts. */
export class PathModules extends ModuleFinder {
  /**
   * The file that a path refers to: next to the referencing file, relative to an enclosing folder, or the only file
   * whose path ends with it.
   */
  fileOf(file: number, source: string): number | undefined {
    // Only the end of a computed path (`$dir/lib.sh`) is known.
    const path = source.replace(/^.*[$`}][\w})"']*\/+/, "").replace(/^<|>$/g, "");
    if (path === "" || /[$*\s]/.test(path)) return undefined;
    const implied = familyOf(this.definitions.language(file))?.impliedEnding;
    for (const ending of implied === undefined ? [""] : [implied, ""]) {
      // All candidate files have this name, in whichever folder.
      this.questions.ask(question.fileNamed(baseOf(path) + ending));
      for (const folder of foldersUp(folderOf(this.definitions.path(file)))) {
        for (const inside of ["", "include/", "lib/", "src/"]) {
          const full = joinPath(folder, inside + path + ending);
          const found = full === undefined ? undefined : this.definitions.fileAt(full);
          if (found !== undefined) return found;
        }
      }
      const tail = `/${path.replace(/^(?:\.\.?\/)+/, "")}${ending}`;
      const ends = this.folders
        .filesNamed(baseOf(path) + ending)
        .filter((other) => `/${this.definitions.path(other)}`.endsWith(tail));
      if (ends.length === 1) return ends[0];
    }
    return undefined;
  }
}
