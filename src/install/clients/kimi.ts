import { join, resolve } from "node:path";
import { editTomlHook } from "../edit/toml-entries.ts";
import { quoteShell } from "../launcher.ts";
import { type ClientInstall, launcherFile, launcherIn, pathFrom, TIMEOUT_SECONDS } from "./client-install.ts";
import { judgeCommand } from "./our-commands.ts";

/** Kimi Code: a table in config.toml. */
export const kimi: ClientInstall = {
  locate: (home, env) => pathFrom("KIMI_CODE_HOME", home, env) ?? resolve(home, ".kimi-code"),
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
