import { describe, expect, it } from "vitest";
import { judgeCommand } from "../clients/our-commands.ts";
import { addHook, type HookSpec, removeHook, restoreTimeout } from "./settings-edit.ts";
import { checkShape, parseSettings, type SettingsText } from "./settings-text.ts";

const COMMAND = "~/.claude/hooks/context-inject-global.sh";
const HOOK: HookSpec = {
  event: "UserPromptSubmit",
  group: { matcher: "" },
  handler: { type: "command", command: COMMAND, timeout: 20 },
  judge: (command) => judgeCommand(command, COMMAND, "/home/u"),
};
const EVENTS = [HOOK.event];

function read(text: string): SettingsText {
  const settings = parseSettings("settings.json", Buffer.from(text), EVENTS);
  if (!settings.ok) throw new Error(settings.fault.message);
  return settings.value;
}

const entry = (command: string, rest = "") =>
  `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":${JSON.stringify(command)}${rest}}]}]}}`;

describe("addHook", () => {
  it("writes a new file in the usual form", () => {
    expect(addHook(read(""), HOOK)).toEqual({
      text: `{
  "hooks": {
    "UserPromptSubmit": [
      {
        "matcher": "",
        "hooks": [
          {
            "type": "command",
            "command": "~/.claude/hooks/context-inject-global.sh",
            "timeout": 20
          }
        ]
      }
    ]
  }
}
`,
      made: ["hooks", "hooks.UserPromptSubmit"],
      found: false,
      timeoutBefore: null,
    });
  });

  it("appends after the existing entries, in their style", () => {
    const before = `{
\t"hooks": {
\t\t"UserPromptSubmit": [
\t\t\t{ "hooks": [{ "type": "command", "command": "mine" }] } // mine
\t\t],
\t\t"Stop": []
\t}
}`;
    const { text, made } = addHook(read(before), HOOK);
    expect(made).toEqual([]);
    expect(text).toBe(
      before.replace(
        " // mine",
        `, // mine
\t\t\t{
\t\t\t\t"matcher": "",
\t\t\t\t"hooks": [
\t\t\t\t\t{
\t\t\t\t\t\t"type": "command",
\t\t\t\t\t\t"command": "~/.claude/hooks/context-inject-global.sh",
\t\t\t\t\t\t"timeout": 20
\t\t\t\t\t}
\t\t\t\t]
\t\t\t}`,
      ),
    );
  });

  it.each([
    "~/.claude/hooks/context-inject-global.sh",
    "$HOME/.claude/hooks/context-inject-global.sh",
    '"$' + '{HOME}/.claude/hooks/context-inject-global.sh"',
    "/home/u/.claude/hooks/context-inject-global.sh",
    "bash ~/.claude/hooks/context-inject-global.sh",
  ])("takes %s for the same hook and corrects its timeout only", (command) => {
    const before = entry(command, ',"timeout": 5000 ');
    const added = addHook(read(before), HOOK);
    expect(added).toEqual({
      text: before.replace("5000", "20"),
      made: [],
      found: true,
      timeoutBefore: "5000",
    });
    expect(addHook(read(added.text), HOOK)).toEqual({ ...added, timeoutBefore: null });
    expect(restoreTimeout(read(added.text), HOOK, "5000")).toBe(before);
  });

  it("adds a timeout where the entry has none", () => {
    const before = entry("~/.claude/hooks/context-inject-global.sh");
    const added = addHook(read(before), HOOK);
    expect([added.text, added.timeoutBefore]).toEqual([
      entry("~/.claude/hooks/context-inject-global.sh", ',"timeout":20'),
      "",
    ]);
    expect(restoreTimeout(read(added.text), HOOK, "")).toBe(before);
  });

  it.each(["./context-inject-global.sh", "~/.claude/hooks/other.sh", "x ~/.claude/hooks/y"])(
    "leaves %s alone",
    (command) => expect(addHook(read(entry(command)), HOOK).found).toBe(false),
  );
});

describe("removeHook", () => {
  const ours = '{"command":"~/.claude/hooks/context-inject-global.sh"}';
  it.each([
    ["an entry beside others", `[{"hooks":[{"command":"a"}]},{"hooks":[${ours}]}]`, '[{"hooks":[{"command":"a"}]}]'],
    ["one handler of a group", `[{"hooks":[${ours},{"command":"a"}]}]`, '[{"hooks":[{"command":"a"}]}]'],
    ["every copy", `[{"hooks":[${ours}]},{"hooks":[${ours}]}]`, "[]"],
    ["nothing of odd shapes", '["x",{"hooks":"y"},{"hooks":[1]},null]', '["x",{"hooks":"y"},{"hooks":[1]},null]'],
  ])("takes away %s", (_name, before, after) => {
    const wrap = (list: string) => `{"hooks":{"UserPromptSubmit":${list}}}`;
    expect(removeHook(read(wrap(before)), HOOK, [])).toBe(wrap(after));
  });

  it("removes the containers that we made once they are empty", () => {
    const made = ["hooks", "hooks.UserPromptSubmit"];
    const text = (inner: string) => `{"a":1,"hooks":${inner}}`;
    const event = `"UserPromptSubmit":[{"hooks":[${ours}]}]`;
    expect(removeHook(read(text(`{${event}}`)), HOOK, made)).toBe('{"a":1}');
    expect(removeHook(read(text(`{${event},"Stop":[]}`)), HOOK, made)).toBe(text('{"Stop":[]}'));
    expect(removeHook(read(text('{"UserPromptSubmit":[]}')), HOOK, made)).toBe('{"a":1}');
    expect(removeHook(read(text(`{${event}}`)), HOOK, ["hooks.UserPromptSubmit"])).toBe(text("{}"));
  });

  it("finds nothing if hooks is not an object", () => {
    for (const text of ['{"hooks":"x"}', '{"hooks":{"UserPromptSubmit":{}}}', "", "{}"]) {
      expect(removeHook(read(text), HOOK, [])).toBe(text);
    }
  });
});

describe("parseSettings and checkShape", () => {
  const check = (bytes: Buffer | string) => {
    const settings = parseSettings("/h/settings.json", Buffer.from(bytes), EVENTS);
    const outcome = settings.ok ? checkShape("/h/settings.json", settings.value, EVENTS) : settings;
    return outcome.ok ? "" : `${outcome.fault.code} ${outcome.fault.message.split(";")[0]}`;
  };

  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', "E_CONFIG /h/settings.json:3: not valid JSON (comma expected)"],
    ['{\n  "a": ', "E_CONFIG /h/settings.json:2: not valid JSON (value expected)"],
    ["{} {}", "E_CONFIG /h/settings.json:1: not valid JSON (end of file expected)"],
    ["[]", "E_CONFIG /h/settings.json:1: holds an array, not an object"],
    ["null", "E_CONFIG /h/settings.json:1: holds null, not an object"],
    ['{\n\n"hooks": "x"}', "E_CONFIG /h/settings.json:3: hooks is a string, not an object"],
    [
      '{"hooks":\n{"UserPromptSubmit":\n{}}}',
      "E_CONFIG /h/settings.json:3: hooks.UserPromptSubmit is an object, not an array",
    ],
    ['{"hooks":{},\n"hooks":{}}', "E_CONFIG /h/settings.json:2: the key hooks is there twice"],
    [
      '{"hooks":{"UserPromptSubmit":[],"UserPromptSubmit":[]}}',
      "E_CONFIG /h/settings.json:1: the key UserPromptSubmit is there twice",
    ],
    [Buffer.from([0x7b, 0xff, 0x7d]), "E_CONFIG /h/settings.json:1: not UTF-8 text"],
    [`{"a":${"[".repeat(200_000)}`, "E_CONFIG /h/settings.json:1: Maximum call stack size exceeded"],
  ])("refuses %j", (bytes, message) => expect(check(bytes)).toBe(message));

  it.each(["", " \n", "\uFEFF{}", '{"a":[1,],} // c', '{"hooks":{"UserPromptSubmit":["odd"]}}'])(
    "lets %j pass",
    (text) => expect(check(text)).toBe(""),
  );
});
