import { expect, it } from "vitest";
import { fail } from "../contract/faults.ts";
import { orFault } from "./database.ts";

it.each([
  ["write EPIPE", "EPIPE"],
  ["connect ECONNREFUSED 127.0.0.1:5432", "ECONNREFUSED"],
  ["the database system is shutting down", "57P03"],
  ["Connection terminated unexpectedly", undefined],
])("[T-7] a database that is away is a fault: %s", async (message, code) => {
  const work = () => Promise.reject(Object.assign(new Error(message), { code }));
  expect(await orFault(work)).toEqual(fail("E_TOOL_UNAVAILABLE", "the team's database does not answer"));
});

it("[T-7] an error in a statement is thrown", async () => {
  const thrown = Object.assign(new Error("syntax error"), { code: "42601" });
  await expect(orFault(() => Promise.reject(thrown))).rejects.toBe(thrown);
});
