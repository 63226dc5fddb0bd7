import { join, resolve } from "node:path";
import { editJsonHooks } from "../edit/json-hooks.ts";
import { type ClientInstall, launcherFile, launcherIn, pathFrom } from "./client-install.ts";
import { promptHook } from "./prompt-hook.ts";

/** Qwen Code: settings.json. */
export const qwen: ClientInstall = {
  locate: (home, env) => pathFrom("QWEN_HOME", home, env) ?? resolve(home, ".qwen"),
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
