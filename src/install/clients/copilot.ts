import { join, resolve } from "node:path";
import { quoteShell } from "../../base/quote-shell.ts";
import { isRecord, parseObject } from "../../base/text.ts";
import { type ClientInstall, TIMEOUT_SECONDS } from "./client-install.ts";
import { isOurCommand } from "./our-commands.ts";

const EVENT = "userPromptSubmitted";

/** GitHub Copilot CLI: a file of our own in its hooks folder. */
export const copilot: ClientInstall = {
  locate: (named, home) => named ?? resolve(home, ".copilot"),
  hookFiles: { own: ["settings.json"], repository: [] },
  files: ({ folder, launcher }) => {
    const hooks = { [EVENT]: [{ type: "command", bash: quoteShell(launcher), timeoutSec: TIMEOUT_SECONDS }] };
    const file = {
      path: join(folder, "hooks", "groundwork.json"),
      what: "hook",
      mode: 0o644,
      make: () => `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`,
      isOurs: holdsOnlyOurHooks,
    };
    return { own: [file] };
  },
};

/** JSON has no place for a marker, so the file is recognised by the commands that it calls. */
function holdsOnlyOurHooks(content: string): boolean {
  const hooks = parseObject(content)?.["hooks"];
  if (!isRecord(hooks)) return false;
  const handlers: unknown[] = Object.values(hooks).flat();
  return handlers.length > 0 && handlers.every((one) => isRecord(one) && isOurCommand(String(one["bash"])));
}
