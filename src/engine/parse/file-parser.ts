import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Parser, Language as TreeLanguage } from "web-tree-sitter";
import type { Clock } from "../../base/clock.ts";
import { getOrMake } from "../../base/maps.ts";
import { extractFacts } from "./extract.ts";
import { type FileFacts, NO_FACTS } from "./facts.ts";
import { ERROR_TYPE, type FlatTree, flatten, type Productions, readProductions } from "./flat-tree.ts";
import { grammarFile, LIBRARY_FILE } from "./grammars.ts";
import type { Language } from "./language.ts";
import { Matcher } from "./matcher.ts";
import { readRules } from "./pattern.ts";

/** Maximum number of characters parsed; the rest of such a file is data. */
const MAX_CHARS = 1_000_000;

/**
 * Maximum number of parser steps for a text, of a hundred operations each. Code takes one step per 250 characters, the
 * hardest seen one per 28; a text that takes more than one per 11 is not code in this language. Limits steps rather
 * than time, so that a text has the same facts on every machine.
 */
const stepsFor = (text: string) => 2_000 + text.length / 11;

/** Time limit for grammars whose single steps are slow (looking ahead to the end of the text at each character). */
const MAX_MS = 3_000;

/** A text with more characters that no language uses is not code. */
const MAX_UNKNOWN_CHARS = 500;

/** Longer lines are data or generated; they are blanked out, and the text around them is parsed. */
const MAX_LINE_CHARS = 10_000;

/**
 * How much one text, and all texts together, may grow the parser's memory, which is never released. Code needs 100 to
 * 200 bytes per character; unlimited nesting needs the square of its length.
 */
const MAX_GROWTH_BYTES = 192 * 1024 * 1024;
const MAX_MEMORY_BYTES = 320 * 1024 * 1024;

/**
 * Bytes that a grammar's function has to execute before V8 compiles it with the optimising compiler. Some grammars lex
 * every token in one function of 160 kB, which takes 1.5 s to compile: by default that starts within the first lines of
 * a small script.
 */
const TIERING_BYTES = 1_000_000_000;

/** Initial and maximum memory of the library, in pages of 64 kB. */
const PAGES = { initial: 512, maximum: 7 * 1024 };

/** Settings of a file parser. */
interface FileParserOptions {
  /** Folder of the grammars and of the library that runs them. */
  readonly folder: string;
  readonly clock: Clock;
  /**
   * For a process that parses a few files and exits: grammars are compiled with the fast compiler only, which saves
   * most of the 100 ms that the first file otherwise costs. Applies to the whole process.
   */
  readonly fewFiles?: boolean;
}

/** A loaded grammar and its rules. */
interface Loaded {
  readonly grammar: TreeLanguage;
  readonly productions: Productions;
  readonly matcher: Matcher;
  readonly bodyField: number;
  readonly bodyTypes: ReadonlySet<number>;
}

/** The used part of a WebAssembly memory; Node's type definitions lack it. */
interface Memory {
  readonly buffer: ArrayBuffer;
}

const { WebAssembly: webAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: new (pages: typeof PAGES) => Memory };
};

/** The library is started once per thread; later callers share its memory. */
let started: Promise<Memory> | undefined;

/**
 * Objects of the library that must never be freed, neither explicitly nor by garbage collection: freeing the remains of
 * an endlessly nested text overflows the library's stack and breaks it.
 */
const abandoned: unknown[] = [];
let isDamaged = false;
let memoryBytes = 0;

/**
 * Reads and decompresses a file of the grammar folder. Nothing is cached on disk: decompressing takes 2 ms for a
 * typical grammar, and a decompressed copy would have to be maintained.
 */
async function readCompressed(folder: string, file: string): Promise<Uint8Array> {
  // Imported lazily, because most processes that load this module never parse anything.
  const { gunzipSync } = await import("node:zlib");
  return gunzipSync(readFileSync(join(folder, file)));
}

async function startLibrary(folder: string): Promise<Memory> {
  const wasmMemory = new webAssembly.Memory(PAGES);
  const wasmBinary = await readCompressed(folder, LIBRARY_FILE);
  await Parser.init({ wasmBinary, wasmMemory, printErr: () => {} });
  return wasmMemory;
}

/** A parser and its memory. */
interface Running {
  /** Replaced after each text that it could not parse to the end. */
  parser: Parser;
  readonly memory: Memory;
}

/**
 * Parses files as code, in one thread.
 *
 * Contract: `parse` never throws, whatever the text, and takes bounded time and memory; a grammar is loaded on first
 * use; each thread makes its own parser.
 */
export class FileParser {
  readonly #options: FileParserOptions;
  readonly #loaded = new Map<string, Promise<Loaded | null>>();
  #running: Promise<Running | null> | undefined;

  constructor(options: FileParserOptions) {
    this.#options = options;
  }

  /**
   * Whether texts that are not code have used up the library in this thread.
   * Contract: nothing more is parsed then; a caller with more to parse starts another thread.
   */
  get isSpent(): boolean {
    return isDamaged || memoryBytes > MAX_MEMORY_BYTES;
  }

  /** The facts of one file. Contract: `complete` is false if the text or a part of it could not be parsed. */
  async parse(language: Language, text: string): Promise<FileFacts> {
    const loaded = await this.#load(language);
    const running = await this.#start();
    if (!loaded || !running || this.isSpent || !isText(text)) return NO_FACTS;
    const endsAt = this.#options.clock.monotonicMs() + MAX_MS;
    const isLate = () => this.#options.clock.monotonicMs() > endsAt;
    const read = readTree({ running, loaded, isLate }, text);
    memoryBytes = running.memory.buffer.byteLength;
    if (!read) return NO_FACTS;
    const facts = extractFacts({ ...read, ...loaded, language }, loaded.matcher);
    return read.text === text ? facts : { ...facts, complete: false };
  }

  /** Null if the grammar is missing or incompatible. */
  #load(language: Language): Promise<Loaded | null> {
    return getOrMake(this.#loaded, language.id, () => this.#loadGrammar(language).catch(() => null));
  }

  async #loadGrammar(language: Language): Promise<Loaded> {
    const running = await this.#start();
    if (!running) throw new Error("the library does not start");
    const grammar = await TreeLanguage.load(await readCompressed(this.#options.folder, grammarFile(language.id)));
    return prepare(language, grammar, running.memory.buffer);
  }

  /** Null if the library is missing. */
  #start(): Promise<Running | null> {
    this.#running ??= this.#run().catch(() => null);
    return this.#running;
  }

  async #run(): Promise<Running> {
    setFlagsFromString(this.#options.fewFiles ? "--liftoff-only" : `--wasm-tiering-budget=${TIERING_BYTES}`);
    started ??= startLibrary(this.#options.folder);
    const memory = await started;
    return { parser: new Parser(), memory };
  }
}

/** Compiles a language's table for its grammar. Contract: throws if they do not fit together. */
function prepare(language: Language, grammar: TreeLanguage, memory: ArrayBufferLike): Loaded {
  const found = (id: number | null, what: string) => {
    if (id === null) throw new Error(`${language.id} has no ${what}`);
    return id;
  };
  const ids = {
    typeId: (name: string, isNamed: boolean) => found(grammar.idForNodeType(name, isNamed), name),
    fieldId: (name: string) => found(grammar.fieldIdForName(name), name),
  };
  return {
    grammar,
    productions: readProductions(grammar, memory),
    matcher: new Matcher(readRules(language.rules, ids), namedTypes(grammar)),
    bodyField: grammar.fieldIdForName("body") ?? 0,
    bodyTypes: new Set(Array.from(language.bodies ?? [], (type) => ids.typeId(type, true))),
  };
}

/** Has 1 at the id of every named type (not a token); error nodes count as named. */
function namedTypes(grammar: TreeLanguage): Uint8Array {
  const named = new Uint8Array(ERROR_TYPE + 1);
  for (let type = 0; type < grammar.nodeTypeCount; type++) named[type] = grammar.nodeTypeIsNamed(type) ? 1 : 0;
  named[ERROR_TYPE] = 1;
  return named;
}

/** What parsing a text needs. */
interface Reading {
  readonly running: Running;
  readonly loaded: Loaded;
  readonly isLate: () => boolean;
}

/** The tree of a text, or of its beginning if the whole takes too many steps; null if nothing can be parsed. */
function readTree(reading: Reading, text: string): { readonly text: string; readonly tree: FlatTree } | null {
  try {
    let piece = withoutLongLines(cutAtLine(text, MAX_CHARS));
    for (let attempt = 0; attempt < 3; attempt++) {
      const tree = tryRead(reading, piece);
      if (typeof tree !== "number") return { text: piece, tree };
      if (tree < 2 || reading.isLate()) break;
      // The cause may be long before the place where the parser gives up.
      piece = cutAtLine(piece, Math.floor(tree / 2));
    }
  } catch {
    isDamaged = true;
    abandoned.push(reading.running);
  }
  return null;
}

/** The tree of a text, or the offset that was reached if parsing hit a limit. */
function tryRead({ running, loaded, isLate }: Reading, text: string): FlatTree | number {
  const { parser, memory } = running;
  parser.setLanguage(loaded.grammar);
  let steps = stepsFor(text);
  let reached = 0;
  const before = memory.buffer.byteLength;
  const tree = parser.parse(text, null, {
    progressCallback: ({ currentOffset }) => {
      // The offset is in bytes, two per character.
      reached = currentOffset / 2;
      steps--;
      return steps < 0 || isLate() || isTooLarge(memory.buffer.byteLength, before);
    },
  });
  if (!tree) {
    abandoned.push(parser);
    running.parser = new Parser();
    return Math.min(reached, text.length);
  }
  try {
    const flat = flatten(tree, memory.buffer, loaded.productions);
    tree.delete();
    return flat;
  } catch (error) {
    abandoned.push(tree);
    throw error;
  }
}

/**
 * Whether a text can be code. For each unknown character some grammars scan all that follows, within one step: ten
 * thousand such characters take ten seconds.
 */
function isText(text: string): boolean {
  if (text.includes("\0")) return false;
  const unknown = text.match(/[\x01-\x08\x0e-\x1f\x7f\ufffd]|[\ud800-\udbff](?![\udc00-\udfff])/g)?.length ?? 0;
  return unknown <= MAX_UNKNOWN_CHARS;
}

const isTooLarge = (bytes: number, before: number) =>
  bytes > before && (bytes > before + MAX_GROWTH_BYTES || bytes > MAX_MEMORY_BYTES);

/** The beginning of a text up to a line end, at most `chars` long; a single line is cut in the middle. */
function cutAtLine(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const at = text.lastIndexOf("\n", chars);
  return text.slice(0, at > 0 ? at + 1 : chars);
}

/** Replaces overlong lines with spaces, so that all offsets stay the same. */
function withoutLongLines(text: string): string {
  if (text.length <= MAX_LINE_CHARS) return text;
  const pieces: string[] = [];
  let from = 0;
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    if (end - start > MAX_LINE_CHARS) {
      pieces.push(text.slice(from, start), " ".repeat(end - start));
      from = end;
    }
    start = end + 1;
  }
  return from === 0 ? text : pieces.join("") + text.slice(from);
}
