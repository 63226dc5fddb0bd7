import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TOOL_HOOK_TYPES } from "../../src/contract/tool-hooks.ts";
import { projectRoot } from "../support/doors.ts";

const sources = readdirSync(join(projectRoot, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.includes(".test"))
  .map((path) => ({ path, text: readFileSync(join(projectRoot, "src", path), "utf8") }));

/** Returns the files in which a pattern occurs in code, ignoring comments. */
function places(pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) =>
    text
      .split("\n")
      .filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line))
      .flatMap((line) => Array.from(line.matchAll(pattern), () => path)),
  );
}

const EXECUTOR = "lifecycle/tool-executor.ts";

describe("[HOOK-9] [HOOK-12] there is one hook layer", () => {
  it("one place runs the before hooks, one the after hooks, one the tool", () => {
    expect(places(/(?<!function )\brunBeforeToolHooks\(/g)).toEqual([EXECUTOR]);
    expect(places(/(?<!function )\brunAfterToolHooks\(/g)).toEqual([EXECUTOR]);
    expect(places(/\btool\w*\.run\(/g)).toEqual([EXECUTOR]);
  });

  it("[HOOK-4] the router does not know hooks", () => {
    const router = "lifecycle/tool-router.ts";
    expect(places(/hook/gi).filter((path) => path === router)).toEqual([]);
    expect(places(/export function normalizeToolArgs/g)).toEqual([router]);
  });

  it("the names of hooks appear in one file", () => {
    for (const name of Object.values(TOOL_HOOK_TYPES)) {
      const files = sources.filter(({ path, text }) => !path.startsWith("contract/") && text.includes(name));
      expect(files.map(({ path }) => path)).toEqual(["lifecycle/tool-hooks.ts"]);
    }
  });

  it("nothing can skip them", () => {
    expect(places(/skip\w*hooks?/gi)).toEqual([]);
  });
});
