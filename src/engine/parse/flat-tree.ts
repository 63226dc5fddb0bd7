import type { Tree, Language as TreeLanguage } from "web-tree-sitter";

/**
 * A syntax tree in flat arrays, its visible nodes in source order. The descendants of a node follow it, up to `next`,
 * which is its next sibling or what comes after its parent.
 */
export interface FlatTree {
  readonly count: number;
  readonly type: Uint16Array;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  /** Id of the field that a node has in its parent; 0 for none. */
  readonly field: Uint8Array;
  readonly next: Uint32Array;
}

/** What flattening needs from a grammar, indexed by production. */
export interface Productions {
  /** Field ids of the children. */
  readonly fields: readonly (Uint8Array | null)[];
  /** Alias types of the children. */
  readonly aliases: readonly (Uint16Array | null)[];
  /** Public type ids by internal type id. */
  readonly types: Uint16Array;
}

// Why this reads the parser's memory directly: a query takes 40 to 700 ms to compile in each process and quadratic time
// on broken text, and a cursor takes a call of 100 ns and more for each access; together that is more than parsing. The
// layout is that of the one version in the lock file (`subtree.h`, `parser.h` of tree-sitter 0.26 and 0.27, 32 bits),
// and a test compares every tree of the fixtures with the library's own cursor.
const LANGUAGE = {
  productionCount: 7,
  symbolCount: 1,
  aliasCount: 2,
  fieldCount: 8,
  aliasLength: 9,
  slices: 16,
  entries: 17,
  publicTypes: 19,
  aliases: 21,
};
const HEAP = { padding: 1, size: 4, childCount: 9, symbol: 10, flags: 11, production: 16 };

/** Type of error nodes. */
export const ERROR_TYPE = 0xffff;

/** The address that the library stores under an internal key. */
const addressOf = (owner: Tree | TreeLanguage) => (owner as unknown as { readonly 0: number })[0];

/** Reads what flattening needs from a grammar, once. */
export function readProductions(language: TreeLanguage, memory: ArrayBufferLike): Productions {
  const words = new Uint32Array(memory);
  const halves = new Uint16Array(memory);
  const bytes = new Uint8Array(memory);
  const base = addressOf(language) >> 2;
  const word = (at: number) => words[base + at] ?? 0;
  const length = word(LANGUAGE.aliasLength) & 0xffff;
  const fields: (Uint8Array | null)[] = [];
  const aliases: (Uint16Array | null)[] = [];
  for (let production = 0; production < word(LANGUAGE.productionCount); production++) {
    const slice = (word(LANGUAGE.slices) >> 1) + production * 2;
    const entries = word(LANGUAGE.fieldCount) > 0 ? (halves[slice + 1] ?? 0) : 0;
    const own = new Uint8Array(length + 1);
    for (let entry = 0; entry < entries; entry++) {
      const at = word(LANGUAGE.entries) + ((halves[slice] ?? 0) + entry) * 4;
      const child = bytes[at + 2] ?? 0;
      const isInherited = bytes[at + 3] === 1;
      if (!isInherited && child < own.length && own[child] === 0) own[child] = halves[at >> 1] ?? 0;
    }
    fields.push(own.some((id) => id !== 0) ? own : null);
    const from = (word(LANGUAGE.aliases) >> 1) + production * length;
    const names = production === 0 ? null : halves.slice(from, from + length);
    aliases.push(names?.some((id) => id !== 0) ? names : null);
  }
  const from = word(LANGUAGE.publicTypes) >> 1;
  const count = word(LANGUAGE.symbolCount) + word(LANGUAGE.aliasCount);
  return { fields, aliases, types: halves.slice(from, from + count) };
}

/** Copies a tree out of the parser's memory. */
export function flatten(tree: Tree, memory: ArrayBufferLike, { fields, aliases, types }: Productions): FlatTree {
  const words = new Uint32Array(memory);
  const root = (words[addressOf(tree) >> 2] ?? 0) >> 2;
  // Code has about one node per four characters, and a character is two bytes.
  const flat = new Growing(64 + ((words[root + HEAP.size] ?? 0) >> 3));
  const typeOf = (symbol: number) => (symbol >= types.length ? ERROR_TYPE : (types[symbol] ?? ERROR_TYPE));
  // The state of the current level is kept in variables, because this loop dominates the cost of copying: the next
  // child and how many are left, where the last one ended, its index in the production, the inherited field, and the
  // parent node.
  let child = addressOf(tree);
  let left = 1;
  let position = words[root + HEAP.padding] ?? 0;
  let isFirst = 1;
  let at = 0;
  let production = 0;
  let inherited = 0;
  let opened = -1;
  /** The levels above, eight numbers each. */
  const above: number[] = [];
  let height = 0;
  for (;;) {
    if (left === 0) {
      if (opened >= 0) flat.close(opened);
      if (height === 0) return flat.done();
      opened = above[--height] ?? 0;
      inherited = above[--height] ?? 0;
      production = above[--height] ?? 0;
      at = above[--height] ?? 0;
      isFirst = above[--height] ?? 0;
      position = above[--height] ?? 0;
      left = above[--height] ?? 0;
      child = above[--height] ?? 0;
      continue;
    }
    const word = words[child >> 2] ?? 0;
    const isSmall = (word & 1) === 1;
    const heap = word >> 2;
    const flags = isSmall ? 0 : (words[heap + HEAP.flags] ?? 0);
    // Extras such as comments are not part of productions.
    const isExtra = isSmall ? (word & 8) !== 0 : (flags & 4) !== 0;
    const alias = isExtra ? 0 : (aliases[production]?.[at] ?? 0);
    const field = isExtra ? 0 : fields[production]?.[at] || inherited;
    if (!isExtra) at++;
    left--;
    if (isSmall) {
      const sizes = words[(child >> 2) + 1] ?? 0;
      const from = isFirst === 1 ? position : position + ((sizes >>> 16) & 0xff);
      position = from + (sizes >>> 24);
      if (alias !== 0 || (word & 2) !== 0) {
        flat.close(flat.open(typeOf(alias || (word >> 8) & 0xff), from, position, field));
      }
      isFirst = 0;
      child += 8;
      continue;
    }
    const from = isFirst === 1 ? position : position + (words[heap + HEAP.padding] ?? 0);
    position = from + (words[heap + HEAP.size] ?? 0);
    isFirst = 0;
    child += 8;
    const isVisible = alias !== 0 || (flags & 1) === 1;
    const count = words[heap + HEAP.childCount] ?? 0;
    const node = isVisible
      ? flat.open(typeOf(alias || (words[heap + HEAP.symbol] ?? 0) & 0xffff), from, position, field)
      : -1;
    if (count === 0) {
      if (node >= 0) flat.close(node);
      continue;
    }
    above[height++] = child;
    above[height++] = left;
    above[height++] = position;
    above[height++] = isFirst;
    above[height++] = at;
    above[height++] = production;
    above[height++] = inherited;
    above[height++] = opened;
    child = word - count * 8;
    left = count;
    position = from;
    isFirst = 1;
    at = 0;
    production = (words[heap + HEAP.production] ?? 0) >>> 16;
    inherited = isVisible ? 0 : field;
    opened = node;
  }
}

/** Arrays that grow with the tree. Incoming offsets are in bytes, two per character. */
class Growing {
  #count = 0;
  #type: Uint16Array;
  #start: Uint32Array;
  #end: Uint32Array;
  #field: Uint8Array;
  #next: Uint32Array;

  constructor(length: number) {
    this.#type = new Uint16Array(length);
    this.#start = new Uint32Array(length);
    this.#end = new Uint32Array(length);
    this.#field = new Uint8Array(length);
    this.#next = new Uint32Array(length);
  }

  open(type: number, start: number, end: number, field: number): number {
    const at = this.#count++;
    if (at === this.#type.length) this.#grow();
    this.#type[at] = type;
    this.#start[at] = start >> 1;
    this.#end[at] = end >> 1;
    this.#field[at] = field;
    return at;
  }

  close(at: number): void {
    this.#next[at] = this.#count;
  }

  done(): FlatTree {
    return {
      count: this.#count,
      type: this.#type,
      start: this.#start,
      end: this.#end,
      field: this.#field,
      next: this.#next,
    };
  }

  #grow(): void {
    const larger = <T extends Uint8Array | Uint16Array | Uint32Array>(old: T, fresh: T): T => {
      fresh.set(old);
      return fresh;
    };
    const length = this.#type.length * 2;
    this.#type = larger(this.#type, new Uint16Array(length));
    this.#start = larger(this.#start, new Uint32Array(length));
    this.#end = larger(this.#end, new Uint32Array(length));
    this.#field = larger(this.#field, new Uint8Array(length));
    this.#next = larger(this.#next, new Uint32Array(length));
  }
}
