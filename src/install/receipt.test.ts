import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { DAMAGES } from "../../tests/support/damage.ts";
import { runInstall } from "./run-install.ts";
import { ask, makeScratch } from "./scratch-home.test-helper.ts";

describe("[G D.24] a receipt that is not a regular file", () => {
  it.each(["a pipe", "a folder", "a link to /dev/zero", "a link to nowhere"])(
    "%s: refused with a sentence",
    async (damage) => {
      const { places, receipt } = makeScratch();
      expect(await runInstall(ask("install"), places)).toMatchObject({ ok: true });
      mkdirSync(dirname(receipt), { recursive: true });
      DAMAGES[damage]?.(receipt);
      for (const action of ["install", "uninstall"] as const) {
        const done = await runInstall(ask(action), places);
        expect(done).toMatchObject({
          ok: false,
          fault: { code: "E_CONFIG", hint: expect.stringContaining("move it away") },
        });
        expect(done.ok ? "" : done.fault.message).toContain("install-receipt.json is");
      }
    },
  );
});
