import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { openDatabase } from "../base/sqlite.ts";
import { makeRun } from "./ended-run.test-helper.ts";
import { examineHistory } from "./health.ts";
import { toRecord } from "./record.ts";
import { openRunHistory } from "./run-history.ts";
import { appendToSpool } from "./spool.ts";

/** A history with two runs in the store and one in the spool. */
function makeHistory() {
  const env = { GROUNDWORK_HOME: makeFolder() };
  const folder = join(env.GROUNDWORK_HOME, "history");
  const keep = () => appendToSpool(folder, toRecord(makeRun("where is x?")));
  const open = () => {
    const opened = openRunHistory({ env, nowMs: Date.UTC(2026, 0, 3) });
    if (!opened.ok) throw new Error(opened.fault.message);
    opened.value.close();
  };
  keep();
  keep();
  open();
  keep();
  return { folder, file: join(folder, "history.db"), open };
}

it("[K 2] examines a history without changing it", () => {
  const { folder } = makeHistory();
  const read = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "latin1")]);
  const before = read();
  expect(examineHistory(folder)).toMatchObject({ state: "readable", runs: 2, aside: [], writeTrouble: "" });
  expect(examineHistory(folder).bytes).toBeGreaterThan(4_096);
  expect(read()).toEqual(before);
});

it("[K 2] reports that there is no history", () => {
  const folder = join(makeFolder(), "history");
  expect(examineHistory(folder)).toEqual({
    ...{ state: "none", why: "", runs: 0, bytes: 0, aside: [], writeTrouble: "" },
    sharing: null,
  });
  expect(existsSync(folder)).toBe(false);
});

it("[K 2] distinguishes a damaged store, one that was set aside, a newer one and a locked one", () => {
  const { folder, file, open } = makeHistory();
  const other = openDatabase(file);
  other.exec("BEGIN EXCLUSIVE");
  expect(examineHistory(folder)).toMatchObject({ state: "locked" });
  other.exec("COMMIT; PRAGMA user_version = 99");
  other.close();
  expect(examineHistory(folder)).toMatchObject({ state: "newer", why: "version 99" });
  writeFileSync(file, "this is no database, and long enough to be looked at as one".repeat(100));
  expect(examineHistory(folder)).toMatchObject({ state: "damaged", why: expect.stringContaining("not a database") });
  open();
  expect(examineHistory(folder)).toMatchObject({ state: "readable", runs: 1, aside: [`${file}.aside`] });
});

it("[K 2] reports a folder that others can write to", () => {
  const folder = join(makeFolder(), "history");
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  expect(examineHistory(folder).writeTrouble).toContain("belongs to you alone");
});
