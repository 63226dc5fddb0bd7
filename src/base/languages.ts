/** What is known of one language, or of one kind of text file. */
export interface LanguageEntry {
  readonly id: string;
  /** Code; settings and markup that belong to a program; documents for people; data that is kept as text. */
  readonly kind: "code" | "settings" | "document" | "data";
  /** Without the dot, lower case. A script without an ending counts as a file with the first one. */
  readonly endings: readonly string[];
  /** Endings that are also words, domains, members or those of any text: they count on files, not in what people write. */
  readonly ambiguousEndings?: readonly string[];
  /** Whole names of files without an ending. */
  readonly names?: readonly string[];
  /** Programs that run its scripts, as a first line (`#!`) names them; only where there is a grammar. */
  readonly programs?: readonly string[];
  /** `slashes` where nothing is said. */
  readonly comments?: CommentStyle;
  /** Where its grammar lies in `node_modules`; what has none is searched as text. */
  readonly grammar?: string;
  /** Set where the grammar never ends on some texts, so that it may run only in a thread that can be ended. */
  readonly grammarMayHang?: true;
  /** What the call graph has to know; every language with a grammar has one. */
  readonly family?: FamilyId;

  /** Names, without ending, of files that stand for their folder and mostly hand on what others define. */
  readonly fronts?: readonly string[];
  /** The same for files that only hand on. */
  readonly reexports?: readonly string[];
  /** The same for files that a package begins with. */
  readonly roots?: readonly string[];
  /** Endings of files that declare what is defined elsewhere. */
  readonly declarations?: readonly string[];
  /** Endings of files that are included by others. */
  readonly headers?: readonly string[];
  /** Whether it has `#define` and `#include`. */
  readonly hasPreprocessor?: true;
  /** How a line without a grammar shows a function: by a keyword alone, by `name()`, by `name ::`; else by its parentheses. */
  readonly functionsBy?: "keyword" | "empty-parentheses" | "signature";
  /** Whether a value inside of something is a definition that others refer to. */
  readonly hasInnerValues?: true;
}

/** Where the grammars lie that come in one package. */
function wasm(name: string): string {
  return `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`;
}

/**
 * Every language and kind of text file that anything here knows: the judge, the parser, the call graph and search read
 * this table. Plain data without imports, because the hook loads it. How to add a language: docs/engine.md.
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

/** Alternatives of a pattern: the endings, without the dot, that mean a file of these kinds wherever they are written. */
export function writtenEndings(...kinds: readonly LanguageEntry["kind"][]): string {
  return LANGUAGES.filter(({ kind }) => kinds.includes(kind))
    .flatMap(({ endings }) => endings.map((ending) => ending.replaceAll("+", "\\+")))
    .join("|");
}

type CommentStyle = "slashes" | "slashesOrHash" | "hash" | "dashes" | "semicolons" | "percents";

/** How comments are written. */
export interface CommentMarks {
  /** What begins a comment to the end of the line; where `isAlone` only at the beginning of one. */
  readonly line: string;
  readonly isAlone: boolean;
  /** What begins and ends a comment or a doc string over several lines. */
  readonly blocks: readonly (readonly [string, string])[];
  /** A trimmed line that belongs to a comment above a definition. */
  readonly above: RegExp;
}

/** The marks of each way to write comments. */
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
  semicolons: { line: ";", isAlone: true, blocks: [], above: /^;/ },
  percents: { line: "%", isAlone: true, blocks: [], above: /^%/ },
};

/** Languages whose files can call each other. */
export type FamilyId = "script" | "python" | "go" | "rust" | "jvm" | "csharp" | "php" | "ruby" | "swift" | "c" | "bash";

/** What resolving calls has to know about a family of languages. Names are separated by blanks. */
export interface FamilyTraits {
  /** How modules are named: by files and folders, or by names that files give themselves. */
  readonly modules: "script" | "python" | "go" | "rust" | "namespace" | "include";
  /** Names of the object that a method is called on; `this` where nothing is said. */
  readonly self?: string;
  /** Names of the type of that object. */
  readonly ownType?: string;
  /** Names of the same, seen as its base; `super` where nothing is said. */
  readonly base?: string;
  /** What calling the base alone runs: its constructor (the default), its method of the same name, or nothing. */
  readonly baseCall?: "constructor" | "method" | "nothing";
  /** Whether a plain name can be a member of the type around. */
  readonly bareMembers?: true;
  /**
   * What a plain name can mean without an import: nothing (the default), modules, names of the same folder, of the
   * package, of the package and those around it, or of all files.
   */
  readonly sees?: "nothing" | "modules" | "folder" | "package" | "packages" | "everything";
  /** Where members of a type stand: in it (the default), in the files of its folder too, or anywhere. */
  readonly members?: "inside" | "folder" | "anywhere";
  /** Whether several definitions of one type are one type. */
  readonly reopensTypes?: true;
  /** Whether a type may declare a method whose body stands elsewhere. */
  readonly declaresMethods?: true;
  /** Member calls that give back what they are made on, or what is in it. */
  readonly passes?: string;
  /** The member of a type that makes an object of it. */
  readonly maker?: string;
  /** The method that runs when an object is called. */
  readonly caller?: string;
  /** Sign before the names of variables. */
  readonly sigil?: string;
  /** Ending that the path of an included file may leave out. */
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
