import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { findFolder } from "./codex-calls.ts";

const root = makeFolder({ "inner/file": "" });

describe("the folder that a caller names", () => {
  it("is resolved from the caller's folder", () => {
    expect(findFolder(undefined, root)).toEqual({ ok: true, value: root });
    expect(findFolder("inner", root)).toEqual({ ok: true, value: join(root, "inner") });
    expect(findFolder(join(root, "inner"), "/")).toEqual({ ok: true, value: join(root, "inner") });
  });

  it.each([
    ["gone", "no such folder"],
    ["inner/file", "not a folder"],
    ["inner/file/below", "ENOTDIR"],
    ["a\0b", "null byte"],
  ])("%j: %s", (named, why) => {
    const found = findFolder(named, root);
    expect(found).toMatchObject({ ok: false, fault: { code: "E_REPO_ROOT", detail: "INVALID_ARGUMENT" } });
    expect(JSON.stringify(found)).toContain(why);
  });
});
