import { linkSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { toFileId } from "./jail.ts";
import { isNameOfSecret } from "./sensitive-ids.ts";

it("[G D.4] [ATO-PATH-5] recognises a sensitive file under another name", () => {
  const root = makeFolder({ "deep/er/.env": "x", "src/a.ts": "x" });
  linkSync(join(root, "deep/er/.env"), join(root, "src/gateway.ts"));
  linkSync(join(root, "src/a.ts"), join(root, "src/b.ts"));
  const idOf = (path: string) => toFileId(statSync(join(root, path)));
  expect(isNameOfSecret(root, idOf("src/gateway.ts"))).toBe(true);
  expect(isNameOfSecret(root, idOf("src/b.ts"))).toBe(false);
});
