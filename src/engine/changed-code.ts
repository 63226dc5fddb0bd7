import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { readInside } from "../base/jail.ts";
import { toStored } from "./build/find-edges.ts";
import { StoredDefinitions } from "./build/stored-definitions.ts";
import { makeResolver } from "./graph/resolver.ts";
import type { FileFacts, SymbolFact } from "./parse/facts.ts";
import { FileParser } from "./parse/file-parser.ts";
import { languageOf } from "./parse/languages/table.ts";
import type { Repository } from "./repository.ts";
import { hasTrait, TRAIT } from "./search/traits.ts";
import { filesNaming } from "./store/files-naming.ts";
import type { FreshCode } from "./stored-graph.ts";

/** Longer files are treated as data; the index does not parse them either. */
const MAX_BYTES = 512 * 1024;
/** Maximum number of changed files parsed per answer; the background builder is already handling the rest. */
const MOST_FILES = 20;

/** Creates a parser tuned for a few files. */
export function makeParser(grammars: string, clock: Clock): FileParser {
  return new FileParser({ folder: grammars, clock, fewFiles: true });
}

/**
 * Parses one file in its current state. Contract: returns null if the file cannot be read or is not code, and for a
 * hard-linked file that is not known to be harmless; never throws.
 */
export async function readFacts(
  root: string,
  path: string,
  parser: FileParser,
  { isHarmless }: { readonly isHarmless: boolean },
): Promise<FileFacts | null> {
  const read = readInside(root, join(root, path), MAX_BYTES);
  if (!read.ok || read.value.text === null || read.value.cut) return null;
  if (!isHarmless && read.value.sharedId !== null) return null;
  const language = languageOf(path, read.value.text);
  return language === null ? null : parser.parse(language, read.value.text);
}

/** Freshly parsed changed files, and the number of changed files left unread for lack of time. */
interface ChangedCode {
  readonly fresh: ReadonlyMap<string, FreshCode>;
  readonly unread: number;
}

/**
 * Parses the files that changed since they were indexed and resolves their calls. Contract: reads nothing if nothing
 * changed; stops with partial results when `hasTime` returns false.
 */
export async function readChangedCode(
  root: string,
  repository: Repository,
  getParser: () => FileParser | null,
  hasTime: () => boolean,
): Promise<ChangedCode> {
  const { index, store } = repository;
  const isScript = (path: string) => hasTrait(index, index.fileAt(path) ?? -1, TRAIT.script);
  const changed = repository.changed.filter((path) => languageOf(path, "") !== null || isScript(path));
  const parser = changed.length === 0 || store === null ? null : getParser();
  if (parser === null || store === null) return { fresh: new Map(), unread: changed.length };
  const facts = new Map<number, FileFacts>();
  for (const path of changed.slice(0, MOST_FILES)) {
    const file = index.fileAt(path);
    const read = file !== undefined && hasTime() ? await readFacts(root, path, parser, { isHarmless: true }) : null;
    if (file !== undefined && read !== null) facts.set(file, read);
  }
  const paths = Array.from({ length: index.fileCount }, (_, file) => index.pathOf(file));
  const definitions = new FreshDefinitions(root, store, paths, (name) => filesNaming(index, name));
  definitions.fresh = facts;
  const resolver = makeResolver(definitions);
  const fresh = new Map<string, FreshCode>();
  for (const [file, { symbols }] of facts) {
    if (!hasTime()) break;
    fresh.set(index.pathOf(file), { symbols, edges: toStored(resolver.resolve(file), definitions) });
  }
  return { fresh, unread: changed.length - fresh.size };
}

/** The stored definitions, overridden by fresh facts for files that changed. */
class FreshDefinitions extends StoredDefinitions {
  fresh: ReadonlyMap<number, FileFacts> = new Map();

  override facts(file: number): FileFacts {
    return this.fresh.get(file) ?? super.facts(file);
  }

  protected override symbolsWith(file: number, name: string | null): readonly SymbolFact[] {
    return this.fresh.get(file)?.symbols ?? super.symbolsWith(file, name);
  }
}
