import type { LanguageEntry } from "../../base/languages.ts";
import { entryOfLanguage } from "../languages.ts";
import { toWordSet } from "../word-set.ts";

type FamilyId = NonNullable<LanguageEntry["family"]>;

/** What resolving calls has to know about a family of languages. Names are separated by spaces. */
interface FamilyTraits {
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

/** Traits of a family that are lists of names. */
type Names = "self" | "ownType" | "base" | "passes";

/** Traits of a language family that resolution needs, with defaults for those missing in the table. */
export interface Family extends Omit<FamilyTraits, Names>, Readonly<Record<Names, ReadonlySet<string>>> {
  /** Files of one family can call each other. */
  readonly id: FamilyId;
}

const families = new Map(
  Object.entries(FAMILIES).map(([id, traits]): [string, Family] => [
    id,
    {
      ...traits,
      id: id as FamilyId,
      self: toWordSet(traits.self ?? "this"),
      ownType: toWordSet(traits.ownType),
      base: toWordSet(traits.base ?? "super"),
      passes: toWordSet(traits.passes),
    },
  ]),
);

/** The family of a language; undefined for plain text. */
export const familyOf = (language: string): Family | undefined => families.get(entryOfLanguage(language)?.family ?? "");
