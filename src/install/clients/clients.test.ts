import { describe, expect, it } from "vitest";
import type { Environment } from "../../base/environment.ts";
import { CLIENT_IDS } from "../../contract/clients.ts";
import { makeScratch } from "../scratch-home.test-helper.ts";
import { findClients, findOurEntries, locateFiles, locateFolder } from "./find-clients.ts";
import { isOurCommand, judgeCommand } from "./our-commands.ts";

const HOME = "/home/u";

describe("[P-2] where each client's files are", () => {
  it.each([
    ["claude", ".claude", { CLAUDE_CONFIG_DIR: "/x" }, "/x"],
    ["codex", ".codex", { CODEX_HOME: "~/x" }, "/home/u/x"],
    ["gemini", ".gemini", { GEMINI_CLI_HOME: "/x" }, "/x/.gemini"],
    ["copilot", ".copilot", { COPILOT_HOME: "/x" }, "/x"],
    ["qwen", ".qwen", { QWEN_HOME: "/x/../y" }, "/y"],
    ["kimi", ".kimi-code", { KIMI_CODE_HOME: "/x" }, "/x"],
    ["opencode", ".config/opencode", { XDG_CONFIG_HOME: "/x" }, "/x/opencode"],
  ] as const)("%s: ~/%s, or where its variable says", (client, usual, env, other) => {
    const locate = (given: Environment) => locateFolder(client, HOME, given);
    expect(locate({})).toBe(`${HOME}/${usual}`);
    expect(locate(env)).toBe(other);
    // Relative to the folder in which the client happens to be started, which cannot be intended.
    for (const value of ["", "x", "./x"])
      expect(locate(Object.fromEntries(Object.keys(env).map((name) => [name, value])))).toBe(`${HOME}/${usual}`);
  });

  it("finds clients by their program or their folder", () => {
    const { folder, places, write } = makeScratch();
    write(`${folder}/bin/kimi`, "", 0o755);
    write(`${places.home}/.gemini/settings.json`, "{}");
    const found = findClients(places.home, { PATH: `${folder}/bin` });
    expect(found.map(({ client }) => client)).toEqual(CLIENT_IDS);
    expect(found.filter(({ program, hasFolder }) => program !== null || hasFolder)).toMatchObject([
      { client: "gemini", program: null, hasFolder: true },
      { client: "kimi", program: `${folder}/bin/kimi`, hasFolder: false },
    ]);
  });

  it("finds our entries, also of older versions, with their time limits", () => {
    const { places, write } = makeScratch();
    const files = (client: (typeof CLIENT_IDS)[number]) => locateFiles(client, places.home, {});
    write(
      `${places.home}/.gemini/settings.json`,
      '{"hooks":{"BeforeAgent":[{"hooks":[{"command":"groundwork hook gemini","timeout":9000}]}]}}',
    );
    write(
      `${places.home}/.kimi-code/config.toml`,
      `[[hooks]]\nevent = "UserPromptSubmit"\ncommand = '${files("kimi").launcher.replaceAll("'", "")}'\ntimeout = 20\n`,
    );
    write(`${places.home}/.qwen/settings.json`, "{");
    expect(findOurEntries(files("gemini"))).toMatchObject([
      { entries: { value: [{ command: "groundwork hook gemini", timeoutMs: 9_000, isCurrent: false }] } },
    ]);
    expect(findOurEntries(files("kimi"))).toMatchObject([
      { entries: { value: [{ event: "UserPromptSubmit", timeoutMs: 20_000 }] } },
    ]);
    expect(findOurEntries(files("codex"))).toMatchObject([{ entries: { value: [] } }, { entries: { value: [] } }]);
    expect(findOurEntries(files("qwen"))).toMatchObject([{ entries: { ok: false } }]);
  });
});

describe("[P-2] recognises our commands in any spelling", () => {
  it.each([
    "~/.claude/hooks/context-inject-global.sh",
    'bash "$HOME/old clone/hooks/context-inject-global.sh"',
    "/opt/code-intelligence/hooks/augment-context-global.sh",
    "groundwork hook claude",
    "/usr/local/bin/groundwork hook codex",
    "npx -y groundwork-context@0.2.0 hook gemini",
    "command -v groundwork >/dev/null 2>&1 && groundwork hook gemini || true",
    "[ -x '/home/u/it'\\''s/.gemini/hooks/groundwork.sh' ] && '/home/u/it'\\''s/.gemini/hooks/groundwork.sh' || true",
    "[ -x /home/u/.gemini/hooks/groundwork.sh ] && exec /home/u/.gemini/hooks/groundwork.sh || true",
    "/home/u/.codex/hooks/groundwork.sh",
  ])("%s", (command) => expect(isOurCommand(command)).toBe(true));

  it.each([
    "x ~/.claude/hooks/context-inject-global.sh",
    "~/.claude/hooks/other.sh",
    "groundwork build",
    "my-groundwork hook claude",
    "echo groundwork hook claude",
    "~/.claude/hooks/context-inject-global.sh.bak",
  ])("but not %s", (command) => expect(isOurCommand(command)).toBe(false));

  it("distinguishes commands that run the same file from others", () => {
    const ours = "/home/u/.codex/hooks/groundwork.sh";
    expect(judgeCommand(ours, ours, HOME)).toBe("same");
    expect(judgeCommand("sh ~/.codex/hooks/groundwork.sh", ours, HOME)).toBe("same");
    expect(judgeCommand("/old/.codex/hooks/groundwork.sh", ours, HOME)).toBe("older");
    expect(judgeCommand("true", ours, HOME)).toBeNull();
    // For Gemini the path alone is not enough: the command must not fail if the file is missing.
    const guarded = `[ -x ${ours} ] && exec ${ours} || true`;
    expect(judgeCommand(ours, guarded, HOME)).toBe("older");
  });
});
