import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GIT_FILES, makeFolder } from "../../tests/support/temp-folder.ts";
import { REPOSITORY_FILE, TRUST_FILE } from "../config/places.ts";
import { findPinnable, judgeTrust } from "../config/trust.ts";
import { recordTrust, removeTrust } from "./record-trust.ts";

const nowMs = Date.UTC(2026, 10, 15, 22, 41, 7);

function makePlace() {
  const home = makeFolder();
  const root = makeFolder({ ...GIT_FILES, [REPOSITORY_FILE]: "auto_tools: on\n" });
  const record = (more: Partial<Parameters<typeof recordTrust>[0]> = {}) =>
    recordTrust({ home, root, files: findPinnable(root).files, nowMs, replaceDamaged: false, ...more });
  return { home, root, record, path: join(home, TRUST_FILE) };
}

describe("[decision 8] [decision 9] the record", () => {
  it("is private to the user, and says what was trusted and when", () => {
    const { home, root, record, path } = makePlace();
    expect(record()).toMatchObject({ ok: true, value: { movedTo: null } });
    expect([statSync(path).mode & 0o777, statSync(join(home, ".groundwork")).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      version: 1,
      repositories: [{ root, files: findPinnable(root).files, at: "2026-11-15T22:41:07Z" }],
    });
    expect(judgeTrust(home, root).kind).toBe("trusted");
    expect(readdirSync(join(home, ".groundwork"))).toEqual(["trust.json"]);
  });

  it("contains each repository once, and forgets it on request", () => {
    const { home, root, record } = makePlace();
    const other = makeFolder({ ...GIT_FILES, [REPOSITORY_FILE]: "auto_tools: on\n" });
    record();
    record({ root: other, files: findPinnable(other).files });
    writeFileSync(join(root, REPOSITORY_FILE), "auto_tools: on\n# changed\n");
    expect(judgeTrust(home, root).kind).toBe("changed");
    record();
    expect([root, other].map((place) => judgeTrust(home, place).kind)).toEqual(["trusted", "trusted"]);
    expect(removeTrust(home, root)).toEqual({ ok: true, value: true });
    expect([root, other].map((place) => judgeTrust(home, place).kind)).toEqual(["none", "trusted"]);
    expect(removeTrust(home, root)).toEqual({ ok: true, value: false });
  });

  it("a damaged one is refused until it may be moved aside", () => {
    const { home, root, record, path } = makePlace();
    mkdirSync(join(home, ".groundwork"), { mode: 0o700 });
    writeFileSync(path, "precious", { mode: 0o600 });
    expect(record()).toMatchObject({ ok: false, fault: { code: "E_CONFIG", hint: expect.stringContaining("--yes") } });
    expect(removeTrust(home, root)).toMatchObject({ ok: false, fault: { code: "E_CONFIG" } });
    expect(readFileSync(path, "utf8")).toBe("precious");
    writeFileSync(`${path}.damaged-20261115224107`, "an older one");
    expect(record({ replaceDamaged: true })).toMatchObject({
      ok: true,
      value: { movedTo: `${path}.damaged-20261115224108` },
    });
    expect(readFileSync(`${path}.damaged-20261115224108`, "utf8")).toBe("precious");
    expect(readFileSync(`${path}.damaged-20261115224107`, "utf8")).toBe("an older one");
    expect(judgeTrust(home, root).kind).toBe("trusted");
  });

  it("a link at its path is moved, not followed", () => {
    const { home, root, record, path } = makePlace();
    const target = join(makeFolder({ victim: "precious" }), "victim");
    mkdirSync(join(home, ".groundwork"), { mode: 0o700 });
    symlinkSync(target, path);
    expect(record().ok).toBe(false);
    expect(record({ replaceDamaged: true }).ok).toBe(true);
    expect([lstatSync(path).isFile(), readFileSync(target, "utf8")]).toEqual([true, "precious"]);
    expect(judgeTrust(home, root).kind).toBe("trusted");
  });

  it.each<[string, (home: string) => void]>([
    ["that others may write", (home) => chmodSync(join(home, ".groundwork"), 0o770)],
    [
      "that is a link",
      (home) => {
        renameSync(join(home, ".groundwork"), join(home, "elsewhere"));
        symlinkSync("elsewhere", join(home, ".groundwork"));
      },
    ],
  ])("is not written to a folder %s, even on request", (_name, spoil) => {
    const { home, record } = makePlace();
    mkdirSync(join(home, ".groundwork"), { mode: 0o700 });
    spoil(home);
    expect(record({ replaceDamaged: true })).toMatchObject({
      ok: false,
      fault: { hint: expect.stringContaining("chmod go-w") },
    });
    expect(readdirSync(join(home, ".groundwork"))).toEqual([]);
  });

  it("never trusts the repository that contains it", () => {
    const { root, record } = makePlace();
    expect(record({ home: root, replaceDamaged: true })).toMatchObject({ ok: false, fault: { code: "E_CONFIG" } });
    expect(readdirSync(root).toSorted()).toEqual([".git", "config"]);
  });
});
