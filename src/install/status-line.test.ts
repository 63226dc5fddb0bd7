import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judgeStatusLine } from "./clients/our-commands.ts";
import type { InstallReport } from "./report.ts";
import type { InstallPlaces, InstallRequest } from "./request.ts";
import { runInstall } from "./run-install.ts";
import { ask, makeScratch, snapshot } from "./scratch-home.test-helper.ts";

const COMMAND = "~/.claude/hooks/context-inject-global.sh statusline";
const LINE = { type: "command", command: COMMAND };
const WANTED = ask("install", { statusLine: true });

async function run(request: InstallRequest, places: InstallPlaces): Promise<InstallReport> {
  const outcome = await runInstall(request, places);
  if (!outcome.ok) throw new Error(outcome.fault.message);
  return outcome.value;
}

describe("[K 5] a status line for Claude Code", () => {
  it("is added only on request, once, and removed again", async () => {
    const { places, settings, later } = makeScratch();
    const before = snapshot(places.home);
    await run(ask("install"), places);
    const read = () => JSON.parse(readFileSync(settings, "utf8")) as Record<string, unknown>;
    expect(Object.keys(read())).toEqual(["hooks"]);
    await run(WANTED, later(1));
    expect(read()["statusLine"]).toEqual(LINE);
    const once = readFileSync(settings, "utf8");
    await run(WANTED, later(2));
    // An upgrade that does not request the status line keeps it.
    await run(ask("install"), later(3));
    expect(readFileSync(settings, "utf8")).toBe(once);
    await run(ask("uninstall"), later(4));
    expect(snapshot(places.home)).toEqual(before);
  });

  it("restores settings with comments to the byte, and keeps later edits", async () => {
    const { places, settings, later, write } = makeScratch();
    const text = '{\n  // mine\n  "model": "opus", // the big one\n}\n';
    write(settings, text);
    await run(WANTED, places);
    await run(ask("uninstall"), later(1));
    expect(readFileSync(settings, "utf8")).toBe(text);
    await run(WANTED, later(2));
    const edited = readFileSync(settings, "utf8").replace('"opus"', '"haiku"');
    writeFileSync(settings, edited);
    await run(ask("uninstall"), later(3));
    expect(readFileSync(settings, "utf8")).toBe(text.replace('"opus"', '"haiku"'));
  });

  it.each([
    '{ "statusLine": { "type": "command", "command": "~/.claude/mine.sh" } }\n',
    '{ "statusLine": null }\n',
    `{ "statusLine": { "command": "mine" }, "statusLine": ${JSON.stringify(LINE)} }\n`,
  ])("one of your own stays, and that is said: %s", async (text) => {
    const { places, settings, later, write } = makeScratch();
    write(settings, text);
    const report = await run(WANTED, places);
    expect(report.notes).toContainEqual(expect.stringContaining(`your own statusLine stays in ${settings}`));
    expect(readFileSync(settings, "utf8").startsWith(text.slice(0, text.lastIndexOf("}")).trimEnd())).toBe(true);
    await run(ask("uninstall"), later(1));
    expect(readFileSync(settings, "utf8")).toBe(text);
  });

  it("updates our line of another version", async () => {
    const { places, settings, write } = makeScratch();
    write(
      settings,
      '{ "statusLine": { "type": "command", "command": "npx groundwork-context statusline", "padding": 1 } }',
    );
    await run(ask("install"), places);
    const { statusLine } = JSON.parse(readFileSync(settings, "utf8")) as Record<string, unknown>;
    expect(statusLine).toEqual({ ...LINE, padding: 1 });
  });

  it("once the program is gone, the launcher prints nothing", async () => {
    const { places, hook } = makeScratch();
    await run(WANTED, places);
    rmSync(places.projectRoot, { recursive: true });
    expect(existsSync(hook)).toBe(true);
    const { status, stdout } = spawnSync(hook, ["statusline"], { input: "{}", encoding: "utf8" });
    expect([status, stdout]).toEqual([0, ""]);
  });

  it.each([
    [COMMAND, "same"],
    ["/home/me/.claude/hooks/context-inject-global.sh statusline", "same"],
    ["sh ~/.claude/hooks/context-inject-global.sh statusline", "same"],
    ["/opt/gw/hooks/context-inject-global.sh statusline", "older"],
    ["groundwork statusline", "older"],
    ["~/.claude/hooks/context-inject-global.sh", null],
    ["~/.claude/statusline.sh", null],
    ["my-groundwork statusline", null],
    ["npx ccstatusline", null],
  ])("%s is %s", (command, kinship) => {
    expect(judgeStatusLine(command, COMMAND, "/home/me")).toBe(kinship);
  });
});
