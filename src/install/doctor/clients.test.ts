import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { quoteShell } from "../../base/quote-shell.ts";
import { CLIENT_IDS, CLIENTS, type ClientId } from "../../contract/clients.ts";
import { locateFiles } from "../clients/find-clients.ts";
import { snapshot } from "../scratch-home.test-helper.ts";
import { clientExaminations } from "./clients.ts";
import { examine } from "./examine.ts";
import { installHooks, makeWorld } from "./world.test-helper.ts";
import type { World } from "./world.ts";

const PAGE = "docs/troubleshooting.md#";
/** Versions as printed by the real programs. */
const VERSIONS: Readonly<Record<ClientId, string>> = {
  claude: "2.1.325 (Claude Code)",
  codex: "codex-cli 0.166.0",
  gemini: "0.61.0",
  copilot: "GitHub Copilot CLI 1.0.102.",
  qwen: "0.24.4",
  kimi: "kimi, version 2.1.0",
  opencode: "1.18.33",
};

/** Adds the record that Codex keeps for a hook that its user trusts. */
function recordTrust(folder: string): void {
  const key = JSON.stringify(`${join(folder, "hooks.json")}:user_prompt_submit:0:0`);
  appendFileSync(join(folder, "config.toml"), `\n[hooks.state.${key}]\ntrusted_hash = "sha256:00"\n`);
}

/** A machine with clients that only answer `--version`, and our hook in each of them as the installer writes it. */
function makeMachine(clients: readonly ClientId[]) {
  const made = makeWorld();
  const { world, home, write, addProgram } = made;
  for (const client of clients) {
    addProgram(CLIENTS[client].program, `[ "$1" = --version ] && echo '${VERSIONS[client]}'`);
  }
  installHooks(clients, home, world.env);
  if (clients.includes("codex")) recordTrust(join(home, ".codex"));
  const filesOf = (client: ClientId) => locateFiles(client, home, world.env);
  const settingsOf = (client: ClientId) => filesOf(client).entries[0]?.path ?? "";
  /** Changes a settings file as a user would by hand. */
  const edit = (path: string, from: string | RegExp, to: string) => {
    const text = readFileSync(path, "utf8");
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    write(path, changed);
  };
  return { ...made, filesOf, settingsOf, edit };
}

async function look(world: World, client: ClientId) {
  const own = clientExaminations(world).filter(({ group }) => group === client);
  const checks = await examine(own, () => {});
  const worst = checks.filter(({ status }) => status !== "ok");
  return { checks, worst: worst.map(({ name, status }) => `${name}: ${status}`), byName: toMap(checks) };
}

const toMap = <T extends { name: string }>(checks: readonly T[]) =>
  Object.fromEntries(checks.map((check) => [check.name, check]));

describe("[P-6] clients", () => {
  it("[P-5] every client with our hook is fine, and its hook gives evidence in its own form", async () => {
    const { world, folder } = makeMachine(CLIENT_IDS);
    const before = snapshot(folder);
    for (const client of CLIENT_IDS) {
      const { checks, worst, byName } = await look(world, client);
      expect([client, worst]).toEqual([client, []]);
      expect([client, checks.map(({ name }) => name).slice(0, 7)]).toEqual([
        client,
        ["program", "version", "settings", "hook", "time-out", "not doubled", "answer"],
      ]);
      expect([client, byName["answer"]?.measured]).toEqual([client, expect.stringMatching(/ s, \d{3,4} /)]);
    }
    expect(snapshot(folder)).toEqual(before);
  });

  it("a missing client, or one without our hook, is not a fault", async () => {
    const { world, addProgram, write, home } = makeWorld();
    for (const client of CLIENT_IDS) {
      const { checks } = await look(world, client);
      expect(checks).toMatchObject([{ name: "program", status: "ok", measured: "not on the PATH" }]);
    }
    addProgram("claude", "echo 2.1.325");
    write(join(home, ".claude/settings.json"), '{ "model": "x" } // mine');
    const { worst, byName } = await look(world, "claude");
    expect([worst, byName["hook"]?.measured]).toEqual([[], "not installed"]);
  });

  it("fault: the hook's path no longer exists", async () => {
    const { world, filesOf } = makeMachine(CLIENT_IDS);
    for (const client of CLIENT_IDS) {
      rmSync(filesOf(client).launcher);
      const { worst, byName } = await look(world, client);
      expect([client, worst]).toEqual([client, ["hook: fail"]]);
      expect(byName["hook"]?.measured).toBe(`${filesOf(client).launcher} is gone`);
      expect(byName["hook"]?.remedy).toContain(`${PAGE}the-hook-leads-nowhere`);
    }
  });

  it("fault: the program behind the hook is gone; --fix points the launcher to this installation", async () => {
    const { world, filesOf, write } = makeMachine(["codex", "claude"]);
    for (const client of ["codex", "claude"] as const) {
      const { launcher, own } = filesOf(client);
      write(launcher, own[0]?.make({ root: "/nowhere/it's here", node: "/nowhere/node" }) ?? "", 0o755);
      const { worst, byName } = await look(world, client);
      expect([client, worst]).toEqual([client, ["hook: fail"]]);
      expect(byName["hook"]?.measured).toMatch(/points to \/nowhere\/it's here\/.*, which does not exist$/);
      expect(byName["hook"]?.mend?.()).toBe(`${launcher} leads to this installation now`);
      expect((await look(world, client)).worst).toEqual([]);
    }
  });

  it("fault: the hook is not executable, or is another program, which is not started", async () => {
    const { world, folder, filesOf, write } = makeMachine(["qwen"]);
    const { launcher } = filesOf("qwen");
    chmodSync(launcher, 0o644);
    expect((await look(world, "qwen")).byName["hook"]).toMatchObject({ status: "fail" });
    write(launcher, `#!/bin/sh\ntouch '${folder}/started'\n`, 0o755);
    const { worst } = await look(world, "qwen");
    expect([worst, Object.keys(snapshot(folder)).includes("started")]).toEqual([["hook: warn"], false]);
  });

  it.each<[ClientId, string, RegExp]>([
    ["claude", '"timeout": 2', /"timeout": 20/],
    ["gemini", '"timeout": 1500', /"timeout": 20000/],
    ["copilot", '"timeoutSec": 3', /"timeoutSec": 20/],
    ["kimi", "timeout = 2", /timeout = 20/],
    ["opencode", "LIMIT_MS = 2_900", /LIMIT_MS = 20_000/],
  ])("fault: the time-out of %s is shorter than the budget: %s", async (client, to, from) => {
    const { world, filesOf, settingsOf, edit } = makeMachine([client]);
    edit(settingsOf(client) || (filesOf(client).own[1]?.path ?? ""), from, to);
    const { worst, byName } = await look({ ...world, budgetMs: 5_000 }, client);
    expect(worst).toContain("time-out: fail");
    expect(byName["time-out"]?.remedy).toContain(`${PAGE}the-hook-is-cut-off`);
  });

  it("a budget raised above the time-out is the same fault", async () => {
    const { world } = makeMachine(["claude"]);
    const { byName } = await look({ ...world, budgetMs: 19_000 }, "claude");
    expect(byName["time-out"]).toMatchObject({ status: "warn", measured: "20.0 s" });
    expect((await look({ ...world, budgetMs: 30_000 }, "claude")).byName["time-out"]?.status).toBe("fail");
  });

  it("fault: the hook is installed twice: settings and plugin, two files, twice in one file", async () => {
    const { world, home, settingsOf, edit } = makeMachine(["claude", "codex"]);
    edit(settingsOf("claude"), "{", '{ "enabledPlugins": { "groundwork@groundwork": true },');
    const { worst, byName } = await look(world, "claude");
    expect([worst, byName["not doubled"]?.measured]).toEqual([
      ["not doubled: warn"],
      expect.stringMatching(/^2 times: .*plugin/),
    ]);
    expect(byName["not doubled"]?.remedy).toContain(`${PAGE}the-hook-is-there-twice`);
    edit(settingsOf("claude"), "true", "false");
    expect((await look(world, "claude")).worst).toEqual([]);
    edit(settingsOf("claude"), '"hooks": [', '"hooks": [{ "type": "command", "command": "groundwork hook claude" },');
    expect((await look(world, "claude")).worst).toEqual(["not doubled: warn"]);
    const toml =
      '[[hooks.UserPromptSubmit]]\n[[hooks.UserPromptSubmit.hooks]]\ntype = "command"\ncommand = "groundwork hook codex"\n';
    edit(join(home, ".codex/config.toml"), /^/, `${toml}\n`);
    expect((await look(world, "codex")).worst).toEqual(["not doubled: warn"]);
  });

  it("the same command in the user's and the project's settings runs once", async () => {
    const { world, settingsOf, write } = makeMachine(["claude"]);
    write(join(world.folder, ".claude/settings.json"), readFileSync(settingsOf("claude"), "utf8"));
    expect((await look(world, "claude")).worst).toEqual([]);
  });

  it.each<[ClientId, string]>([
    ["claude", "1.0.40 (Claude Code)"],
    ["codex", "codex-cli 0.99.0"],
    ["gemini", "0.8.1"],
  ])("fault: %s is too old: %s", async (client, version) => {
    const { world, addProgram, filesOf } = makeMachine([client]);
    addProgram(CLIENTS[client].program, `echo '${version}'`);
    const { worst, byName } = await look(world, client);
    expect(worst).toEqual(["version: fail"]);
    expect(byName["version"]).toMatchObject({ expected: `${CLIENTS[client].since} or newer` });
    expect(byName["version"]?.remedy).toContain(`${PAGE}the-client-is-too-old`);
    // Without a hook of ours nothing is broken yet.
    rmSync(filesOf(client).folder, { recursive: true });
    expect((await look(world, client)).worst).toEqual(["version: warn"]);
  });

  it("fault: a client that never answers", async () => {
    const { world, addProgram } = makeMachine(["claude"]);
    addProgram("claude", "exec /bin/sleep 300");
    const { worst, byName } = await look(world, "claude");
    expect([worst, byName["version"]?.measured]).toEqual([["version: warn"], "no answer to --version within 5.0 s"]);
    expect(byName["version"]?.remedy).toContain(`${PAGE}the-client-does-not-answer`);
  });

  it.each<[ClientId, string]>([
    ["claude", "{ broken"],
    ["codex", '{ "hooks": [] '],
    ["gemini", "[]"],
    ["kimi", "[[hooks"],
  ])("fault: settings of %s that cannot be parsed", async (client, text) => {
    const { world, settingsOf, write } = makeMachine([client]);
    write(settingsOf(client), text);
    const { worst, byName } = await look(world, client);
    expect(worst).toEqual(["settings: fail"]);
    expect(byName["settings"]?.measured).toContain(settingsOf(client));
    expect(byName["settings"]?.measured).not.toContain("nothing was changed");
    expect(byName["settings"]?.remedy).toContain(`${PAGE}the-clients-settings-cannot-be-read`);
  });

  it("fault: a pipe instead of each client's settings; nothing blocks on it", async () => {
    const { world, filesOf, bin } = makeMachine(CLIENT_IDS);
    rmSync(bin, { recursive: true });
    for (const client of CLIENT_IDS) {
      const { entries, own } = filesOf(client);
      const path = entries[0]?.path ?? own[1]?.path ?? "";
      rmSync(path);
      execFileSync("mkfifo", [path]);
      expect([client, (await look(world, client)).worst]).toEqual([client, ["settings: fail"]]);
    }
  });

  it("fault: a broken settings file of the project", async () => {
    const { world, write } = makeMachine(["claude"]);
    write(join(world.folder, ".claude/settings.local.json"), "{");
    expect((await look(world, "claude")).worst).toEqual(["settings: fail"]);
  });

  it.each<[ClientId, string, string]>([
    ["claude", "settings.json", '{ "disableAllHooks": true,'],
    ["gemini", "settings.json", '{ "hooksConfig": { "enabled": false },'],
  ])("fault: %s runs no hooks", async (client, _file, start) => {
    const { world, settingsOf, edit } = makeMachine([client]);
    edit(settingsOf(client), "{", start);
    const { worst, byName } = await look(world, client);
    expect(worst).toEqual(["hooks allowed: fail"]);
    expect(byName["hooks allowed"]?.remedy).toContain(`${PAGE}the-client-runs-no-hooks`);
  });

  it.each(["hooks", "codex_hooks"])("fault: the feature %s of Codex is switched off", async (feature) => {
    const { world, home, write } = makeMachine(["codex"]);
    const path = join(home, ".codex/config.toml");
    write(path, `${readFileSync(path, "utf8")}\n[features]\n${feature} = false\n`);
    const { worst, byName } = await look(world, "codex");
    expect(worst).toEqual(["hooks allowed: fail"]);
    expect(byName["hooks allowed"]?.measured).toBe(`${path}: features.${feature} is false`);
  });

  it.each<[string, string, boolean, string]>([
    ["not trusted", "untrusted", true, "warn"],
    ["changed since it was trusted", "modified", true, "warn"],
    ["switched off", "trusted", false, "warn"],
    ["trusted", "trusted", true, "ok"],
  ])("fault: the hook in Codex is %s", async (_what, trustStatus, enabled, status) => {
    const { world, folder, addProgram, filesOf, write } = makeMachine(["codex"]);
    const command = quoteShell(filesOf("codex").launcher);
    const hook = { eventName: "userPromptSubmit", command, enabled, trustStatus };
    const data = [{ hooks: [{ eventName: "stop" }, hook], warnings: [], errors: [] }];
    write(join(folder, "listed"), `${JSON.stringify({ id: 2, result: { data } })}\n`);
    addProgram(
      "codex",
      `[ "$1" = --version ] && { echo 'codex-cli 0.166.0'; exit; }
read a; echo '{"id":1,"result":{}}'; read b; read c; /bin/cat "\${0%/bin/*}/listed"; exec /bin/sleep 300`,
    );
    const { byName, worst } = await look(world, "codex");
    expect(byName["trusted"]).toMatchObject({ status, measured: expect.stringContaining(trustStatus) });
    expect(worst).toEqual(status === "ok" ? [] : ["trusted: warn"]);
    if (status !== "ok") expect(byName["trusted"]?.remedy).toContain(`${PAGE}the-hook-is-not-trusted`);
  });

  it("if Codex answers only --version, or its app-server hangs, its trust records decide", async () => {
    const { world, addProgram, home, edit } = makeMachine(["codex"]);
    expect((await look(world, "codex")).byName["trusted"]).toMatchObject({
      status: "ok",
      measured: "on record (codex app-server: it ended)",
    });
    edit(join(home, ".codex/config.toml"), "trusted_hash", "other");
    addProgram("codex", `[ "$1" = --version ] && { echo 0.166.0; exit; }\nexec /bin/sleep 300`);
    const { worst, byName } = await look(world, "codex");
    expect(worst).toEqual(["trusted: warn"]);
    expect(byName["trusted"]?.measured).toBe("not on record (codex app-server: no answer within 6 s)");
  });

  it.each<[string, string, string]>([
    ["hangs", "exec /bin/sleep 300", "no answer within"],
    ["fails", "exit 2", "it printed nothing"],
    ["prints a log line first", "echo hello; echo '{}'", "its output is not JSON"],
  ])("fault: a hook that %s", async (_what, body, measured) => {
    const { world, folder, filesOf, write } = makeMachine(["qwen"]);
    const other = join(folder, "other");
    write(join(other, "bin/groundwork"), `#!/bin/sh\n${body}\n`, 0o755);
    write(filesOf("qwen").launcher, filesOf("qwen").own[0]?.make({ root: other, node: "/x" }) ?? "", 0o755);
    const { worst, byName } = await look({ ...world, budgetMs: 500 }, "qwen");
    expect(worst).toEqual(["hook: warn", "answer: fail"]);
    expect(byName["answer"]?.measured).toContain(measured);
    expect(byName["answer"]?.remedy).toContain(`${PAGE}the-hook-does-not-answer`);
  });

  it("finds folders named by the clients' own variables, with spaces and Chinese characters", async () => {
    const { world, home, addProgram } = makeWorld();
    const env = { ...world.env, CODEX_HOME: join(home, "我的 文件", ".codex") };
    const files = locateFiles("codex", home, env);
    addProgram("codex", "echo codex-cli 0.166.0");
    installHooks(["codex"], home, env);
    recordTrust(files.folder);
    const { worst, byName } = await look({ ...world, env }, "codex");
    expect([worst, byName["hook"]?.measured]).toEqual([[], files.launcher]);
  });
});
