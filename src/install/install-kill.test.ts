import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { locateFiles } from "./clients/find-clients.ts";
import type { InstallPlaces, InstallRequest } from "./request.ts";
import { runInstall } from "./run-install.ts";
import { ask, makeScratch, snapshot } from "./scratch-home.test-helper.ts";

/** These cover every kind of file and step; more clients would only take longer. */
const CLIENTS = ["claude", "codex", "copilot", "kimi"] as const;
const INSTALL = ask("install", { clients: CLIENTS, everything: false, subAgents: true, statusLine: true });
const UNINSTALL = ask("uninstall");
const AT_ONCE = 2;
/** Functions that change the file system: the process is killed before or after one of their calls. */
const EFFECTS = [
  "openSync",
  "writeFileSync",
  "fchmodSync",
  "fsyncSync",
  "closeSync",
  "renameSync",
  "mkdirSync",
  "rmSync",
  "rmdirSync",
  "symlinkSync",
];

const folder = makeFolder();
const installer = join(folder, "installer.cjs");
const killer = join(folder, "killer.cjs");

beforeAll(async () => {
  const options = { bundle: true, platform: "node", format: "cjs" } as const;
  await build({
    entryPoints: ["src/install/run-install.ts"],
    outfile: installer,
    mainFields: ["module", "main"],
    ...options,
  });
  writeFileSync(
    killer,
    `const fs = require("node:fs");
const [moment, request, places] = JSON.parse(process.argv[2]);
const { runInstall } = require(${JSON.stringify(installer)});
let count = 0;
const die = () => { if (++count === moment) process.kill(process.pid, "SIGKILL"); };
for (const name of ${JSON.stringify(EFFECTS)}) {
  const real = fs[name];
  fs[name] = (...args) => { die(); const result = real(...args); die(); return result; };
}
runInstall(request, places).then((done) => { if (!done.ok) throw new Error(done.fault.message); console.log(count); });
`,
  );
});

/**
 * Runs the installer in a process that is killed at a given moment. Returns the number of moments; null if it was
 * killed.
 */
function runKilled(moment: number, request: InstallRequest, places: InstallPlaces): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [killer, JSON.stringify([moment, request, places])], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (signal === "SIGKILL") resolve(null);
      else if (code === 0) resolve(Number(text));
      else reject(new Error(`ended with ${code}`));
    });
  });
}

async function run(request: InstallRequest, places: InstallPlaces): Promise<void> {
  const done = await runInstall(request, places);
  if (!done.ok) throw new Error(done.fault.message);
}

/** A machine that requires every kind of step: new files, edited files, a symlink, and a foreign file in our place. */
function prepare() {
  const scratch = makeScratch();
  const { places, write, link } = scratch;
  const at = (name: string) => join(places.home, name);
  write(at(".claude/settings.json"), '{\n  "model": "x" // mine\n}\n');
  write(at(".claude/hooks/context-inject-global.sh"), "#!/bin/sh\necho mine\n", 0o755);
  write(at(".codex/config.toml"), 'model = "x"\r\n');
  write(at("dotfiles/hooks.json"), '{"hooks":{"Stop":[]}}');
  link("../dotfiles/hooks.json", at(".codex/hooks.json"));
  return scratch;
}

const look = ({ places }: { readonly places: InstallPlaces }) => snapshot(places.home);
const settled = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !/\.tmp$|\.backup\./.test(name)));

/** Every file must have its old or its new content. */
function expectWhole(now: Record<string, string>, before: Record<string, string>, after: Record<string, string>): void {
  for (const [name, text] of Object.entries(settled(now)))
    expect([before[name], after[name]], `${name} is half a file`).toContain(text);
}

function expectNoDeadEntry(places: InstallPlaces): void {
  for (const client of CLIENTS) {
    const { launcher, entries, own } = locateFiles(client, places.home, {});
    const callers = [...entries, ...own.slice(1)].map(({ path }) =>
      existsSync(path) ? readFileSync(path, "utf8") : "",
    );
    // The entry of Claude Code names the launcher by ~.
    const name = launcher.slice(places.home.length);
    if (callers.some((text) => text.includes(name))) expect(existsSync(launcher), client).toBe(true);
  }
}

async function inTurn(moments: readonly number[], work: (moment: number) => Promise<void>): Promise<void> {
  const left = [...moments];
  const worker = async () => {
    for (let moment = left.shift(); moment !== undefined; moment = left.shift()) await work(moment);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Returns `count` numbers, spread evenly over all moments. */
const spread = (count: number, all: number) =>
  Array.from({ length: count }, (_, at) => 1 + Math.floor((at * all) / count));

describe("[P-2] kill -9", () => {
  it("at 100 moments of an installation leaves every file whole, and a second run completes it", {
    timeout: 300_000,
  }, async () => {
    const model = prepare();
    const before = look(model);
    const all = (await runKilled(0, INSTALL, model.places)) ?? 0;
    const after = look(model);
    // Files contain the path of their folder, quoted in several ways; only its last six characters differ.
    const toOwn = (files: Record<string, string>, from: string, to: string) =>
      Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.replaceAll(from, to)]));
    await inTurn(spread(100, all), async (moment) => {
      const scratch = prepare();
      const own = toOwn(after, model.folder.slice(-6), scratch.folder.slice(-6));
      expect(await runKilled(moment, INSTALL, scratch.places)).toBeNull();
      const now = look(scratch);
      expectWhole(now, before, own);
      expectNoDeadEntry(scratch.places);
      // Every third installation is uninstalled without being completed.
      if (moment % 3 > 0) {
        await run(INSTALL, scratch.later(60));
        const healed = look(scratch);
        expect(settled(healed)).toEqual(settled(own));
        expect(Object.keys(healed).filter((name) => name.endsWith(".tmp"))).toEqual([]);
      }
      await run(UNINSTALL, scratch.later(120));
      expect(look(scratch)).toEqual(before);
    });
    expect(all).toBeGreaterThan(100);
  });

  it("at 24 moments of a removal leaves every file whole, and a second run completes it", async () => {
    const model = prepare();
    const before = look(model);
    await run(INSTALL, model.places);
    const all = (await runKilled(0, UNINSTALL, model.later(5))) ?? 0;
    await inTurn(spread(24, all), async (moment) => {
      const scratch = prepare();
      await run(INSTALL, scratch.places);
      const after = look(scratch);
      expect(await runKilled(moment, UNINSTALL, scratch.later(5))).toBeNull();
      expectWhole(look(scratch), before, after);
      expectNoDeadEntry(scratch.places);
      await run(UNINSTALL, scratch.later(60));
      expect(look(scratch)).toEqual(before);
    });
  });
});
