import { describe, expect, it } from "vitest";
import { PLACES } from "./places.ts";
import { applyRule, redact } from "./redact.ts";
import { PLACE_EXAMPLES, PREFIX_EXAMPLES, STRUCTURE_EXAMPLES } from "./rule-examples.test-helper.ts";
import { PREFIXED, STRUCTURES } from "./rules.ts";

const TABLES = [
  { name: "STRUCTURES", rules: STRUCTURES, examples: STRUCTURE_EXAMPLES },
  { name: "PREFIXED", rules: PREFIXED, examples: PREFIX_EXAMPLES },
  { name: "PLACES", rules: PLACES, examples: PLACE_EXAMPLES },
];

describe.each(TABLES)("the quick test and the examples of $name", ({ rules, examples }) => {
  it("every rule has an example, in the order of the rules", () => {
    expect(examples.map(([kind]) => kind)).toEqual(rules.map(({ kind }) => kind));
  });

  it.each(examples.map(([kind, text, secret], at) => ({ at, kind, text, secret })))(
    "$at $kind",
    ({ at, kind, text, secret }) => {
      const rule = rules[at];
      if (rule === undefined) throw new Error("no such rule");
      const hits: string[] = [];
      expect(text).toContain(secret);
      expect(applyRule(text, rule, (hit) => void hits.push(hit))).not.toContain(secret);
      expect(hits).toEqual([kind]);
      expect(redact(text).text).not.toContain(secret);
    },
  );
});
