import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { hashHex, toSha256 } from "./hash.ts";

it("[ATO-CTL-13] is SHA-256 over the parts with their lengths", () => {
  expect(hashHex(["ab"], 12)).not.toBe(hashHex(["a", "b"], 12));
  void fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (parts) => {
      const hash = createHash("sha256");
      for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
      expect(hashHex(parts, 64)).toBe(hash.digest("hex"));
    }),
  );
});

it("toSha256 returns what sha256sum prints", () => {
  void fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: "grapheme" }), (bytes, text) => {
      expect(toSha256(bytes)).toBe(createHash("sha256").update(bytes).digest("hex"));
      expect(toSha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
    }),
  );
});
