import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DAMAGES } from "../../../tests/support/damage.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { VectorStore } from "./vector-store.ts";

const vector = Float32Array.from([0.25, -1, 3]);

function use<T>(file: string, work: (store: VectorStore) => T): T {
  const store = new VectorStore(file);
  try {
    return work(store);
  } finally {
    store.close();
  }
}

describe("[G C.1] damaged cached vectors", () => {
  it.each(Object.keys(DAMAGES))("%s: requested and cached again", (damage) => {
    const file = join(makeFolder({ "index/.keep": "" }), "index", "vectors.db");
    use(file, (store) => store.put(new Map([["key", vector]])));
    DAMAGES[damage]?.(file);
    const first = use(file, (store) => store.get("key"));
    expect([null, [...vector]]).toContainEqual(first === null ? null : [...first]);
    // The first write that finds the file damaged recreates it.
    for (let turn = 0; turn < 2; turn++) use(file, (store) => store.put(new Map([["key", vector]])));
    expect(use(file, (store) => store.get("key"))).toEqual(vector);
  });

  it("are ignored if their bytes changed", () => {
    const file = join(makeFolder(), "vectors.db");
    use(file, (store) => store.put(new Map([["key", vector]])));
    const bytes = readFileSync(file);
    const place = bytes.indexOf(Buffer.from(vector.buffer));
    expect(place).toBeGreaterThan(0);
    bytes[place] = 1;
    writeFileSync(file, bytes);
    expect(use(file, (store) => store.get("key"))).toBeNull();
  });
});
