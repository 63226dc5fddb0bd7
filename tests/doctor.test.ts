import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Check, DoctorReport } from "../src/contract/doctor.ts";
import { snapshot } from "../src/install/scratch-home.test-helper.ts";
import { codeCache, groundwork, projectRoot } from "./support/doors.ts";
import { commit, git } from "./support/git-repo.ts";
import { runProgram } from "./support/run-program.ts";
import { makeFolder } from "./support/temp-folder.ts";

/** Runs the command line. */
const run = (args: readonly string[], place: { cwd: string; env: Record<string, string> }) =>
  runProgram(groundwork, args, place);

/** A machine with a home, a repository and one fake client that answers `--version` alone. */
function makeMachine() {
  const folder = makeFolder();
  const [home, bin, repo] = [join(folder, "home"), join(folder, "bin"), join(folder, "我的 repo")];
  for (const path of [home, bin, repo]) mkdirSync(path);
  git(repo, ["init", "--quiet", "--template=", "--initial-branch=main"]);
  commit(repo, { files: { "src/a.ts": "export const a = 1;\n" }, subject: "a", at: "2026-11-10T12:00:00Z" });
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
  };
  write(join(bin, "claude"), "#!/bin/sh\necho '2.1.325 (Claude Code)'\n", 0o755);
  // Whatever else this machine has on its PATH is nobody's business.
  const env: Record<string, string> = { HOME: home, PATH: bin, ...codeCache };
  const state = join(home, ".cache/groundwork");
  const place = { cwd: repo, env };
  const doctor = async (more: Record<string, string> = {}, args: readonly string[] = []) => {
    const ended = await run(["doctor", "--json", ...args], { cwd: repo, env: { ...env, ...more } });
    const report = JSON.parse(ended.stdout) as DoctorReport;
    const worst = report.checks.filter(({ status }) => status !== "ok");
    return { ...ended, report, worst: worst.map(({ group, name, status }) => `${group}: ${name}: ${status}`) };
  };
  const install = () => run(["install", "--yes"], place);
  return { folder, home, bin, repo, state, env, place, write, doctor, install };
}

/** Gives a command a terminal; not on every machine. */
const terminal = "script";
const KEYS = ["group", "name", "status", "measured", "expected", "remedy"];

describe("[P-6] groundwork doctor", () => {
  it("reports a machine without any setup as healthy, and writes nothing", async () => {
    const { folder, doctor } = makeMachine();
    const before = snapshot(folder);
    const { code, report, worst, stderr } = await doctor();
    expect([code, report.ok, worst, stderr]).toEqual([0, true, [], ""]);
    expect(Object.keys(report)).toEqual(["ok", "checks"]);
    for (const check of report.checks) {
      expect(Object.keys(check)).toEqual(KEYS);
      expect([check.name, check.remedy]).toEqual([check.name, ""]);
    }
    const groups = [...new Set(report.checks.map(({ group }) => group))];
    expect(groups).toEqual([
      ...["program", "state folder", "index"],
      ...["claude", "codex", "gemini", "copilot", "qwen", "kimi", "opencode"],
      ...["mcp", "settings", "resident", "history"],
    ]);
    expect(snapshot(folder)).toEqual(before);
  });

  it("gets an answer from every hook after an install; only trust in Codex is left to give", async () => {
    const { doctor, install, home, bin, write } = makeMachine();
    write(join(bin, "codex"), '#!/bin/sh\n[ "$1" = --version ] && echo codex-cli 0.166.0\n', 0o755);
    expect(await install()).toMatchObject({ code: 0 });
    // Asked again where a busy machine left a hook no time to answer, which the doctor rightly reports.
    const ask = async () => {
      const { code, worst, report } = await doctor();
      const answers = report.checks.filter(({ name }) => name === "answer").map(({ measured }) => measured);
      return { code, isOk: report.ok, worst, answers };
    };
    const bytes = expect.stringMatching(/ \d+ bytes$/);
    const characters = expect.stringMatching(/ \d+ characters$/);
    const warned = { code: 0, isOk: true, worst: ["codex: trusted: warn"], answers: [characters, bytes] };
    await expect.poll(ask).toEqual(warned);
    rmSync(join(home, ".claude/hooks"), { recursive: true });
    const worst = ["claude: hook: fail", "codex: trusted: warn"];
    await expect.poll(ask).toMatchObject({ code: 1, isOk: false, worst });
  });

  it("reports every possible fault on disk at once, each with an explained remedy", async () => {
    const { doctor, home, repo, write, state, env, bin } = makeMachine();
    write(join(home, ".claude/settings.json"), "{ broken");
    write(join(home, ".codex/config.toml"), "[features]\nhooks = false\n");
    write(join(bin, "codex"), "#!/bin/sh\nexec /bin/sleep 300\n", 0o755);
    write(join(home, ".zshrc"), "export CI_AUTO_TOOLS=off\n");
    write(join(repo, "config/auto-tools.yaml"), "threshold: 0.2\n");
    write(join(state, "index/00/builder.lock"), "1\n");
    chmodSync(state, 0o777);
    const { code, worst, report } = await doctor({ CI_AUTO_TOOLS: "off" });
    expect([code, worst.sort()]).toEqual([
      1,
      [
        "claude: settings: fail",
        "codex: hooks allowed: fail",
        "codex: version: warn",
        "settings: shell profile: warn",
        "settings: switch: warn",
        "settings: trust: warn",
        "state folder: locks: warn",
        "state folder: private: fail",
      ],
    ]);
    const page = readFileSync(join(projectRoot, "docs/troubleshooting.md"), "utf8");
    for (const { name, status, remedy } of report.checks as Check[]) {
      if (status === "ok") continue;
      const [, section = ""] = /\(docs\/troubleshooting\.md#([a-z-]+)\)$/.exec(remedy) ?? [];
      const heading = new RegExp(`^### ${section.replaceAll("-", "[ -]").replace("clients", "client'?s")}$`, "im");
      expect([name, remedy, heading.test(page)]).toEqual([name, remedy, true]);
    }
    expect(env["HOME"]).toBe(home);
  });

  it("--fix repairs what is ours, says so, and leaves the settings of clients alone", async () => {
    const { doctor, home, write, state } = makeMachine();
    const settings = join(home, ".claude/settings.json");
    write(settings, '{ "disableAllHooks": true }\n');
    write(join(state, "index/00/builder.lock"), "1\n");
    write(join(state, "resident/place"), "/proc/nowhere/socket\nbuild\n1073741824\n1\n\n", 0o600);
    chmodSync(join(state, "resident"), 0o700);
    chmodSync(state, 0o755);
    const before = await doctor();
    expect(before.worst).toEqual([
      "state folder: private: warn",
      "state folder: locks: warn",
      "claude: hooks allowed: fail",
      "resident: process: warn",
    ]);
    const after = await doctor({}, ["--fix"]);
    expect([after.code, after.worst]).toEqual([1, ["claude: hooks allowed: fail"]]);
    expect(after.stderr.trim().split("\n")).toHaveLength(3);
    expect(after.stderr).toContain("only you can enter it now");
    expect(readFileSync(settings, "utf8")).toBe('{ "disableAllHooks": true }\n');
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect((await doctor({}, ["--fix"])).stderr).toBe("groundwork: nothing of ours to repair\n");
  });

  it("reports a damaged index and sets it aside", async () => {
    const { doctor, place, state } = makeMachine();
    expect(await run(["index"], place)).toMatchObject({ code: 0 });
    expect((await doctor()).report.checks.find(({ group }) => group === "index")?.measured).toMatch(/^\d+ files?, /);
    const [name = ""] = readdirSync(join(state, "index"));
    const file = join(state, "index", name, "index.db");
    writeFileSync(file, "garbage, and more of it than a header has".repeat(50));
    const { worst, code } = await doctor();
    expect([code, worst]).toEqual([0, ["index: index: warn"]]);
    const fixed = await doctor({}, ["--fix"]);
    expect([fixed.worst, fixed.stderr]).toEqual([[], expect.stringContaining("was moved aside")]);
    expect(readFileSync(`${file}.aside`, "utf8")).toContain("garbage");
  });

  it.skipIf(process.getuid?.() !== 0)("reports a state folder of another user, as seen by root", async () => {
    const { doctor, state } = makeMachine();
    mkdirSync(state, { recursive: true, mode: 0o700 });
    chownSync(state, 12_345, 12_345);
    const { code, worst } = await doctor();
    expect([code, worst]).toEqual([1, ["state folder: folder: fail"]]);
  });

  it("prints groups, marks and a summary for people, without colours in a pipe", async () => {
    const { place } = makeMachine();
    const { code, stdout, stderr } = await run(["doctor"], place);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Program\n {2}ok {4}version /);
    expect(stdout).toMatch(/\n\nAll is well, \d+ ok\.\n$/);
    expect(stdout).not.toContain("\u001b");
  });

  it.skipIf(spawnSync(terminal, ["--version"]).status !== 0)(
    "uses colours on a terminal, unless NO_COLOR is set",
    () => {
      const { place } = makeMachine();
      const onTerminal = (more: Record<string, string>) => {
        const command = `stty cols 80; '${groundwork}' doctor`;
        const env = { ...place.env, ...more, PATH: `${place.env["PATH"]}:/usr/bin:/bin` };
        return spawnSync(terminal, ["-qec", command, "/dev/null"], { ...place, env, encoding: "utf8" }).stdout;
      };
      expect(onTerminal({})).toMatch(/Looking: \d+ of \d+[\s\S]*\u001b\[1mProgram\u001b\[0m\r\n {2}\u001b\[32mok/);
      expect(onTerminal({ NO_COLOR: "1" })).toMatch(/\u001b\[2KProgram\r\n {2}ok /);
    },
  );

  it("explains its usage", async () => {
    const { place } = makeMachine();
    expect(await run(["doctor", "codex"], place)).toMatchObject({ code: 2, stdout: "" });
    expect((await run(["--help"], place)).stdout).toMatch(/^ {2}doctor /m);
  });
});
