import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLI_USAGE } from "../../src/adapters/cli/usage.ts";
import { SETTING_NAMES, SETTINGS } from "../../src/config/settings.ts";
import { parseStartOptions } from "../../src/jobs/run/start-options.ts";
import { projectRoot } from "../support/doors.ts";

const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");
const pages = [
  "README.md",
  ...readdirSync(join(projectRoot, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

/** Commands of the shell blocks of a page, comments and prompts removed. */
function commandsOf(page: string): string[] {
  const blocks = Array.from(read(page).matchAll(/```sh\n([\s\S]*?)```/g), (match) => match[1] ?? "");
  return blocks
    .flatMap((block) => block.split("\n").map((line) => line.replace(/\s+#.*$/, "").trim()))
    .filter((line) => line !== "" && !line.startsWith("#"));
}

const shown = pages.flatMap((page) =>
  commandsOf(page).flatMap((line) => line.split(/\s+\|\s+/).map((command) => ({ page, command }))),
);

describe("[ATO-INST-4] commands that the documentation shows", () => {
  it.each(shown)("$page: $command", ({ command }) => {
    const [program = "", first = ""] = command.replace(/^(?:[A-Z_]+=\S+ )+/, "").split(/\s+/);
    if (program === "npm") expect(Object.keys(scripts)).toContain(first === "run" ? command.split(/\s+/)[2] : first);
    else if (program === "export") expect(command).toMatch(/^export (?:PATH|CI_AUTO_TOOLS)/);
    else if (program === "codex") expect(command).toMatch(/^codex exec -$/);
    else if (program.startsWith("./") || program.startsWith("bin/") || program.startsWith("hooks/"))
      accessSync(join(projectRoot, program), constants.X_OK);
    else accessSync(join(projectRoot, "bin", program), constants.X_OK);
    // A command has a line of its own, a tool stands in the list of tools.
    if (/groundwork$/.test(program)) expect(CLI_USAGE.split(/[\s,]+/)).toContain(first);
    const [, run] = /^(?:\.\/start\.sh|bin\/groundwork codex exec) ([^<]*)/.exec(command) ?? [];
    const words = run?.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
    expect(
      parseStartOptions(
        words.map((word) => word.replace(/^(['"])(.*)\1$/, "$2")),
        {},
      ),
    ).toMatchObject({ ok: true });
  });

  it("[HOOK-13] npm test is what CI runs, and the shell tests run on their own", () => {
    expect(read(".ci/run")).toMatch(/^npm test$/m);
    const count = execFileSync(join(projectRoot, "node_modules/bats/bin/bats"), ["--count", "tests/auto-tools.bats"], {
      cwd: projectRoot,
      encoding: "utf8",
    });
    expect(Number(count)).toBeGreaterThan(50);
  });

  it("[CNI-20] what Codex may do unattended is said with containers first, and with time for clients", () => {
    const page = read("docs/codex-non-interactive.md");
    for (const said of [
      "Containers first",
      "MCP_TOOL_TIMEOUT",
      "tool_timeout_sec",
      "Nothing here ever chooses full access",
    ])
      expect(page).toContain(said);
  });

  it("every variable of the settings is in the documentation, and every link leads somewhere", () => {
    for (const name of SETTING_NAMES) expect(read("docs/configuration.md")).toContain(SETTINGS[name].env);
    for (const page of pages) {
      for (const [, target = ""] of read(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
        expect(existsSync(join(projectRoot, page, "..", target)), `${page} → ${target}`).toBe(true);
      }
    }
  });
});
