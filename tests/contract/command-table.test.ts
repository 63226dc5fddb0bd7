import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { everyCommand } from "../../scripts/command-pages.ts";
import { makePalette } from "../../src/adapters/cli/colour.ts";
import { GROUPS, optionsOf, takenOptions } from "../../src/adapters/cli/commands/command.ts";
import { bashCompletions } from "../../src/adapters/cli/completions/bash.ts";
import { fishCompletions } from "../../src/adapters/cli/completions/fish.ts";
import { zshCompletions } from "../../src/adapters/cli/completions/zsh.ts";
import { EXIT_CODES } from "../../src/adapters/cli/exit-codes.ts";
import { exitsOf, printHelp, printOverview, toForms, toWritten } from "../../src/adapters/cli/help.ts";
import { readWords, splitCommand } from "../../src/adapters/cli/read-command.ts";
import { readProjectFile } from "../support/doors.ts";

const commands = everyCommand();
/** Every command and subcommand, with its full name. */
const all = commands.flatMap((command) => [
  { path: command.name, command, isInner: false },
  ...(command.commands ?? []).map((inner) => ({
    path: `${command.name} ${inner.name}`,
    command: inner,
    isInner: true,
  })),
]);
const screen = { columns: 100, paint: makePalette({ hasColours: false }), home: null };
const scripts = [bashCompletions(commands), zshCompletions(commands), fishCompletions(commands)];

/** Returns the arguments of groundwork in a shell line, as the shell would split them. */
function argumentsOf(line: string): string[] {
  const script = `groundwork() { printf '%s\\n' "$@" >&3; }; claude() { :; }; codex() { :; }; complete() { :; }; git() { :; }; cat() { :; }; eval 'set +e'; { ${line}; } 3>&1 >/dev/null </dev/null`;
  const words = execFileSync("bash", ["-c", script], { encoding: "utf8", cwd: "/tmp" });
  return words.split("\n").slice(0, -1);
}

describe("[K 2] the table of commands", () => {
  it("lists each name once, with a line that fits 80 columns", () => {
    const names = commands.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    const overview = printOverview(commands, { ...screen, columns: 80 });
    for (const { name, summary, group } of commands) {
      expect(overview).toMatch(new RegExp(`^ {2}${name} +${summary.replace(/[()?+]/g, "\\$&")}$`, "m"));
      expect(overview).toContain(`\n${GROUPS[group]}\n`);
    }
  });

  it.each(all)("$path is described", ({ path, command, isInner }) => {
    expect(command.summary).toMatch(/^[a-zA-Z].*[^.]$/);
    expect(command.usage.length).toBeGreaterThan(0);
    expect(command.examples.length).toBeGreaterThanOrEqual(isInner ? 1 : 2);
    expect(command.examples.length).toBeLessThanOrEqual(3);
    for (const code of Object.keys(exitsOf(command))) expect(Object.keys(EXIT_CODES)).toContain(code);
    for (const [name, option] of Object.entries(takenOptions(command))) {
      expect([path, name, option.doc === ""]).toEqual([path, name, false]);
      expect(name).toMatch(/^[a-z][a-z-]*[a-z]$/);
    }
  });

  it.each(all)("$path: help, man page and reference match", ({ path, command }) => {
    const help = printHelp(command, path, screen);
    const [man, page] = [
      readProjectFile("man/groundwork.1").replaceAll("\\-", "-").replaceAll("...", "…"),
      readProjectFile("docs/commands.md"),
    ];
    for (const form of toForms(command, path)) for (const text of [help, man, page]) expect(text).toContain(form);
    for (const [name, option] of Object.entries(optionsOf(command)))
      for (const text of [help, man]) expect(text).toContain(toWritten(name, option));
    for (const name of Object.keys(command.options)) expect(page).toContain(`--${name}`);
    for (const code of Object.keys(exitsOf(command))) expect(help).toMatch(new RegExp(`^ +${code} {2}`, "m"));
    expect(page).toContain(`# ${path}\n`);
    expect(man).toContain(`.SS "${path}"\n`);
  });

  it.each(all)("$path: completions match what is accepted", ({ path, command }) => {
    for (const [name, option] of Object.entries(takenOptions(command))) {
      const [bash = "", zsh = "", fish = ""] = scripts;
      expect(bash).toMatch(new RegExp(`^ +'${path}'\\) flags='[^']*--${name}[ ']`, "m"));
      expect(zsh).toContain(option.value === undefined ? `'--${name}[` : `'--${name}=[`);
      expect(fish).toMatch(new RegExp(`-n '__groundwork_(?:at|only) ${path}' -l ${name} `));
      const value = option.values?.[0] ?? "x";
      const given = option.value === undefined ? [`--${name}`] : [`--${name}=${value}`];
      expect(readWords(command, given)).toMatchObject({ ok: true });
    }
    expect(readWords(command, ["--no-such-option"])).toMatchObject({ ok: false });
  });

  it.each(all.flatMap(({ path, command }) => command.examples.map(({ line }) => ({ path, command, line }))))(
    "the example of $path parses as that command: $line",
    ({ path, command, line }) => {
      // Two examples show how to register us with another program.
      if (/^(?:claude|codex) mcp add /.test(line)) return;
      const { name, rest } = splitCommand(argumentsOf(line), commands);
      const typed = path.includes(" ") ? { name: `${name} ${rest[0]}`, rest: rest.slice(1) } : { name, rest };
      expect(typed.name).toBe(path);
      // A command with subcommands leaves parsing to them.
      if (command.commands === undefined) expect(readWords(command, typed.rest)).toMatchObject({ ok: true });
    },
  );

  it("is not in a bundle that a prompt waits for", () => {
    const [told = ""] = commands.filter(({ name }) => name === "completions").map(({ summary }) => summary);
    const has = (bundle: string) => readProjectFile(`dist/${bundle}.cjs`).includes(told);
    expect(has("command-line")).toBe(true);
    const waited = [
      "hook",
      "hook-judge",
      "hook-answer",
      "resident",
      "resident-worker",
      "orchestrator",
      "mcp-server",
      "cli",
    ];
    expect(waited.filter(has)).toEqual([]);
  });
});

describe("[K 2] the man page", () => {
  it("is installed with the package", () => {
    const { man, files } = JSON.parse(readProjectFile("package.json")) as { man: string[]; files: string[] };
    expect(man).toEqual(["./man/groundwork.1"]);
    expect(files).toContain("man/groundwork.1");
  });

  it("has no line that man would read as a macro", () => {
    const lines = readProjectFile("man/groundwork.1").split("\n");
    const orders = lines.filter((line) => /^['.]/.test(line)).map((line) => line.split(" ")[0]);
    expect(new Set(orders)).toEqual(
      new Set(['.\\"', ".TH", ".SH", ".SS", ".B", ".TP", ".PP", ".br", ".nf", ".fi", ".RS", ".RE"]),
    );
  });
});
