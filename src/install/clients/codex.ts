import { join, resolve } from "node:path";
import { editJsonHooks } from "../edit/json-hooks.ts";
import { editTomlServer } from "../edit/toml-entries.ts";
import { type ClientInstall, promptHook } from "./client-install.ts";
import { isOurCommand } from "./our-commands.ts";

/**
 * Codex: hooks.json, and the MCP server in config.toml. Codex binds its trust to the command, which must never change.
 */
export const codex: ClientInstall = {
  locate: (named, home) => named ?? resolve(home, ".codex"),
  hookFiles: { own: ["hooks.json", "config.toml"], repository: [".codex/hooks.json", ".codex/config.toml"] },
  files: (place) => {
    const { folder, launcher } = place;
    const hooks = editJsonHooks({ hooks: [promptHook(place)], unitMs: 1_000 });
    const server = editTomlServer({
      name: "code-intelligence",
      command: launcher,
      args: ["mcp"],
      judge: (found) =>
        found === `${launcher} mcp` ? "same" : found.endsWith(" mcp") && isOurCommand(found) ? "older" : null,
    });
    return {
      entries: [
        { path: join(folder, "hooks.json"), what: "hook", editor: hooks },
        { path: join(folder, "config.toml"), what: "MCP server", editor: server },
      ],
    };
  },
};
