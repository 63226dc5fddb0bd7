import { join, posix } from "node:path";
import { parse as parseToml } from "smol-toml";
import { readInside } from "../base/jail.ts";
import { isRecord } from "../base/text.ts";
import type { CommitTree } from "../engine/build/commit-tree.ts";

/** Packages that a repository provides and that it declares as dependencies: `npm:react`, `go:example.org/mod`. */
interface DeclaredPackages {
  readonly provides: readonly string[];
  readonly needs: readonly string[];
}

interface Declared {
  readonly name: string | null;
  readonly needs: readonly string[];
}

const MOST_FILES = 200;
const MOST_NAMES = 2_000;
const MAX_BYTES = 256 * 1024;
const MAX_NAME_CHARS = 190;

/**
 * Reads the declarations of common manifests, those nearest to the root first. Contract: an unreadable manifest
 * declares nothing.
 */
export async function readPackages(tree: Pick<CommitTree, "paths" | "fill" | "folder">): Promise<DeclaredPackages> {
  const depth = (path: string) => path.split("/").length;
  const paths = tree.paths
    .filter((path) => MANIFESTS.has(posix.basename(path)))
    .sort((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1))
    .slice(0, MOST_FILES);
  await tree.fill(paths);
  const provides = new Set<string>();
  const needs = new Set<string>();
  for (const path of paths) {
    const manifest = MANIFESTS.get(posix.basename(path));
    const read = readInside(tree.folder, join(tree.folder, path), MAX_BYTES);
    if (manifest === undefined || !read.ok || read.value.cut || read.value.text === null) continue;
    const declared = readSafely(manifest.read, read.value.text);
    const add = (to: Set<string>, name: string) => {
      if (to.size < MOST_NAMES && name !== "" && name.length <= MAX_NAME_CHARS) to.add(`${manifest.kind}:${name}`);
    };
    if (declared.name !== null) add(provides, declared.name);
    for (const name of declared.needs) add(needs, name);
  }
  return { provides: [...provides], needs: [...needs].filter((name) => !provides.has(name)) };
}

function readSafely(read: (text: string) => Declared, text: string): Declared {
  try {
    return read(text);
  } catch {
    return { name: null, needs: [] };
  }
}

const MANIFESTS: ReadonlyMap<string, { readonly kind: string; readonly read: (text: string) => Declared }> = new Map([
  ["package.json", { kind: "npm", read: readJson(["dependencies", "devDependencies", "peerDependencies"]) }],
  ["composer.json", { kind: "composer", read: readJson(["require", "require-dev"]) }],
  ["go.mod", { kind: "go", read: readGoMod }],
  ["Cargo.toml", { kind: "cargo", read: readCargo }],
  ["pyproject.toml", { kind: "pypi", read: readPyproject }],
]);

function readJson(fields: readonly string[]): (text: string) => Declared {
  return (text) => {
    const manifest: unknown = JSON.parse(text);
    if (!isRecord(manifest)) return { name: null, needs: [] };
    return { name: toName(manifest["name"]), needs: fields.flatMap((field) => keysOf(manifest[field])) };
  };
}

function readGoMod(text: string): Declared {
  const needs = [...text.matchAll(/^\s*(?:require\s+)?([\w.-]+\.[\w./~-]+)\s+v\d/gm)].map(([, name = ""]) => name);
  return { name: /^module\s+(\S+)/m.exec(text)?.[1] ?? null, needs };
}

function readCargo(text: string): Declared {
  const { package: own, workspace, ...tables } = parseToml(text);
  const all = [tables, isRecord(workspace) ? workspace : {}];
  const needs = all.flatMap((table) =>
    ["dependencies", "dev-dependencies", "build-dependencies"].flatMap((field) => keysOf(table[field])),
  );
  return { name: isRecord(own) ? toName(own["name"]) : null, needs };
}

function readPyproject(text: string): Declared {
  const { project, tool } = parseToml(text);
  const poetry = isRecord(tool) && isRecord(tool["poetry"]) ? tool["poetry"] : {};
  const own = isRecord(project) ? project : {};
  const listed = Array.isArray(own["dependencies"]) ? own["dependencies"] : [];
  const needs = listed.flatMap((line) => (typeof line === "string" ? (/^[\w.-]+/.exec(line.trim())?.[0] ?? []) : []));
  const name = toName(own["name"]) ?? toName(poetry["name"]);
  return {
    name: name === null ? null : toPypi(name),
    needs: [...needs, ...keysOf(poetry["dependencies"])].map(toPypi),
  };
}

/** Normalises the name of a Python package: case and separators are not significant. */
function toPypi(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}

function keysOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : [];
}

function toName(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
