import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPolicyArgs, splitArgs, toArgs, writeValue } from "./args.ts";

describe("reading Codex's arguments", () => {
  it("loses no argument, in any order", () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom("-s", "--sandbox", "-c", "-a", "--config=", "-", "--", "-s=", "=x"),
    );
    void fc.assert(
      fc.property(fc.array(word), (args) => {
        expect(toArgs(readPolicyArgs(args))).toEqual(args);
      }),
    );
  });

  it.each([
    [
      ["-s", "x"],
      ["-s", "y"],
    ],
    [["-sx"], ["-sy"]],
    [["-s=x"], ["-s=y"]],
    [["--sandbox=x"], ["--sandbox=y"]],
    [
      ["-c", "sandbox_mode=x"],
      ["-c", "sandbox_mode=y"],
    ],
    [["--config=sandbox_mode = 'x'"], ["--config=sandbox_mode =y"]],
  ])("%j keeps its spelling when its value changes", (args, changed) => {
    const [part] = readPolicyArgs(args);
    expect(part?.value).toBe("x");
    expect(part === undefined ? [] : writeValue(part, "y")).toEqual(changed);
  });

  it.each([
    [["--model", "sandbox_mode=read-only"]],
    [["-c", "sandbox_mode"]],
    [["-c", "profiles.x.sandbox_mode=read-only"]],
    [["--sandboxed", "read-only"]],
    [["sandbox", "-", "", "--full-automatic", "constructor", "__proto__"]],
  ])("%j does not affect the policy", (args) => {
    expect(readPolicyArgs(args).map(({ kind }) => kind)).toEqual(readPolicyArgs(args).map(() => "other"));
  });
});

describe("[CNI-2] splitting the arguments at exec", () => {
  it("puts options that only exec accepts after it, with their values", () => {
    const { globalArgs, execArgs } = splitArgs([
      ...[
        "--sandbox",
        "read-only",
        "--skip-git-repo-check",
        "-a",
        "never",
        "--output-schema",
        "s.json",
        "--color=never",
      ],
      ...[
        "-m",
        "m",
        "-o",
        "last.txt",
        "--json",
        "-oother.txt",
        "--thread-source",
        "ci",
        "--ephemeral",
        "--ignore-rules",
      ],
      ...["--cyber-access-program", "standard", "--ignore-user-config", "-c", "a=1", "--output-last-message=x"],
    ]);
    expect(globalArgs).toEqual(["--sandbox", "read-only", "-a", "never", "-m", "m", "-c", "a=1"]);
    expect(execArgs).toEqual([
      ...["--skip-git-repo-check", "--output-schema", "s.json", "--color=never", "-o", "last.txt", "--json"],
      ...[
        "-oother.txt",
        "--thread-source",
        "ci",
        "--ephemeral",
        "--ignore-rules",
        "--cyber-access-program",
        "standard",
      ],
      ...["--ignore-user-config", "--output-last-message=x"],
    ]);
  });

  it("puts images after it, because before it they would take the word exec for another one", () => {
    expect(splitArgs(["-i", "a.png", "b.png", "-m", "m", "--image=c.png"])).toEqual({
      globalArgs: ["-m", "m"],
      execArgs: ["-i", "a.png", "b.png", "--image=c.png"],
    });
  });

  it("does not take any word for an option", () => {
    expect(splitArgs(["constructor"])).toEqual({ globalArgs: ["constructor"], execArgs: [] });
  });

  it("does not take the next option for a missing value", () => {
    expect(splitArgs(["--color", "--sandbox", "read-only"])).toEqual({
      globalArgs: ["--sandbox", "read-only"],
      execArgs: ["--color"],
    });
  });
});
