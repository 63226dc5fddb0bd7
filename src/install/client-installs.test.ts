import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toSha256 } from "../base/hash.ts";
import { CLIENT_IDS, type ClientId } from "../contract/clients.ts";
import { applySteps } from "./apply.ts";
import { pluginCommands } from "./clients/claude.ts";
import { findOurEntries, locateFiles } from "./clients/find-clients.ts";
import { hasTrustRecord } from "./codex-trust.ts";
import { makeLauncher } from "./launcher.ts";
import { makeInstallPlan } from "./plan.ts";
import { proveLauncher } from "./prove.ts";
import type { InstallReport } from "./report.ts";
import type { InstallPlaces, InstallRequest } from "./request.ts";
import { runInstall } from "./run-install.ts";
import { ask, makeScratch, snapshot } from "./scratch-home.test-helper.ts";

const some = (clients: readonly ClientId[], flags: Partial<InstallRequest> = {}) =>
  ask("install", { clients, everything: false, goOn: true, ...flags });
const without = (clients: readonly ClientId[]) => ask("uninstall", { clients, everything: false, goOn: true });

async function run(request: InstallRequest, places: InstallPlaces): Promise<InstallReport> {
  const outcome = await runInstall(request, places);
  if (!outcome.ok) throw new Error(outcome.fault.message);
  return outcome.value;
}

const statesOf = ({ clients }: InstallReport) => clients.map(({ client, state }) => `${client} ${state}`);

describe("[P-2] install for several clients", () => {
  it("writes each client's own form to each client's own folder", async () => {
    const { places } = makeScratch();
    const home = { ...places, home: join(places.home, "h") };
    await run(some(CLIENT_IDS), home);
    const read = (name: string) => readFileSync(join(home.home, name), "utf8");
    const path = (name: string) => join(home.home, name);
    const quoted = (name: string) => `'${path(name).replaceAll("'", "'\\''")}'`;
    expect(JSON.parse(read(".codex/hooks.json"))).toEqual({
      hooks: {
        UserPromptSubmit: [
          { hooks: [{ type: "command", command: quoted(".codex/hooks/groundwork.sh"), timeout: 20 }] },
        ],
      },
    });
    expect(read(".codex/config.toml")).toBe(
      `[mcp_servers.code-intelligence]\ncommand = ${JSON.stringify(path(".codex/hooks/groundwork.sh"))}\nargs = ["mcp"]\n`,
    );
    const gemini = quoted(".gemini/hooks/groundwork.sh");
    expect(JSON.parse(read(".gemini/settings.json"))).toEqual({
      hooks: {
        BeforeAgent: [
          {
            hooks: [
              {
                type: "command",
                name: "groundwork",
                command: `[ -x ${gemini} ] && exec ${gemini} || true`,
                timeout: 20_000,
              },
            ],
          },
        ],
      },
    });
    expect(JSON.parse(read(".copilot/hooks/groundwork.json"))).toEqual({
      version: 1,
      hooks: {
        userPromptSubmitted: [{ type: "command", bash: quoted(".copilot/hooks/groundwork.sh"), timeoutSec: 20 }],
      },
    });
    expect(JSON.parse(read(".qwen/settings.json"))).toMatchObject({
      hooks: { UserPromptSubmit: [{ hooks: [{ command: quoted(".qwen/hooks/groundwork.sh"), timeout: 20 }] }] },
    });
    expect(read(".kimi-code/config.toml")).toBe(
      `[[hooks]]\nevent = "UserPromptSubmit"\ncommand = ${JSON.stringify(quoted(".kimi-code/hooks/groundwork.sh"))}\ntimeout = 20\n`,
    );
    expect(read(".config/opencode/plugins/groundwork.js")).toContain(
      JSON.stringify(path(".config/opencode/hooks/groundwork.sh")),
    );
    await run(ask("uninstall"), home);
    expect([existsSync(home.home), existsSync(home.stateFolder)]).toEqual([false, false]);
  });

  it("honours the clients' variables, and finds everything again without them", async () => {
    const { folder, places } = makeScratch();
    const env = Object.fromEntries(
      [
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "GEMINI_CLI_HOME",
        "COPILOT_HOME",
        "QWEN_HOME",
        "KIMI_CODE_HOME",
        "XDG_CONFIG_HOME",
      ].map((name) => [name, join(folder, "elsewhere", name)]),
    );
    const before = snapshot(folder);
    await run(some(CLIENT_IDS), { ...places, env });
    expect(snapshot(places.home)).toEqual({});
    const settings = readFileSync(join(folder, "elsewhere/CLAUDE_CONFIG_DIR/settings.json"), "utf8");
    expect(settings).toContain("elsewhere/CLAUDE_CONFIG_DIR/hooks/context-inject-global.sh");
    await run(ask("uninstall"), places);
    expect(snapshot(folder)).toEqual(before);
  });

  it("refuses a file that cannot be parsed, never rewrites it, and goes on with the others", async () => {
    const { places, write } = makeScratch();
    const broken = { ".gemini/settings.json": "{ broken", ".kimi-code/config.toml": "a = = 1\n" };
    for (const [name, text] of Object.entries(broken)) write(join(places.home, name), text);
    // A client whose folder is a file is refused, too.
    write(join(places.home, ".copilot"), "");
    const report = await run(some(["codex", "gemini", "copilot", "qwen", "kimi"]), places);
    expect(statesOf(report)).toEqual([
      "codex installed",
      "gemini refused",
      "copilot refused",
      "qwen installed",
      "kimi refused",
    ]);
    expect(report.clients[1]?.why).toMatch(/settings\.json:1: not valid JSON/);
    expect(report.summary).toBe("Groundwork is installed, except for 3 clients.");
    for (const [name, text] of Object.entries(broken)) expect(readFileSync(join(places.home, name), "utf8")).toBe(text);
    expect(existsSync(join(places.home, ".gemini/hooks"))).toBe(false);
    // The broken files contain nothing of ours, so they do not prevent a removal either.
    expect(statesOf(await run(ask("uninstall"), places))).toContain("codex removed");
    expect(existsSync(join(places.home, ".codex"))).toBe(false);
  });

  it("removes one client and leaves the others", async () => {
    const { places, later } = makeScratch();
    await run(some(["codex", "qwen", "copilot"]), places);
    const codex = snapshot(join(places.home, ".codex"));
    expect(statesOf(await run(without(["qwen", "copilot"]), later(1)))).toEqual(["qwen removed", "copilot removed"]);
    expect(Object.keys(snapshot(places.home)).filter((name) => !name.startsWith(".codex"))).toEqual([]);
    expect(snapshot(join(places.home, ".codex"))).toEqual(codex);
    expect((await run(without(["qwen"]), later(2))).written).toBe(false);
    await run(ask("uninstall"), later(3));
    expect(snapshot(places.home)).toEqual({});
  });

  it("updates entries of other versions and locations of ours, without duplicates", async () => {
    const { places, later, write } = makeScratch();
    const old = (event: string, command: string, more = "") =>
      `{"hooks":{"${event}":[{"hooks":[{"type":"command","command":${JSON.stringify(command)}${more}}]},{"hooks":[{"command":"mine"}]}]}}`;
    write(join(places.home, ".claude/settings.json"), old("UserPromptSubmit", "/old/hooks/context-inject-global.sh"));
    write(join(places.home, ".codex/hooks.json"), old("UserPromptSubmit", "groundwork", ',"args":["hook","codex"]'));
    write(join(places.home, ".gemini/settings.json"), old("BeforeAgent", "groundwork hook gemini", ',"timeout":1'));
    write(
      join(places.home, ".copilot/hooks/groundwork.json"),
      '{"hooks":{"userPromptSubmitted":[{"bash":"groundwork hook copilot"}]}}',
    );
    write(join(places.home, ".config/opencode/plugins/groundwork.js"), "// groundwork-plugin: older\n");
    const clients = ["claude", "codex", "gemini", "copilot", "opencode"] as const;
    await run(some(clients), places);
    for (const client of clients) {
      for (const { entries } of findOurEntries(locateFiles(client, places.home, {})))
        expect(entries).toMatchObject({ ok: true, value: [{ isCurrent: true }] });
    }
    expect(readFileSync(join(places.home, ".codex/hooks.json"), "utf8")).not.toContain("args");
    expect((await run(some(clients), later(5))).written).toBe(false);
    await run(ask("uninstall"), later(9));
    expect(readFileSync(join(places.home, ".claude/settings.json"), "utf8")).toBe(
      '{"hooks":{"UserPromptSubmit":[{"hooks":[{"command":"mine"}]}]}}',
    );
    expect(existsSync(join(places.home, ".copilot/hooks/groundwork.json"))).toBe(false);
  });

  it("restores foreign files that had our names", async () => {
    const { places, later, write } = makeScratch();
    write(join(places.home, ".copilot/hooks/groundwork.json"), '{"hooks":{"userPromptSubmitted":[{"bash":"mine"}]}}');
    write(join(places.home, ".config/opencode/plugins/groundwork.js"), "export const Mine = 1;\n");
    write(join(places.home, ".codex/hooks/groundwork.sh"), "#!/bin/sh\necho mine\n", 0o755);
    const before = snapshot(places.home);
    await run(some(["copilot", "opencode", "codex"]), places);
    await run(ask("uninstall"), later(5));
    expect(snapshot(places.home)).toEqual(before);
  });

  it.each([
    { name: "the second hook's", prompts: ',"timeout":20', tasks: ',"timeout":5000' },
    { name: "both", prompts: ',"timeout":7', tasks: "" },
  ])("gives foreign hooks their own time limits back after an edit: $name", async ({ prompts, tasks }) => {
    const { places, later, write, settings, hook } = makeScratch();
    const handler = (timeout: string) =>
      `[{"hooks":[{"command":"~/.claude/hooks/context-inject-global.sh"${timeout}}]}]`;
    const text = `{"hooks":{"UserPromptSubmit":${handler(prompts)},"PreToolUse":${handler(tasks)}}}`;
    write(settings, text);
    write(hook, "#!/bin/sh\necho mine\n", 0o755);
    await run(some(["claude"]), places);
    const installed = readFileSync(settings, "utf8");
    expect(installed.match(/"timeout":20/g)).toHaveLength(2);
    writeFileSync(settings, installed.replace("{", '{"edited":1,'));
    await run(ask("uninstall"), later(5));
    expect(readFileSync(settings, "utf8")).toBe(text.replace("{", '{"edited":1,'));
  });

  it.each(["timeout = 5 # mine\n", "timeout = 1_000\n", ""])(
    "gives a foreign hook in TOML its own time limit back after an edit: %j",
    async (timeout) => {
      const { places, later, write } = makeScratch();
      const path = join(places.home, ".kimi-code/config.toml");
      const launcher = join(places.home, ".kimi-code/hooks/groundwork.sh");
      const command = `'${launcher.replaceAll("'", "'\\''")}'`;
      const text = `[[hooks]]\nevent = "UserPromptSubmit"\ncommand = ${JSON.stringify(command)}\n${timeout}`;
      write(path, text);
      write(launcher, "#!/bin/sh\necho mine\n", 0o755);
      await run(some(["kimi"]), places);
      expect(readFileSync(path, "utf8")).toContain("timeout = 20");
      writeFileSync(path, `${readFileSync(path, "utf8")}\n[mine]\n`);
      await run(ask("uninstall"), later(5));
      expect(readFileSync(path, "utf8")).toBe(`${text}\n[mine]\n`);
    },
  );

  it("[P-5] adds the switch for sub-agents only when asked, keeps it, and removes it", async () => {
    const { places, later, settings } = makeScratch();
    const events = () => Object.keys(JSON.parse(readFileSync(settings, "utf8")).hooks);
    await run(some(["claude"]), places);
    expect(events()).toEqual(["UserPromptSubmit"]);
    await run(some(["claude"], { subAgents: true }), later(1));
    expect(JSON.parse(readFileSync(settings, "utf8")).hooks.PreToolUse).toEqual([
      {
        matcher: "Agent|Task",
        hooks: [{ type: "command", command: "~/.claude/hooks/context-inject-global.sh", timeout: 20 }],
      },
    ]);
    expect((await run(some(["claude"]), later(2))).written).toBe(false);
    expect(events()).toEqual(["UserPromptSubmit", "PreToolUse"]);
    await run(ask("uninstall"), later(3));
    expect(snapshot(places.home)).toEqual({});
  });

  it("reports later edits of the user, and removes exactly our entries", async () => {
    const { places, later, write } = makeScratch();
    const path = join(places.home, ".kimi-code/config.toml");
    write(path, 'model = "x" # mine\n');
    await run(some(["kimi"]), places);
    writeFileSync(path, `${readFileSync(path, "utf8")}\n[[hooks]]\nevent = "Stop"\ncommand = "mine"\n`);
    const report = await run(ask("uninstall"), later(5));
    expect(readFileSync(path, "utf8")).toBe('model = "x" # mine\n\n[[hooks]]\nevent = "Stop"\ncommand = "mine"\n');
    expect(report.notes.join()).toContain("was edited since the installation");
  });
});

describe("[P-2] a client that writes its settings at the same moment", () => {
  it("loses nothing: the installer plans again", async () => {
    const { places, settings, write } = makeScratch();
    write(settings, '{"a":1}');
    const plan = makeInstallPlan(some(["claude"]), places);
    if (!plan.ok) throw new Error(plan.fault.message);
    // Replaced by a rename, as clients do, between our read and our rename.
    const steps = plan.value.steps.flatMap((step) => (step.kind === "write" && step.path === settings ? [step] : []));
    write(`${settings}.new`, '{"a":2}');
    renameSync(`${settings}.new`, settings);
    expect(applySteps(steps)).toMatchObject({ ok: false, fault: { detail: "changed" } });
    expect(readFileSync(settings, "utf8")).toBe('{"a":2}');
    expect(Object.keys(snapshot(places.home)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    await run(some(["claude"]), places);
    expect(readFileSync(settings, "utf8")).toMatch(/^\{"a":2,"hooks"/);
  });
});

describe("[P-2] a receipt with one time limit for all hooks", () => {
  it("is understood as that of the prompt hook", async () => {
    const { places, later, write, settings, hook, receipt } = makeScratch();
    const command = '{"hooks":[{"command":"~/.claude/hooks/context-inject-global.sh","timeout":5000}]}';
    const text = `{"hooks":{"UserPromptSubmit":[${command}]}}`;
    write(settings, text);
    write(hook, "#!/bin/sh\necho mine\n", 0o755);
    await run(some(["claude"]), places);
    const now = readFileSync(receipt, "utf8");
    const old = now.replace(/"timeout_before": \{\s*"UserPromptSubmit": ("5000")\s*\}/, '"timeout_before": $1');
    expect(old).not.toBe(now);
    writeFileSync(receipt, old);
    writeFileSync(settings, readFileSync(settings, "utf8").replace("{", '{"edited":1,'));
    await run(ask("uninstall"), later(5));
    expect(readFileSync(settings, "utf8")).toBe(text.replace("{", '{"edited":1,'));
  });
});

describe("[P-2] a receipt of version 1", () => {
  it("is understood, and what it lists is restored", async () => {
    const { places, later, write, settings, hook, receipt, folder } = makeScratch();
    write(settings, '{ "model": "x" }\n');
    const before = snapshot(folder);
    await run(ask("install"), places);
    const now: { files: { client: string }[]; entries: { client: string; made: string[] }[] } = JSON.parse(
      readFileSync(receipt, "utf8"),
    );
    const [file, entry] = [now.files[0], now.entries[0]].map((record) => ({ ...record, client: undefined }));
    const made = { file: false, hooks: true, event: true };
    const old = { version: 1, hook: file, settings: { ...entry, made }, wrapper: null, folders: [join(hook, "..")] };
    writeFileSync(receipt, JSON.stringify(old));
    expect((await run(ask("install"), later(1))).items.map(({ action }) => action)).toEqual(["update", "keep", "keep"]);
    expect(JSON.parse(readFileSync(receipt, "utf8"))).toEqual({ ...now, folders: [join(hook, "..")] });
    writeFileSync(receipt, JSON.stringify(old));
    await run(ask("uninstall"), later(2));
    // Version 1 did not list the state folder.
    expect(snapshot(folder)).toEqual({ ...before, "state/": "" });
  });
});

describe("[P-2] launchers", () => {
  it.each(CLIENT_IDS)(
    "%s: hands over with the node that installed it, and stays silent where the program is gone",
    (client) => {
      const { folder, write } = makeScratch();
      const root = join(folder, "pro gram");
      const launcher = join(folder, "launcher.sh");
      write(launcher, makeLauncher(client, { root, node: "/opt/no de/node" }), 0o755);
      const call = (env: Record<string, string> = {}, args: string[] = []) => {
        const { stdout, status } = spawnSync(launcher, args, {
          input: "{}",
          encoding: "utf8",
          env: { PATH: "/usr/bin:/bin", ...env },
        });
        return [stdout, status];
      };
      const [nothing, code] = call();
      expect(code).toBe(0);
      if (client === "claude" || client === "codex")
        expect(JSON.parse(String(nothing))).toMatchObject({ hookSpecificOutput: { additionalContext: "" } });
      else expect(nothing).toBe("");
      const door = client === "claude" ? "hooks/context-inject-global.sh" : "bin/groundwork";
      write(join(root, door), '#!/bin/sh\necho "$GROUNDWORK_NODE:$*"\n', 0o755);
      const wanted = client === "claude" ? "" : `hook ${client}`;
      expect(call()).toEqual([`/opt/no de/node:${wanted}\n`, 0]);
      expect(call({ GROUNDWORK_NODE: "/mine" })).toEqual([`/mine:${wanted}\n`, 0]);
      if (client === "codex") expect(call({}, ["mcp"])).toEqual(["/opt/no de/node:mcp\n", 0]);
    },
  );

  it("[P-4] do not pretend to be an MCP server if the program is gone", () => {
    const { folder, write } = makeScratch();
    write(join(folder, "l.sh"), makeLauncher("codex", { root: join(folder, "gone"), node: "/n" }), 0o755);
    const { stdout, status } = spawnSync(join(folder, "l.sh"), ["mcp"], { encoding: "utf8" });
    expect([stdout, status]).toEqual(["", 1]);
  });

  it("are asked a question, and a bad answer is reported", async () => {
    const { folder, write } = makeScratch();
    write(join(folder, "hooks", "door.sh"), "");
    const prove = (client: ClientId, script: string | null) => {
      const files = locateFiles(client, folder, {});
      rmSync(files.launcher, { force: true });
      if (script !== null) write(files.launcher, `#!/bin/sh\n${script}\n`, 0o755);
      return proveLauncher(files, { projectRoot: folder, env: { PATH: "/usr/bin:/bin" }, nowMs: () => 0 });
    };
    const nested = (event: string) =>
      `cat >/dev/null; echo '{"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":"abc"}}'`;
    expect(await prove("codex", nested("UserPromptSubmit"))).toEqual({
      ok: true,
      tookMs: 0,
      says: "in 0 ms: 3 characters of evidence",
    });
    expect(await prove("gemini", nested("UserPromptSubmit"))).toMatchObject({ ok: false });
    expect(await prove("kimi", "cat >/dev/null")).toMatchObject({ ok: true, says: "in 0 ms: nothing to add here" });
    expect(await prove("kimi", "cat")).toMatchObject({ ok: false });
    expect(await prove("kimi", `echo '{"message":"ab"}'`)).toMatchObject({ ok: true });
    expect(await prove("copilot", "echo '{}'")).toMatchObject({ ok: true });
    expect(await prove("copilot", "echo hello")).toMatchObject({
      ok: false,
      says: expect.stringContaining("does not read"),
    });
    expect(await prove("qwen", "exit 3")).toMatchObject({ ok: false, says: "it ended with 3 after 0 ms" });
    expect(await prove("qwen", null)).toMatchObject({
      ok: false,
      says: expect.stringContaining("could not be started"),
    });
  });
});

describe("[P-3] Claude Code's plugin", () => {
  it("is offered as the client's own two commands if this installation includes it", () => {
    const { folder, write } = makeScratch();
    expect(pluginCommands(folder)).toBeNull();
    const file = join(folder, ".claude-plugin/marketplace.json");
    write(file, '{"name":"market","plugins":[{"name":"gw"}]}');
    expect(pluginCommands(folder)).toEqual([
      `claude plugin marketplace add '${folder.replaceAll("'", "'\\''")}'`,
      "claude plugin install gw@market",
    ]);
    for (const text of ["{", "[]", '{"plugins":{}}', '{"plugins":[1]}']) {
      write(file, text);
      expect(pluginCommands(folder)).toBeNull();
    }
  });
});

describe("[P-4] Codex's trust", () => {
  it("is read from Codex's own record, for the position of our hook", async () => {
    const { places, write } = makeScratch();
    const hooks = join(places.home, ".codex/hooks.json");
    write(hooks, '{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"mine"}]}]}}');
    await run(some(["codex"]), places);
    const files = locateFiles("codex", places.home, {});
    const config = join(places.home, ".codex/config.toml");
    const trust = (position: string) =>
      `${readFileSync(config, "utf8")}\n[hooks.state.${JSON.stringify(`${hooks}:user_prompt_submit:${position}`)}]\ntrusted_hash = "sha256:x"\n`;
    expect(hasTrustRecord(files)).toBe(false);
    writeFileSync(config, trust("0:0"));
    expect(hasTrustRecord(files)).toBe(false);
    writeFileSync(config, trust("1:0"));
    expect(hasTrustRecord(files)).toBe(true);
  });

  it("is not lost by an update: the command stays the same wherever the program goes", async () => {
    const { folder, places, later, write } = makeScratch();
    await run(some(["codex"]), places);
    const read = () => toSha256(readFileSync(join(places.home, ".codex/hooks.json")));
    const before = read();
    write(join(folder, "moved/bin/groundwork"), "#!/bin/sh\n", 0o755);
    await run(some(["codex"]), { ...later(5), projectRoot: join(folder, "moved"), node: "/other/node" });
    expect(read()).toBe(before);
  });
});
