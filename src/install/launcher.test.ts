import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isOurLauncher, makeLauncher, quoteShell } from "./launcher.ts";
import { makeScratch } from "./scratch-home.test-helper.ts";

const EMPTY = '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":""}}\n';
const DOOR = '#!/bin/sh\nprintf "[%s]" "$@"\ncat\nexit 3\n';

describe("launcher", () => {
  it.each(["plain", "two words", "it's", 'a "b"', "$HOME `id` $(id)", "back\\slash", "new\nline", "-dash", "注入"])(
    "hands over to a door in the folder %j",
    (name) => {
      const { folder, write } = makeScratch();
      const door = join(folder, name, "door.sh");
      const launcher = join(folder, "launcher.sh");
      write(door, DOOR, 0o755);
      write(launcher, makeLauncher(door), 0o755);
      const run = spawnSync(launcher, ["--format", "a b"], { input: '{"prompt":"x"}', encoding: "utf8" });
      expect([run.stdout, run.stderr, run.status]).toEqual(['[--format][a b]{"prompt":"x"}', "", 3]);
    },
  );

  it("injects nothing and exits 0 where the door is missing, not executable or a folder", () => {
    const { folder, write } = makeScratch();
    const door = join(folder, "gone", "door.sh");
    const launcher = join(folder, "launcher.sh");
    write(launcher, makeLauncher(door), 0o755);
    const run = () => {
      const { stdout, stderr, status } = spawnSync(launcher, [], { input: "{}", encoding: "utf8" });
      return [stdout, stderr, status];
    };
    expect(run()).toEqual([EMPTY, "", 0]);
    write(door, DOOR, 0o644);
    expect(run()).toEqual([EMPTY, "", 0]);
    chmodSync(door, 0o755);
    expect(run()[2]).toBe(3);
    write(launcher, makeLauncher(folder), 0o755);
    expect(run()).toEqual([EMPTY, "", 0]);
  });

  it("knows its own files", () => {
    const text = makeLauncher("/x/door.sh");
    expect(isOurLauncher(text)).toBe(true);
    expect(isOurLauncher(`${text}# edited\n`.replaceAll("\n", "\r\n"))).toBe(true);
    expect(isOurLauncher("#!/bin/sh\necho groundwork-hook-launcher:\n")).toBe(false);
  });

  it("quotes only where it must", () => {
    expect(["/usr/bin", "a b", "it's", ""].map(quoteShell)).toEqual(["/usr/bin", "'a b'", "'it'\\''s'", "''"]);
  });
});
