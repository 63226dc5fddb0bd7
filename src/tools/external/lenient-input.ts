import * as z from "zod/mini";
import { isRecord } from "../../base/text.ts";

const BASIC: Readonly<Record<string, () => z.ZodMiniType>> = {
  string: () => z.string(),
  number: () => z.number(),
  integer: () => z.number().check(z.int()),
  boolean: () => z.boolean(),
  array: () => z.array(z.unknown()),
  object: () => z.record(z.string(), z.unknown()),
};

/**
 * The part of a server's tool schema that we check: required fields and basic types. Contract: pure; knows no patterns,
 * references or ranges and accepts everything else, because the server validates for itself.
 */
export function toLenientInput(schema: unknown): z.ZodMiniObject {
  const properties = isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = isRecord(schema) && Array.isArray(schema["required"]) ? schema["required"] : [];
  const given = z.unknown().check(z.refine((value) => value !== undefined));
  const names = [...Object.keys(properties), ...required.filter((key) => typeof key === "string")];
  // Names of inherited object properties would be taken for inputs that were given.
  const fields = [...new Set(names)]
    .filter((key) => !(key in {}))
    .map((key) => {
      const property = properties[key];
      const type = isRecord(property) ? property["type"] : undefined;
      const basic = typeof type === "string" && Object.hasOwn(BASIC, type) ? BASIC[type]?.() : undefined;
      return [key, required.includes(key) ? (basic ?? given) : z.optional(basic ?? z.unknown())] as const;
    });
  return z.looseObject(Object.fromEntries(fields));
}
