/** Returns a function that computes its value on the first call and caches it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The words of a list with spaces between them. The list is split on the first lookup, because many runs need none. */
export function wordSet(list: string): Pick<ReadonlySet<string>, "has"> {
  const words = once(() => new Set(list.split(" ")));
  return { has: (word) => words().has(word) };
}
