import type { Transaction } from "./database.ts";

/** Keeps something for each database: ids of rows mean something in theirs alone. */
export function perDatabase<T>(make: () => T): (transaction: Pick<Transaction, "database">) => T {
  const made = new WeakMap<object, T>();
  return ({ database }) => {
    const known = made.get(database) ?? make();
    made.set(database, known);
    return known;
  };
}
