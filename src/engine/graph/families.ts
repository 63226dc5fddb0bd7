/** How a language names modules: by files and folders, or by names declared in the files. */
type ModuleStyle = "script" | "python" | "go" | "rust" | "namespace" | "include";

/** What resolution needs to know about a language. */
export interface Family {
  /** Files of one family can call each other. */
  readonly id: string;
  readonly modules: ModuleStyle;
  /** Names of the receiver in a method. */
  readonly self: ReadonlySet<string>;
  /** Names of the receiver's type. */
  readonly ownType: ReadonlySet<string>;
  /** Names of the receiver seen as its base type. */
  readonly base: ReadonlySet<string>;
  /** Whether a plain name can refer to a member of the enclosing type. */
  readonly bareMembers: boolean;
  /** What a plain name can refer to without an import: names of the same package, of all files, or neither. */
  readonly sees: "nothing" | "package" | "everything";
  /** Methods that return their receiver, or what it contains. */
  readonly passes: ReadonlySet<string>;
  /** The method that runs when an object is called. */
  readonly caller?: string;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" ").filter((word) => word !== ""));
const NONE = words("");

const make = (id: string, modules: ModuleStyle, family: Partial<Family>): Family => ({
  id,
  modules,
  self: words("this"),
  ownType: NONE,
  base: words("super"),
  bareMembers: false,
  sees: "nothing",
  passes: NONE,
  ...family,
});

const script = make("script", "script", { passes: words("bind") });
const c = make("c", "include", { bareMembers: true, sees: "everything", base: NONE });
const jvm = (id: string) =>
  make(id, "namespace", { bareMembers: true, sees: "package", passes: words("get orElseThrow orElse apply also") });

const FAMILIES: Readonly<Record<string, Family>> = {
  typescript: script,
  tsx: script,
  javascript: script,
  python: make("python", "python", {
    self: words("self"),
    ownType: words("cls"),
    base: words("super"),
    caller: "__call__",
  }),
  go: make("go", "go", { self: NONE, base: NONE, sees: "package" }),
  rust: make("rust", "rust", {
    self: words("self"),
    ownType: words("Self"),
    base: NONE,
    passes: words(
      "unwrap expect clone as_ref as_mut as_deref borrow borrow_mut lock read write to_owned await unwrap_or_default iter iter_mut into_iter values drain",
    ),
  }),
  java: jvm("jvm"),
  kotlin: jvm("jvm"),
  scala: jvm("jvm"),
  csharp: make("csharp", "namespace", {
    bareMembers: true,
    sees: "package",
    base: words("base"),
    passes: words("ConfigureAwait"),
  }),
  php: make("php", "namespace", {
    self: words("$this"),
    ownType: words("self static"),
    base: words("parent"),
    sees: "package",
  }),
  ruby: make("ruby", "include", {
    self: words("self"),
    bareMembers: true,
    sees: "everything",
    passes: words("new freeze dup tap"),
  }),
  swift: make("swift", "include", {
    self: words("self"),
    ownType: words("Self"),
    bareMembers: true,
    sees: "everything",
  }),
  c,
  cpp: c,
  bash: make("bash", "include", { self: NONE, base: NONE, sees: "everything" }),
};

/** The family of a language; undefined for plain text. */
export const familyOf = (language: string): Family | undefined => FAMILIES[language];
