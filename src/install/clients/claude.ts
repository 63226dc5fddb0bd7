import { join, resolve } from "node:path";
import { quoteShell } from "../../base/quote-shell.ts";
import { isRecord, parseObject } from "../../base/text.ts";
import { editJsonHooks } from "../edit/json-hooks.ts";
import { withStatusLine } from "../edit/json-status-line.ts";
import { readFileState } from "../file-state.ts";
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

/** Commands that add our plugin to Claude Code; null if this installation has no plugin. */
export function pluginCommands(root: string): readonly string[] | null {
  const file = readFileState(join(root, ".claude-plugin", "marketplace.json"));
  const marketplace = file.kind === "file" ? parseObject(file.bytes.toString("utf8")) : null;
  const plugins = marketplace?.["plugins"];
  const first: unknown = Array.isArray(plugins) ? plugins[0] : null;
  if (marketplace === null || !isRecord(first)) return null;
  const name = `${String(first["name"])}@${String(marketplace["name"])}`;
  return [`claude plugin marketplace add ${quoteShell(root)}`, `claude plugin install ${name}`];
}
