import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countFloors } from "../../tests/support/cpu-floors.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { readInside, resolveInside } from "./jail.ts";
import { isExcludedPath, isSensitivePath } from "./path-rules.ts";

const outside = makeFolder({ "secret.ts": "outside" });
const root = makeFolder({
  "src/a.ts": "export const a = 1;\n",
  ".env": "X=1",
  "config/server.Pem": "x",
  "bin.dat": "a\0b",
});
symlinkSync(join(outside, "secret.ts"), join(root, "link.ts"));
symlinkSync(join(root, ".env"), join(root, "src", "settings.ts"));
symlinkSync(join(root, "src", "a.ts"), join(root, "alias.ts"));

describe("[ATO-PATH-4] only paths inside the root", () => {
  it.each([
    ["../x", "outside the repository"],
    ["/etc/passwd", "outside the repository"],
    ["src/../../x", "outside the repository"],
    ["link.ts", "outside the repository"],
    ["src/settings.ts", "may hold secrets"],
    [".ENV", "no such file|may hold secrets"],
    ["config/server.Pem", "may hold secrets"],
    ["a\0b", "not a path"],
    ["missing.ts", "no such file"],
  ])("%j is refused", (path, why) => {
    const outcome = resolveInside(root, path);
    expect(outcome).toMatchObject({ ok: false, fault: { code: "E_REPO_ROOT", message: expect.stringMatching(why) } });
  });

  it("a sibling folder whose name starts with the name of the root is outside", () => {
    expect(resolveInside(join(root, "src"), `${join(root, "src")}-other/x`).ok).toBe(false);
  });

  it.each(["src/a.ts", "alias.ts", "./src/../src/a.ts"])("%s is the same file", (path) => {
    expect(resolveInside(root, path)).toEqual({ ok: true, value: { real: join(root, "src/a.ts"), path: "src/a.ts" } });
  });
});

describe("[ATO-PATH-6] reading a file", () => {
  const read = (path: string, max = 100) => readInside(root, join(root, path), max);

  it("returns text, null for a binary file, and the beginning of a large file", () => {
    expect(read("src/a.ts")).toMatchObject({ ok: true, value: { text: "export const a = 1;\n", cut: false } });
    expect(read("bin.dat")).toMatchObject({ ok: true, value: { text: null, sizeBytes: 3 } });
    expect(read("src/a.ts", 6)).toMatchObject({ ok: true, value: { text: "export", cut: true, sizeBytes: 20 } });
    writeFileSync(join(root, "sparse.bin"), "");
    truncateSync(join(root, "sparse.bin"), 2 ** 31);
    expect(read("sparse.bin")).toMatchObject({ ok: true, value: { text: null, cut: true } });
  });

  it("links, folders, FIFOs and devices are refused without blocking", () => {
    execFileSync("mkfifo", [join(root, "pipe.ts")]);
    for (const path of ["link.ts", "src", "pipe.ts", "missing"]) expect(read(path).ok).toBe(false);
    expect(readInside(root, "/dev/zero", 10).ok).toBe(false);
  });

  it("a folder replaced by a link after the check does not lead outside", () => {
    mkdirSync(join(root, "secrets"));
    mkdirSync(join(root, "plain"));
    for (const folder of ["secrets", "plain"]) writeFileSync(join(root, folder, "x.ts"), "x");
    symlinkSync(join(root, "secrets"), join(root, "lib"));
    symlinkSync(join(root, "plain"), join(root, "alias"));
    symlinkSync(outside, join(root, "away"));
    expect(["lib/x.ts", "away/secret.ts", "alias/x.ts"].map((path) => read(path).ok)).toEqual([false, false, true]);
  });

  it("identifies files with several names", () => {
    linkSync(join(root, "src/a.ts"), join(root, "src/same.ts"));
    const idOf = (path: string) => {
      const file = read(path);
      return file.ok ? file.value.sharedId : "";
    };
    expect(idOf("src/a.ts")).toMatch(/^\d+:\d+$/);
    expect([idOf("src/same.ts") === idOf("src/a.ts"), idOf("bin.dat")]).toEqual([true, null]);
  });
});

describe("[ATO-PATH-5] rules by name", () => {
  it("apply to every spelling that a lenient file system accepts", () => {
    const names = fc.constantFrom(".env", "id_rsa", "server.pem", ".npmrc", "secrets/a.ts", "home/.ssh/config");
    const tail = fc.array(fc.constantFrom(".", " ", "~", "\u200b", "\ufe0f", "\u2060"), { maxLength: 6 });
    const fold = fc.constantFrom<(name: string) => string>(
      (name) => name,
      (name) => name.toUpperCase(),
      // Full-width characters.
      (name) => name.replace(/[!-.0-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
    );
    fc.assert(
      fc.property(names, tail, fold, (name, end, change) => {
        expect(isSensitivePath(`src/${change(name)}${end.join("")}`)).toBe(true);
      }),
    );
  });

  it("are linear in the length of a name", () => {
    const spent = countFloors();
    for (const part of [". ", "~", "a ", ".a", "\u200b"]) isSensitivePath(part.repeat(50_000));
    expect(spent()).toBeLessThan(100);
  });

  it.each([
    ".env",
    "a/.env.local",
    "x.pem",
    "deep/X.KEY",
    "id_rsa",
    "id_rsa.pub",
    "home/.ssh/config",
    "k8s/secrets/db.yaml",
    ".npmrc",
    "secrets",
    ".env.",
    ".env ",
    ".env~",
    "a/.Env. . ",
    ".e\u200bnv",
    ".env\ufe0f",
    "\uff0eenv",
    "ｓｅｃｒｅｔｓ/a.ts",
    "secrets./a.ts",
    ".ssh /config",
    "x.pem::$DATA",
    "X.KEY.",
  ])("%j is sensitive", (path) => {
    expect(isSensitivePath(path)).toBe(true);
  });
  it.each([
    ".env.example",
    "environment.ts",
    "keys.ts",
    "src/secrets.ts",
    "monkey.ts",
    "npmrc.md",
    "a.",
    "..",
    ".",
    "中文/环境.ts",
  ])("%s is not", (path) => {
    expect(isSensitivePath(path)).toBe(false);
  });
  it.each([
    "node_modules/x.js",
    "a/dist/b.js",
    "build",
    ".git/config",
    "coverage/x",
    "__pycache__/a.pyc",
    ".venv/x",
    "venv/x",
    "__mocks__/a.ts",
    "yarn.lock",
  ])("%s is excluded", (path) => {
    expect(isExcludedPath(path)).toBe(true);
  });
  it.each(["lib/plug/builder.ex", "src/distance.ts", "app/locker.ts", "github/x.ts"])("%s is not", (path) => {
    expect(isExcludedPath(path)).toBe(false);
  });
});
