import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countFloors } from "../../../tests/support/cpu-floors.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { findByGlob, findMarkdown, isGlob } from "./file-globs.ts";

const NAMES = ["a.md", "ab.md", "b.markdown", "[x].md", "a-b", ".hidden.md", "说明.md", "a b.md", "A.md", "x.txt"];
const FOLDERS = ["", "docs/", "docs/more/", "docs/more/nested/", "docs/.git/", ".dot/", "文档/"];
const tree = makeFolder(Object.fromEntries(FOLDERS.flatMap((folder) => NAMES.map((name) => [folder + name, "x"]))));

// macOS ships a bash without `**` (globstar).

/** Expands the patterns with bash, files only. */
function askBash(patterns: readonly string[]): string[][] {
  const script = `shopt -s globstar nullglob; IFS=
    for pattern in "$@"; do for path in $pattern; do [[ -f $path && ! -d $path ]] && printf '%s\\0' "$path"; done; printf '|\\0'; done`;
  const env = { ...process.env, LC_ALL: "C.UTF-8" };
  const text = execFileSync("bash", ["-c", script, "bash", ...patterns], { cwd: tree, env, encoding: "utf8" });
  const found = text.split("|\0").slice(0, -1);
  return found.map((paths) => [...new Set(paths.split("\0").filter(Boolean))].sort());
}

describe("patterns for files", () => {
  it.each([
    ["*.md", 6],
    ["docs/*.md", 6],
    ["docs/**/*.md", 18],
    ["**/*.markdown", 5],
    ["docs/**", 24 + 3],
    ["**/nested/**/a?.md", 1],
    ["docs/more/../*.markdown", 1],
    ["./docs/[ab].*", 2],
    ["docs/[!a]*.md", 3],
    ["docs/[[:upper:]].md", 1],
    [".*.md", 1],
    ["文档/说*.md", 1],
    ["docs/*/*.txt", 1],
    ["none/*.md", 0],
    ["docs/a.md/*", 0],
    ["*.md/", 6],
  ])("%s finds %i, as bash does", (pattern, count) => {
    const found = findByGlob(pattern, tree);
    expect(found).toEqual({ paths: found.paths, links: 0, unreadable: null, isTooMuch: false });
    expect(found.paths).toHaveLength(count);
    if (!pattern.endsWith("/")) expect([found.paths]).toEqual(askBash([pattern]));
  });

  it("agrees with bash about random patterns", () => {
    const piece = fc.constantFrom(
      "*",
      "**",
      "?",
      "[ab]",
      "[!a]",
      "[",
      "]",
      "a",
      "b",
      ".",
      "-",
      "md",
      "docs",
      "more",
      "/",
      "/",
    );
    const patterns = fc
      .sample(fc.array(piece, { minLength: 1, maxLength: 7 }), { numRuns: 400, seed: 7 })
      .map((pieces) => pieces.join(""))
      .filter((pattern) => isGlob(pattern) && !/^\/|\/$|\/\//.test(pattern) && !/\[[^\]]*\//.test(pattern));
    expect(patterns.length).toBeGreaterThan(150);
    expect(patterns.map((pattern) => [pattern, ...findByGlob(pattern, tree).paths])).toEqual(
      askBash(patterns).map((paths, at) => [patterns[at], ...paths]),
    );
  });

  it("accepts absolute patterns and spells paths as the pattern does", () => {
    expect(findByGlob(`${tree}/docs/a*.md`, "/").paths).toEqual([
      `${tree}/docs/a b.md`,
      `${tree}/docs/a.md`,
      `${tree}/docs/ab.md`,
    ]);
    expect(findByGlob("docs//a?.md", tree).paths).toEqual(["docs/ab.md"]);
  });

  it("follows links that are named, never links that are found", () => {
    const outside = makeFolder({ "secret.md": "s", "sub/deep.md": "d" });
    const folder = makeFolder({ "docs/a.md": "a" });
    symlinkSync(join(outside, "secret.md"), join(folder, "docs", "link.md"));
    symlinkSync(join(outside, "sub"), join(folder, "docs", "sub"));
    expect(findByGlob("docs/*.md", folder)).toMatchObject({ paths: ["docs/a.md"], links: 1 });
    expect(findByGlob("docs/**/*.md", folder).paths).toEqual(["docs/a.md"]);
    expect(findByGlob("**/link.md", folder)).toMatchObject({ paths: [], links: 1 });
    expect(findByGlob("docs/*/deep.md", folder).paths).toEqual([]);
    expect(findByGlob("docs/sub/*.md", folder).paths).toEqual(["docs/sub/deep.md"]);
    expect(findMarkdown("docs", folder)).toMatchObject({ paths: ["docs/a.md"], links: 1 });
    expect(findMarkdown("docs/sub", folder).paths).toEqual(["docs/sub/deep.md"]);
  });

  it("finds all Markdown in a folder, including hidden files, sorted by character code", () => {
    const folder = makeFolder({ "d/b.md": "", "d/a/z.markdown": "", "d/.x/y.md": "", "d/a.MD": "", "d/c.txt": "" });
    for (const name of ["d", "d/", "./d"]) {
      const prefix = name.endsWith("/") ? name : `${name}/`;
      expect(findMarkdown(name, folder).paths).toEqual(
        [".x/y.md", "a/z.markdown", "b.md"].map((path) => prefix + path),
      );
    }
  });

  it("never throws", () => {
    const strange = ["\0*", "*\0", "[", "*[", `${"a".repeat(300)}*`, "**/**/**/a/**/b/**", "*".repeat(4_000), "/"];
    for (const pattern of strange) expect(findByGlob(pattern, tree)).toMatchObject({ unreadable: null });
    expect(isGlob("*".repeat(5_000))).toBe(false);
  });

  it("stops if there are too many entries", () => {
    expect(findByGlob("**/*.md", tree, 20)).toMatchObject({ isTooMuch: true });
    expect(findMarkdown("docs", tree, 20)).toMatchObject({ isTooMuch: true });
    expect(findByGlob("docs/*.md", tree, 20)).toMatchObject({ isTooMuch: false });
  });

  it("visits every folder once, however many ways lead to it", () => {
    const deep = makeFolder({ [`${"d/".repeat(120)}end.md`]: "x" });
    const spent = countFloors();
    expect(findByGlob("**/d/**/d/**/d/**/d/**/*.md", deep).paths).toHaveLength(1);
    expect(spent()).toBeLessThan(500);
  });

  it("reports a folder that cannot be read", () => {
    expect(findMarkdown("gone", tree)).toMatchObject({ paths: [], unreadable: { path: "gone/", why: "ENOENT" } });
  });
});
