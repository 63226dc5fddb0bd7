import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { guard } from "../../lifecycle/guard.ts";
import { findMcpRefusals } from "../tools/mcp-limits.ts";
import { findOpenings, findPlainWords } from "./openings.ts";
import { MCP_REFUSALS } from "./texts.ts";

const cwd = makeFolder({ "docs/a.md": "a", "list.txt": "docs/a.md\n", "bad.txt": "docs/a.md\n/etc/passwd\n" });
const outside = makeFolder({ "secret.md": "s", "sub/secret.md": "s" });
mkdirSync(join(cwd, "inner"));
symlinkSync(outside, join(cwd, "inner/link"));
symlinkSync(join(outside, "not-yet"), join(cwd, "nowhere"));

const openingsOf = (...args: string[]) => findOpenings(args, cwd).map(({ name, opens }) => `${name} ${opens}`);
const refusalsOf = (...args: string[]) => findMcpRefusals(args, cwd, { isOurs: true });

const PROGRAMS = "programs outside of any sandbox";
const RIGHTS = "more rights than the sandbox has";
const OUTSIDE = "a path outside the working folder";

describe("[G D.6] what Codex's arguments open beyond the sandbox", () => {
  it.each([
    ["mcp_servers.x.command=sh", `mcp_servers.x.command ${PROGRAMS}`],
    ['mcp_servers={x={command="sh"}}', `mcp_servers ${PROGRAMS}`],
    ["mcp_servers.x.enabled=true", `mcp_servers.x.enabled ${PROGRAMS}`],
    ['notify=["sh","-c","id"]', `notify ${PROGRAMS}`],
    [" notify =x", `notify ${PROGRAMS}`],
    ["hooks.UserPromptSubmit=[]", `hooks.UserPromptSubmit ${PROGRAMS}`],
    ["model_providers.x.auth.command=sh", `model_providers.x.auth.command ${PROGRAMS}`],
    ["permissions.x.network.enabled=true", `permissions.x.network.enabled ${RIGHTS}`],
    ["default_permissions=x", `default_permissions ${RIGHTS}`],
    ["writable_roots=[]", `writable_roots ${RIGHTS}`],
    ['sandbox_workspace_write.writable_roots=["/"]', `sandbox_workspace_write.writable_roots ${RIGHTS}`],
    ['sandbox_workspace_write={network_access=true, writable_roots=["/"]}', `sandbox_workspace_write ${RIGHTS}`],
    ['sandbox_workspace_write={"writable_roots"=["/"]}', `sandbox_workspace_write ${RIGHTS}`],
    ["profiles.x.notify=[]", `profiles.x.notify ${PROGRAMS}`],
    ["shell_environment_policy.inherit=all", "shell_environment_policy.inherit the environment of commands"],
  ])("%s", (setting, said) => {
    for (const args of [["-c", setting], [`-c${setting}`], ["--config", setting], [`--config=${setting}`]])
      expect(openingsOf("-m", "x", ...args)).toEqual([said]);
  });

  it.each([
    "model=x",
    "model_provider=x",
    "sandbox_workspace_write.network_access=true",
    "sandbox_workspace_write={network_access=true}",
    "features.hooks_of_mine=true",
    'developer_instructions="set notify = 1 and hooks.x = 2"',
    "execution.timebox_minutes=5",
    "sandbox_mode=read-only",
    "mcp_servers.jobs.enabled=false",
  ])("nothing: %s", (setting) => {
    expect(openingsOf("-c", setting)).toEqual([]);
  });

  it.each([
    [["--add-dir", "/"], `--add-dir / ${OUTSIDE}`],
    [["--add-dir=/etc"], `--add-dir /etc ${OUTSIDE}`],
    [["-C", "/"], `-C / ${OUTSIDE}`],
    [["-C/"], `-C / ${OUTSIDE}`],
    [["--cd", ".."], `--cd .. ${OUTSIDE}`],
    [["-o", "../x"], `-o ../x ${OUTSIDE}`],
    [["--output-last-message", "/tmp/x"], `--output-last-message /tmp/x ${OUTSIDE}`],
    [["-i", "docs/a.md", "/etc/passwd"], `-i /etc/passwd ${OUTSIDE}`],
    [["--image=docs/a.md,/etc/passwd"], `--image /etc/passwd ${OUTSIDE}`],
    [["--output-schema", "inner/link/x"], `--output-schema inner/link/x ${OUTSIDE}`],
    [["-o", "nowhere"], `-o nowhere ${OUTSIDE}`],
  ])("paths: %j", (args, said) => {
    expect(openingsOf(...args)).toEqual([said]);
  });

  it("paths inside open nothing, whether they exist or not, however they are written", () => {
    const inside = ["--add-dir", "docs", "-C", cwd, "-o", join(cwd, "new/x.txt"), "-i", "a.png", "b.png"];
    expect(openingsOf(...inside)).toEqual([]);
  });

  it("finds words that belong to no option", () => {
    expect(findPlainWords(["-m", "x", "--json", "mcp", "add", "-c", "a=b", "-"])).toEqual(["mcp", "add"]);
    expect(findPlainWords(["-i", "a", "b", "--profile=x", "sandbox"])).toEqual(["sandbox"]);
  });
});

describe("[G D.6] what a client may not request", () => {
  it.each([
    [["--codex-config", "notify=x"], "notify"],
    [["--codex-arg", "-c", "--codex-arg", "hooks.x=1"], "hooks.x"],
    [["--codex-arg=--config=mcp_servers.x.command=sh"], "mcp_servers.x.command"],
    [["--task", "x", "--", "-c", "permissions.x.y=1"], "permissions.x.y"],
    [["--task", "x", "--", "--add-dir", "/"], "--add-dir /"],
    [["--", "mcp", "add", "x"], '"mcp"'],
    [["--", "--dangerously-bypass-hook-trust"], "--dangerously-bypass-hook-trust"],
    [["-f", "/etc/passwd"], "--file /etc/passwd"],
    [["-f", "docs/a.md", "/etc/passwd"], "--file /etc/passwd"],
    [["-f", "../**/*.md"], "--file ../**/*.md"],
    [["-f", "/*.md"], "--file /*.md"],
    [["-f", "inner/link/*.md"], "--file inner/link/*.md"],
    [["-f", "inner/link/secret.md"], "--file inner/link/secret.md"],
    [["-f", "@bad.txt"], "--file @bad.txt"],
    [["-f", "@/etc/passwd"], "--file @/etc/passwd"],
    [["--docs", "/etc"], "--file /etc"],
    [["--docs-dir", "/etc"], "--docs-dir /etc"],
    [["-F", "/etc/passwd"], "--file-override /etc/passwd"],
    [["--prepend-file", "/etc/passwd"], "--prepend-file /etc/passwd"],
    [["--append-file=../x"], "--append-file ../x"],
    [["--log-file", "/tmp/x.log"], "--log-file /tmp/x.log"],
    [["--log-dir", "/tmp"], "--log-dir /tmp"],
    [["--aggregate-file", "/tmp/x"], "--aggregate-file /tmp/x"],
    [["--aggregate-jsonl-file", "/tmp/x"], "--aggregate-jsonl-file /tmp/x"],
    [["--auto-commit-on-done", "--commit-hooks"], "--commit-hooks"],
  ])("%j", (args, named) => {
    const refusals = refusalsOf("--sandbox", "workspace-write", ...args);
    expect(refusals.join("\n")).toContain(`not taken by MCP: ${named}`);
  });

  it("is reported in words that pass the guard", () => {
    const args = ["--commit-hooks", "--", "-c", "projects.x=1", "-c", "notify=1", "-c", "default_permissions=x", "mcp"];
    const more = ["-c", "shell_environment_policy.x=1", "-c", "openai_base_url=x", "--ignore-rules", "-C", "/"];
    const refusals = refusalsOf(...args, ...more);
    expect(refusals).toHaveLength(9);
    const message = [...refusals, MCP_REFUSALS.hint].join("\n");
    expect(guard({ message }, { root: cwd, isExcluded: () => false }).value).toEqual({ message });
  });

  it("allows everything else, including texts that only look alike", () => {
    const args = [
      ...["--task", "--add-dir /", "-c", "notify=x", "-f", "docs/*.md", "@list.txt", "docs", "--docs-dir", "docs"],
      ...["--codex-config", "model=x", "--codex-config", "any.other_key=1", "--profile", "ci", "--log-dir", "runs"],
      ...["--aggregate-file", join(cwd, "all.txt"), "--", "-m", "x", "--json", "--skip-git-repo-check", "-C", "inner"],
    ];
    expect(refusalsOf(...args)).toEqual([]);
  });

  it("with another start program, checks the settings but not the log", () => {
    const refused = (...args: string[]) => findMcpRefusals(args, cwd, { isOurs: false });
    expect(refused("--log-file", "/tmp/x.log", "--task", "x")).toEqual([]);
    expect(refused("--unknown-here", "--add-dir", "/")).toEqual([`not taken by MCP: --add-dir / (${OUTSIDE})`]);
    expect(refused("--codex-config", "notify=x")).toEqual([`not taken by MCP: notify (${PROGRAMS})`]);
  });
});
