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
import { numberOf } from "../store/sealed.ts";
import type { Segment } from "../store/segment.ts";
import type { IndexedFile } from "./changes.ts";

/** Files that tell where modules are: some by their text, some by being there. */
const SETTINGS = new Set(["package.json", "go.mod", "Cargo.toml"]);
const LAYOUT = new Set(["__init__.py", "lib.rs"]);

/**
 * Finds the questions that changes give another answer to, so that the files that asked them are resolved again.
 * Contract: none where no edges have been found yet, because then all are still to be found.
 */
export class MovedQuestions {
  readonly #store: IndexStore;
  readonly #hasEdges: boolean;

  constructor(store: IndexStore) {
    this.#store = store;
    this.#hasEdges = store.code.hasEdges();
  }

  /** By a new segment. Files for which `isSame` is true have only been read again. */
  ofSegment({ catalogue: { paths, removed } }: Segment, isSame: (path: string) => boolean): number[] {
    if (!this.#hasEdges) return [];
    const moved: number[] = [];
    for (const path of paths) {
      if (isSame(path)) continue;
      moved.push(question.text(path));
      const isNew = this.#store.packedImports(path) === null;
      if (isNew || languageByPath(path) === null) add(moved, questionsOfPath(path));
    }
    for (const path of removed) {
      add(moved, [question.text(path), ...questionsOfPath(path)]);
      add(moved, this.#ofFile(path, null));
    }
    return moved;
  }

  /** By new facts of files. */
  ofFacts(rows: readonly FactsRow[]): number[] {
    if (!this.#hasEdges) return [];
    return rows.flatMap(({ path, facts }) => this.#ofFile(path, unpackFacts(facts)));
  }

  /** By facts that are dropped. */
  ofDropped(paths: readonly string[]): number[] {
    if (!this.#hasEdges) return [];
    return paths.flatMap((path) => this.#ofFile(path, null));
  }

  #ofFile(path: string, after: FileFacts | null): number[] {
    return questionsOfFacts(path, { language: languageByPath(path), before: this.#store.code.facts(path), after });
  }
}

/** Id of the language that a path tells; null if only the text does, if at all. */
function languageByPath(path: string): string | null {
  return languageOf(path, "")?.id ?? null;
}

/** Identifies the state of all files that tell where modules are. */
export function stampOfSettings(files: ReadonlyMap<string, IndexedFile>): number {
  const stamps: string[] = [];
  for (const [path, file] of files) {
    const base = baseOf(path);
    if (SETTINGS.has(base)) stamps.push(`${path} ${file.id}`);
    else if (LAYOUT.has(base)) stamps.push(path);
  }
  return numberOf(stamps.sort().join("\n")) | 0;
}

/** Reads where modules are, for a comparison with later states. */
export function readModuleSettings(stamp: number, modules: Modules): ModuleSettings {
  return { stamp, answers: new Map([...modules.settings()].map(([key, answer]) => [key, numberOf(answer) | 0])) };
}

/** Questions that have another answer in one state of the settings than in the other. */
export function questionsOfSettings(before: ModuleSettings | null, after: ModuleSettings): number[] {
  const old = before?.answers ?? new Map<number, number>();
  const keys = new Set([...old.keys(), ...after.answers.keys()]);
  return [...keys].filter((key) => old.get(key) !== after.answers.get(key));
}

function add(to: number[], more: readonly number[]): void {
  for (const key of more) to.push(key);
}
