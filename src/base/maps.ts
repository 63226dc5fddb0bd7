/** Appends a value to the list of a key. */
export function pushTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}

/** Returns the value of a key, made on first use. */
export function getOrMake<K, V>(
  kept: { readonly get: (key: K) => V | undefined; readonly set: (key: K, value: V) => unknown },
  key: K,
  make: () => V,
): V {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}
