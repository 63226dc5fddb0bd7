import { describe, expect, it } from "vitest";
import { displayWidth } from "../../base/display-width.ts";
import { makePalette } from "./colour.ts";
import { printFirstScreen, type RepositoryState } from "./first-screen.ts";

const READY: RepositoryState = {
  version: "1.2.3",
  root: "/home/ada/项目/shop",
  isRepository: true,
  off: null,
  fault: "",
  index: { kind: "ready", files: 1 },
  hooked: ["Claude Code"],
  unhooked: [],
  resident: "running",
};
const SCREEN = { columns: 80, paint: makePalette({ hasColours: false }), home: "/home/ada" };
const NEW: Partial<RepositoryState> = {
  index: { kind: "none", files: 0 },
  hooked: [],
  unhooked: ["Claude Code", "Codex"],
  resident: "not running",
};
const STATES: Readonly<Record<string, Partial<RepositoryState>>> = {
  ready: {},
  new: NEW,
  "no repository": { ...NEW, isRepository: false },
  "no folder": { ...NEW, root: null, isRepository: false },
  unfinished: { index: { kind: "unfinished", files: 812 }, unhooked: ["Gemini CLI"] },
  "switched off": { off: { why: "CI_AUTO_TOOLS=off in the environment", undo: "unset CI_AUTO_TOOLS" } },
  broken: { fault: "config/auto-tools.yaml:3: no mapping", index: { kind: "damaged", files: 0 }, hooked: [] },
  homeless: { index: { kind: "no place", files: 0 }, hooked: [], resident: "off" },
};
const print = (name: string, columns = 80) => printFirstScreen({ ...READY, ...STATES[name] }, { ...SCREEN, columns });
const stepsOf = (text: string) => text.split("\nNext\n")[1]?.split("\n\n")[0]?.split("\n") ?? [];

describe("[K 2] the first screen", () => {
  it("everything set up", () => {
    expect(print("ready")).toMatchInlineSnapshot(`
      "Groundwork 1.2.3 in ~/项目/shop

        Index     ready, 1 file
        Hook      in Claude Code
        Resident  running

      Next
        groundwork try "your question"      see what a model would read
        groundwork doctor                   check all that evidence depends on
        groundwork explain "your question"  which tools would run, and why

      All commands: "groundwork --help". All about one: "groundwork help try".
      "
    `);
  });

  it("nothing set up", () => {
    expect(print("new")).toMatchInlineSnapshot(`
      "Groundwork 1.2.3 in ~/项目/shop

        Index     none yet; the first question about code starts it
        Hook      not installed yet; found here: Claude Code, Codex
        Resident  not running; the next question about code starts it

      Next
        groundwork install              put the hook into Claude Code, Codex
        groundwork try "your question"  see what a model would read
        groundwork index                build the index now

      All commands: "groundwork --help". All about one: "groundwork help try".
      "
    `);
  });

  it("switched off", () => {
    expect(print("switched off")).toMatchInlineSnapshot(`
      "Groundwork 1.2.3 in ~/项目/shop

        Switch    off: CI_AUTO_TOOLS=off in the environment
        Index     ready, 1 file
        Hook      in Claude Code
        Resident  running

      Next
        unset CI_AUTO_TOOLS             switch it on again
        groundwork try "your question"  see what a model would read
        groundwork doctor               check all that evidence depends on

      All commands: "groundwork --help". All about one: "groundwork help try".
      "
    `);
  });

  it("outside a repository, and in a deleted folder", () => {
    expect(print("no repository")).toMatchInlineSnapshot(`
      "Groundwork 1.2.3 in ~/项目/shop

        Folder    no git repository: only this folder would be read
        Index     none yet; the first question about code starts it
        Hook      not installed yet; found here: Claude Code, Codex
        Resident  not running; the next question about code starts it

      Next
        cd your-repository             and see how things are there
        groundwork install             put the hook into Claude Code, Codex
        groundwork try "…" --repo DIR  ask about another folder

      All commands: "groundwork --help". All about one: "groundwork help try".
      "
    `);
    expect(print("no folder")).toMatchInlineSnapshot(`
      "Groundwork 1.2.3

        Folder    the current folder no longer exists
        Hook      not installed yet; found here: Claude Code, Codex
        Resident  not running; the next question about code starts it

      Next
        cd your-repository             and see how things are there
        groundwork install             put the hook into Claude Code, Codex
        groundwork try "…" --repo DIR  ask about another folder

      All commands: "groundwork --help". All about one: "groundwork help try".
      "
    `);
  });

  it("something wrong", () => {
    expect(print("broken")).toMatchInlineSnapshot(`
      "Groundwork 1.2.3 in ~/项目/shop

        Settings  config/auto-tools.yaml:3: no mapping
        Index     cannot be read
        Hook      no client was found on this machine
        Resident  running

      Next
        groundwork config explain       what is wrong with the settings
        groundwork doctor --fix         move the damaged index aside
        groundwork try "your question"  see what a model would read

      All commands: "groundwork --help". All about one: "groundwork help try".
      "
    `);
    expect(print("homeless")).toContain("no place for one: set HOME or GROUNDWORK_HOME to a folder");
    expect(print("unfinished")).toContain("being built, 812 files so far");
    expect(stepsOf(print("unfinished"))[0]).toMatch(/^ {2}groundwork install +put the hook into Gemini CLI$/);
  });

  it.each(Object.keys(STATES))("%s: at most 15 lines and three steps, at any width", (name) => {
    expect(print(name).trimEnd().split("\n").length).toBeLessThanOrEqual(15);
    expect(stepsOf(print(name))).toHaveLength(3);
    for (const columns of [40, 80, 200])
      expect(Math.max(...print(name, columns).split("\n").map(displayWidth))).toBeLessThanOrEqual(columns);
  });

  it("content of a repository cannot control the terminal", () => {
    const evil = { ...READY, root: "/tmp/a\u001b[2Jb\nc", fault: "x\u001b[31m\ny" };
    expect(printFirstScreen(evil, SCREEN)).not.toContain("\u001b");
  });
});
