import { describe, expect, it } from "vitest";
import type { Outcome } from "../../contract/faults.ts";
import { editTomlHook, editTomlServer } from "./toml-entries.ts";
import { scanToml } from "./toml-scan.ts";

const HOOK = editTomlHook({
  event: "UserPromptSubmit",
  command: "/k/groundwork.sh",
  timeout: 20,
  judge: (command) => (command === "/k/groundwork.sh" ? "same" : command.includes("groundwork") ? "older" : null),
});
const SERVER = editTomlServer({
  name: "code-intelligence",
  command: "/k/groundwork.sh",
  args: ["mcp"],
  judge: (command) => (command === "/k/groundwork.sh mcp" ? "same" : command.includes("old.sh mcp") ? "older" : null),
});
const OURS = '[[hooks]]\nevent = "UserPromptSubmit"\ncommand = "/k/groundwork.sh"\ntimeout = 20\n';
const OUR_SERVER = '[mcp_servers.code-intelligence]\ncommand = "/k/groundwork.sh"\nargs = ["mcp"]\n';

function get<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.fault.message);
  return outcome.value;
}
const add = (editor: typeof HOOK, text: string) => get(editor.add("c.toml", Buffer.from(text)));
const remove = (editor: typeof HOOK, text: string) => get(editor.remove("c.toml", Buffer.from(text), []));
const faultOf = (outcome: Outcome<unknown>) => (outcome.ok ? "" : outcome.fault.message);

const FILES: Record<string, string> = {
  empty: "",
  "one key": 'a = "b"\n',
  "carriage returns": 'a = 1\r\n\r\n[b]\r\nc = "d" # e\r\n',
  "a byte order mark": "\uFEFFa = 1\n",
  "other hooks": '[[hooks]]\nevent = "Stop"\ncommand = "x"\n',
  "another hook of the event": '[[hooks]]\nevent = "UserPromptSubmit"\ncommand = "mine"\n# tail\n',
  "long strings":
    'a = """\n[[hooks]]\ncommand = "groundwork"\n"""\nb = \'\'\'\n[mcp_servers.code-intelligence]\n\'\'\'\n',
  "long lists": 'a = [\n  "x", # [[hooks]]\n  { b = "]" },\n]\n\n[ "q.r" . s ]\nt.u = 1979-05-27T07:32:00Z\n',
  "other servers": '[mcp_servers.x]\ncommand = "y"\n[mcp_servers.x.env]\nA = "b"\n',
  "servers in one line": 'mcp_servers.x = { command = "y" }\n',
  "a header of its own": "[mcp_servers]\n",
};

describe("[P-2] entries in TOML", () => {
  it.each(Object.entries(FILES))("are appended and removed again: %s", (_name, text) => {
    for (const editor of [HOOK, SERVER]) {
      const added = add(editor, text);
      expect(added.text.startsWith(text)).toBe(true);
      expect(add(editor, added.text)).toMatchObject({ text: added.text, found: true });
      expect(remove(editor, added.text)).toBe(text);
      expect(remove(editor, text)).toBe(text);
    }
  });

  it("look as if written by a person", () => {
    expect(add(HOOK, "a = 1").text).toBe(`a = 1\n\n${OURS}`);
    expect(add(SERVER, "").text).toBe(OUR_SERVER);
  });

  it("update the entry of an older version, and keep what the user added", () => {
    const old = `x = 1\n\n[[hooks]]\nevent = "UserPromptSubmit" # e\ncommand = 'groundwork hook kimi' # c\nmatcher = ""\n\n# mine\n[y]\n`;
    const text = add(HOOK, old).text;
    expect(text).toBe(
      old
        .replace("'groundwork hook kimi'", '"/k/groundwork.sh"')
        .replace('matcher = ""\n', 'matcher = ""\ntimeout = 20\n'),
    );
    expect(remove(HOOK, text)).toBe("x = 1\n\n# mine\n[y]\n");
    const twice = `${OURS}\n[[hooks]]\nevent = "UserPromptSubmit"\ncommand = "/old/groundwork.sh"\n`;
    expect(add(HOOK, twice).text).toBe(OURS);
    const server = '[mcp_servers.ci]\ncommand = "/old.sh"\nargs = ["mcp"]\n';
    expect(add(SERVER, server).text).toBe(server.replace("/old.sh", "/k/groundwork.sh"));
    const both = `${OUR_SERVER}${server}[mcp_servers.ci.env]\nA = "b"\n`;
    expect(add(SERVER, both).text).toBe(OUR_SERVER);
    expect(add(HOOK, OURS.replace("20", "9223372036854775807")).text).toBe(OURS);
  });

  it("are removed together with their subtables, without which Codex would reject the file", () => {
    const text = `${OUR_SERVER}\n[mcp_servers.code-intelligence.tools.ci_search]\napproval_mode = "approve"\n\n[z]\n`;
    expect(remove(SERVER, text)).toBe("\n[z]\n");
  });

  it("keep the user's own server of the same name or kind", () => {
    for (const own of [
      '[mcp_servers.code-intelligence]\ncommand = "mine"\n',
      '[mcp_servers.x]\ncommand = "code-intelligence-mcp"\n',
    ]) {
      expect(add(SERVER, own)).toMatchObject({ text: own, found: false, notes: [expect.stringContaining("your own")] });
      expect(remove(SERVER, own)).toBe(own);
    }
  });

  it.each([
    ["a = ", "not valid TOML"],
    ["a = 1\na = 2\n", "not valid TOML"],
    ["hooks = []\n", "write each hook as a separate table"],
  ])("are refused in %j", (text, message) => {
    expect(faultOf(HOOK.add("c.toml", Buffer.from(text)))).toContain(message);
  });

  it("are refused if the bytes are not text, or the servers are an inline table", () => {
    expect(faultOf(HOOK.add("c.toml", Buffer.from([0x61, 0xff])))).toContain("not UTF-8");
    expect(faultOf(SERVER.add("c.toml", Buffer.from("mcp_servers = { x = { command = 'y' } }\n")))).toContain(
      "cannot be added",
    );
  });

  it("distinguishes tables from what only looks like one", () => {
    const tables = scanToml(FILES["long lists"] ?? "");
    expect(tables.map(({ path, pairs }) => [path, pairs.map(({ name }) => name)])).toEqual([
      [[], ["a"]],
      [["q.r", "s"], ["t.u"]],
    ]);
  });
});
