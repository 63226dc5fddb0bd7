import type { Transaction } from "./database.ts";

/** The id of a repository that the holder publishes; it is made if it is not there. Contract: its name is one, and the holder may publish it. */
export async function openRepo({ rows, change }: Transaction, name: string): Promise<number> {
  await change("INSERT INTO groundwork.repos (name) VALUES ($1) ON CONFLICT DO NOTHING", name);
  const [row] = await rows("SELECT id FROM groundwork.repos WHERE name = $1", name);
  return Number(row?.["id"]);
}
