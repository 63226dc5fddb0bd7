import { join, resolve } from "node:path";
import { editJsonHooks } from "../edit/json-hooks.ts";
import { type ClientInstall, promptHook } from "./client-install.ts";

/** Qwen Code: settings.json. */
export const qwen: ClientInstall = {
  locate: (named, home) => named ?? resolve(home, ".qwen"),
  hookFiles: { own: ["settings.json"], repository: [".qwen/settings.json"] },
  files: (place) => {
    const editor = editJsonHooks({ hooks: [promptHook(place)], unitMs: 1_000 });
    return { entries: [{ path: join(place.folder, "settings.json"), what: "hook", editor }] };
  },
};
