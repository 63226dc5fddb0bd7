import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applySteps } from "./apply.ts";
import { makeInstallPlan } from "./plan.ts";
import type { InstallReport } from "./report.ts";
import type { InstallPlaces, InstallRequest } from "./request.ts";
import { runInstall } from "./run-install.ts";
import { ask, makeScratch, snapshot } from "./scratch-home.test-helper.ts";

const COMMAND = "~/.claude/hooks/context-inject-global.sh";
const OTHER = '{ "hooks": [{ "type": "command", "command": "other" }] }';
const SETTINGS: Record<string, string | null> = {
  "no file": null,
  "an empty file": "",
  "a blank file": " \r\n\r\n",
  "an empty object": "{}",
  "an empty object with a blank": "{ }",
  "an empty object on two lines": "{\n}\n",
  "other settings": '{\n  "model": "x",\n  "env": { "A": "b" }\n}\n',
  "no newline at the end": '{\n  "model": "x"\n}',
  "many newlines at the end": '{\n  "model": "x"\n}\n\n\n',
  "one line": '{"model":"x","list":[1,2]}',
  "one line with blanks": '{ "model": "x", "hooks": { } }\n',
  "other hooks": `{\n  "hooks": {\n    "Stop": [\n      ${OTHER}\n    ]\n  },\n  "model": "x"\n}\n`,
  "empty hooks": '{\n  "hooks": {}\n}\n',
  "an empty event": '{\n  "hooks": {\n    "UserPromptSubmit": []\n  }\n}\n',
  "an empty event on two lines": '{\n  "hooks": {\n    "UserPromptSubmit": [\n    ]\n  }\n}\n',
  "other entries": `{\n  "hooks": {\n    "UserPromptSubmit": [\n      ${OTHER}\n    ]\n  }\n}\n`,
  "other entries on one line": `{\n  "hooks": { "UserPromptSubmit": [${OTHER}] }\n}\n`,
  "four blanks": '{\n    "hooks": {\n        "Stop": []\n    }\n}\n',
  tabs: `{\n\t"hooks": {\n\t\t"UserPromptSubmit": [\n\t\t\t${OTHER}\n\t\t]\n\t}\n}\n`,
  "carriage returns": `{\r\n  "model": "x",\r\n  "hooks": {\r\n    "UserPromptSubmit": [\r\n      ${OTHER}\r\n    ]\r\n  }\r\n}\r\n`,
  comments: `// head\n{\n  "a": 1, // one\n  /* two */ "hooks": {\n    // three\n    "UserPromptSubmit": [\n      ${OTHER} // four\n      // five\n    ] /* six */\n  } // seven\n}\n// tail\n`,
  "comments in an empty object": "{\n  // nothing yet\n}\n",
  "a trailing comma": `{\n  "hooks": {\n    "UserPromptSubmit": [\n      ${OTHER}, // mine\n    ],\n  },\n}\n`,
  "a byte order mark": '\uFEFF{\r\n  "model": "x"\r\n}\r\n',
  "odd numbers and escapes": '{\n  "n": 1.0e+2,\n  "s": "\\u0041\\/",\n  "a": 1,\n  "a": 2\n}\n',
};
/** Without the backup, everything can be restored except whitespace inside empty containers. */
const NEED_COPY = [
  "an empty file",
  "a blank file",
  "an empty object with a blank",
  "an empty object on two lines",
  "one line with blanks",
  "an empty event on two lines",
];

async function run(request: InstallRequest, places: InstallPlaces): Promise<InstallReport> {
  const outcome = await runInstall(request, places);
  if (!outcome.ok) throw new Error(outcome.fault.message);
  return outcome.value;
}

function dropBackups(claude: string): void {
  for (const name of Object.keys(snapshot(claude))) if (name.includes(".backup.")) rmSync(join(claude, name));
}

describe("install and uninstall restore every byte", () => {
  const all = Object.entries(SETTINGS);
  it.each(all)("%s", async (_name, text) => {
    const { folder, places, later, write, settings } = makeScratch();
    if (text !== null) write(settings, text);
    const before = snapshot(folder);
    await run(ask("install", { global: true }), places);
    await run(ask("install", { global: true }), later(1));
    expect(readFileSync(settings, "utf8")).toContain(COMMAND);
    await run(ask("uninstall"), later(2));
    expect(without(snapshot(folder, { backups: false }), ["state/"])).toEqual(without(before, []));
    expect((await run(ask("uninstall"), later(3))).summary).toContain("Nothing");
  });

  it.each(all.filter(([name, text]) => text !== null && !NEED_COPY.includes(name)))(
    "%s, copies gone",
    async (_name, text) => {
      const { places, later, write, settings, claude } = makeScratch();
      write(settings, text ?? "");
      await run(ask("install"), places);
      dropBackups(claude);
      await run(ask("uninstall"), later(2));
      expect(readFileSync(settings, "utf8")).toBe(text);
    },
  );

  it.each(all.filter(([, text]) => text !== null))("%s, through a link", async (_name, text) => {
    const { folder, places, later, write, link, settings, claude } = makeScratch();
    const target = join(folder, "dotfiles", "claude.json");
    write(target, text ?? "", 0o640);
    link(target, settings);
    await run(ask("install"), places);
    await run(ask("uninstall"), later(2));
    expect(readFileSync(target, "utf8")).toBe(text);
    expect(snapshot(claude)["settings.json"]).toBe(`-> ${target}`);
  });

  it("including what the user changed in between", async () => {
    const { places, later, write, settings } = makeScratch();
    const text = '{\n  "model": "x"\n}\n';
    write(settings, text);
    await run(ask("install"), places);
    writeFileSync(settings, readFileSync(settings, "utf8").replace('"x"', '"y"'));
    await run(ask("uninstall"), later(2));
    expect(readFileSync(settings, "utf8")).toBe(text.replace("x", "y"));
  });

  it("keeps a settings file of ours to which the user added something", async () => {
    const { places, later, settings } = makeScratch();
    await run(ask("install"), places);
    writeFileSync(settings, readFileSync(settings, "utf8").replace("{", '{\n  "model": "x",'));
    await run(ask("uninstall"), later(2));
    expect(readFileSync(settings, "utf8")).toBe('{\n  "model": "x"\n}\n');
  });
});

describe("uninstall", () => {
  const foreign = "#!/bin/sh\necho mine\n";

  it("restores a foreign hook file with its entry and timeout", async () => {
    const { folder, places, later, write, settings, hook, claude } = makeScratch();
    write(settings, `{"hooks":{"UserPromptSubmit":[{"hooks":[{"command":"${COMMAND}","timeout":5000}]}]}}`);
    write(hook, foreign, 0o700);
    const before = snapshot(folder);
    const report = await run(ask("install"), places);
    expect(report.items.map(({ action, detail }) => `${action}: ${detail}`)).toContain(
      "backup: the file that stood there is not ours",
    );
    expect(snapshot(claude)["hooks/context-inject-global.sh.backup.20261115224107"]).toBe(foreign);
    expect(readFileSync(settings, "utf8")).toContain('"timeout":20');
    for (const copies of ["kept", "gone"]) {
      if (copies === "gone") {
        await run(ask("install"), later(4));
        rmSync(`${settings}.backup.20261115224111`);
      }
      await run(ask("uninstall"), later(2));
      expect(without(snapshot(folder, { backups: false }), ["state/"])).toEqual(before);
    }
    expect(Object.keys(snapshot(join(claude, "hooks")))).toEqual(["context-inject-global.sh"]);
  });

  it("restores a foreign link as a link and leaves its target alone", async () => {
    const { folder, places, later, write, link, hook } = makeScratch();
    write(join(folder, "mine.sh"), foreign, 0o755);
    link("../../../mine.sh", hook);
    const before = snapshot(folder);
    await run(ask("install"), places);
    expect(readFileSync(join(folder, "mine.sh"), "utf8")).toBe(foreign);
    await run(ask("uninstall"), later(2));
    expect(without(snapshot(folder), ["state/"])).toEqual(before);
  });

  it.each(["absent", "damaged", "from the future"])("works with a receipt that is %s", async (state) => {
    const { places, later, write, settings, hook, receipt, wrapper } = makeScratch();
    const text = '{\n  "hooks": {\n    "UserPromptSubmit": [\n      1\n    ]\n  }\n}\n';
    write(settings, text);
    write(hook, foreign, 0o755);
    await run(ask("install", { global: true }), places);
    if (state === "absent") rmSync(receipt);
    else writeFileSync(receipt, state === "damaged" ? '{"version":1,"hook":{"pa' : '{"version":2}');
    writeFileSync(hook, `${readFileSync(hook, "utf8")}# edited\n`);
    const report = await run(ask("uninstall"), later(2));
    expect(readFileSync(settings, "utf8")).toBe(text);
    expect(readFileSync(hook, "utf8")).toBe(foreign);
    expect([existsSync(wrapper), existsSync(receipt)]).toEqual([false, false]);
    expect(report.notes.some((note) => note.includes("was damaged"))).toBe(state !== "absent");
  });

  it("removes an edited launcher, and leaves what was never ours", async () => {
    const { places, later, write, link, settings, hook, wrapper } = makeScratch();
    await run(ask("install"), places);
    writeFileSync(hook, `${readFileSync(hook, "utf8")}# edited\n`);
    await run(ask("uninstall"), later(2));
    expect(existsSync(hook)).toBe(false);
    const text = `{"hooks":{"UserPromptSubmit":[{"hooks":[{"command":"${COMMAND}","timeout":20}]}]}}`;
    write(hook, foreign);
    write(settings, text);
    link("/other/codex-auto", wrapper);
    const report = await run(ask("uninstall"), later(3));
    expect(report.items.map((item) => item.action)).toEqual(["keep", "keep", "keep"]);
    expect([readFileSync(hook, "utf8"), readFileSync(settings, "utf8")]).toEqual([foreign, text]);
  });

  it("removes the left-over session file of this repository only (ATO-INST-3, B-26)", async () => {
    const { folder, places, write, link } = makeScratch();
    const name = ".devbooks/cache/auto-tools/codex-session.json";
    write(join(places.repoRoot, name), "{}");
    await run(ask("uninstall"), places);
    expect(existsSync(join(places.repoRoot, name))).toBe(false);
    const hostile = { ...places, repoRoot: join(folder, "hostile") };
    write(join(folder, "elsewhere/cache/auto-tools/codex-session.json"), "{}");
    link("../elsewhere", join(hostile.repoRoot, ".devbooks"));
    expect((await run(ask("uninstall"), hostile)).items.map((item) => item.action)).toEqual(["keep"]);
    expect(existsSync(join(folder, "elsewhere/cache/auto-tools/codex-session.json"))).toBe(true);
  });

  it("stops at broken settings before anything is removed, and writes nothing on a dry run", async () => {
    const { folder, places, later, settings } = makeScratch();
    await run(ask("install", { global: true }), places);
    const installed = snapshot(folder);
    const report = await run(ask("uninstall", { dryRun: true }), later(2));
    expect([snapshot(folder), report.written]).toEqual([installed, false]);
    writeFileSync(settings, "{");
    const broken = snapshot(folder);
    expect(await runInstall(ask("uninstall"), later(2))).toMatchObject({ ok: false, fault: { code: "E_CONFIG" } });
    expect(snapshot(folder)).toEqual(broken);
  });
});

describe("an interruption after any step", () => {
  const prepare = () => {
    const scratch = makeScratch();
    scratch.write(scratch.settings, `{\n  "model": "x",\n  "hooks": { "Stop": [${OTHER}] }\n}\n`);
    scratch.write(scratch.hook, "#!/bin/sh\necho mine\n", 0o755);
    return scratch;
  };
  const stepsOf = (request: InstallRequest, places: InstallPlaces) => {
    const plan = makeInstallPlan(request, places);
    if (!plan.ok) throw new Error(plan.fault.message);
    return plan.value.steps;
  };

  it.each([0, 1, 2, 3, 4, 5])(
    "of an installation is completed by running again, or undone (%d steps)",
    async (count) => {
      for (const action of ["install", "uninstall"] as const) {
        const { folder, places, later } = prepare();
        const before = snapshot(folder);
        const steps = stepsOf(ask("install", { global: true }), places);
        expect(steps).toHaveLength(6);
        expect(applySteps(steps.slice(0, count)).ok).toBe(true);
        if (action === "install") {
          await run(ask("install", { global: true }), later(60));
          expect((await run(ask("install", { global: true }), later(61))).written).toBe(false);
        }
        await run(ask("uninstall"), later(62));
        expect(without(snapshot(folder, { backups: false }), ["state/"])).toEqual(before);
      }
    },
  );

  it.each([0, 1, 2, 3, 4])("of a removal is completed by running again (%d steps)", async (count) => {
    const { folder, places, later } = prepare();
    const before = snapshot(folder);
    await run(ask("install", { global: true }), places);
    const steps = stepsOf(ask("uninstall"), later(1));
    expect(steps.length).toBeGreaterThan(count);
    expect(applySteps(steps.slice(0, count)).ok).toBe(true);
    await run(ask("uninstall"), later(60));
    expect(without(snapshot(folder, { backups: false }), ["state/"])).toEqual(before);
  });

  it("stops if a file was changed after planning", () => {
    const { places, settings } = prepare();
    const steps = stepsOf(ask("install"), places);
    writeFileSync(settings, "{}");
    expect(applySteps(steps)).toMatchObject({
      ok: false,
      fault: { message: expect.stringContaining("changed by another program") },
    });
    expect(readFileSync(settings, "utf8")).toBe("{}");
  });
});

/** Removes entries for folders that may remain, empty, after uninstalling. */
function without(files: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));
}
