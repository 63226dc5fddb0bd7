import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordTrust } from "../record-trust.ts";
import { examine } from "./examine.ts";
import { settingsExaminations } from "./settings.ts";
import { makeWorld } from "./world.test-helper.ts";
import type { World } from "./world.ts";

async function look(world: World) {
  return examine(settingsExaminations(world, []), () => {});
}

async function find(world: World, name: string) {
  return (await look(world)).filter((check) => check.name === name);
}

/** A machine whose folder is a git work tree. */
function makeRepository() {
  const made = makeWorld();
  const { world, write } = made;
  write(join(world.folder, ".git/HEAD"), "ref: refs/heads/main\n");
  mkdirSync(join(world.folder, ".git/objects"));
  return { ...made, file: join(world.folder, "config/auto-tools.yaml") };
}

describe("[P-6] settings", () => {
  it("are fine when there are none", async () => {
    const { world } = makeRepository();
    expect((await look(world)).map(({ name, status }) => `${name}: ${status}`)).toEqual([
      "your file: ok",
      "the repository's file: ok",
      "values: ok",
      "switch: ok",
      "telemetry: ok",
      "trust: ok",
    ]);
  });

  it("report changed values with their origins", async () => {
    const { world, write, home, file } = makeRepository();
    write(join(home, ".groundwork/auto-tools.yaml"), "threshold: 0.6\n");
    write(file, "mode: plan\n");
    const changed = { ...world, env: { ...world.env, CI_AUTO_TOOLS_TIER_MAX: "2" } };
    const measured = "mode: plan (repository file), threshold: 0.6 (user file), tier_max: 2 (environment)";
    expect(await find(changed, "values")).toMatchObject([{ status: "ok", measured }]);
  });

  it.each([
    ["broken YAML", "mode: [plan\n"],
    ["no mapping", "- mode\n"],
  ])("fault: a settings file that cannot be parsed: %s", async (_what, text) => {
    const { world, write, home, file } = makeRepository();
    write(join(home, ".groundwork/auto-tools.yaml"), text);
    write(file, text);
    const [own] = await find(world, "your file");
    const [theirs] = await find(world, "the repository's file");
    expect([own?.status, theirs?.status]).toEqual(["fail", "fail"]);
    expect(theirs?.remedy).toContain("docs/troubleshooting.md#settings-cannot-be-read");
  });

  it("fault: pipes instead of settings files and profiles; nothing blocks on them", async () => {
    const { world, home, file } = makeRepository();
    for (const folder of [join(home, ".groundwork"), join(world.folder, "config")]) mkdirSync(folder);
    execFileSync("mkfifo", [file, join(home, ".groundwork/auto-tools.yaml"), join(home, ".profile")]);
    const checks = await look(world);
    expect(checks.filter(({ status }) => status === "fail").map(({ name }) => name)).toEqual([
      "your file",
      "the repository's file",
    ]);
  });

  it("fault: a value that is not accepted", async () => {
    const { world } = makeRepository();
    const odd = { ...world, env: { ...world.env, CI_AUTO_TOOLS_TIER_MAX: "many" } };
    expect(await find(odd, "values")).toMatchObject([{ status: "warn" }]);
  });

  it("fault: CI_AUTO_TOOLS=off in the environment or in a file", async () => {
    const { world, write, home } = makeRepository();
    const off = { ...world, env: { ...world.env, CI_AUTO_TOOLS: "off" } };
    expect(await find(off, "switch")).toMatchObject([
      { status: "warn", measured: "CI_AUTO_TOOLS=off in the environment", remedy: expect.stringContaining("unset") },
    ]);
    write(join(home, ".groundwork/auto-tools.yaml"), "auto_tools: off\n");
    expect(await find(world, "switch")).toMatchObject([{ status: "warn", measured: "off, by the user file" }]);
  });

  it.each([
    [".profile", "export CI_AUTO_TOOLS=off"],
    [".bashrc", "  CI_AUTO_TOOLS='off'; export CI_AUTO_TOOLS"],
    [".zshrc", 'typeset -x CI_AUTO_TOOLS="off"'],
    [".config/fish/config.fish", "set -gx CI_AUTO_TOOLS off"],
  ])("fault: CI_AUTO_TOOLS=off left in ~/%s: %s", async (profile, line) => {
    const { world, write, home } = makeRepository();
    write(join(home, profile), `# mine\n${line}\n`);
    const found = await find(world, "shell profile");
    expect(found).toMatchObject([{ status: "warn", measured: `~/${profile}:2 has CI_AUTO_TOOLS=off` }]);
    expect(found[0]?.remedy).toContain("docs/troubleshooting.md#it-is-switched-off");
  });

  it("lines that only look like a switch are not a fault", async () => {
    const { world, write, home } = makeRepository();
    write(join(home, ".bashrc"), "# export CI_AUTO_TOOLS=off\nexport CI_AUTO_TOOLS=offline MY_CI_AUTO_TOOLS=off\n");
    expect(await find(world, "shell profile")).toEqual([]);
  });

  it("fault: a repository that asks for trust, and one that changed since it was trusted", async () => {
    const { world, write, home, file } = makeRepository();
    write(file, "threshold: 0.2\n");
    const [wish] = await find(world, "trust");
    expect(wish).toMatchObject({ status: "warn", measured: "not trusted; it wants threshold" });
    expect(wish?.remedy).toContain("docs/troubleshooting.md#the-repository-wants-more");
    const files = [{ path: "config/auto-tools.yaml", sha256: "0".repeat(64) }];
    recordTrust({ home, root: world.folder, files, nowMs: 0, replaceDamaged: false });
    expect(await find(world, "trust")).toMatchObject([
      { status: "warn", measured: "changed since you trusted it; it wants threshold" },
    ]);
    write(join(home, ".groundwork/trust.json"), "{");
    expect(await find(world, "trust")).toMatchObject([{ status: "fail" }]);
  });
});
