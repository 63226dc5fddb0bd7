import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SETTING_NAMES, SETTINGS } from "../../src/config/settings.ts";
import { projectRoot, readProjectFile } from "../support/doors.ts";

const pages = [
  "README.md",
  ...readdirSync(join(projectRoot, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

describe("[ATO-INST-4] the documentation", () => {
  it("[HOOK-13] npm test is what CI runs, and the shell tests run separately", () => {
    expect(readProjectFile(".ci/run")).toMatch(/^npm test$/m);
    const count = execFileSync(join(projectRoot, "node_modules/bats/bin/bats"), ["--count", "tests/auto-tools.bats"], {
      cwd: projectRoot,
      encoding: "utf8",
    });
    expect(Number(count)).toBeGreaterThan(50);
  });

  it("[CNI-20] unattended Codex runs are described with containers first, and with timeouts of clients", () => {
    const page = readProjectFile("docs/codex-non-interactive.md");
    for (const said of [
      "Containers first",
      "MCP_TOOL_TIMEOUT",
      "tool_timeout_sec",
      "Nothing here ever chooses full access",
    ])
      expect(page).toContain(said);
  });

  it("every setting's variable is documented, and every link has a target", () => {
    for (const name of SETTING_NAMES) expect(readProjectFile("docs/configuration.md")).toContain(SETTINGS[name].env);
    for (const page of pages) {
      for (const [, target = ""] of readProjectFile(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
        expect(existsSync(join(projectRoot, page, "..", target)), `${page} → ${target}`).toBe(true);
      }
    }
  });

  it("docs/architecture.md names only files that exist", () => {
    const files = ["src", "hooks", "mcp", "tests"].flatMap((folder) =>
      readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" }).map((path) => `/${folder}/${path}`),
    );
    const named = Array.from(readProjectFile("docs/architecture.md").matchAll(/[\w-][\w/.-]*\.(?:tsx?|pl)\b/g), String);
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((name) => !files.some((path) => path.endsWith(`/${name}`)))).toEqual([]);
  });
});
