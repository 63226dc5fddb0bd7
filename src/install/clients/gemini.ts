import { join } from "node:path";
import { quoteShell } from "../../base/quote-shell.ts";
import { editJsonHooks } from "../edit/json-hooks.ts";
import { type ClientInstall, TIMEOUT_SECONDS } from "./client-install.ts";
import { judgeCommand } from "./our-commands.ts";

/** Gemini CLI: settings.json. Its environment variable names the parent folder of `.gemini`. */
export const gemini: ClientInstall = {
  locate: (named, home) => join(named ?? home, ".gemini"),
  hookFiles: { own: ["settings.json"], repository: [".gemini/settings.json"] },
  files: ({ folder, launcher, home }) => {
    const quoted = quoteShell(launcher);
    // Gemini blocks the prompt on any exit code above 1, including that of a missing program. On a timeout it kills
    // only the process that it started and waits for the rest: `exec` makes that the launcher, not a shell before it.
    const command = `[ -x ${quoted} ] && exec ${quoted} || true`;
    const hook = {
      event: "BeforeAgent",
      group: {},
      handler: { type: "command", name: "groundwork", command, timeout: TIMEOUT_SECONDS * 1_000 } as const,
      judge: (found: string) => judgeCommand(found, command, home),
    };
    const editor = editJsonHooks({ hooks: [hook], unitMs: 1 });
    return { entries: [{ path: join(folder, "settings.json"), what: "hook", editor }] };
  },
};
