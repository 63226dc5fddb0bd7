import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toEditorLink } from "./editor-link.ts";
import { parseRoute, toHash } from "./router.ts";
import { toCommand } from "./shell-quote.ts";

const VSCODE = "vscode://file/{path}:{line}";

describe("[K 4] links into the editor", () => {
  it.each([
    [VSCODE, "src/a.ts", 3, "vscode://file/home/me/repo/src/a.ts:3"],
    [VSCODE, "src/a.ts", null, "vscode://file/home/me/repo/src/a.ts:1"],
    ["idea://open?file={path}&line={line}", "a b.ts", 9, "idea://open?file=/home/me/repo/a%20b.ts&line=9"],
    [VSCODE, "x?y#z\"'<>&:1.ts", 1, "vscode://file/home/me/repo/x%3Fy%23z%22'%3C%3E%26%3A1.ts:1"],
    ["zed://file{path}", "/abs.ts", 1, "zed://file/abs.ts"],
  ])("%s, %s:%s", (template, path, line, link) => {
    expect(toEditorLink(template, "/home/me/repo", path, line)).toBe(link);
  });

  it.each(["", "javascript:alert(1)//{path}", "http://x/{path}", "data:{path}", "vscode://file/"])(
    "none: %j",
    (template) => {
      expect(toEditorLink(template, "/repo", "a.ts", 1)).toBe(null);
    },
  );

  it("no link if the repository is unknown", () => expect(toEditorLink(VSCODE, "", "a.ts", 1)).toBe(null));
});

describe("[K 4] commands to copy", () => {
  it.each(["plain", "it's", "$(rm -rf /)", "a\nb", "`x`", "--flag", "", "\\", '"', "价格", "!!", "*"])(
    "%j is one word",
    (word) => {
      const said = execFileSync("/bin/sh", ["-c", `printf %s ${toCommand([word])}`], { encoding: "utf8" });
      expect(said).toBe(word);
    },
  );

  it("a command consists of all its words", () => {
    expect(toCommand(["groundwork", "try", "who calls it?", "--repo", "/home/me"])).toBe(
      "groundwork try 'who calls it?' --repo /home/me",
    );
  });
});

describe("[K 4] addresses of the page", () => {
  it.each([
    ["", "runs", "", ""],
    ["#/runs", "runs", "", ""],
    ["#/runs/20261117-1-a", "runs", "20261117-1-a", ""],
    ["#/graph/K%2FY", "graph", "K/Y", ""],
    ["#/value?days=7", "value", "", "days=7"],
    ["#/nowhere/x", "runs", "", ""],
    ["#/runs/%ff", "runs", "%ff", ""],
  ])("%s", (hash, part, id, query) => {
    const route = parseRoute(hash);
    expect([route.part, route.id, String(route.query)]).toEqual([part, id, query]);
  });

  it("are parsed back to what they were made from", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ minLength: 1 }), (id, text) => {
        const route = parseRoute(toHash("runs", id, { text }));
        expect([route.id, route.query.get("text")]).toEqual([id, text]);
      }),
    );
  });
});
