import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { makeLauncher } from "./launcher.ts";
import { formatReport, type InstallReport } from "./report.ts";
import type { InstallPlaces, InstallRequest } from "./request.ts";
import { runInstall } from "./run-install.ts";
import { ask, makeScratch, snapshot } from "./scratch-home.test-helper.ts";

const OURS = {
  matcher: "",
  hooks: [{ type: "command", command: "~/.claude/hooks/context-inject-global.sh", timeout: 20 }],
};
const modeOf = (path: string) => statSync(path).mode & 0o777;

async function run(request: InstallRequest, places: InstallPlaces): Promise<InstallReport> {
  const outcome = await runInstall(request, places);
  if (!outcome.ok) throw new Error(outcome.fault.message);
  return outcome.value;
}

async function faultOf(request: InstallRequest, places: InstallPlaces): Promise<string> {
  const outcome = await runInstall(request, places);
  return outcome.ok ? "" : `${outcome.fault.code} ${outcome.fault.message} | ${outcome.fault.hint ?? ""}`;
}

const actionsOf = (report: InstallReport, folder: string) =>
  report.items.map(({ action, path }) => `${action} ${path.slice(folder.length + 1)}`);

describe("install", () => {
  it("writes launcher, settings and link (ATO-INST-1, ATO-INST-2)", async () => {
    const { folder, places, settings, hook, receipt, wrapper } = makeScratch();
    const report = await run(ask("install", { global: true }), places);
    expect(actionsOf(report, folder)).toEqual([
      "create state/install-receipt.json",
      "create home/.claude/hooks/context-inject-global.sh",
      "create home/.claude/settings.json",
      "create bin/codex-auto",
    ]);
    expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual({ hooks: { UserPromptSubmit: [OURS] } });
    expect(readFileSync(hook, "utf8")).toBe(makeLauncher("claude", { root: places.projectRoot, node: places.node }));
    expect([modeOf(hook), modeOf(receipt), modeOf(settings)]).toEqual([0o755, 0o600, 0o600]);
    expect(snapshot(places.binFolder)).toEqual({ "codex-auto": `-> ${places.projectRoot}/bin/codex-auto` });
    expect(existsSync(wrapper)).toBe(true);
    expect([report.written, report.notes]).toEqual([true, []]);
  });

  it("changes nothing the second time", async () => {
    const { folder, places, later, write, settings } = makeScratch();
    write(settings, '{"model":"x"}');
    await run(ask("install", { global: true }), places);
    const before = snapshot(folder);
    const report = await run(ask("install", { global: true }), later(60));
    expect(snapshot(folder)).toEqual(before);
    expect(report.written).toBe(false);
    expect(formatReport(report)).toContain("already installed");
    expect(report.items.map((item) => item.action)).toEqual(["keep", "keep", "keep"]);
  });

  it("backs up the settings, keeps the file's mode, and shows the change", async () => {
    const { places, write, settings } = makeScratch();
    write(settings, '{\n  "model": "x"\n}\n', 0o640);
    const report = await run(ask("install"), places);
    expect(readFileSync(`${settings}.backup.20261115224107`, "utf8")).toBe('{\n  "model": "x"\n}\n');
    expect([modeOf(settings), modeOf(`${settings}.backup.20261115224107`)]).toEqual([0o640, 0o640]);
    expect(report.items.at(-1)?.diff?.slice(0, 5)).toEqual([
      "@@ line 1 @@",
      " {",
      '-  "model": "x"',
      '+  "model": "x",',
      '+  "hooks": {',
    ]);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it("rewrites the launcher after the project moved, and after an edit", async () => {
    const { folder, places, later, hook } = makeScratch();
    await run(ask("install", { global: true }), places);
    const moved = { ...later(5), projectRoot: join(folder, "moved") };
    const report = await run(ask("install", { global: true }), moved);
    expect(readFileSync(hook, "utf8")).toBe(makeLauncher("claude", { root: join(folder, "moved"), node: places.node }));
    expect(snapshot(places.binFolder)).toEqual({ "codex-auto": `-> ${folder}/moved/bin/codex-auto` });
    expect(report.notes).toHaveLength(2);
    writeFileSync(hook, `${readFileSync(hook, "utf8")}# edited\n`);
    expect(actionsOf(await run(ask("install"), moved), folder)[0]).toBe(`update ${hook.slice(folder.length + 1)}`);
    chmodSync(hook, 0o644);
    await run(ask("install"), moved);
    expect(modeOf(hook)).toBe(0o755);
  });

  it("follows a settings file that is a link, and leaves the link", async () => {
    const { folder, places, write, link, settings, claude } = makeScratch();
    write(join(folder, "dotfiles/claude.json"), "{}\n");
    link("../../dotfiles/claude.json", settings);
    await run(ask("install"), places);
    expect(snapshot(claude)["settings.json"]).toBe("-> ../../dotfiles/claude.json");
    expect(JSON.parse(readFileSync(join(folder, "dotfiles/claude.json"), "utf8"))).toEqual({
      hooks: { UserPromptSubmit: [OURS] },
    });
    expect(Object.keys(snapshot(join(folder, "dotfiles")))).toEqual(["claude.json"]);
  });

  it("writes nothing on a dry run", async () => {
    const { folder, places, write, settings } = makeScratch();
    write(settings, "{}");
    const before = snapshot(folder);
    const report = await run(ask("install", { global: true, dryRun: true }), places);
    expect(snapshot(folder)).toEqual(before);
    expect(report.written).toBe(false);
    expect(report.items.map((item) => item.action)).toEqual(["create", "create", "backup", "update", "create"]);
    expect(formatReport(report)).toContain("nothing was written");
  });

  it("with --local writes nothing and says how to find codex-auto", async () => {
    const { folder, places } = makeScratch();
    const before = snapshot(folder);
    const report = await run(ask("install", { clients: [], local: true }), places);
    expect(snapshot(folder)).toEqual(before);
    expect(report.notes.join()).toContain(`export PATH='${folder.replaceAll("'", "'\\''")}/project/bin':"$PATH"`);
    const plain = await run(ask("install", { clients: [] }), { ...places, projectRoot: "/opt/gw" });
    expect(plain.notes.join()).toContain('export PATH="/opt/gw/bin:$PATH"');
  });

  it("uses the next free name if a backup of the same second exists", async () => {
    const { places, write, settings } = makeScratch();
    write(settings, "{}");
    write(`${settings}.backup.20261115224107`, "older");
    await run(ask("install"), places);
    expect(readFileSync(`${settings}.backup.20261115224107`, "utf8")).toBe("older");
    expect(readFileSync(`${settings}.backup.20261115224108`, "utf8")).toBe("{}");
  });
});

describe("install refuses, and writes nothing", () => {
  it.each([
    ["broken JSON", '{\n  "a": 1\n  "b": 2\n}', /settings\.json:3: not valid JSON.*fix that line/],
    ["an array", "[]", /settings\.json:1: holds an array/],
    ["hooks as a string", '{"hooks":"x"}', /:1: hooks is a string/],
    ["the event as an object", '{"hooks":{"UserPromptSubmit":{}}}', /UserPromptSubmit is an object/],
  ])("%s", async (_name, text, message) => {
    const { folder, places, write, settings } = makeScratch();
    write(settings, text);
    const before = snapshot(folder);
    expect(await faultOf(ask("install", { global: true }), places)).toMatch(message);
    expect(snapshot(folder)).toEqual(before);
  });

  it.each<[string, RegExp, (scratch: ReturnType<typeof makeScratch>) => void]>([
    [
      "settings that are a folder",
      /settings\.json: is not a regular file/,
      (s) => mkdirSync(s.settings, { recursive: true }),
    ],
    ["settings that lead nowhere", /a link that leads to no readable file/, (s) => s.link("gone", s.settings)],
    ["~/.claude as a file", /\.claude is not a folder/, (s) => s.write(s.claude, "")],
    ["hooks as a link to nowhere", /hooks is not a folder/, (s) => s.link("gone", join(s.claude, "hooks"))],
    ["a state folder below a file", /state is not a folder/, (s) => s.write(s.places.stateFolder, "")],
    [
      "a hook that is a folder",
      /context-inject-global\.sh: is not a regular file/,
      (s) => mkdirSync(s.hook, { recursive: true }),
    ],
    ["a foreign codex-auto", /codex-auto is not ours.*--local/, (s) => s.write(s.wrapper, "x")],
    ["a foreign link", /codex-auto is not ours/, (s) => s.link("/other/bin/codex-auto", s.wrapper)],
    [
      "a folder of programs that is a file",
      /bin is not a folder.*--local.*sudo ln -sfn/,
      (s) => s.write(s.places.binFolder, ""),
    ],
  ])("%s", async (_name, message, prepare) => {
    const scratch = makeScratch();
    prepare(scratch);
    const before = snapshot(scratch.folder);
    expect(await faultOf(ask("install", { global: true }), scratch.places)).toMatch(message);
    expect(snapshot(scratch.folder)).toEqual(before);
  });

  it("files and folders without permission", async () => {
    const { folder, places, write, settings, claude } = makeScratch();
    const { faultFor } = await makeNobody(folder);
    write(settings, "{}", 0o000);
    expect(await faultFor(ask("install"), places)).toMatch(/cannot be read: EACCES/);
    chmodSync(settings, 0o644);
    chmodSync(claude, 0o555);
    expect(await faultFor(ask("install"), places)).toMatch(/no permission to write in .*\.claude \(EACCES\)/);
    chmodSync(claude, 0o755);
    mkdirSync(places.binFolder, { mode: 0o555 });
    const before = snapshot(folder);
    expect(await faultFor(ask("install", { global: true }), places)).toMatch(/no permission.*--local.*sudo/);
    expect(snapshot(folder)).toEqual(before);
  });

  it("--global together with --local", async () => {
    const { places } = makeScratch();
    expect(await faultOf(ask("install", { global: true, local: true }), places)).toMatch(/^E_INVALID_ARGS/);
  });
});

/** Permissions do not restrict root: if the tests run as root, the installer runs in a process of another user. */
async function makeNobody(folder: string) {
  if (process.getuid?.() !== 0) return { faultFor: faultOf };
  const nobody = 65_534;
  const outfile = join(folder, "installer.cjs");
  await build({
    entryPoints: ["src/install/run-install.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    mainFields: ["module", "main"],
  });
  lchownSync(folder, nobody, nobody);
  const faultFor = async (request: InstallRequest, places: InstallPlaces): Promise<string> => {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
      lchownSync(join(folder, name), nobody, nobody);
    const code = `require(${JSON.stringify(outfile)}).runInstall(...${JSON.stringify([request, places])}).then((o) => console.log(JSON.stringify(o)))`;
    const done = spawnSync(process.execPath, ["-e", code], { uid: nobody, gid: nobody, cwd: "/", encoding: "utf8" });
    const { fault } = JSON.parse(done.stdout);
    return `${fault.code} ${fault.message} | ${fault.hint ?? ""}`;
  };
  return { faultFor };
}
