import { join, resolve } from "node:path";
import { editJsonHooks } from "../edit/json-hooks.ts";
import { withStatusLine } from "../edit/json-status-line.ts";
import { quoteShell } from "../launcher.ts";
import { type ClientInstall, TIMEOUT_SECONDS } from "./client-install.ts";
import { judgeCommand, judgeStatusLine, STATUS_LINE_WORD } from "./our-commands.ts";

const LAUNCHER = "context-inject-global.sh";

/** Claude Code: settings.json. The command is written as in older guides. */
export const claude: ClientInstall = {
  locate: (named, home) => named ?? resolve(home, ".claude"),
  launcherName: LAUNCHER,
  hookFiles: { own: ["settings.json"], repository: [".claude/settings.json", ".claude/settings.local.json"] },
  files: ({ folder, launcher, home, subAgents, statusLine }) => {
    const isUsual = folder === resolve(home, ".claude");
    const command = isUsual ? `~/.claude/hooks/${LAUNCHER}` : quoteShell(launcher);
    const handler = { type: "command", command, timeout: TIMEOUT_SECONDS } as const;
    const judge = (found: string) => judgeCommand(found, command, home);
    const prompts = { event: "UserPromptSubmit", group: { matcher: "" }, handler, judge };
    const tasks = { event: "PreToolUse", group: { matcher: "Agent|Task" }, handler, judge };
    const line = `${command} ${STATUS_LINE_WORD}`;
    const hooks = editJsonHooks({
      hooks: subAgents ? [prompts, tasks] : [prompts],
      optional: subAgents ? [] : [tasks],
      unitMs: 1_000,
    });
    const judgeLine = (found: string) => judgeStatusLine(found, line, home);
    const editor = withStatusLine(hooks, { command: line, judge: judgeLine, isWanted: statusLine });
    return { entries: [{ path: join(folder, "settings.json"), what: "hook", editor }] };
  },
};
