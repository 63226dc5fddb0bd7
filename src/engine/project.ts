import { basename, join } from "node:path";
import { listFolder } from "../base/file-facts.ts";
import { readInside } from "../base/jail.ts";

/** Project facts derived from the root folder. */
export interface ProjectFacts {
  readonly name: string;
  readonly techStack: readonly string[];
}

const MANIFESTS: readonly (readonly [RegExp, string])[] = [
  [/^package\.json$/, "Node.js"],
  [/^tsconfig.{0,40}\.json$/, "TypeScript"],
  [/^(?:pyproject\.toml|setup\.py|requirements.{0,40}\.txt)$/, "Python"],
  [/^go\.mod$/, "Go"],
  [/^Cargo\.toml$/, "Rust"],
  [/^pom\.xml$/, "Java (Maven)"],
  [/^build\.gradle(?:\.kts)?$/, "JVM (Gradle)"],
  [/^Gemfile$/, "Ruby"],
  [/^composer\.json$/, "PHP"],
  [/^Package\.swift$/, "Swift"],
  [/^CMakeLists\.txt$/, "C/C++ (CMake)"],
  [/\.(?:csproj|sln)$/, ".NET"],
  [/^mix\.exs$/, "Elixir"],
  [/^Dockerfile$/, "Docker"],
];

/** Reads the project name and build files from the root folder. Contract: one listing and at most one small file. */
export function readProjectFacts(root: string): ProjectFacts {
  const names = listFolder(root);
  const techStack = MANIFESTS.filter(([pattern]) => names.some((name) => pattern.test(name))).map(([, stack]) => stack);
  return { name: readPackageName(root, names) ?? basename(root), techStack };
}

function readPackageName(root: string, names: readonly string[]): string | null {
  if (!names.includes("package.json")) return null;
  const file = readInside(root, join(root, "package.json"), 64 * 1024);
  if (!file.ok || file.value.text === null) return null;
  return /"name"\s{0,4}:\s{0,4}"([^"\n]{1,100})"/.exec(file.value.text)?.[1] ?? null;
}
