import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { everyCommand } from "../scripts/command-pages.ts";
import { claimOwn } from "../src/base/file-lock.ts";
import { indexFolder } from "../src/config/places.ts";
import { INDEX_FILES } from "../src/engine/store/database.ts";
import { snapshot } from "../src/install/scratch-home.test-helper.ts";
import { codeCache, groundwork } from "./support/doors.ts";
import { KEYS, startOnTerminal } from "./support/pseudo-terminal.ts";
import { runProgram } from "./support/run-program.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";

/** Long, because the machine may be busy. */
const LIMIT = { timeout: 300_000 };
const ENV = { PATH: "/usr/bin:/bin", GROUNDWORK_RESIDENT: "off", ...codeCache };

/** Runs the command line to its end. */
const run = (
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
) => runProgram(groundwork, args, { cwd, env });

/** Makes a home with Claude Code, and a repository. */
function makePlace() {
  const folder = makeFolder({ "home/.claude/settings.json": "{}\n" });
  const home = join(folder, "home");
  const cwd = makeFolder({ ...GIT_FILES, "src/tax.ts": "export function rateFor() {\n  return 1;\n}\n" });
  return { folder, home, cwd, env: { ...ENV, HOME: home } };
}

describe("[K 2] groundwork without arguments", LIMIT, () => {
  it("reports that there is no index and no hook yet, and writes nothing", async () => {
    const place = makePlace();
    const before = snapshot(place.folder);
    const { code, stdout, stderr } = await run([], place);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`in ${place.cwd}\n`);
    expect(stdout).toMatch(/^ {2}Index {5}none yet/m);
    expect(stdout).toMatch(/^ {2}Hook {6}not installed yet; found here: .*Claude Code/m);
    expect(stdout).toMatch(/^Next\n {2}groundwork install /m);
    expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
    expect(snapshot(place.folder)).toEqual(before);
  });

  it("reports that everything is ready", async () => {
    const place = makePlace();
    expect(await run(["index"], place)).toMatchObject({ code: 0 });
    expect(await run(["install", "--yes", "--client", "claude"], place)).toMatchObject({ code: 0 });
    const { stdout } = await run([], place);
    expect(stdout).toMatch(/^ {2}Index {5}ready, 1 file$/m);
    expect(stdout).toMatch(/^ {2}Hook {6}in Claude Code/m);
  });

  it("names what switches it off: the environment or a file", async () => {
    const place = makePlace();
    const { stdout } = await run([], { ...place, env: { ...place.env, CI_AUTO_TOOLS: "off" } });
    expect(stdout).toMatch(/^ {2}Switch {4}off: CI_AUTO_TOOLS=off in the environment$/m);
    expect(stdout).toMatch(/^Next\n {2}unset CI_AUTO_TOOLS /m);
    mkdirSync(join(place.cwd, "config"));
    writeFileSync(join(place.cwd, "config/auto-tools.yaml"), "auto_tools: off\n");
    expect((await run([], place)).stdout).toMatch(/^ {2}Switch {4}off: auto_tools: off, by the repository file$/m);
  });

  it("prints something useful outside a repository, without a home, and in a deleted folder", async () => {
    const outside = await run([], { cwd: makeFolder(), env: ENV });
    expect(outside.code).toBe(0);
    expect(outside.stdout).toMatch(/no git repository[\s\S]*no place for one: set HOME[\s\S]*Next\n {2}cd your-repo/);
    const gone = makeFolder();
    const script = `rmdir "$PWD" && exec "$0"`;
    const { status, stdout } = spawnSync("/bin/sh", ["-c", script, groundwork], {
      cwd: gone,
      env: ENV,
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(stdout).toContain("the current folder no longer exists");
  });
});

describe("[K 2] help and mistakes", LIMIT, () => {
  const place = makePlace();

  it("help COMMAND and COMMAND --help print the same", async () => {
    for (const name of ["try", "call-chain", "install", "hook", "mcp"]) {
      const [before, after] = await Promise.all([run(["help", name], place), run([name, "--help"], place)]);
      expect([name, before.code, before.stderr]).toEqual([name, 0, ""]);
      expect(before.stdout).toMatch(new RegExp(`^Usage: groundwork ${name}`));
      expect(after).toEqual(before);
    }
    const [one, other] = await Promise.all([
      run(["help", "codex", "list"], place),
      run(["codex", "list", "--help"], place),
    ]);
    expect(other).toEqual(one);
  });

  it.each<[string[], string]>([
    [["serch", "x"], 'groundwork: unknown command serch; did you mean search? See "groundwork --help"\n'],
    [["help", "docter"], 'groundwork: unknown command docter; did you mean doctor? See "groundwork --help"\n'],
    [["--vesion"], 'groundwork: unknown option --vesion; did you mean --version? See "groundwork --help"\n'],
    [
      ["try", "--formt", "json"],
      'groundwork: unknown option --formt; did you mean --format? See "groundwork help try"\n',
    ],
    [["doctor", "--yes"], 'groundwork: unknown option --yes; see "groundwork help doctor"\n'],
    [
      ["search", "x", "--limt", "3"],
      'groundwork: unknown option --limt; did you mean --limit? See "groundwork help search"\n',
    ],
    [["try", "q", "--format", "yaml"], 'groundwork: --format takes text, json or hook; see "groundwork help try"\n'],
    [["codex", "lst"], 'job.sh: unknown command lst; did you mean list? See "job.sh --help"\n'],
    [
      ["completions", "tcsh"],
      'groundwork: completions needs a shell: bash, zsh or fish; see "groundwork help completions"\n',
    ],
    [["completions"], 'groundwork: completions needs a shell: bash, zsh or fish; see "groundwork help completions"\n'],
    [["--json", "codex", "list"], "options of codex come after it"],
  ])("%j exits with 2", async (args, said) => {
    const { code, stdout, stderr } = await run(args, place);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
  });

  it("accepts an option before its command", async () => {
    const { code, stdout } = await run(["--repo", place.cwd, "config", "explain", "--json"], {
      ...place,
      cwd: makeFolder(),
    });
    expect([code, JSON.parse(stdout).repo_root]).toEqual([0, place.cwd]);
  });

  it("uses colours only on a terminal, unless told otherwise", async () => {
    const colour = "\u001b[1m";
    expect((await run(["--help"], place)).stdout).not.toContain(colour);
    expect((await run(["--help", "--color", "always"], place)).stdout).toContain(colour);
    expect((await run(["help", "try", "--color=always"], place)).stdout).toContain(colour);
    const onTerminal = async (env: Readonly<Record<string, string>>, args: readonly string[] = []) => {
      await using terminal = startOnTerminal(
        ["env", ...Object.entries(env).map((pair) => pair.join("=")), groundwork, ...args],
        place,
      );
      expect(await terminal.ended).toBe(0);
      return terminal.printed();
    };
    expect(await onTerminal({})).toContain(colour);
    expect(await onTerminal({ NO_COLOR: "1" })).not.toContain(colour);
    expect(await onTerminal({ TERM: "dumb" })).not.toContain(colour);
    expect(await onTerminal({}, ["--color", "never"])).not.toContain(colour);
    expect(await onTerminal({ NO_COLOR: "1" }, ["--color", "always"])).toContain(colour);
  });
});

/** Command lines with their completions; the last word is being typed. */
const TYPED: readonly (readonly [readonly string[], readonly string[]])[] = [
  [["tr"], ["trust", "try"]],
  [["try", "--fo"], ["--format"]],
  [
    ["try", "--format", ""],
    ["hook", "json", "text"],
  ],
  [
    ["codex", "l"],
    ["list", "logs"],
  ],
  [["codex", "list", "--state", "c"], ["completed"]],
  [["codex", "start", "--max-p"], ["--max-parallel"]],
  [["codex", "exec", "--sandbox", "w"], ["workspace-write"]],
  [["help", "codex", "r"], ["resume"]],
  [
    ["resident", ""],
    ["start", "status", "stop"],
  ],
  [["hook", "ge"], ["gemini"]],
  [["search", "--mode", "k"], ["keyword"]],
];
const hasShell = (name: string) => spawnSync(name, ["-c", "exit 0"]).status === 0;

describe("[K 2] completions", LIMIT, () => {
  const cwd = makeFolder({ "alpha/one.ts": "", "altitude.txt": "" });
  const scripts: Record<string, string> = {};

  beforeAll(async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const made = await run(["completions", shell], makePlace());
      expect([shell, made.code, made.stderr]).toEqual([shell, 0, ""]);
      scripts[shell] = join(makeFolder(), shell === "zsh" ? "_groundwork" : `groundwork.${shell}`);
      writeFileSync(scripts[shell] ?? "", made.stdout);
    }
  });

  /** Calls the completion function as bash does when Tab is pressed; bash treats `=` as a separate word. */
  function askBash(words: readonly string[]): string[] {
    const script = `. "$1"; shift; COMP_WORDS=(groundwork "$@") COMP_CWORD=$#; _groundwork; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const asked = spawnSync("bash", ["--norc", "-c", script, "bash", scripts["bash"] ?? "", ...words], {
      cwd,
      encoding: "utf8",
    });
    expect([asked.status, asked.stderr]).toEqual([0, ""]);
    return asked.stdout.split("\n").filter(Boolean).toSorted();
  }

  it("bash: commands, options, values, files and folders", () => {
    for (const [words, expected] of TYPED) expect([words, askBash(words)]).toEqual([words, expected]);
    expect(askBash(["try", "--format", "=", "j"])).toEqual(["json"]);
    expect(askBash(["try", "--format", "="])).toEqual(["hook", "json", "text"]);
    expect(askBash(["try", "--repo", "al"])).toEqual(["alpha"]);
    expect(askBash(["complexity", "al"])).toEqual(["alpha", "altitude.txt"]);
    expect(askBash(["try", "al"])).toEqual([]);
    expect(askBash(["no-such-command", ""])).toEqual([]);
    for (const { name } of everyCommand()) expect(askBash([""])).toContain(name);
  });

  it.skipIf(!hasShell("fish"))("fish: the same completions", () => {
    for (const [words, expected] of TYPED) {
      const asked = spawnSync(
        "fish",
        [
          "--no-config",
          "-c",
          'source $argv[1]; complete -C "$argv[2]"',
          scripts["fish"] ?? "",
          `groundwork ${words.join(" ")}`,
        ],
        { cwd, encoding: "utf8", env: { ...ENV, HOME: makeFolder() } },
      );
      const found = asked.stdout.split("\n").filter(Boolean);
      expect([words, found.map((line) => line.split("\t")[0]).toSorted()]).toEqual([words, expected]);
    }
  });

  it.skipIf(!hasShell("zsh"))("zsh: the same completions", () => {
    // Waits for the line editor: keys sent earlier would be handled by the terminal itself.
    const script = `zmodload zsh/zpty || exit 3
      zpty z zsh -f -i
      zpty -w z "PROMPT=; fpath=(\${1:h} \\$fpath); autoload -Uz compinit; compinit -u -D; bindkey '^T' list-choices"
      zpty -w z "zle-line-init() { print -n EDI\\TOR }; zle -N zle-line-init"
      zpty -r -m z seen '*EDITOR*'
      zpty -w -n z "groundwork $2"$'\\x14'
      zpty -w -n z $'\\x15'"print DON\\E"$'\\n'
      zpty -r -m z seen '*DONE*'
      print -r -- $seen`;
    for (const [words, expected] of TYPED) {
      const args = ["-f", "-c", script, "zsh", scripts["zsh"] ?? "", words.join(" ")];
      const asked = spawnSync("zsh", args, {
        cwd,
        encoding: "utf8",
        env: { ...ENV, HOME: makeFolder(), TERM: "xterm" },
      });
      for (const one of expected) expect([words, asked.stdout]).toEqual([words, expect.stringContaining(one)]);
    }
  });
});

describe("[K 2] groundwork index on a terminal", LIMIT, () => {
  it("draws a bar, and Ctrl-C leaves a clean line; the next build completes the interrupted one", async () => {
    const place = makePlace();
    // Enough text that it is still being read when the key is pressed.
    const text = Array.from(
      { length: 20 },
      (_, at) => `export function f${at}(a: number) {\n  return g${at}(a) + ${at};\n}`,
    );
    for (let at = 0; at < 1_500; at++) {
      const path = join(place.cwd, `src/${at % 50}/m${at}.ts`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${text.join("\n")}\nexport const n = ${at};\n`);
    }
    {
      await using terminal = startOnTerminal([groundwork, "index"], place);
      await terminal.until(/\r\u001b\[2KReading text {2}[█░]+ {2}\d+\/1501 files/);
      terminal.type(KEYS.ctrlC);
      expect(await terminal.ended).toBe(130);
      expect(terminal.printed()).toMatch(/\r\u001b\[2KStopped\. .*; the next build goes on .*\.\r\n$/);
    }
    const next = await run(["index"], place);
    expect(next).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1501 files indexed in /) });
    expect((await run([], place)).stdout).toMatch(/^ {2}Index {5}ready, 1501 files$/m);
    rmSync(place.cwd, { recursive: true });
  });

  it("waits for another build of the same index, says so, and checks once more afterwards", async () => {
    const place = makePlace();
    await run(["index"], place);
    const held = claimOwn(join(indexFolder(place.env, place.cwd) ?? "", INDEX_FILES.lock));
    writeFileSync(join(place.cwd, "src/new.ts"), "export function isNew() {}\n");
    await using terminal = startOnTerminal([groundwork, "index"], place);
    await terminal.until(/Waiting for another process that builds this index/);
    held?.release();
    expect(await terminal.ended).toBe(0);
    expect(terminal.printed()).toMatch(/2 files indexed in .*: 1 read, 0 gone\.\r\n$/);
  });

  it("prints nothing if it is quick and not on a terminal", async () => {
    const { stderr } = await run(["index"], makePlace());
    expect(stderr).toBe("");
  });
});
