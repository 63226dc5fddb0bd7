import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DAMAGES } from "../../tests/support/damage.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { claimOwn, tryClaim } from "./file-lock.ts";
import { type Database, inTransaction, isSystemTrouble, openDatabase } from "./sqlite.ts";

describe("[G D.24] a transaction that fails", () => {
  it("reports the first error, not that of the rollback", () => {
    const database = openDatabase(join(makeFolder(), "a.db"));
    const told = () =>
      inTransaction(database, () => {
        // As the database does itself if the disk is full or broken.
        database.exec("ROLLBACK");
        throw new Error("the disk is full");
      });
    expect(told).toThrow("the disk is full");
    database.close();
  });

  it("is rolled back", () => {
    const database = openDatabase(join(makeFolder(), "a.db"));
    database.exec("CREATE TABLE t (a)");
    expect(() =>
      inTransaction(database, () => {
        database.exec("INSERT INTO t VALUES (1)");
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(count(database)).toBe(0);
    inTransaction(database, () => database.exec("INSERT INTO t VALUES (1)"));
    expect(count(database)).toBe(1);
    database.close();
  });
});

function count(database: Database): number {
  return (database.prepare("SELECT count(*) AS n FROM t").get() as { n: number }).n;
}

describe("[G D.13] only regular files are opened", () => {
  it.each(["", "-journal", "-wal", "-shm"])("a pipe at a.db%s", (ending) => {
    const file = join(makeFolder(), "a.db");
    DAMAGES["a pipe"]?.(file + ending);
    expect(() => openDatabase(file)).toThrow(`a.db${ending} is a pipe, not a regular file`);
    expect(() => openDatabase(file, { readOnly: true })).toThrow("is a pipe");
    expect(tryClaim(file)).not.toHaveProperty("release");
  });
});

describe("[G D.14] a lock", () => {
  it.each(Object.keys(DAMAGES))("that is broken (%s) is replaced, and then held by one alone", (damage) => {
    const file = join(makeFolder(), "builder.lock");
    DAMAGES[damage]?.(file);
    const held = claimOwn(file);
    expect(held).not.toBeNull();
    expect(claimOwn(file)).toBeNull();
    expect(tryClaim(file)).not.toHaveProperty("release");
    held?.release();
    const again = claimOwn(file);
    expect(again).not.toBeNull();
    again?.release();
  });

  it("that cannot be taken at all is an error, not busy", () => {
    expect(() => claimOwn("/proc/nowhere/builder.lock")).toThrow("no lock can be had");
  });
});

describe("[K 1] system errors", () => {
  const tryTo = (work: () => void): unknown => {
    try {
      work();
      return null;
    } catch (thrown) {
      return thrown;
    }
  };

  it("are distinguished from a file that is not a database", () => {
    const file = join(makeFolder({ "b.db": "no database ".repeat(1_000) }), "a.db");
    const database = openDatabase(file);
    database.exec("CREATE TABLE t (x); PRAGMA max_page_count = 3");
    const full = tryTo(() => database.prepare("INSERT INTO t VALUES (zeroblob(100000))").run());
    database.close();
    const readOnly = openDatabase(file, { readOnly: true });
    const refused = tryTo(() => readOnly.exec("INSERT INTO t VALUES (1)"));
    readOnly.close();
    expect([full, refused].map(isSystemTrouble)).toEqual([true, true]);
    const other = openDatabase(join(file, "../b.db"));
    const damaged = tryTo(() => other.prepare("SELECT * FROM t").get());
    other.close();
    expect([damaged, new Error("x"), null].map(isSystemTrouble)).toEqual([false, false, false]);
  });
});
