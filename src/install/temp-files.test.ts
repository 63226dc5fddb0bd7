import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { findTempFiles, toTempPath } from "./temp-files.ts";

it("[P-2] a temporary file is left if its writer has ended, even if another process has the writer's id by now", () => {
  const folder = makeFolder();
  const path = join(folder, "settings.json");
  const own = toTempPath(path);
  const { pid: ended } = spawnSync(process.execPath, ["--version"]);
  const left = [
    own.replace(`.${process.pid}-`, `.${ended}-`),
    own.replace(`.${process.pid}-`, `.${process.pid}-1`),
    own.replace(`.${process.pid}-`, `.backup.20261120000000.${ended}-`),
  ];
  for (const temporary of [own, toTempPath(`${path}.backup.20261120000000`), ...left]) writeFileSync(temporary, "");
  for (const foreign of [".settings.json.swp", ".other.json.1-1-00000000.tmp", "settings.json"])
    writeFileSync(join(folder, foreign), "");
  const names = (paths: readonly string[]) => paths.map((one) => basename(one)).sort();
  expect(names(findTempFiles(path))).toEqual(names(left));
});
