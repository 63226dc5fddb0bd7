import { questionsOfFacts, questionsOfPath } from "../graph/answers.ts";
import { baseOf } from "../graph/folders.ts";
import type { Modules } from "../graph/modules.ts";
import { question } from "../graph/questions.ts";
import type { FileFacts } from "../parse/facts.ts";
import { languageOf } from "../parse/languages/table.ts";
import type { ModuleSettings } from "../store/asked-questions.ts";
import type { FactsRow } from "../store/code-store.ts";
import { unpackFacts } from "../store/facts.ts";
import type { IndexStore } from "../store/index-store.ts";
import type { IndexedFile } from "../store/known-files.ts";
import { checksumOf } from "../store/sealed.ts";
import type { Segment } from "../store/segment.ts";

/** Files that determine where modules are: some by their content, some by their existence. */
const SETTINGS = new Set(["package.json", "go.mod", "Cargo.toml"]);
const LAYOUT = new Set(["__init__.py", "lib.rs"]);

/**
 * Finds the questions whose answers change, so that the files that asked them are resolved again. Contract: returns
 * none before any edges have been found, because then every file is resolved anyway.
 */
export class MovedQuestions {
  readonly #store: IndexStore;
  readonly #hasEdges: boolean;

  constructor(store: IndexStore) {
    this.#store = store;
    this.#hasEdges = store.code.hasEdges();
  }

  /** Questions affected by a new segment. Files for which `isSame` is true were read again but have not changed. */
  ofSegment({ catalogue: { paths, removed } }: Segment, isSame: (path: string) => boolean): number[] {
    if (!this.#hasEdges) return [];
    const changed = paths.flatMap((path) => {
      if (isSame(path)) return [];
      const isNew = this.#store.packedImports(path) === null;
      return [question.text(path), ...(isNew || languageByPath(path) === null ? questionsOfPath(path) : [])];
    });
    const gone = removed.flatMap((path) => [
      question.text(path),
      ...questionsOfPath(path),
      ...this.#ofFile(path, null),
    ]);
    return [...changed, ...gone];
  }

  /** Questions affected by new facts of files. */
  ofFacts(rows: readonly FactsRow[]): number[] {
    if (!this.#hasEdges) return [];
    return rows.flatMap(({ path, facts }) => this.#ofFile(path, unpackFacts(facts)));
  }

  /** Questions affected by dropping the facts of files. */
  ofDropped(paths: readonly string[]): number[] {
    if (!this.#hasEdges) return [];
    return paths.flatMap((path) => this.#ofFile(path, null));
  }

  #ofFile(path: string, after: FileFacts | null): number[] {
    return questionsOfFacts(path, { language: languageByPath(path), before: this.#store.code.facts(path), after });
  }
}

/** Id of the language that a path indicates; null if only the text can identify one. */
function languageByPath(path: string): string | null {
  return languageOf(path, "")?.id ?? null;
}

/** Returns a hash over the state of all files that determine where modules are. */
export function stampOfSettings(files: ReadonlyMap<string, IndexedFile>): number {
  const stamps: string[] = [];
  for (const [path, file] of files) {
    const base = baseOf(path);
    if (SETTINGS.has(base)) stamps.push(`${path} ${file.id}`);
    else if (LAYOUT.has(base)) stamps.push(path);
  }
  return checksumOf(stamps.sort().join("\n")) | 0;
}

/** Reads the module settings, for comparison with later states. */
export function readModuleSettings(stamp: number, modules: Modules): ModuleSettings {
  return { stamp, answers: new Map([...modules.settings()].map(([key, answer]) => [key, checksumOf(answer) | 0])) };
}

/** Questions whose answers differ between two states of the settings. */
export function questionsOfSettings(before: ModuleSettings | null, after: ModuleSettings): number[] {
  const old = before?.answers ?? new Map<number, number>();
  const keys = new Set([...old.keys(), ...after.answers.keys()]);
  return [...keys].filter((key) => old.get(key) !== after.answers.get(key));
}
