import { join } from "node:path";
import { readFileState } from "../file-state.ts";
import { type ClientInstall, type OwnFile, pathFrom } from "./client-install.ts";

const MARKER = "// groundwork-plugin:";

/** opencode: a plugin file that calls the launcher. opencode reads `OPENCODE_CONFIG_DIR` in addition to this folder. */
export const opencode: ClientInstall = {
  locate: (_named, home, env) => join(pathFrom("XDG_CONFIG_HOME", home, env) ?? join(home, ".config"), "opencode"),
  hookFiles: { own: [], repository: [] },
  files: ({ folder, launcher }) => {
    const plugin: OwnFile = {
      path: join(folder, "plugins", "groundwork.js"),
      what: "plugin",
      mode: 0o644,
      make: ({ root }) => {
        const file = readFileState(join(root, "hooks", "lib", "opencode-plugin.js"));
        if (file.kind !== "file") return null;
        return file.bytes.toString("utf8").replace('"@launcher@"', () => JSON.stringify(launcher));
      },
      isOurs: (content) => content.split(/\r?\n/).some((line) => line.startsWith(MARKER)),
    };
    return { own: [plugin] };
  },
};
