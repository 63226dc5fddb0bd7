/** Keeps what was read from an index, for readers that live longer than one question. */
export interface RecordMemory {
  /** Whether a value of a key is kept. */
  readonly has: (key: string) => boolean;
  /** The value of a key, made on first use. Contract: what `make` throws is thrown, and not kept. */
  readonly recall: <T>(key: string, make: () => T, sizeOf: (value: T) => number) => T;
}

/** Keeps nothing: for a process that answers one question. */
export const NO_MEMORY: RecordMemory = { has: () => false, recall: (_key, make) => make() };

/** Keeps values up to a total size; what was not used for longest goes first. */
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
