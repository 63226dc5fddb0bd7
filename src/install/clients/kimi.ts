import { join } from "node:path";
import { editTomlHook } from "../edit/toml-entries.ts";
import { quoteShell } from "../launcher.ts";
import { type ClientInstall, folderAt, launcherFile, launcherIn, TIMEOUT_SECONDS } from "./client-install.ts";
import { judgeCommand } from "./our-commands.ts";

/** Kimi Code: a table in config.toml. */
export const kimi: ClientInstall = {
  locate: folderAt("kimi", ".kimi-code"),
  hookFiles: { own: ["config.toml"], repository: [] },
  files: (folder, home) => {
    const launcher = launcherIn(folder);
    const command = quoteShell(launcher);
    const editor = editTomlHook({
      event: "UserPromptSubmit",
      command,
      timeout: TIMEOUT_SECONDS,
      judge: (found) => judgeCommand(found, command, home),
    });
    return {
      client: "kimi",
      folder,
      launcher,
      own: [launcherFile("kimi", launcher)],
      entries: [{ path: join(folder, "config.toml"), what: "hook", editor }],
    };
  },
};
