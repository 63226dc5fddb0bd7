import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLIENT_IDS } from "../src/contract/clients.ts";
import type { InstallReport } from "../src/install/report.ts";
import { codeCache, groundwork, projectRoot } from "./support/doors.ts";
import { makeRepo } from "./support/git-repo.ts";
import { collectOutput, type Ended, runProgram } from "./support/run-program.ts";
import { makeFolder } from "./support/temp-folder.ts";

/** Makes a home with these files, and programs with these names on the PATH. */
function makeHome(files: Readonly<Record<string, string>> = {}, programs: readonly string[] = []) {
  const folder = makeFolder();
  const home = join(folder, "home");
  const put = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
  };
  mkdirSync(home);
  for (const [name, text] of Object.entries(files)) put(join(home, name), text);
  for (const name of programs) put(join(folder, "programs", name), "#!/bin/sh\n", 0o755);
  const env = {
    HOME: home,
    PATH: [join(folder, "programs"), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
    GROUNDWORK_HOME: join(folder, "state"),
    ...codeCache,
  };
  const source = "export function main() {\n  return help();\n}\nfunction help() {}\n";
  const repo = makeRepo([{ files: { "src/main.ts": source }, subject: "start", at: "2026-01-01T00:00:00Z" }]);
  const run = async (command: readonly string[], { type = "", program = groundwork } = {}): Promise<Ended> => {
    if (type === "") return runProgram(program, command, { cwd: repo, env, input: "" });
    // script(1) provides a terminal; the input is typed once the question is displayed.
    const line = [program, ...command].map((word) => `'${word}'`).join(" ");
    const child = spawn("script", ["-qec", line, "/dev/null"], { cwd: repo, env, stdio: "pipe" });
    const printed = collectOutput(child);
    child.stdin.on("error", () => {});
    child.stdout.on("data", () => {
      if (printed.stdout.includes("[y/N]")) child.stdin.end(type);
    });
    const [code] = await once(child, "close");
    return { code, ...printed };
  };
  const list = () => readdirSync(home, { recursive: true, encoding: "utf8" }).sort();
  return { folder, home, put, run, list, read: (name: string) => readFileSync(join(home, name), "utf8") };
}

describe("[P-2] groundwork install", () => {
  it("tests each hook with a question about its own scripts, and leaves only its receipt behind", async () => {
    const { run, folder } = makeHome({}, ["codex", "kimi"]);
    const { code, stdout } = await run(["install", "--yes"]);
    expect([code, stdout.match(/: asked, and it answered in \d+ ms: \d+ characters of evidence/g)?.length]).toEqual([
      0, 2,
    ]);
    // The test question leaves no index, no session memory and no process.
    expect(readdirSync(join(folder, "state"))).toEqual(["install-receipt.json"]);
  });

  it("prints its plan and changes nothing without a terminal and without --yes", async () => {
    const { run, list } = makeHome({ ".qwen/settings.json": "{}\n" }, ["codex"]);
    const before = list();
    const shown = await run(["install"]);
    expect([shown.code, list()]).toEqual([2, before]);
    expect(shown.stderr).toContain("run it with --yes");
    expect(shown.stdout).toContain(".codex/hooks.json");
    expect(shown.stdout).toContain('+            "timeout": 20');
    expect(shown.stdout).toContain("not found on this machine: Claude Code, Gemini CLI");
    const dry = await run(["install", "--dry-run", "--json"]);
    const report: InstallReport = JSON.parse(dry.stdout);
    expect(report.clients.map(({ client, state }) => `${client} ${state}`)).toEqual(["codex planned", "qwen planned"]);
    expect([dry.code, list()]).toEqual([0, before]);
  });

  it("installs for the clients on this machine, tests each hook, and restores everything on uninstall", async () => {
    const { run, list, read } = makeHome({ ".qwen/settings.json": '{ "a": 1 } // mine\n' }, ["codex", "kimi"]);
    const before = list();
    const done = await run(["install", "--yes", "--json"]);
    const report: InstallReport = JSON.parse(done.stdout);
    expect(report.clients.map(({ client, state, proof }) => [client, state, proof?.ok])).toEqual([
      ["codex", "installed", true],
      ["qwen", "installed", true],
      ["kimi", "installed", true],
    ]);
    expect(report.clients[0]?.proof?.says).toMatch(/characters of evidence$/);
    // An untrusted hook is not an error, but is reported with its remedy.
    expect([done.code, report.notes.join()]).toEqual([0, expect.stringContaining("Trust all and continue")]);
    const installed = list();
    expect((await run(["install", "--yes"])).stdout).toContain("already installed");
    expect(list()).toEqual(installed);
    expect((await run(["uninstall"])).code).toBe(0);
    expect([list(), read(".qwen/settings.json")]).toEqual([before, '{ "a": 1 } // mine\n']);
  });

  it("installs for every client named, even if none is on this machine", async () => {
    const { run, list } = makeHome();
    const done = await run(["install", "--yes", "--json", "--client", CLIENT_IDS.join(",")]);
    const report: InstallReport = JSON.parse(done.stdout);
    expect(report.clients.map(({ proof }) => proof?.ok)).toEqual(CLIENT_IDS.map(() => true));
    expect((await run(["uninstall", "--client", "codex,claude"])).code).toBe(0);
    expect(list().filter((name) => /^\.(?:codex|claude)/.test(name))).toEqual([]);
    expect(list()).toContain(".gemini/settings.json");
    await run(["uninstall", "--yes"]);
    expect(list()).toEqual([]);
  });

  it("asks once on a terminal, and only yes proceeds", async () => {
    const { run, list } = makeHome({}, ["gemini"]);
    const no = await run(["install"], { type: "n\n" });
    expect([no.code, list()]).toEqual([1, []]);
    expect(no.stdout).toContain("Nothing was changed.");
    const yes = await run(["install"], { type: "y\n" });
    expect([yes.code, yes.stdout.split("[y/N]")]).toEqual([
      0,
      [expect.any(String), expect.stringContaining("is installed.")],
    ]);
    expect(list()).toContain(".gemini/settings.json");
    expect((await run(["uninstall"], { type: "y\n" })).code).toBe(0);
    expect(list()).toEqual([]);
  });

  it("continues after a client that it refuses, and reports it in its exit code", async () => {
    const { run, read, list } = makeHome({ ".gemini/settings.json": "{ broken" }, ["qwen"]);
    const done = await run(["install", "--yes"]);
    expect([done.code, read(".gemini/settings.json")]).toEqual([20, "{ broken"]);
    expect(done.stdout).toContain("Gemini CLI: refused:");
    expect(list()).toContain(".qwen/settings.json");
  });

  it.each([
    [["install", "--client", "vim"], /--client knows claude, codex.*but not "vim"/],
    [["uninstall", "--client", ""], /--client knows/],
    [["install", "claude"], /name clients with --client/],
    [["uninstall", "codex"], /name clients with --client/],
  ])("refuses %j", async (command, message) => {
    const { run, list } = makeHome();
    const { code, stderr } = await run(command);
    expect([code, list()]).toEqual([2, []]);
    expect(stderr).toMatch(message);
  });

  it("install.sh still asks no questions and installs only for Claude Code", async () => {
    const { run, list, home } = makeHome({ ".qwen/settings.json": "{}" }, ["codex"]);
    const program = join(projectRoot, "install.sh");
    const before = list();
    expect(await run(["--skip-deps"], { program })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Nothing to install."),
    });
    expect(await run(["--dry-run"], { program })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Nothing to install."),
    });
    expect(list()).toEqual(before);
    expect((await run(["--with-hook", "--skip-deps"], { program })).code).toBe(0);
    expect(existsSync(join(home, ".claude/hooks/context-inject-global.sh"))).toBe(true);
    expect(existsSync(join(home, ".codex"))).toBe(false);
    expect((await run(["--uninstall"], { program })).code).toBe(0);
    expect(list()).toEqual(before);
  });
});
