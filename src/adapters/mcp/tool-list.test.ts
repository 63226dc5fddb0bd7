import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { systemClock } from "../../base/clock.ts";
import type { ToolDeclaration } from "../../contract/tool.ts";
import { makeFileEngine } from "../../engine/engine.ts";
import { makeRegistry } from "../../tools/registry.ts";
import { toListedTools } from "./tool-list.ts";

const registry = makeRegistry(makeFileEngine(systemClock));
const tools = toListedTools(registry);

/** Approximate number of characters per token. */
const TOKEN_CHARS = 4;

describe("the list of tools", () => {
  it("all schemas together cost a model less than 2,500 tokens", () => {
    expect(JSON.stringify({ tools }).length / TOKEN_CHARS).toBeLessThan(2_500);
  });

  it("every tool declares input and output, describes itself briefly, and says whether it only reads", () => {
    expect(tools.map(({ name }) => name)).toEqual(registry.map(({ name }) => name));
    for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
      expect(description.length).toBeLessThanOrEqual(160);
      expect(inputSchema.type).toBe("object");
      expect(outputSchema?.type).toBe("object");
      expect(annotations.readOnlyHint).toBe(name !== "ci_index");
    }
  });

  it("needless keywords are left out, but not inputs of the same name", () => {
    const odd = {
      ...(registry[0] as ToolDeclaration),
      input: () => z.object({ required: z.string().check(z.minLength(1)), maxLength: z._default(z.number(), 3) }),
    };
    const { output: _, ...bare } = odd;
    const [listed] = toListedTools([bare]);
    expect(listed?.inputSchema).toEqual({
      type: "object",
      properties: { required: { type: "string" }, maxLength: { default: 3, type: "number" } },
      required: ["required"],
    });
    expect(listed).not.toHaveProperty("outputSchema");
    const [strict] = toListedTools([{ ...bare, input: () => z.strictObject({ more: z.looseObject({}) }) }]);
    expect(strict?.inputSchema).toMatchObject({
      additionalProperties: false,
      properties: { more: { type: "object", properties: {} } },
    });
    expect(JSON.stringify(tools)).not.toMatch(/\$schema|additionalProperties/);
  });
});
