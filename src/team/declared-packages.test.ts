import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { readPackages } from "./declared-packages.ts";

function readFrom(files: Readonly<Record<string, string>>) {
  const folder = makeFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return readPackages({ folder, paths: Object.keys(files), fill: async () => null });
}

it.each([
  [
    "package.json",
    '{ "name": "@a/web", "dependencies": { "react": "1" }, "devDependencies": { "@a/lint": "1" } }',
    { provides: ["npm:@a/web"], needs: ["npm:react", "npm:@a/lint"] },
  ],
  [
    "composer.json",
    '{ "name": "a/b", "require": { "c/d": "^1" } }',
    { provides: ["composer:a/b"], needs: ["composer:c/d"] },
  ],
  [
    "go.mod",
    "module example.org/shop\n\ngo 1.22\n\nrequire example.org/tax v1.2.0\nrequire (\n\tgolang.org/x/net v0.1.0 // indirect\n)\n",
    { provides: ["go:example.org/shop"], needs: ["go:example.org/tax", "go:golang.org/x/net"] },
  ],
  [
    "Cargo.toml",
    '[package]\nname = "shop"\n[dependencies]\nserde = "1"\n[workspace.dependencies]\ntokio = "1"\n',
    { provides: ["cargo:shop"], needs: ["cargo:serde", "cargo:tokio"] },
  ],
  [
    "pyproject.toml",
    '[project]\nname = "My_Shop"\ndependencies = ["Django>=4", "zope.interface ; python_version > \'3\'"]\n',
    { provides: ["pypi:my-shop"], needs: ["pypi:django", "pypi:zope-interface"] },
  ],
  ["no JSON", "{", { provides: [], needs: [] }],
])("[T-12] %s declares what a repository provides and needs", async (name, text, declared) => {
  expect(await readFrom({ [name === "no JSON" ? "package.json" : name]: text })).toEqual(declared);
});

it("[T-12] broken, odd and oversized manifests declare nothing, and a repository does not depend on its own parts", async () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`p${at}`, "1"]));
  const { provides, needs } = await readFrom({
    "package.json": JSON.stringify({ name: 7, dependencies: { ...many, "": "1", ["x".repeat(500)]: "1" } }),
    "parts/one/package.json": '{ "name": "one", "dependencies": { "two": "1" } }',
    "parts/two/package.json": '{ "name": "two" }',
    "Cargo.toml": "[[[",
    "composer.json": "null",
    "sub/pyproject.toml": '[tool.poetry]\nname = "p"\n[tool.poetry.dependencies]\npython = "^3"\n',
  });
  expect(provides).toEqual(["pypi:p", "npm:one", "npm:two"]);
  expect(needs).toHaveLength(2_000);
  expect(needs.filter((name) => name.length > 100 || name === "npm:two")).toEqual([]);
});
