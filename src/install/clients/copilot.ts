import { join } from "node:path";
import { isRecord } from "../../base/text.ts";
import { quoteShell } from "../launcher.ts";
import {
  type ClientInstall,
  folderAt,
  launcherFile,
  launcherIn,
  type OwnFile,
  TIMEOUT_SECONDS,
} from "./client-install.ts";
import { isOurCommand } from "./our-commands.ts";

const EVENT = "userPromptSubmitted";

/** GitHub Copilot CLI: a file of our own in its hooks folder. */
export const copilot: ClientInstall = {
  locate: folderAt("copilot", ".copilot"),
  hookFiles: { own: ["settings.json"], repository: [] },
  files: (folder) => {
    const launcher = launcherIn(folder);
    const hooks = { [EVENT]: [{ type: "command", bash: quoteShell(launcher), timeoutSec: TIMEOUT_SECONDS }] };
    const file: OwnFile = {
      path: join(folder, "hooks", "groundwork.json"),
      what: "hook",
      mode: 0o644,
      make: () => `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`,
      isOurs: holdsOnlyOurHooks,
    };
    return { client: "copilot", folder, launcher, own: [launcherFile("copilot", launcher), file], entries: [] };
  },
};

/** JSON has no place for a marker, so the file is recognised by the commands that it calls. */
function holdsOnlyOurHooks(content: string): boolean {
  try {
    const data: unknown = JSON.parse(content);
    const hooks = isRecord(data) ? data["hooks"] : null;
    if (!isRecord(hooks)) return false;
    const handlers: unknown[] = Object.values(hooks).flat();
    return handlers.length > 0 && handlers.every((one) => isRecord(one) && isOurCommand(String(one["bash"])));
  } catch {
    return false;
  }
}
