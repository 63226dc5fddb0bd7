import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SETTING_NAMES, SETTINGS } from "../../src/config/settings.ts";
import { isRowOf, VARIABLES, type VariableRow } from "../../src/config/variables.ts";
import { projectRoot, readProjectFile } from "../support/doors.ts";

const rows: readonly VariableRow[] = Object.values(VARIABLES).flat();
const settings: readonly string[] = SETTING_NAMES.map((name) => SETTINGS[name].env);
const isKnown = (variable: string) => settings.includes(variable) || rows.some((row) => isRowOf(row, variable));

const sources = readdirSync(join(projectRoot, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test(?:-helper)?\.ts$/.test(path))
  .map((path) => `src/${path}`);
const doors = ["hooks", "hooks/lib", "bin", "mcp", "."].flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && (folder === "bin" || entry.name.endsWith(".sh")))
    .map(({ name }) => join(folder, name)),
);

/** How a program reads a variable: by its name, by a name that is ours, by a helper, or by taking `env` apart. */
const READS = [
  /\b(?:env|given)\??\.?\[\s*"([A-Z][A-Z0-9_]*)"/g,
  /"((?:GROUNDWORK|CI_AUTO_TOOLS|CI_ORCH|CI_CODEX|CODEX)(?:_[A-Z0-9]+)+)"/g,
  /\b(?:isOn|readNumber|namedProgram|standIn|pick)\(\s*(?:[\w.]+, \[)?"([A-Z][A-Z0-9_]*)"/g,
  /\{[^{};]*?\b([A-Z][A-Z0-9_]*): \w+[^{};]*\}(?::[^=;{}]*)? = (?:\w+\.)?env\b/g,
];

function namesIn(text: string, patterns: readonly RegExp[]): string[] {
  return patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), (match) => match[1] ?? ""));
}

describe("environment variables", () => {
  it("every variable that the program reads is in the settings table", () => {
    const unknown = sources.flatMap((path) =>
      namesIn(readProjectFile(path), READS)
        .filter((name) => !isKnown(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it("so is every variable that a door reads", () => {
    const ofShells = ["PWD", "IFS", "CDPATH"];
    const unknown = doors.flatMap((path) =>
      namesIn(readProjectFile(path), [/\$\{?([A-Z][A-Z0-9_]+)/g])
        .filter((name) => !isKnown(name) && !ofShells.includes(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it("a default is described in words, or there is none", () => {
    expect(rows.filter(({ usual }) => usual === "").map(({ name }) => name)).toEqual([]);
  });

  it("every variable in the table is read, and listed once", () => {
    const all = [...sources.filter((path) => path !== "src/config/variables.ts"), ...doors]
      .map(readProjectFile)
      .join("\n");
    const names = rows.flatMap(({ name }) => name.split(", "));
    expect(names.filter((name) => !all.includes(name.split("<")[0] ?? ""))).toEqual([]);
    expect(names.filter((name, at) => names.indexOf(name) !== at || settings.includes(name))).toEqual([]);
  });
});
