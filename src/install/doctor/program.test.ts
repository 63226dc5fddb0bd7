import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { examine } from "./examine.ts";
import { programExaminations } from "./program.ts";
import { isOlder } from "./version.ts";
import { makeWorld, PROJECT } from "./world.test-helper.ts";
import type { World } from "./world.ts";

const FACTS = {
  version: "1.2.3",
  nodeVersion: "22.1.0",
  wantedNode: ">=20.19",
  recordedBuild: "abc",
  foundBuild: "abc",
  findsStrays: true,
};

async function look(world: World, facts: Partial<typeof FACTS> = {}) {
  const checks = await examine(programExaminations(world, { ...FACTS, ...facts }), () => {});
  return Object.fromEntries(checks.map((check) => [check.name, check]));
}

/** Copies the scripts without a node of their own, for a machine that has none in the usual folders. */
function copyWithoutNode(folder: string): string {
  const root = join(folder, "project");
  mkdirSync(join(root, "dist"), { recursive: true });
  for (const name of ["bin", "hooks"]) cpSync(join(PROJECT, name), join(root, name), { recursive: true });
  for (const name of ["hook.cjs", "hook-judge.cjs", "hook-answer.cjs"])
    symlinkSync(join(PROJECT, "dist", name), join(root, "dist", name));
  const door = join(root, "hooks/lib/door.sh");
  const text = readFileSync(door, "utf8");
  const bare = text.replace(/^(rest=\$\{PATH:-\}:).*$/m, "$1");
  expect(bare).not.toBe(text);
  writeFileSync(door, bare);
  return root;
}

describe("[P-6] the program", () => {
  it("is fine as built", async () => {
    const { world } = makeWorld();
    const found = await look(world);
    expect(Object.values(found).map(({ name, status }) => `${name}: ${status}`)).toEqual([
      "version: ok",
      "node: ok",
      "bundles: ok",
      "scripts: ok",
      "processes: ok",
      "node without a terminal: ok",
    ]);
  });

  it("fault: node is gone from a thin PATH", async () => {
    const { folder, bin } = makeWorld();
    const projectRoot = copyWithoutNode(folder);
    const { world } = makeWorld({ projectRoot, thinPath: bin });
    const found = (await look(world))["node without a terminal"];
    expect(found).toMatchObject({ status: "fail", measured: expect.stringContaining("unavailable") });
    expect(found?.remedy).toContain("docs/troubleshooting.md#node-is-not-found");
    // With node on the PATH, the same copy answers.
    symlinkSync(process.execPath, join(bin, "node"));
    expect((await look(world))["node without a terminal"]).toMatchObject({ status: "ok" });
  });

  it("a node known to the installed hooks is enough", async () => {
    const { folder, bin } = makeWorld();
    const projectRoot = copyWithoutNode(folder);
    const { world, home, write } = makeWorld({ projectRoot, thinPath: bin });
    const launcher = join(home, ".codex/hooks/groundwork.sh");
    write(launcher, `#!/bin/sh\n# groundwork-hook-launcher:\nexec '${PROJECT}/bin/groundwork' hook codex\n`, 0o755);
    expect((await look(world))["node without a terminal"]).toMatchObject({
      status: "ok",
      measured: "found by the installed hooks",
    });
    // A launcher that gives no evidence does not count.
    write(launcher, "#!/bin/sh\n# groundwork-hook-launcher:\nexit 0\n", 0o755);
    expect((await look(world))["node without a terminal"]?.status).toBe("fail");
  });

  it("fault: an answer with a failing exit code does not count, because no client accepts it", async () => {
    const { folder } = makeWorld();
    const { world, home, write } = makeWorld({ projectRoot: join(folder, "project") });
    const answer = '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"x"}}';
    const script = `#!/bin/sh\n# groundwork-hook-launcher:\necho '${answer}'\nexit 3\n`;
    write(join(world.projectRoot, "hooks/context-inject-global.sh"), script, 0o755);
    write(join(home, ".codex/hooks/groundwork.sh"), script, 0o755);
    expect((await look(world))["node without a terminal"]).toMatchObject({
      status: "fail",
      measured: "it ended with 3",
    });
  });

  it("[P-8] reports what cannot be guaranteed if processes cannot be followed", async () => {
    const { world } = makeWorld();
    expect((await look(world))["processes"]).toMatchObject({
      status: "ok",
      measured: expect.not.stringContaining("/proc"),
    });
    const hidden = (await look(world, { findsStrays: false }))["processes"];
    expect(hidden).toMatchObject({ status: "ok", measured: expect.stringContaining("is not found") });
  });

  it("faults: node too old, a bundle changed, none recorded, a script that cannot be started", async () => {
    const { world, folder } = makeWorld();
    const old = await look(world, { nodeVersion: "20.18.3", foundBuild: "abd" });
    expect([old["node"]?.status, old["bundles"]?.status]).toEqual(["fail", "fail"]);
    const projectRoot = copyWithoutNode(folder);
    chmodSync(join(projectRoot, "hooks/auto-tool-orchestrator.sh"), 0o644);
    const found = await look({ ...world, projectRoot }, { recordedBuild: "" });
    expect(found["bundles"]).toMatchObject({ status: "fail", measured: "dist/build-id is missing" });
    expect(found["scripts"]).toMatchObject({ status: "fail", measured: "not so: hooks/auto-tool-orchestrator.sh" });
  });

  it.each([
    ["2.1.197", "1.0.59", false],
    ["1.0.58 (Claude Code)", "1.0.59", true],
    ["codex-cli 0.99.0", "0.124.0", true],
    ["0.124.0-alpha.1", "0.124.0", false],
    ["v20.19.0", "20.19", false],
  ])("%s is older than %s: %s", (version, least, isIt) => {
    expect(isOlder(version, least)).toBe(isIt);
  });
});
