import { execFileSync } from "node:child_process";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { readInside, resolveInside } from "./jail.ts";
import { isDemotedPath, isExcludedPath, isSensitivePath } from "./path-rules.ts";

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

  it("a sibling whose name begins like the root is outside", () => {
    expect(resolveInside(join(root, "src"), `${join(root, "src")}-other/x`).ok).toBe(false);
  });

  it.each(["src/a.ts", "alias.ts", "./src/../src/a.ts"])("%s is the same file", (path) => {
    expect(resolveInside(root, path)).toEqual({ ok: true, value: { real: join(root, "src/a.ts"), path: "src/a.ts" } });
  });
});

describe("[ATO-PATH-6] what is read of a file", () => {
  const read = (path: string, max = 100) => readInside(root, join(root, path), max);

  it("text, binary, too large", () => {
    expect(read("src/a.ts")).toMatchObject({ ok: true, value: { text: "export const a = 1;\n", cut: false } });
    expect(read("bin.dat")).toMatchObject({ ok: true, value: { text: null, sizeBytes: 3 } });
    expect(read("src/a.ts", 6)).toMatchObject({ ok: true, value: { text: "export", cut: true, sizeBytes: 20 } });
    writeFileSync(join(root, "sparse.bin"), "");
    truncateSync(join(root, "sparse.bin"), 2 ** 31);
    expect(read("sparse.bin")).toMatchObject({ ok: true, value: { text: null, cut: true } });
  });

  it("links, folders, FIFOs and devices are refused without waiting", () => {
    execFileSync("mkfifo", [join(root, "pipe.ts")]);
    for (const path of ["link.ts", "src", "pipe.ts", "missing"]) expect(read(path).ok).toBe(false);
    expect(readInside(root, "/dev/zero", 10).ok).toBe(false);
  });
});

describe("[ATO-PATH-5] rules by name", () => {
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
  ])("%s is sensitive", (path) => {
    expect(isSensitivePath(path)).toBe(true);
  });
  it.each([".env.example", "environment.ts", "keys.ts", "src/secrets.ts", "monkey.ts", "npmrc.md"])(
    "%s is not",
    (path) => {
      expect(isSensitivePath(path)).toBe(false);
    },
  );
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
  it.each(["tests/a.ts", "src/a.test.ts", "x_test.go", "a.spec.js", "examples/b.py", "mock-server.ts"])(
    "%s ranks lower",
    (path) => {
      expect(isDemotedPath(path)).toBe(true);
    },
  );
});
