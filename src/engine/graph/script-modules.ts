import { parse } from "jsonc-parser";
import { LANGUAGES } from "../../base/languages.ts";
import { isRecord } from "../../base/text.ts";
import { entryOfLanguage } from "../languages.ts";
import { baseOf, folderOf, foldersUp, inFolder, joinPath } from "./folders.ts";
import { ModuleFinder } from "./module-finder.ts";
import { question, type Recorded } from "./questions.ts";

const SCRIPTS = LANGUAGES.filter(({ family }) => family === "script");
const ENDINGS = SCRIPTS.flatMap(({ endings, declarations = [] }) => [...endings, ...declarations]);
/** Suffixes that a module name may omit, in the order in which they are tried. */
const TAILS = ["", ...ENDINGS.map((ending) => `.${ending}`), ...ENDINGS.map((ending) => `/index.${ending}`)];
/** Endings of compiled files: an import of a source file may name its compiled form (`./a.js` for `a.ts`). */
const COMPILED = new RegExp(`\\.(?:${entryOfLanguage("javascript")?.endings.join("|")})$`);

/** Module resolution settings of a `tsconfig.json`. */
interface Config {
  /** Folder that the targets of `paths` are relative to. */
  readonly base: string;
  readonly paths: readonly (readonly [string, readonly string[]])[];
}

/** A package of the repository itself. */
interface Package {
  readonly folder: string;
  readonly entries: ReadonlyMap<string, string>;
}

/** Finds the files behind JavaScript and TypeScript module names. */
export class ScriptModules extends ModuleFinder {
  readonly #configs = new Map<string, Recorded<Config | null>>();
  #packages: Map<string, Package> | undefined;

  /** The file that a source refers to in a file; undefined for external packages. */
  fileOf(file: number, source: string): number | undefined {
    const folder = folderOf(this.definitions.path(file));
    if (source.startsWith(".")) return this.#at(joinPath(folder, source));
    for (const around of foldersUp(folder)) {
      const config = this.#config(around);
      const found = config && this.#byConfig(config, source);
      if (found !== undefined && found !== null) return found;
    }
    return this.#byPackage(source);
  }

  #byConfig({ base, paths }: Config, source: string): number | undefined {
    for (const [pattern, targets] of paths) {
      const [before = "", after] = pattern.split("*");
      const fits = after === undefined ? source === pattern : source.startsWith(before) && source.endsWith(after);
      if (!fits) continue;
      const middle = after === undefined ? "" : source.slice(before.length, source.length - after.length);
      for (const target of targets) {
        const found = this.#at(
          joinPath(
            base,
            target.replace("*", () => middle),
          ),
        );
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** `name` or `name/inside` of a package in this repository. */
  #byPackage(source: string): number | undefined {
    this.#packages ??= this.#readPackages();
    const parts = source.split("/");
    const length = source.startsWith("@") ? 2 : 1;
    const name = parts.slice(0, length).join("/");
    this.questions.ask(question.module("script", name));
    const own = this.#packages.get(name);
    if (!own) return undefined;
    const inside = parts.slice(length).join("/");
    const entry = own.entries.get(inside);
    const tries = [
      entry ?? "",
      inside === "" ? "src/index" : `src/${inside}`,
      inside === "" ? "index" : inside,
      inside === "" ? "" : `src/${inside}/index`,
    ];
    for (const path of tries) {
      const found = path === "" ? undefined : this.#at(joinPath(own.folder, path));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #at(path: string | undefined): number | undefined {
    if (path === undefined) return undefined;
    const plain = path.replace(COMPILED, "");
    for (const stem of plain === path ? [path] : [path, plain]) {
      this.questions.ask(question.at(stem));
      for (const tail of TAILS) {
        const found = this.definitions.fileAt(stem + tail);
        if (found !== undefined && this.definitions.language(found) !== "") return found;
      }
    }
    return undefined;
  }

  #config(folder: string): Config | null {
    const known = this.#configs.get(folder);
    if (known !== undefined) return this.questions.reuse(known);
    const config = this.questions.record(() => this.#findConfig(folder));
    this.#configs.set(folder, config);
    return config.answer;
  }

  #findConfig(folder: string): Config | null {
    for (const name of ["tsconfig.json", "tsconfig.base.json", "jsconfig.json"]) {
      const file = this.askAt(inFolder(folder, name));
      const config = file === undefined ? null : this.#readConfig(file, 0);
      if (config !== null) return config;
    }
    return null;
  }

  #readConfig(file: number, depth: number): Config | null {
    this.questions.ask(question.text(this.definitions.path(file)));
    const settings = readJson(this.definitions.text(file));
    const folder = folderOf(this.definitions.path(file));
    const options = objectOf(settings?.compilerOptions);
    const baseUrl = textOf(options?.baseUrl);
    const paths = objectOf(options?.paths);
    if (paths || baseUrl !== undefined) {
      const entries = Object.entries(paths ?? {}).map(([pattern, to]) => [pattern, textsOf(to)] as const);
      const base = joinPath(folder, baseUrl ?? ".") ?? "";
      return { base, paths: baseUrl === undefined ? entries : [...entries, ["*", ["*"]]] };
    }
    const above = textOf(settings?.extends);
    if (!above?.startsWith(".") || depth > 4) return null;
    const path = joinPath(folder, above.endsWith(".json") ? above : `${above}.json`);
    const next = path === undefined ? undefined : this.askAt(path);
    return next === undefined ? null : this.#readConfig(next, depth + 1);
  }

  /** The packages of the repository, in the form of `Modules.settings`. */
  settings(): [number, string][] {
    this.#packages ??= this.#readPackages();
    return [...this.#packages].map(([name, { folder, entries }]) => [
      question.module("script", name),
      JSON.stringify([folder, ...entries]),
    ]);
  }

  #readPackages(): Map<string, Package> {
    const packages = new Map<string, Package>();
    for (const file of this.folders.filesNamed("package.json")) {
      const path = this.definitions.path(file);
      if (/(?:^|\/)node_modules\//.test(path)) continue;
      const settings = readJson(this.definitions.text(file));
      const name = textOf(settings?.name);
      if (settings && name !== undefined && !packages.has(name)) {
        packages.set(name, { folder: folderOf(path), entries: readEntries(settings) });
      }
    }
    return packages;
  }
}

/** The entry points of a package by name, mapped from build output back to the sources. */
function readEntries(settings: Readonly<Record<string, unknown>>): Map<string, string> {
  const entries = new Map<string, string>();
  const put = (name: string, target: string | undefined) => {
    if (target !== undefined && !entries.has(name)) entries.set(name, toSource(target));
  };
  for (const [key, value] of Object.entries(objectOf(settings.exports) ?? {})) {
    put(key.replace(/^\.\/?/, ""), firstText(value, 0));
  }
  for (const key of ["source", "types", "module", "main"]) put("", textOf(settings[key]));
  return entries;
}

function toSource(target: string): string {
  const path = target.replace(/^\.\//, "").replace(/\.(?:d\.[mc]?ts|[mc]?js|[mc]?ts)$/, "");
  const folder = path.split("/")[0];
  return folder === "dist" || folder === "lib" || folder === "build" || folder === "es"
    ? `src/${path.split("/").slice(1).join("/") || baseOf(path)}`
    : path;
}

function firstText(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return value;
  if (depth > 4) return undefined;
  for (const inner of Object.values(objectOf(value) ?? {})) {
    const found = firstText(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const objectOf = (value: unknown) => (isRecord(value) ? value : undefined);
const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
const textsOf = (value: unknown) => (Array.isArray(value) ? value.filter((item) => typeof item === "string") : []);

/** Parses JSON with comments, as in TypeScript's settings; undefined if it is not an object. */
const readJson = (text: string | undefined) =>
  text === undefined ? undefined : objectOf(parse(text, [], { allowTrailingComma: true }));
