import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DAMAGES } from "../../tests/support/damage.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { REPOSITORY_FILE, USER_FILE } from "./places.ts";
import { readYamlFile } from "./yaml-file.ts";

describe("[G D.24] a settings file that exists but cannot be read", () => {
  it.each(["a folder", "a pipe", "a link to /dev/zero", "a link to nowhere"])(
    "the user's, %s: a fault",
    async (damage) => {
      const home = makeFolder({ [USER_FILE]: "auto_tools: off\n" });
      DAMAGES[damage]?.(join(home, USER_FILE));
      const read = await readYamlFile(home, USER_FILE);
      expect(read).toMatchObject({ ok: false, fault: { code: "E_CONFIG" } });
      expect(read.ok ? "" : read.fault.message).toMatch(/^~\/\.groundwork\/auto-tools\.yaml: \w/);
    },
  );

  it("a missing file is null, and a link inside the home folder is followed", async () => {
    const home = makeFolder({ "dotfiles/settings.yaml": "mode: plan\n" });
    expect(await readYamlFile(home, USER_FILE)).toEqual({ ok: true, value: null });
    mkdirSync(join(home, ".groundwork"));
    symlinkSync(join(home, "dotfiles/settings.yaml"), join(home, USER_FILE));
    expect(await readYamlFile(home, USER_FILE)).toMatchObject({
      ok: true,
      value: { content: new Map([["mode", "plan"]]) },
    });
  });

  it("anything but a file counts as missing in a repository", async () => {
    const root = makeFolder({ "config/other": "" });
    mkdirSync(join(root, REPOSITORY_FILE));
    expect(await readYamlFile(root, REPOSITORY_FILE)).toEqual({ ok: true, value: null });
  });
});
