import { describe, expect, it } from "vitest";
import type { Command } from "./commands/command.ts";
import { readWords, sayUnknown, splitCommand } from "./read-command.ts";

const COMMAND: Pick<Command, "options" | "more"> = {
  options: {
    repo: { value: "DIR", doc: "" },
    where: { value: "DIR", isOptional: true, doc: "" },
    format: { value: "FORMAT", values: ["text", "json", "hook"], doc: "" },
    json: { doc: "" },
    follow: { short: "f", doc: "" },
  },
  more: { task: { value: "TEXT", doc: "" } },
};

describe("[K 2] reading a command line", () => {
  it.each<[string[], string[], object]>([
    [["a", "b"], ["a", "b"], {}],
    [["--json", "a", "-f"], ["a"], { json: true, follow: true }],
    [["--repo", "x", "--repo=y"], [], { repo: "y" }],
    [["--repo="], [], { repo: "" }],
    [["--repo", "-"], [], { repo: "-" }],
    [["--format=json", "--color", "never", "-h"], [], { format: "json", color: "never", help: true }],
    [["--task=--json"], [], { task: "--json" }],
    [["--", "--json", "--what"], ["--json", "--what"], {}],
    [["--where"], [], { where: "" }],
    [["--where", "--json"], [], { where: "", json: true }],
    [["--where", "x"], [], { where: "x" }],
    [["--", "--where"], ["--where"], {}],
  ])("%j", (argv, words, values) => {
    expect(readWords(COMMAND, argv)).toEqual({ ok: true, value: { words, values } });
  });

  it.each<[string[], string]>([
    [["--fromat", "json"], "unknown option --fromat; did you mean --format?"],
    [["--jsn"], "unknown option --jsn; did you mean --json?"],
    [["--completely-else"], "unknown option --completely-else"],
    [["-x"], "unknown option -x"],
    [["--toString"], "unknown option --toString"],
    [["--__proto__=1"], "unknown option --__proto__"],
    [["--repo"], "--repo needs a value: DIR"],
    [["--repo", "--json"], "--repo needs a value: DIR"],
    [["--json=yes"], "--json takes no value"],
    [["--format", "yaml"], "--format takes text, json or hook"],
    [["--color", "red"], "--color takes auto, always or never"],
    [[`--${"x".repeat(500)}\u001b[2J`], `unknown option --${"x".repeat(57)}…`],
  ])("%j is refused", (argv, why) => {
    expect(readWords(COMMAND, argv)).toEqual({ ok: false, fault: { code: "E_INVALID_ARGS", message: why } });
  });

  it("a command may follow options", () => {
    expect(splitCommand(["try", "--json", "q"], [COMMAND])).toEqual({ name: "try", rest: ["--json", "q"] });
    expect(splitCommand(["--repo", "x", "--json", "try", "q"], [COMMAND])).toEqual({
      name: "try",
      rest: ["--repo", "x", "--json", "q"],
    });
    expect(splitCommand(["--repo=x", "try"], [COMMAND])).toEqual({ name: "try", rest: ["--repo=x"] });
    expect(splitCommand(["--version"], [COMMAND])).toEqual({ name: "", rest: ["--version"] });
    expect(splitCommand(["--", "try"], [COMMAND])).toEqual({ name: "", rest: ["--", "try"] });
  });

  it.each([
    ["serch", "unknown command serch; did you mean search?"],
    ["tyr", "unknown command tyr; did you mean try?"],
    ["docter", "unknown command docter; did you mean doctor?"],
    ["foo", "unknown command foo"],
    ["x", "unknown command x"],
    ["", "unknown command "],
  ])("did you mean: %j", (word, said) => {
    expect(sayUnknown("command", word, ["try", "search", "doctor", "on"])).toBe(said);
  });
});
