import type { Transaction } from "./database.ts";

/** Keeps one value per database, because row ids are meaningful only within their database. */
export function perDatabase<T>(make: () => T): (transaction: Pick<Transaction, "database">) => T {
  const made = new WeakMap<object, T>();
  return ({ database }) => {
    const known = made.get(database) ?? make();
    made.set(database, known);
    return known;
  };
}
