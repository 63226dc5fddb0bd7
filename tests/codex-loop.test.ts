import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { identifyProcess } from "../src/base/process-identity.ts";
import { codexAutoDoor, QUIET } from "./support/doors.ts";
import { type FakeCodex, makeFakeCodex } from "./support/fake-codex.ts";
import { KEYS, pasteOf, startOnTerminal } from "./support/pseudo-terminal.ts";
import { SHOP } from "./support/shop-repo.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";

const ASK = "codex-auto> ";
const NO_SESSION = "[Limits] session continuity unavailable; fallback to stateless exec";
const QUESTION = "who calls priceOf?";

/** Prints the events of Codex: a session, and an answer with the number of the call. */
const EVENTS = `
case $2,$4 in resume,--last) id=newest ;; resume,*) id=$4 ;; *) id=session-$n ;; esac
printf '{"type":"thread.started","thread_id":"%s"}\\n' "$id"
printf '{"type":"item.completed","item":{"type":"agent_message","text":"answer %s"}}\\n' "$n"`;

/** Starts the loop on a terminal, in a repository, with a fake codex. */
function startLoop(
  codex: FakeCodex,
  { env = {}, args = [] as string[], home = makeFolder(), cwd = makeFolder({ ...GIT_FILES, ...SHOP }) } = {},
) {
  const terminal = startOnTerminal([codexAutoDoor, ...args], {
    cwd,
    env: {
      HOME: home,
      PATH: codex.path,
      ...QUIET,
      NO_COLOR: "1",
      ...env,
    },
  });
  /** Types a line and waits for the answer, then for the next prompt. */
  const say = async (line: string, answer: string | RegExp) => {
    terminal.type(`${line}${KEYS.enter}`);
    const seen = await terminal.until(answer);
    return seen + (await terminal.until(/codex-auto(?: \(no evidence\))?> /));
  };
  return Object.assign(terminal, { say, home });
}

const argsOf = (codex: FakeCodex) => Array.from({ length: codex.calls() }, (_, at) => codex.args(at + 1).join(" "));

describe("[P-4] codex-auto as a loop at a terminal", () => {
  it("the first round starts a session, later ones resume it by id, and /new starts another", async () => {
    const codex = makeFakeCodex(EVENTS);
    await using loop = startLoop(codex);
    await loop.until(ASK);
    const first = await loop.say(QUESTION, "answer 1");
    expect(first).toMatch(/groundwork: \d+ tools?, .*findings?, \d+ characters · off: \/off/);
    await loop.say("and readRate?", "answer 2");
    await loop.say("/new", "new session");
    await loop.say("hello", "answer 3");
    loop.type(KEYS.ctrlD);
    expect(await loop.ended).toBe(0);
    expect(argsOf(codex)).toEqual(["exec --json -", "exec resume --json session-1 -", "exec --json -"]);
    expect(codex.stdin(1)).toMatch(/^who calls priceOf\?\n\n\[groundwork run /);
    expect(codex.stdin(3)).toBe("hello");
  });

  it("commands print or switch something and send nothing to Codex", async () => {
    const codex = makeFakeCodex(EVENTS);
    await using loop = startLoop(codex);
    await loop.until(ASK);
    await loop.say("/help", "/plan <question>");
    await loop.say("/show", "Nothing has been looked up yet");
    await loop.say("/plan", "/plan needs a question");
    expect(await loop.say(`/plan ${QUESTION}`, "then: codex exec\r\n")).toContain("[Auto Tools] planned");
    await loop.say("/pln it", "/pln is not a command");
    expect(codex.calls()).toBe(0);
    await loop.say("/off", "Evidence is off");
    await loop.say(QUESTION, "answer 1");
    expect(codex.stdin(1)).toBe(QUESTION);
    await loop.say("/on", "Evidence is on");
    await loop.say(QUESTION, "answer 2");
    expect(codex.stdin(2)).toContain("[groundwork run ");
    expect(await loop.say("/show", "【Auto Tools Results】")).toContain("[Auto Tools] planned");
    await loop.say(" /pln it", "answer 3");
    expect(codex.stdin(3)).toBe(" /pln it");
    await loop.say(`/plan ${QUESTION}`, "then: codex exec resume session-1\r\n");
    expect(codex.calls()).toBe(3);
    loop.type(`/exit${KEYS.enter}`);
    expect(await loop.ended).toBe(0);
  });

  it("a paste, a line ending in a backslash and a fenced block are one question each", async () => {
    const codex = makeFakeCodex(EVENTS);
    await using loop = startLoop(codex, { env: { CI_AUTO_TOOLS: "off" } });
    await loop.until(ASK);
    loop.type(pasteOf("explain\n\tcc a.c \\\nthis"));
    await loop.until("this");
    await loop.say(" please", "answer 1");
    expect(codex.stdin(1)).toBe("explain\n\tcc a.c \\\nthis please");
    loop.type(`first\\${KEYS.enter}`);
    await loop.until("… ");
    await loop.say("second", "answer 2");
    expect(codex.stdin(2)).toBe("first\nsecond");
    // The arrow key restores all lines of an input.
    loop.type(`${KEYS.up}${KEYS.home}really: ${KEYS.enter}`);
    await loop.until("answer 3");
    expect(codex.stdin(3)).toBe("really: first\nsecond");
    await loop.until(ASK);
    loop.type(`\`\`\`${KEYS.enter}exit${KEYS.enter}`);
    await loop.until("exit");
    await loop.say("```", "answer 4");
    expect(codex.stdin(4)).toBe("```\nexit\n```");
    // Two lines typed faster than they are answered are two questions.
    loop.type(`four${KEYS.enter}five${KEYS.enter}`);
    await loop.until("answer 5");
    await loop.until("answer 6");
    expect([codex.stdin(5), codex.stdin(6)]).toEqual(["four", "five"]);
  });

  it("Ctrl-C ends the turn and all its processes but not the loop, and the session continues", async () => {
    const codex = makeFakeCodex(
      `
[ "$n" = 1 ] && { trap 'echo heard >"$here/heard"; exit 1' INT; sleep 600 & echo $! >"$here/pid"; }
${EVENTS}
wait`,
    );
    await using loop = startLoop(codex);
    await loop.until(ASK);
    loop.type(`${QUESTION}${KEYS.enter}`);
    await loop.until("answer 1");
    loop.type(KEYS.ctrlC);
    await loop.until("stopped");
    await loop.until(ASK);
    expect(existsSync(join(codex.folder, "heard"))).toBe(true);
    const pid = Number(readFileSync(join(codex.folder, "pid"), "utf8"));
    await expect.poll(() => identifyProcess(pid)).toBeNull();
    await loop.say("hello", "answer 2");
    expect(codex.args(2)).toEqual(["exec", "resume", "--json", "session-1", "-"]);
  });

  it("a second Ctrl-C ends a Codex that ignores the first", async () => {
    const codex = makeFakeCodex(`trap '' INT; ${EVENTS}\n[ "$n" = 1 ] && sleep 600; :`);
    await using loop = startLoop(codex);
    await loop.until(ASK);
    loop.type(`${QUESTION}${KEYS.enter}`);
    await loop.until("answer 1");
    loop.type(KEYS.ctrlC);
    await loop.until("^C\r\n");
    loop.type(KEYS.ctrlC);
    await loop.until("stopped");
    await loop.say("hello", "answer 2");
  });

  it("Ctrl-C at the prompt discards the typed text, or explains how to leave if there is none", async () => {
    const codex = makeFakeCodex(EVENTS);
    await using loop = startLoop(codex);
    await loop.until(ASK);
    loop.type("half a question");
    await loop.until("question");
    loop.type(KEYS.ctrlC);
    expect(await loop.until(ASK)).not.toContain("leaves");
    loop.type(KEYS.ctrlC);
    await loop.until("Ctrl-D or /exit leaves.");
    await loop.until(ASK);
    loop.type(`quit${KEYS.enter}`);
    expect(await loop.ended).toBe(0);
    expect(codex.calls()).toBe(0);
    // Bracketed paste is switched on as often as it is switched off.
    expect(loop.printed().split("\u001b[?2004h").length).toBe(loop.printed().split("\u001b[?2004l").length);
  });

  it("a Codex that names no session is used without one, and this is reported", async () => {
    const codex = makeFakeCodex('echo "answer $n"');
    await using loop = startLoop(codex);
    await loop.until(ASK);
    expect(await loop.say("hello", "answer 1")).not.toContain(NO_SESSION);
    expect(await loop.say(QUESTION, "answer 2")).toContain(NO_SESSION);
    expect(argsOf(codex)).toEqual(["exec --json -", "exec --json -"]);
    expect(codex.stdin(2)).toContain(NO_SESSION);
  });

  it("a session that is gone is reported, and the question is asked in a new one", async () => {
    const codex = makeFakeCodex(
      `[ "$2" = resume ] && [ "$n" = 2 ] && { echo 'no rollout found' >&2; exit 1; }${EVENTS}`,
    );
    await using loop = startLoop(codex);
    await loop.until(ASK);
    await loop.say("hello", "answer 1");
    expect(await loop.say(QUESTION, "answer 3")).toContain(NO_SESSION);
    await loop.say("hello", "answer 4");
    expect(argsOf(codex).slice(1)).toEqual([
      "exec resume --json session-1 -",
      "exec --json -",
      "exec resume --json session-3 -",
    ]);
  });

  it.each([
    ["exec", ["exec --json -", "exec --json -"]],
    ["resume_last", ["exec resume --json --last -", "exec resume --json newest -"]],
  ])("--session-mode %s is respected", async (mode, args) => {
    const codex = makeFakeCodex(EVENTS);
    await using loop = startLoop(codex, { args: ["--session-mode", mode] });
    await loop.until(ASK);
    await loop.say("hello", "answer 1");
    await loop.say("hello again", "answer 2");
    expect(argsOf(codex)).toEqual(args);
  });

  it("--dry-run prints plans and starts no Codex; --json prints the document", async () => {
    const codex = makeFakeCodex(EVENTS);
    await using loop = startLoop(codex, { args: ["--dry-run"] });
    await loop.until(ASK);
    expect(await loop.say(QUESTION, "then: codex exec")).toContain("[Auto Tools] planned");
    expect(codex.calls()).toBe(0);
    await using other = startLoop(codex, { args: ["--json"] });
    await other.until(ASK);
    expect(await other.say("hello", "answer 1")).toContain('{"schema_version"');
  });

  it("output of a failing, missing or talkative Codex is reported, and the loop continues", async () => {
    const codex = makeFakeCodex(`
[ "$n" = 1 ] && { echo 'error: no luck' >&2; exit 3; }
[ "$n" = 2 ] && { rm "$here/codex"; printf '{"type":"item.completed","item":{"type":"agent_message","text":"\\\\u001b]0;title\\\\u0007plain"}}\\n'; }`);
    await using loop = startLoop(codex);
    await loop.until(ASK);
    expect(await loop.say("hello", "exit code 3")).toContain("error: no luck");
    const seen = await loop.say("hello", "plain");
    expect(seen).not.toContain("title");
    const path = "/usr/bin:/bin";
    await using bare = startLoop({ ...codex, path: `${join(process.execPath, "..")}:${path}` });
    await bare.until(ASK);
    await bare.say("hello", "codex is not on PATH");
  });

  it("input history survives a restart, without secrets, unless it is switched off", async () => {
    const codex = makeFakeCodex(EVENTS);
    const secret = `ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`;
    const home = makeFolder();
    const file = join(home, ".cache", "groundwork", "codex-auto", "history.jsonl");
    {
      await using loop = startLoop(codex, { home });
      await loop.until(ASK);
      await loop.say(`is ${secret} valid?`, "answer 1");
      await loop.say("hello there", "answer 2");
    }
    expect(readFileSync(file, "utf8")).toMatch(/^"is .*valid\?"\n"hello there"\n$/);
    expect(readFileSync(file, "utf8")).not.toContain(secret);
    {
      await using loop = startLoop(codex, { home });
      await loop.until(ASK);
      loop.type(`${KEYS.up}${KEYS.enter}`);
      await loop.until("answer 3");
      expect(codex.stdin(3)).toBe("hello there");
    }
    writeFileSync(file, "");
    await using loop = startLoop(codex, { home, env: { CI_AUTO_TOOLS_SESSION_MEMORY: "0" } });
    await loop.until(ASK);
    await loop.say("hello again", "answer 4");
    expect(readFileSync(file, "utf8")).toBe("");
  });

  it("only progress is coloured, and only where colours are wanted", async () => {
    const codex = makeFakeCodex(EVENTS);
    await using loop = startLoop(codex, { env: { NO_COLOR: undefined } });
    await loop.until(ASK);
    expect(await loop.say(QUESTION, "answer 1")).toContain("\u001b[2mgroundwork: ");
    await using plain = startLoop(codex);
    await plain.until(ASK);
    expect(await plain.say(QUESTION, "answer 2")).not.toContain("\u001b[2m");
  });
});
