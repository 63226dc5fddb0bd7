import { expect, it } from "vitest";
import { makeTestParser } from "../../../tests/support/grammars.ts";
import { NO_FACTS } from "./facts.ts";
import { c } from "./languages/c.ts";

// In a separate file, because nothing can be parsed in this thread afterwards.
it("reports when unbounded texts have exhausted the library, and returns no facts from then on", async () => {
  const parser = makeTestParser();
  for (let text = 0; text < 20 && !parser.isSpent; text++) await parser.parse(c, "x =>\n".repeat(40_000));
  expect(parser.isSpent).toBe(true);
  expect(await parser.parse(c, "int a;\n")).toEqual(NO_FACTS);
  expect(makeTestParser().isSpent).toBe(true);
});
