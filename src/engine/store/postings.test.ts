import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteWriter } from "./bytes.ts";
import { PLACE, readLines, readPostings, writePostings } from "./postings.ts";

/** Occurrences of a term in one file. */
const fileArb = fc.record({
  gap: fc.integer({ min: 1, max: 300_000 }),
  lines: fc.array(fc.tuple(fc.integer({ min: 1, max: 200_000 }), fc.boolean()), { maxLength: 12 }),
  name: fc.integer({ min: 0, max: 3 }),
  path: fc.integer({ min: 0, max: 3 }),
});

describe("postings", () => {
  it("are read as they were written", () => {
    void fc.assert(
      fc.property(fc.array(fileArb, { minLength: 1, maxLength: 8 }), (files) => {
        const slots: number[] = [];
        const places: number[] = [];
        const expected: object[] = [];
        let slot = -1;
        for (const { gap, lines, name, path } of files) {
          if (lines.length + name + path === 0) continue;
          slot += gap;
          const sorted = lines.toSorted((a, b) => a[0] - b[0]);
          const own = [
            ...Array.from({ length: path }, () => PLACE.path as number),
            ...sorted.map(([line, isDoc]) => line * PLACE.unit + (isDoc ? PLACE.doc : 0)),
            ...Array.from({ length: name }, () => 7 * PLACE.unit + PLACE.name),
          ];
          for (const place of own) {
            slots.push(slot);
            places.push(place);
          }
          const doc = sorted.filter(([, isDoc]) => isDoc).length;
          expected.push({
            slot,
            body: lines.length,
            name,
            path,
            doc,
            lines: [...new Set(sorted.map(([line]) => line))],
          });
        }
        const out = new ByteWriter(4);
        writePostings({ slots: Int32Array.from(slots), places: Int32Array.from(places) }, 0, slots.length, out);
        const read = readPostings(out.take());
        const got = Array.from(read.slots, (own, at) => ({
          slot: own,
          body: read.body[at],
          name: read.name[at],
          path: read.path[at],
          doc: read.doc[at],
          lines: readLines(read, at),
        }));
        expect(got).toEqual(expected);
      }),
    );
  });

  it("neither throw nor hang if their bytes are damaged", () => {
    void fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const read = readPostings(bytes);
        for (let at = 0; at < read.slots.length; at++) readLines(read, at);
      }),
    );
  });
});
