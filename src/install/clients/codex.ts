import { join } from "node:path";
import { editJsonHooks } from "../edit/json-hooks.ts";
import { editTomlServer } from "../edit/toml-entries.ts";
import { type ClientInstall, folderAt, launcherFile, launcherIn } from "./client-install.ts";
import { isOurCommand } from "./our-commands.ts";
import { promptHook } from "./prompt-hook.ts";

/**
 * Codex: hooks.json, and the MCP server in config.toml. Codex binds its trust to the command, which must never change.
 */
export const codex: ClientInstall = {
  locate: folderAt("codex", ".codex"),
  hookFiles: { own: ["hooks.json", "config.toml"], repository: [".codex/hooks.json", ".codex/config.toml"] },
  files: (folder, home) => {
    const launcher = launcherIn(folder);
    const hook = promptHook(launcher, home);
    const server = {
      name: "code-intelligence",
      command: launcher,
      args: ["mcp"],
      judge: (found: string) =>
        found === `${launcher} mcp` ? "same" : found.endsWith(" mcp") && isOurCommand(found) ? "older" : null,
    } as const;
    return {
      client: "codex",
      folder,
      launcher,
      own: [launcherFile("codex", launcher)],
      entries: [
        { path: join(folder, "hooks.json"), what: "hook", editor: editJsonHooks({ hooks: [hook], unitMs: 1_000 }) },
        { path: join(folder, "config.toml"), what: "MCP server", editor: editTomlServer(server) },
      ],
    };
  },
};
