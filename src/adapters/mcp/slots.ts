/** Makes a queue that runs at most `width` pieces of work at once, in the order of arrival. */
export function makeSlots(width: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = width;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The slot passes directly to the one that has waited longest.
      if (next === undefined) free++;
      else next();
    }
  };
}
