import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { hashFeature, MODEL_HEADER, placeOf, readModel } from "./linear-model.ts";

const SLOTS = 16;

function writeModel(weights: Record<string, number>): string {
  const bytes = Buffer.alloc(MODEL_HEADER.bytes + 3 * SLOTS);
  bytes.writeUInt32LE(MODEL_HEADER.magic, 0);
  bytes.writeUInt8(Math.log2(SLOTS), MODEL_HEADER.exponentAt);
  bytes.writeFloatLE(0.5, MODEL_HEADER.scaleAt);
  bytes.writeFloatLE(-1.5, MODEL_HEADER.biasAt);
  for (const [feature, weight] of Object.entries(weights)) {
    const { slot, print } = placeOf(hashFeature(feature), SLOTS);
    let at = slot;
    while (bytes.readUInt16LE(MODEL_HEADER.bytes + 2 * at) !== 0) at = (at + 1) % SLOTS;
    bytes.writeUInt16LE(print, MODEL_HEADER.bytes + 2 * at);
    bytes.writeInt8(weight, MODEL_HEADER.bytes + 2 * SLOTS + at);
  }
  const path = join(makeFolder(), "test.model");
  writeFileSync(path, bytes);
  return path;
}

describe("a linear model", () => {
  it("returns the weights of its features, even if they share a slot, and 0 for unknown features", () => {
    const weights = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`feature ${at} 特征`, at - 6]));
    const { bias, weightOf } = readModel(writeModel(weights));
    expect(bias).toBe(-1.5);
    for (const [feature, weight] of Object.entries(weights)) expect(weightOf(feature)).toBe(weight * 0.5);
    expect(weightOf("never seen")).toBe(0);
  });

  it("finds a feature by the hash of its pieces", () => {
    const { weightAt } = readModel(writeModel({ "tone two three": 3, "": 5 }));
    expect(weightAt(hashFeature("t", "one", "two", "three"))).toBe(1.5);
    expect(weightAt(hashFeature("t", "one", "two"))).toBe(0);
    expect(weightAt(hashFeature("", ""))).toBe(2.5);
  });

  it("rejects a file that is not a model", () => {
    const path = join(makeFolder(), "broken.model");
    writeFileSync(path, "no model at all, but long enough for a header");
    expect(() => readModel(path)).toThrow("is not a model");
  });
});
