/** Lets a number of pieces of work run at once, the others in the order in which they came. */
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
      // Whoever waited longest takes the slot over.
      if (next === undefined) free++;
      else next();
    }
  };
}
