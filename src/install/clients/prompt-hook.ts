import type { HookSpec } from "../edit/settings-edit.ts";
import { quoteShell } from "../launcher.ts";
import { TIMEOUT_SECONDS } from "./client-install.ts";
import { judgeCommand } from "./our-commands.ts";

/** The hook for a client with Claude Code's event, time limits in seconds, and the launcher called by its path. */
export function promptHook(launcher: string, home: string): HookSpec {
  const command = quoteShell(launcher);
  return {
    event: "UserPromptSubmit",
    group: {},
    handler: { type: "command", command, timeout: TIMEOUT_SECONDS },
    judge: (found) => judgeCommand(found, command, home),
  };
}
