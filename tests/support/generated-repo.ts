import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A symbol of a generated repository, and its location. */
export interface KnownSymbol {
  readonly path: string;
  readonly name: string;
  readonly line: number;
}

interface Language {
  readonly ending: string;
  readonly head: string;
  readonly tail: string;
  /** Lines of a function that calls another. */
  readonly define: (name: string, callee: string) => readonly string[];
}

const LANGUAGES: readonly Language[] = [
  {
    ending: "ts",
    head: "/** Steps of one part. */",
    tail: "",
    define: (name, callee) => [
      `export function ${name}(value: number): number {`,
      `  return ${callee}(value) + 1;`,
      "}",
    ],
  },
  {
    ending: "py",
    head: '"""Steps of one part."""',
    tail: "",
    define: (name, callee) => [`def ${name}(value):`, `    return ${callee}(value) + 1`, ""],
  },
  {
    ending: "go",
    head: "package part",
    tail: "",
    define: (name, callee) => [`func ${name}(value int) int {`, `\treturn ${callee}(value) + 1`, "}"],
  },
  {
    ending: "java",
    head: "class Part {",
    tail: "}",
    define: (name, callee) => [`  static int ${name}(int value) {`, `    return ${callee}(value) + 1;`, "  }"],
  },
  {
    ending: "rs",
    head: "//! Steps of one part.",
    tail: "",
    define: (name, callee) => [`pub fn ${name}(value: i64) -> i64 {`, `    ${callee}(value) + 1`, "}"],
  },
  {
    ending: "rb",
    head: "# Steps of one part.",
    tail: "",
    define: (name, callee) => [`def ${name}(value)`, `  ${callee}(value) + 1`, "end"],
  },
];

const FOLDERS = 12;
/** Number of functions before the one that is searched for. */
const STEPS = 12;
/** Age of the first file; each change is a second later. Files that were just written count as unsure. */
const AGE_S = 24 * 60 * 60;

/** A changeable repository of many small files in several languages, determined by the steps applied to it. */
export class GeneratedRepo {
  readonly root: string;
  readonly #known = new Map<string, KnownSymbol>();
  readonly #gone: string[] = [];
  readonly #startS = Date.now() / 1_000 - AGE_S;
  #made = 0;
  #ticks = 0;

  constructor(root: string, files: number) {
    this.root = root;
    for (let at = 0; at < files; at++) this.add();
  }

  /** Returns one symbol per file, in the order of their paths. */
  symbols(): KnownSymbol[] {
    return [...this.#known.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Returns names that used to be in a file and no longer are in any. */
  goneNames(): readonly string[] {
    return this.#gone;
  }

  /** Writes one more file. */
  add(): void {
    const number = this.#made++;
    const { ending } = languageOf(number);
    this.#write(`part${number % FOLDERS}/unit${number}.${ending}`, number);
  }

  /** Rewrites a file, so that its symbol has another name and line. */
  change({ path, name }: KnownSymbol): void {
    this.#gone.push(name);
    this.#write(path, Number(/unit(\d+)/.exec(path)?.[1]));
  }

  /** Moves a file unchanged. */
  rename(symbol: KnownSymbol): void {
    const path = symbol.path.replace(/^part\d+/, `moved${this.#ticks++ % FOLDERS}`);
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    renameSync(join(this.root, symbol.path), join(this.root, path));
    this.#known.delete(symbol.path);
    this.#known.set(path, { ...symbol, path });
  }

  /** Removes a file. */
  remove({ path, name }: KnownSymbol): void {
    rmSync(join(this.root, path));
    this.#known.delete(path);
    this.#gone.push(name);
  }

  #write(path: string, number: number): void {
    const { head, tail, define } = languageOf(number);
    const version = this.#ticks++;
    const steps = Array.from({ length: STEPS + (version % 5) }, (_, at) =>
      define(`step${number}n${at}`, `step${number}n${Math.max(0, at - 1)}`),
    );
    const name = `settleAccount${number}v${version}`;
    const before = [head, ...steps.flat()];
    const lines = [...before, ...define(name, `step${number}n${STEPS - 1}`), tail];
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), `${lines.join("\n")}\n`);
    utimesSync(join(this.root, path), this.#startS + version, this.#startS + version);
    this.#known.set(path, { path, name, line: before.length + 1 });
  }
}

function languageOf(number: number): Language {
  return LANGUAGES[number % LANGUAGES.length] as Language;
}
