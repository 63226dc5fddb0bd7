import { join, resolve } from "node:path";
import { quoteShell } from "../../base/quote-shell.ts";
import { editTomlHook } from "../edit/toml-entries.ts";
import { type ClientInstall, TIMEOUT_SECONDS } from "./client-install.ts";
import { judgeCommand } from "./our-commands.ts";

/** Kimi Code: a table in config.toml. */
export const kimi: ClientInstall = {
  locate: (named, home) => named ?? resolve(home, ".kimi-code"),
  hookFiles: { own: ["config.toml"], repository: [] },
  files: ({ folder, launcher, home }) => {
    const command = quoteShell(launcher);
    const editor = editTomlHook({
      event: "UserPromptSubmit",
      command,
      timeout: TIMEOUT_SECONDS,
      judge: (found) => judgeCommand(found, command, home),
    });
    return { entries: [{ path: join(folder, "config.toml"), what: "hook", editor }] };
  },
};
