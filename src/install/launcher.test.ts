import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { quoteShell } from "../base/quote-shell.ts";
import { isOurLauncher, makeLauncher } from "./launcher.ts";
import { makeScratch } from "./scratch-home.test-helper.ts";

const EMPTY = '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":""}}\n';
const DOOR = '#!/bin/sh\nprintf "[%s]" "$@"\ncat\nexit 3\n';

describe("launcher", () => {
  it.each(["plain", "two words", "it's", 'a "b"', "$HOME `id` $(id)", "back\\slash", "new\nline", "-dash", "注入"])(
    "hands over to a door in the folder %j",
    (name) => {
      const { folder, write } = makeScratch();
      const door = join(folder, name, "hooks/context-inject-global.sh");
      const launcher = join(folder, "launcher.sh");
      write(door, DOOR, 0o755);
      write(launcher, makeLauncher("claude", { root: join(folder, name), node: "/n" }), 0o755);
      const run = spawnSync(launcher, ["--format", "a b"], { input: '{"prompt":"x"}', encoding: "utf8" });
      expect([run.stdout, run.stderr, run.status]).toEqual(['[--format][a b]{"prompt":"x"}', "", 3]);
    },
  );

  it("injects nothing and exits 0 if the door is missing, not executable or a folder", () => {
    const { folder, write } = makeScratch();
    const program = { root: join(folder, "gone"), node: "/n" };
    const door = join(program.root, "hooks/context-inject-global.sh");
    const launcher = join(folder, "launcher.sh");
    write(launcher, makeLauncher("claude", program), 0o755);
    const run = () => {
      const { stdout, stderr, status } = spawnSync(launcher, [], { input: "{}", encoding: "utf8" });
      return [stdout, stderr, status];
    };
    expect(run()).toEqual([EMPTY, "", 0]);
    write(door, DOOR, 0o644);
    expect(run()).toEqual([EMPTY, "", 0]);
    chmodSync(door, 0o755);
    expect(run()).toEqual(["[]{}", "", 0]);
    rmSync(door);
    mkdirSync(door);
    expect(run()).toEqual([EMPTY, "", 0]);
  });

  it.each(["claude", "codex", "gemini"] as const)("[P-5] exits 0 for %s if the door fails", (client) => {
    const { folder, write } = makeScratch();
    for (const door of ["hooks/context-inject-global.sh", "bin/groundwork"])
      write(join(folder, door), "#!/bin/sh\ncat\necho broken >&2\nexit 2\n", 0o755);
    const launcher = join(folder, "launcher.sh");
    write(launcher, makeLauncher(client, { root: folder, node: "/n" }), 0o755);
    const run = spawnSync(launcher, [], { input: "{}", encoding: "utf8" });
    expect([run.stdout, run.status]).toEqual(["{}", 0]);
  });

  it("[P-5] forwards the client's signal to a hanging door, and does not keep the output open", async () => {
    const { folder, write } = makeScratch();
    const hanging = "#!/bin/sh\necho begun\nwhile :; do sleep 0.2; done\n";
    write(join(folder, "bin/groundwork"), hanging, 0o755);
    const launcher = join(folder, "launcher.sh");
    write(launcher, makeLauncher("gemini", { root: folder, node: "/n" }), 0o755);
    const child = spawn(launcher, { stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([0, null]);
  });

  it("recognises its own files", () => {
    const text = makeLauncher("claude", { root: "/x", node: "/n" });
    expect(isOurLauncher(text)).toBe(true);
    expect(isOurLauncher(`${text}# edited\n`.replaceAll("\n", "\r\n"))).toBe(true);
    expect(isOurLauncher("#!/bin/sh\necho groundwork-hook-launcher:\n")).toBe(false);
  });

  it("quotes only where it must", () => {
    expect(["/usr/bin", "a b", "it's", ""].map(quoteShell)).toEqual(["/usr/bin", "'a b'", "'it'\\''s'", "''"]);
  });
});
