import type { Transaction } from "./database.ts";

/**
 * Returns the id of a repository, creating it if necessary. Contract: `name` is valid, and the holder may publish it.
 */
export async function openRepo({ rows, change }: Transaction, name: string): Promise<number> {
  await change("INSERT INTO groundwork.repos (name) VALUES ($1) ON CONFLICT DO NOTHING", name);
  const [row] = await rows("SELECT id FROM groundwork.repos WHERE name = $1", name);
  return Number(row?.["id"]);
}
