import { expect, it } from "vitest";
import { toFault } from "./database.ts";

it.each([
  ["write EPIPE", "EPIPE"],
  ["connect ECONNREFUSED 127.0.0.1:5432", "ECONNREFUSED"],
  ["the database system is shutting down", "57P03"],
  ["Connection terminated unexpectedly", undefined],
])("[T-7] a database that has gone is a fault: %s", (message, code) => {
  expect(toFault(Object.assign(new Error(message), { code }))).toEqual({
    code: "E_TOOL_UNAVAILABLE",
    message: "the team's database does not answer",
  });
});

it("[T-7] an error in a statement is a bug of ours", () => {
  expect(toFault(Object.assign(new Error("syntax error"), { code: "42601" }))).toBeNull();
});
