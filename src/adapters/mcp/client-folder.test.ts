import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { toRealFolder } from "../../base/repo-root.ts";
import { chooseFolder } from "./client-folder.ts";

const base = makeFolder({ "work/src/a.ts": "", "other/b.ts": "", "plugin/c.ts": "" });
const at = (name: string) => join(base, name);
const choose = (sources: Partial<Parameters<typeof chooseFolder>[0]>) =>
  chooseFolder({
    current: at("plugin"),
    meta: undefined,
    roots: [],
    project: undefined,
    toFolder: toRealFolder,
    ...sources,
  });
const codex = (workspaces: unknown) => ({ "x-codex-turn-metadata": { workspaces } });

describe("the folder of a call", () => {
  it("is the server's own if none is named, or one that contains it", () => {
    expect(choose({})).toBe(at("plugin"));
    expect(choose({ current: at("work/src"), project: at("work") })).toBe(at("work/src"));
    expect(
      choose({ current: at("work"), roots: [at("other"), at("work")].map((path) => String(pathToFileURL(path))) }),
    ).toBe(at("work"));
  });

  it("is otherwise what the client names: first the call, then roots, then the environment", () => {
    const roots = [String(pathToFileURL(at("other")))];
    expect(choose({ project: at("work") })).toBe(at("work"));
    expect(choose({ project: at("work"), roots })).toBe(at("other"));
    expect(choose({ roots, meta: codex({ [at("work")]: { has_changes: true } }) })).toBe(at("work"));
    expect(choose({ roots, meta: codex([at("work")]) })).toBe(at("work"));
  });

  it.each([
    codex(7),
    codex({ "/nowhere/at/all": {} }),
    codex([{}, null]),
    { "x-codex-turn-metadata": "text" },
    { "x-codex-turn-metadata": null },
  ])("what names no folder counts for nothing: %o", (meta) => {
    expect(choose({ meta, roots: ["https://example.org/", "file://host/path", "not a uri"], project: "" })).toBe(
      at("plugin"),
    );
  });

  it("a link to the server's folder is that folder", () => {
    mkdirSync(at("links"));
    symlinkSync(at("plugin"), at("links/plugin"));
    expect(choose({ project: at("links/plugin") })).toBe(at("plugin"));
  });
});
