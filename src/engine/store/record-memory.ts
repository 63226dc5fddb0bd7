/** Cache of data read from an index, for readers that outlive one query. */
export interface RecordMemory {
  /** True if the value of a key is cached. */
  readonly has: (key: string) => boolean;
  /** Returns the value of a key, created on first use. Contract: an error of `make` is rethrown and not cached. */
  readonly recall: <T>(key: string, make: () => T, sizeOf: (value: T) => number) => T;
}

/** Caches nothing, for a process that answers one query. */
export const NO_MEMORY: RecordMemory = { has: () => false, recall: (_key, make) => make() };

/** Caches values up to a total size; the least recently used value is evicted first. */
export function makeRecordMemory(maxSize: number): RecordMemory {
  const kept = new Map<string, { readonly value: unknown; readonly size: number }>();
  let total = 0;
  return {
    has: (key) => kept.has(key),
    recall: <T>(key: string, make: () => T, sizeOf: (value: T) => number): T => {
      const known = kept.get(key);
      const value = known === undefined ? make() : (known.value as T);
      const size = known?.size ?? sizeOf(value);
      kept.delete(key);
      kept.set(key, { value, size });
      if (known === undefined) total += size;
      for (const [oldest, { size: freed }] of kept) {
        if (total <= maxSize || oldest === key) break;
        kept.delete(oldest);
        total -= freed;
      }
      return value;
    },
  };
}
