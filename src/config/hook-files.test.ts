import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { toLimitTexts } from "../contract/limits.ts";
import * as hookFiles from "./hook-files.ts";

function loadToolHooks(home: string | null, top: string) {
  const hooks = hookFiles.loadToolHooks(home, top);
  return { ...hooks, limits: toLimitTexts(hooks.limits) };
}

const RULE = { description: "d", hooks: [{ type: "command", command: "true" }] };
const rules = (...commands: string[]) =>
  JSON.stringify(commands.map((command) => ({ hooks: [{ type: "command", command }] })));
const commandsOf = (hooks: readonly { readonly actions: readonly { readonly command: string }[] }[]) =>
  hooks.flatMap(({ actions }) => actions.map(({ command }) => command));

describe("[HOOK-2] [decision 9] where hooks come from", () => {
  it("for each event, only the first file with a rule counts", () => {
    const home = makeFolder({
      ".groundwork/hooks/beforeToolCall.json": "[]",
      ".snow/hooks/beforeToolCall.json": JSON.stringify({ beforeToolCall: JSON.parse(rules("snow")) }),
      ".groundwork/hooks/afterToolCall.json": rules("own"),
      ".snow/hooks/afterToolCall.json": rules("other"),
    });
    const { before, after, limits } = loadToolHooks(home, makeFolder({}));
    expect([commandsOf(before), commandsOf(after), limits]).toEqual([["snow"], ["own"], []]);
  });

  it("[decision 8] a repository's hooks are ignored until it is trusted, and that is reported", () => {
    const top = makeFolder({ ".groundwork/hooks/beforeToolCall.json": rules("theirs") });
    const home = makeFolder({ ".groundwork/hooks/beforeToolCall.json": rules("mine") });
    const { before, limits } = loadToolHooks(home, top);
    expect(commandsOf(before)).toEqual(["mine"]);
    expect(limits).toEqual([
      "hooks in this repository's .groundwork/hooks are not run until you trust it: groundwork trust",
    ]);
    expect(loadToolHooks(null, top).before).toEqual([]);
  });

  it("the hooks of a home folder that is the repository are the user's own", () => {
    const home = makeFolder({ ".groundwork/hooks/beforeToolCall.json": rules("mine") });
    expect(commandsOf(loadToolHooks(home, home).before)).toEqual(["mine"]);
  });

  it("no files give no hooks", () => {
    expect(loadToolHooks(makeFolder({}), makeFolder({}))).toEqual({ before: [], after: [], limits: [] });
    expect(loadToolHooks(null, join(makeFolder({}), "gone"))).toEqual({ before: [], after: [], limits: [] });
  });
});

describe("[G D.24] a file of hooks that cannot be read", () => {
  it("is reported, for the user and for a trusted repository", () => {
    const home = makeFolder({ ".groundwork/hooks/beforeToolCall.json/not-a-file": "" });
    symlinkSync(join(home, "gone"), join(home, ".groundwork/hooks/afterToolCall.json"));
    expect(loadToolHooks(home, makeFolder({}))).toEqual({
      before: [],
      after: [],
      limits: expect.arrayContaining([
        expect.stringMatching(/^~\/\.groundwork\/hooks\/beforeToolCall\.json: .*; not run$/),
        expect.stringMatching(/^~\/\.groundwork\/hooks\/afterToolCall\.json: .*; not run$/),
      ]),
    });
  });
});

describe("[HOOK-2] the content of a hook file", () => {
  const load = (content: unknown, file = "beforeToolCall.json") =>
    loadToolHooks(
      makeFolder({ [`.groundwork/hooks/${file}`]: typeof content === "string" ? content : JSON.stringify(content) }),
      makeFolder({}),
    );

  it("commands with their timeouts, matchers with their fields; disabled hooks are ignored", () => {
    const { before } = load([
      {
        matcher: "ci_*, args:*secret*",
        hooks: [
          { type: "command", command: "a", timeout: 100 },
          { type: "command", command: "b", enabled: false },
          { type: "command", command: "c" },
        ],
      },
    ]);
    expect(before).toEqual([
      {
        matcher: [
          { field: "toolName", pattern: "ci_*" },
          { field: "args", pattern: "*secret*" },
        ],
        actions: [
          { command: "a", timeoutMs: 100 },
          { command: "c", timeoutMs: 5_000 },
        ],
      },
    ]);
  });

  it.each([
    ["{", "not valid JSON"],
    [{ other: [RULE] }, 'no list of rules under "beforeToolCall"'],
    [[1], 'rule 1: no list of "hooks"'],
    [
      [RULE, { hooks: [{ type: "prompt", prompt: "p" }] }],
      'rule 2: hooks of type "prompt" cannot run here; only "command" can',
    ],
    [[{ hooks: [{ type: "webhook" }] }], 'rule 1: hooks of type "webhook" cannot run here; only "command" can'],
    [[{ hooks: [{ type: "command" }] }], "rule 1: no command"],
    [[{ hooks: [{ type: "command", command: "a", timeout: "5" }] }], "rule 1: timeout is not a valid time"],
    [[{ matcher: 7, hooks: [] }], "rule 1: matcher is not a text"],
    [[{ matcher: "a,,b", hooks: [] }], 'rule 1: matcher "" is not a valid pattern'],
    [
      [{ matcher: "*a".repeat(20), hooks: [] }],
      `rule 1: matcher ${JSON.stringify("*a".repeat(20))} is not a valid pattern`,
    ],
    ["x".repeat(70_000), "too large"],
  ])("%j is reported, and the rest still counts", (content, why) => {
    const { before, limits } = load(content);
    expect(limits).toEqual([`~/.groundwork/hooks/beforeToolCall.json: ${why}; not run`]);
    expect(before.length).toBe(Array.isArray(content) && content[0] === RULE ? 1 : 0);
  });

  it("a file of unknown type is reported; one for another program is not", () => {
    expect(load("[]", "beforeTool.json").limits).toEqual([
      "~/.groundwork/hooks/beforeTool.json: no known hook type; not run",
    ]);
    expect(load("[]", "onStop.json").limits).toEqual([]);
  });
});
