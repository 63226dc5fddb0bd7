import type { Definitions } from "./definitions.ts";
import { type Family, familyOf } from "./families.ts";
import { GoModules, PathModules, RustModules } from "./folder-modules.ts";
import { Folders, folderOf } from "./folders.ts";
import { PythonModules } from "./python-modules.ts";
import type { Questions, Recorded } from "./questions.ts";
import { ScriptModules } from "./script-modules.ts";

/** Finds the files behind module names, in every language. */
export class Modules {
  readonly go: GoModules;
  readonly rust: RustModules;
  readonly #definitions: Definitions;
  readonly #questions: Questions;
  readonly #scripts: ScriptModules;
  readonly #python: PythonModules;
  readonly #paths: PathModules;
  readonly #found = new Map<string, Recorded<readonly number[]>>();

  constructor(definitions: Definitions, questions: Questions) {
    const folders = new Folders(definitions);
    this.#definitions = definitions;
    this.#questions = questions;
    this.go = new GoModules(definitions, folders, questions);
    this.rust = new RustModules(definitions, folders, questions);
    this.#scripts = new ScriptModules(definitions, folders, questions);
    this.#python = new PythonModules(definitions, folders, questions);
    this.#paths = new PathModules(definitions, folders, questions);
  }

  /** The files that a source refers to in a file; empty if they are not in the repository. */
  filesOf(file: number, source: string): readonly number[] {
    // A source refers to the same files from every file of a folder.
    const key = `${this.#definitions.language(file)} ${folderOf(this.#definitions.path(file))} ${source}`;
    const known = this.#found.get(key);
    if (known) return this.#questions.reuse(known);
    // Files are processed one after another, so entries for earlier files are rarely needed again.
    if (this.#found.size > 20_000) this.#found.clear();
    const found = this.#questions.record(() => this.#find(file, source));
    this.#found.set(key, found);
    return found.answer;
  }

  /** A submodule of the module whose main file is given. */
  inside(file: number, name: string): number | undefined {
    const style = this.#styleOf(file);
    if (style === "python") return this.#python.inside(file, name);
    return style === "rust" ? this.rust.inside(file, name) : undefined;
  }

  /**
   * Answers about modules that come from settings files and the folder layout: for each question about a module name,
   * the answer as text.
   */
  settings(): Map<number, string> {
    return new Map([
      ...this.#scripts.settings(),
      ...this.#python.settings(),
      ...this.go.settings(),
      ...this.rust.settings(),
    ]);
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
