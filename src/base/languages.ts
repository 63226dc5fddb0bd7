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
  readonly comments?: CommentStyle;
  /** Path of its grammar in `node_modules`; a language without one is searched as text. */
  readonly grammar?: string;
  /** Set if the grammar hangs on some inputs, so that it may run only in a thread that can be terminated. */
  readonly grammarMayHang?: true;
  /** Family for the call graph; every language with a grammar has one. */
  readonly family?: FamilyId;

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

type CommentStyle = "slashes" | "slashesOrHash" | "hash" | "dashes" | "semicolons" | "percents";

/** Comment syntax of a language. */
export interface CommentMarks {
  /** Start of a line comment; if `isAlone` is set, recognised only at the beginning of a line. */
  readonly line: string;
  readonly isAlone: boolean;
  /** Start and end of block comments and doc strings. */
  readonly blocks: readonly (readonly [string, string])[];
  /** Matches a trimmed line that belongs to a comment above a definition. */
  readonly above: RegExp;
}

/** Syntax of each comment style. */
export const COMMENTS: Readonly<Record<CommentStyle, CommentMarks>> = {
  slashes: { line: "//", isAlone: false, blocks: [["/*", "*/"]], above: /^(?:\/\/|\/\*|\*)/ },
  slashesOrHash: { line: "//", isAlone: false, blocks: [["/*", "*/"]], above: /^(?:\/\/|\/\*|\*|#(?!\[))/ },
  hash: {
    line: "#",
    isAlone: true,
    blocks: [
      ['"""', '"""'],
      ["'''", "'''"],
    ],
    above: /^#/,
  },
  dashes: {
    line: "--",
    isAlone: false,
    blocks: [
      ["{-", "-}"],
      ["--[[", "]]"],
    ],
    above: /^--/,
  },
  // Of languages without an entry above, whose definitions are found line by line: Clojure, MATLAB and the like.
  semicolons: { line: ";", isAlone: true, blocks: [], above: /^;/ },
  percents: { line: "%", isAlone: true, blocks: [], above: /^%/ },
};

/** Groups of languages whose files can call each other. */
export type FamilyId = "script" | "python" | "go" | "rust" | "jvm" | "csharp" | "php" | "ruby" | "swift" | "c" | "bash";

/** What resolving calls has to know about a family of languages. Names are separated by spaces. */
export interface FamilyTraits {
  /** How modules are named: by files and folders, or by names declared in files. */
  readonly modules: "script" | "python" | "go" | "rust" | "namespace" | "include";
  /** Names of the object that a method is called on; `this` by default. */
  readonly self?: string;
  /** Names of that object's type. */
  readonly ownType?: string;
  /** Names of that object seen as its base type; `super` by default. */
  readonly base?: string;
  /** What a call of the base itself runs: its constructor (the default), its method of the same name, or nothing. */
  readonly baseCall?: "constructor" | "method" | "nothing";
  /** Set if an unqualified name can be a member of the enclosing type. */
  readonly bareMembers?: true;
  /**
   * What an unqualified name can refer to without an import: nothing (the default), modules, names of the same folder,
   * of the package, of the package and the enclosing ones, or of all files.
   */
  readonly sees?: "nothing" | "modules" | "folder" | "package" | "packages" | "everything";
  /**
   * Where members of a type can be defined: in the type (the default), also in the files of its folder, or anywhere.
   */
  readonly members?: "inside" | "folder" | "anywhere";
  /** Set if several definitions of a type form one type. */
  readonly reopensTypes?: true;
  /** Set if a type may declare a method whose body is elsewhere. */
  readonly declaresMethods?: true;
  /** Methods that return the object they are called on, or its content. */
  readonly passes?: string;
  /** Member of a type that creates an instance of it. */
  readonly maker?: string;
  /** Method that runs when an object is called. */
  readonly caller?: string;
  /** Prefix of variable names. */
  readonly sigil?: string;
  /** Extension that the path of an included file may omit. */
  readonly impliedEnding?: string;
}

/** The traits of each family. */
export const FAMILIES: Readonly<Record<FamilyId, FamilyTraits>> = {
  script: { modules: "script", passes: "bind" },
  python: { modules: "python", self: "self", ownType: "cls", baseCall: "nothing", caller: "__call__" },
  go: { modules: "go", self: "", base: "", sees: "folder", members: "folder" },
  rust: {
    modules: "rust",
    self: "self",
    ownType: "Self",
    base: "",
    sees: "modules",
    members: "anywhere",
    passes:
      "unwrap expect clone as_ref as_mut as_deref borrow borrow_mut lock read write to_owned await unwrap_or_default iter iter_mut into_iter values drain",
  },
  jvm: {
    modules: "namespace",
    bareMembers: true,
    sees: "package",
    members: "anywhere",
    passes: "get orElseThrow orElse apply also",
  },
  csharp: {
    modules: "namespace",
    base: "base",
    bareMembers: true,
    sees: "packages",
    members: "anywhere",
    reopensTypes: true,
    passes: "ConfigureAwait",
  },
  php: { modules: "namespace", self: "$this", ownType: "self static", base: "parent", sees: "package", sigil: "$" },
  ruby: {
    modules: "include",
    self: "self",
    baseCall: "method",
    bareMembers: true,
    sees: "everything",
    members: "anywhere",
    reopensTypes: true,
    passes: "new freeze dup tap",
    maker: "new",
    impliedEnding: ".rb",
  },
  swift: {
    modules: "include",
    self: "self",
    ownType: "Self",
    bareMembers: true,
    sees: "everything",
    members: "anywhere",
  },
  c: {
    modules: "include",
    base: "",
    bareMembers: true,
    sees: "everything",
    members: "anywhere",
    declaresMethods: true,
  },
  bash: { modules: "include", self: "", base: "", sees: "everything", members: "anywhere" },
};
