/** Description of a language, or of a kind of text file. */
export interface LanguageEntry {
  readonly id: string;
  /** Code; settings and markup that belong to a program; documents for people; data in text form. */
  readonly kind: "code" | "settings" | "document" | "data";
  /**
   * File extensions without the dot, in lower case. A script without an extension counts as a file with the first one.
   */
  readonly endings: readonly string[];
  /** Extensions that are also words, domains, members or common to any text: recognised on files, but not in prose. */
  readonly ambiguousEndings?: readonly string[];
  /** Complete names of files without an extension. */
  readonly names?: readonly string[];
  /** Interpreters of its scripts, as named in a `#!` line; only for languages with a grammar. */
  readonly programs?: readonly string[];
  /** Comment style; `slashes` by default. */
  readonly comments?: "slashes" | "slashesOrHash" | "hash" | "dashes" | "semicolons" | "percents";
  /** Path of its grammar in `node_modules`; a language without one is searched as text. */
  readonly grammar?: string;
  /** Set if the grammar hangs on some inputs, so that it may run only in a thread that can be terminated. */
  readonly grammarMayHang?: true;
  /** Family for the call graph, whose files can call each other; every language with a grammar has one. */
  readonly family?: "script" | "python" | "go" | "rust" | "jvm" | "csharp" | "php" | "ruby" | "swift" | "c" | "bash";

  /** Base names of files that represent their folder and mostly re-export the definitions of others. */
  readonly fronts?: readonly string[];
  /** Base names of files that only re-export. */
  readonly reexports?: readonly string[];
  /** Base names of files that are the entry point of a package. */
  readonly roots?: readonly string[];
  /** Extensions of files that declare what is defined elsewhere. */
  readonly declarations?: readonly string[];
  /** Extensions of files that others include. */
  readonly headers?: readonly string[];
  /** Set for languages with `#define` and `#include`. */
  readonly hasPreprocessor?: true;
  /**
   * What identifies a function in a line without a grammar: a keyword only, `name()`, or `name ::`; by default its
   * parentheses.
   */
  readonly functionsBy?: "keyword" | "empty-parentheses" | "signature";
  /** Set if a value nested in a definition is itself a definition that others refer to. */
  readonly hasInnerValues?: true;
}

/** Path of a grammar in the package that contains most of them. */
function wasm(name: string): string {
  return `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`;
}

/**
 * All known languages and kinds of text files: the judge, the parser, the call graph and search use this table. Plain
 * data without imports, because the hook loads it. How to add a language: docs/engine.md.
 */
export const LANGUAGES: readonly LanguageEntry[] = [
  {
    id: "typescript",
    kind: "code",
    endings: ["ts", "mts", "cts"],
    programs: ["deno", "bun", "tsx", "ts-node"],
    grammar: wasm("typescript"),
    family: "script",
    fronts: ["index"],
    declarations: ["d.ts", "d.mts", "d.cts"],
  },
  { id: "tsx", kind: "code", endings: ["tsx"], grammar: wasm("tsx"), family: "script", fronts: ["index"] },
  {
    id: "javascript",
    kind: "code",
    endings: ["js", "jsx", "mjs", "cjs"],
    programs: ["node"],
    grammar: wasm("javascript"),
    family: "script",
    fronts: ["index"],
  },
  {
    id: "python",
    kind: "code",
    endings: ["py", "pyi", "pyw"],
    programs: ["python"],
    comments: "hash",
    grammar: wasm("python"),
    family: "python",
    fronts: ["__init__"],
    declarations: ["pyi"],
    functionsBy: "keyword",
  },
  { id: "go", kind: "code", endings: ["go"], grammar: wasm("go"), family: "go" },
  {
    id: "rust",
    kind: "code",
    endings: ["rs"],
    grammar: wasm("rust"),
    family: "rust",
    fronts: ["mod"],
    reexports: ["prelude"],
    roots: ["lib", "main"],
  },
  { id: "java", kind: "code", endings: ["java"], grammar: wasm("java"), family: "jvm", reexports: ["package-info"] },
  {
    id: "c",
    kind: "code",
    endings: ["c", "h"],
    grammar: "tree-sitter-c/tree-sitter-c.wasm",
    family: "c",
    headers: ["h"],
    hasPreprocessor: true,
  },
  {
    id: "cpp",
    kind: "code",
    endings: ["cc", "cpp", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "inl", "tpp", "cu", "cuh"],
    grammar: wasm("cpp"),
    family: "c",
    headers: ["hpp", "hh", "hxx", "h++", "cuh"],
    hasPreprocessor: true,
  },
  { id: "csharp", kind: "code", endings: ["cs", "csx"], grammar: wasm("c-sharp"), family: "csharp" },
  {
    id: "ruby",
    kind: "code",
    endings: ["rb", "rake", "gemspec"],
    ambiguousEndings: ["ru"],
    names: ["Rakefile", "Gemfile", "Capfile", "Guardfile"],
    programs: ["ruby"],
    comments: "hash",
    grammar: wasm("ruby"),
    family: "ruby",
    functionsBy: "keyword",
  },
  {
    id: "php",
    kind: "code",
    endings: ["php", "phtml"],
    ambiguousEndings: ["inc"],
    programs: ["php"],
    comments: "slashesOrHash",
    grammar: wasm("php"),
    family: "php",
  },
  {
    id: "kotlin",
    kind: "code",
    endings: ["kt", "kts"],
    grammar: "@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm",
    family: "jvm",
  },
  {
    id: "swift",
    kind: "code",
    endings: ["swift"],
    programs: ["swift"],
    grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm",
    grammarMayHang: true,
    family: "swift",
  },
  {
    id: "scala",
    kind: "code",
    endings: ["scala", "sbt"],
    ambiguousEndings: ["sc"],
    programs: ["scala"],
    grammar: "tree-sitter-scala/tree-sitter-scala.wasm",
    family: "jvm",
  },
  {
    id: "bash",
    kind: "code",
    endings: ["sh", "bash", "bats", "zsh", "ksh"],
    names: [".bashrc", ".bash_profile", ".profile", ".zshrc"],
    programs: ["sh", "bash", "dash", "zsh", "ksh", "bats"],
    comments: "hash",
    grammar: wasm("bash"),
    family: "bash",
    functionsBy: "empty-parentheses",
  },
  { id: "cython", kind: "code", endings: ["pyx"], comments: "hash" },
  { id: "elixir", kind: "code", endings: ["ex", "exs"], comments: "hash", functionsBy: "keyword" },
  { id: "perl", kind: "code", endings: [], ambiguousEndings: ["pl", "pm"], comments: "hash", functionsBy: "keyword" },
  { id: "lua", kind: "code", endings: ["lua"], comments: "dashes" },
  { id: "haskell", kind: "code", endings: ["hs"], comments: "dashes", functionsBy: "signature" },
  { id: "sql", kind: "code", endings: ["sql"], comments: "dashes" },
  { id: "zig", kind: "code", endings: ["zig"], hasInnerValues: true },
  { id: "objective-c", kind: "code", endings: [], ambiguousEndings: ["m", "mm"], hasPreprocessor: true },
  { id: "vue", kind: "code", endings: ["vue", "svelte"] },
  { id: "gradle", kind: "code", endings: ["gradle"] },
  { id: "protobuf", kind: "code", endings: ["proto"] },
  { id: "terraform", kind: "code", endings: ["tf"] },
  {
    id: "settings",
    kind: "settings",
    endings: ["json", "jsonc", "yaml", "yml", "toml", "xml", "ini", "cfg", "lock"],
    ambiguousEndings: ["properties"],
  },
  { id: "markup", kind: "settings", endings: ["html", "htm", "css", "scss"], ambiguousEndings: ["less"] },
  { id: "document", kind: "document", endings: ["md", "mdx", "rst", "adoc"], ambiguousEndings: ["txt"] },
  {
    id: "data",
    kind: "data",
    endings: ["po", "pot", "xlf", "xliff", "svg", "csv", "tsv", "geojson", "map", "snap", "sum", "ipynb"],
  },
];

/** Alternatives for a regular expression: the unambiguous extensions of these kinds, without the dot. */
export function writtenEndings(...kinds: readonly LanguageEntry["kind"][]): string {
  return LANGUAGES.filter(({ kind }) => kinds.includes(kind))
    .flatMap(({ endings }) => endings.map((ending) => ending.replaceAll("+", "\\+")))
    .join("|");
}
