import { join } from "node:path";
import { readFileState } from "../file-state.ts";
import { type ClientInstall, launcherFile, launcherIn, pathFrom } from "./client-install.ts";

const MARKER = "// groundwork-plugin:";

/** opencode: a plugin file that calls the launcher. opencode reads `OPENCODE_CONFIG_DIR` in addition to this folder. */
export const opencode: ClientInstall = {
  locate: (home, env) => join(pathFrom("XDG_CONFIG_HOME", home, env) ?? join(home, ".config"), "opencode"),
  hookFiles: { own: [], repository: [] },
  files: (folder) => {
    const launcher = launcherIn(folder);
    const plugin = {
      path: join(folder, "plugins", "groundwork.js"),
      what: "plugin",
      mode: 0o644,
      make: ({ root }: { readonly root: string }) => {
        const file = readFileState(join(root, "hooks", "lib", "opencode-plugin.js"));
        if (file.kind !== "file") return null;
        return file.bytes.toString("utf8").replace('"@launcher@"', () => JSON.stringify(launcher));
      },
      isOurs: (content: string) => content.split(/\r?\n/).some((line) => line.startsWith(MARKER)),
    };
    return { client: "opencode", folder, launcher, own: [launcherFile("opencode", launcher), plugin], entries: [] };
  },
};
