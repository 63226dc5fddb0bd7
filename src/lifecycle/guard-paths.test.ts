import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { LIMITS } from "../contract/limits.ts";
import { guard } from "./guard.ts";

const outside = makeFolder({ "secret.txt": "x", "sub/more.txt": "x" });
const root = makeFolder({ "src/a.ts": "x", ".env": "x" });
symlinkSync(outside, join(root, "link"));
symlinkSync(join(outside, "secret.txt"), join(root, "src", "innocent.ts"));
symlinkSync(join(root, ".env"), join(root, "src", "settings.ts"));
mkdirSync(join(root, "src", "sub"));
const policy = { root, isExcluded: (path: string) => path.startsWith("private/") };
const clean = (value: unknown) => guard(value, policy);

describe("[G B.1] [ATO-PATH-4] paths are compared as the file system resolves them", () => {
  it.each([
    "link/secret.txt",
    "link/not-there.txt",
    "link",
    "src/innocent.ts",
    "src/settings.ts",
    "./link/sub/more.txt:3:1",
    "../other/x.ts",
    join(outside, "secret.txt"),
    "private/x.ts",
    "link/../private/x.ts",
  ])("%s is dropped and counted", (file) => {
    expect(clean({ candidates: [{ file, text: "told" }, { file: "src/a.ts" }] })).toMatchObject({
      value: { candidates: [{ file: "src/a.ts" }] },
      limits: [LIMITS.pathsFiltered(1)],
    });
  });

  it("[G D.17] whatever the key, the spelling and the shape", () => {
    const out = pathToFileURL(join(outside, "secret.txt")).href;
    const bad: unknown[] = [
      { uri: out },
      { filePath: "src\\..\\..\\x.ts" },
      { file_path: "C:\\Users\\ada\\x.txt" },
      { absolutePath: "/etc/passwd" },
      { fileName: "link/secret.txt" },
      ["../x.ts", 12, { text: "told" }],
      [out, 3],
      out,
      "..\\x.ts",
      join(outside, "secret.txt"),
    ];
    const { value, limits } = clean({
      list: [...bad, { uri: pathToFileURL(join(root, "src/a.ts")).href }, "src/a.ts"],
    });
    expect((value as { list: unknown[] }).list).toEqual([expect.anything(), "src/a.ts"]);
    expect(limits).toEqual([LIMITS.pathsFiltered(bad.length)]);
  });

  it("[G D.17] in properties, and under keys that are paths", () => {
    const data = {
      best: { file: "../x.ts", text: "told" },
      byFile: { "../x.ts": ["told"], "link/secret.txt": { text: "told" }, "src/a.ts": ["kept"] },
    };
    expect(clean(data).value).toEqual({ byFile: { "src/a.ts": ["kept"] } });
    expect(clean({ path: join(outside, "secret.txt"), text: "told" }).value).toEqual({});
  });

  it("keeps what only looks like a path: routes, addresses, sentences, profiles", () => {
    const data = {
      routes: ["/api/users", "GET /x", "https://example.org/../x"],
      uri: "https://example.org/a",
      profile: "../dev is a sentence",
      xpath: "//div",
      name: "/slash command",
      pairs: [["src/a.ts", 3]],
    };
    expect(clean(data)).toMatchObject({ value: data, limits: [] });
  });

  it("fails closed at any depth: data too deep to be checked is dropped and counted", () => {
    let deep: unknown = [{ file: "../x.ts", text: "told" }];
    for (let at = 0; at < 40; at++) deep = { deeper: [deep] };
    const { value, limits } = clean(deep);
    expect(JSON.stringify(value)).not.toContain("told");
    expect(limits).toHaveLength(1);
  });
});
