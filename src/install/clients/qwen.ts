import { join } from "node:path";
import { editJsonHooks } from "../edit/json-hooks.ts";
import { type ClientInstall, folderAt, launcherFile, launcherIn } from "./client-install.ts";
import { promptHook } from "./prompt-hook.ts";

/** Qwen Code: settings.json. */
export const qwen: ClientInstall = {
  locate: folderAt("qwen", ".qwen"),
  hookFiles: { own: ["settings.json"], repository: [".qwen/settings.json"] },
  files: (folder, home) => {
    const launcher = launcherIn(folder);
    const hook = promptHook(launcher, home);
    return {
      client: "qwen",
      folder,
      launcher,
      own: [launcherFile("qwen", launcher)],
      entries: [
        { path: join(folder, "settings.json"), what: "hook", editor: editJsonHooks({ hooks: [hook], unitMs: 1_000 }) },
      ],
    };
  },
};
