import type { Definitions } from "./definitions.ts";
import { type Family, familyOf } from "./families.ts";
import { GoModules, PathModules, RustModules } from "./folder-modules.ts";
import { Folders, folderOf } from "./folders.ts";
import { PythonModules } from "./python-modules.ts";
import { ScriptModules } from "./script-modules.ts";

/** Finds the files behind the names of modules, in every language. */
export class Modules {
  readonly go: GoModules;
  readonly rust: RustModules;
  readonly #definitions: Definitions;
  readonly #scripts: ScriptModules;
  readonly #python: PythonModules;
  readonly #paths: PathModules;
  readonly #found = new Map<string, readonly number[]>();

  constructor(definitions: Definitions) {
    const folders = new Folders(definitions);
    this.#definitions = definitions;
    this.go = new GoModules(definitions, folders);
    this.rust = new RustModules(definitions, folders);
    this.#scripts = new ScriptModules(definitions, folders);
    this.#python = new PythonModules(definitions, folders);
    this.#paths = new PathModules(definitions, folders);
  }

  /** The files that a source means in a file; empty where they are not in the repository. */
  filesOf(file: number, source: string): readonly number[] {
    // What a source means is the same for all files of a folder.
    const key = `${this.#definitions.language(file)} ${folderOf(this.#definitions.path(file))} ${source}`;
    const known = this.#found.get(key);
    if (known) return known;
    // Files are asked about one after another: what was said about earlier ones is not needed again.
    if (this.#found.size > 20_000) this.#found.clear();
    const found = this.#find(file, source);
    this.#found.set(key, found);
    return found;
  }

  /** A module inside the one that a file is the front of. */
  inside(file: number, name: string): number | undefined {
    const style = this.#styleOf(file);
    if (style === "python") return this.#python.inside(file, name);
    return style === "rust" ? this.rust.inside(file, name) : undefined;
  }

  #styleOf(file: number): Family["modules"] | undefined {
    return familyOf(this.#definitions.language(file))?.modules;
  }

  #find(file: number, source: string): readonly number[] {
    switch (this.#styleOf(file)) {
      case "script":
        return one(this.#scripts.fileOf(file, source));
      case "python":
        return one(this.#python.fileOf(file, source));
      case "go":
        return this.go.filesOf(source);
      case "include":
        return one(this.#paths.fileOf(file, source));
      case "namespace":
        return source.includes("/") ? one(this.#paths.fileOf(file, source)) : [];
      default:
        return [];
    }
  }
}

const one = (file: number | undefined): readonly number[] => (file === undefined ? [] : [file]);
