import { existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeCodex } from "../../../tests/support/fake-codex.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { until } from "../../../tests/support/until.ts";
import { fail, succeed } from "../../contract/faults.ts";
import { ANSWER, linesOf, start } from "./session.test-helper.ts";

describe("one run [CNI-2] [CNI-3] [CNI-11]", () => {
  it("passes Codex the instructions on standard input and stores its output", async () => {
    const codex = makeFakeCodex(`echo 'to stderr' >&2\n${ANSWER}`);
    const argv = ["--task", "Say hello", "--tag", "t", "--sandbox", "read-only", "--ask-for-approval", "never"];
    const run = await start([...argv, "--codex-arg", "--skip-git-repo-check"], { codex });
    const base = run.paths?.base ?? "";
    expect(codex.args(1)).toEqual([
      ...["--sandbox", "read-only", "--ask-for-approval", "never", "exec", "--skip-git-repo-check"],
      ...["--output-last-message", `${base}.r1.last.txt`, "--json"],
    ]);
    expect(codex.stdin(1)).toMatch(/^<user-instructions>\n[\s\S]*Say hello[\s\S]*<\/user-instructions>\n$/);
    expect(run.read(".instructions.md")).toBe(codex.stdin(1));
    expect(run.read(".r1.last.txt")).toBe("hello\n");
    expect(run.read(".events.jsonl").trim().split("\n")).toHaveLength(3);
    expect(run.files).toEqual(
      [
        ...["aggregate.jsonl", "aggregate.txt", "job.events.jsonl", "job.instructions.md", "job.log", "job.meta.json"],
        ...["job.r1.last.txt", "outcome.json"],
      ].sort(),
    );
    expect(run.meta).toEqual({
      id: `codex-${basename(run.paths?.folder ?? "").replace("exec-", "")}`,
      timestamp: expect.stringMatching(/^\d{8}_\d{6}$/),
      tag: "t",
      classification: "normal",
      control_flag: "",
      reason: "Run completed normally",
      tokens_used: "15",
      cwd: run.cwd,
      log_file: `${base}.log`,
      instructions_file: `${base}.instructions.md`,
      exit_code: 0,
      title: "Say hello",
    });
    expect(JSON.parse(run.read(".meta.json"))).toEqual(run.meta);
    expect(run.shown).toContain("codex\nhello\ntokens used: 15\n");
    expect(run.log).toContain("to stderr\n");
    expect(run.stdout).toContain(`Log: ${base}.log\n`);
    expect([run.exitCode, run.told]).toEqual([0, []]);
  });

  it("leaves a log in the order that scripts rely on [CNI-8]", async () => {
    const run = await start(["--task", "x", "--full-auto", "--echo-limit", "2"], { codex: makeFakeCodex(ANSWER) });
    const marks = linesOf(run.log).filter((line) => /^(?:=====|-----|Script:|Patch|Exit|\[)/.test(line));
    expect(marks).toEqual([
      expect.stringMatching(/^===== Codex Run Start: \d{8}_\d{6} =====$/),
      `Script: start.sh  PWD: ${run.cwd}`,
      "Patch Mode: off",
      expect.stringMatching(/^\[arg-normalize\] --full-auto/),
      "----- Composed Instructions (Sources) -----",
      "----- Begin Composed Instructions -----",
      expect.stringMatching(/^\[\d{4}-.*Composed instructions:$/),
      "----- [Truncated after 2 lines] -----",
      "----- End Composed Instructions -----",
      "----- Invocation Args -----",
      "----- End Invocation Args -----",
      "----- Begin Codex Output -----",
      "----- End Codex Output -----",
      "Exit Code: 0",
      expect.stringMatching(/^===== Codex Run End: \d{8}_\d{6} =====$/),
    ]);
    expect(linesOf(run.log).at(-3)).toMatch(/Codex Run End/);
    expect(run.log).toContain("start.sh argv (raw):\n  --task\n  x\n  --full-auto\n");
    expect(run.log).toContain("codex global args:\n  --sandbox\n  workspace-write\ncodex exec args:\n");
  });

  it("prints only its meta [CNI-10]", async () => {
    const run = await start(["--task", "x", "--json"], { codex: makeFakeCodex(ANSWER) });
    expect(run.shown).toBe("");
    expect(run.stdout).toBe(run.read(".meta.json"));
    expect(JSON.parse(run.stdout)).toMatchObject({ exit_code: 0, tokens_used: "15" });
  });

  it("asks an older or unknown Codex for no events and reads its text", async () => {
    for (const version of ["codex-cli 0.40.0", null]) {
      const codex = makeFakeCodex(
        `echo '{"type":"no.event"}'; echo 'tokens used: 1,234' >&2; echo hi >"$last"`,
        version,
      );
      const run = await start(["--task", "x", "--full-auto"], { codex });
      const call = version === null ? 2 : 1;
      expect(codex.args(call)).toEqual([
        "--full-auto",
        "exec",
        "--output-last-message",
        `${run.paths?.base}.r1.last.txt`,
      ]);
      expect(run.meta).toMatchObject({ tokens_used: "1234", classification: "normal" });
      expect(run.log).toContain('{"type":"no.event"}\n');
      expect(run.files).not.toContain("job.events.jsonl");
    }
  });

  it("uses events that the caller requested", async () => {
    const codex = makeFakeCodex(ANSWER, "codex-cli 0.40.0");
    const run = await start(["--task", "x", "--codex-arg", "--json"], { codex });
    expect(codex.args(1).filter((arg) => arg === "--json")).toHaveLength(1);
    expect(run.meta).toMatchObject({ tokens_used: "15" });
  });

  it("[G D.6] lets a person's argument open something beyond the sandbox, and logs it", async () => {
    const codex = makeFakeCodex(ANSWER);
    const argv = ["--task", "x", "--sandbox", "read-only", "--codex-config", 'notify=["sh"]', "--", "--add-dir", "/"];
    const run = await start(argv, { codex });
    expect(codex.args(1).join(" ")).toContain('--config notify=["sh"] --add-dir / exec');
    const said = linesOf(run.log).filter((line) => line.startsWith("[arg-open]"));
    expect(said).toEqual([
      "[arg-open] notify: programs outside of any sandbox",
      "[arg-open] --add-dir /: a path outside the working folder",
    ]);
    expect(run.told).toEqual(expect.arrayContaining(said));
  });

  it("resumes a session of Codex", async () => {
    const codex = makeFakeCodex(ANSWER);
    await start(["--task", "x", "--sandbox", "read-only", "--resume-thread", "01a1-thread"], { codex });
    expect(codex.args(1).slice(-4)).toEqual(["--json", "resume", "01a1-thread", "-"]);
    expect(codex.stdin(1)).toContain("<instructions-section");
  });

  it("treats malformed events as text and goes on", async () => {
    const codex = makeFakeCodex(`printf '{"type":"turn.comp\\n{}\\n\\377\\376bytes\\n'; ${ANSWER}; printf 'no end'`);
    const run = await start(["--task", "x"], { codex });
    expect(run.log).toContain('{"type":"turn.comp\n{}\n');
    expect(run.log).toContain("no end\n----- End Codex Output -----\n");
    expect(run.meta).toMatchObject({ exit_code: 0, tokens_used: "15" });
  });

  it("does not pass on the variables that name its files", async () => {
    const cwd = makeFolder();
    const codex = makeFakeCodex('env | grep "^CODEX_" >&2; true');
    const env = { CODEX_SESSION_DIR: join(cwd, "one"), CODEX_ECHO_INSTRUCTIONS: "0" };
    const run = await start(["--task", "x"], { codex, cwd, env });
    expect(run.paths?.folder).toBe(join(cwd, "one"));
    expect(run.log.match(/^CODEX_.*/gm)).toEqual(["CODEX_ECHO_INSTRUCTIONS=0"]);
  });

  it("does not mistake an earlier run's last message for its own", async () => {
    const cwd = makeFolder({ "x.r1.last.txt": "CONTROL: DONE" });
    const run = await start(["--task", "x", "-l", "x.log"], { cwd, codex: makeFakeCodex("exit 0") });
    expect(run.meta).toMatchObject({ classification: "normal", control_flag: "" });
    expect(existsSync(join(cwd, "x.outcome.json"))).toBe(true);
  });
});

describe("how a run ends", () => {
  it.each([
    ["exit 7", 7, "error", "Codex ended with exit code 7"],
    ["echo 'rate limit' >&2; exit 1", 1, "rate_limited", "Rate limit encountered"],
    [
      `echo '{"type":"error","message":"unexpected status 401 Unauthorized: bad token"}'; exit 1`,
      1,
      "auth_error",
      "Authentication or authorization failed",
    ],
    [
      "echo 'WARNING: no token' >&2; echo 'Error: no rollout found for thread id 1' >&2; exit 1",
      1,
      "error",
      "Codex ended with an error: no rollout found for thread id 1",
    ],
    ["kill -9 $$", 137, "error", "Codex was ended by SIGKILL"],
    ["echo 'CONTROL: DONE' >\"$last\"", 0, "done", "Task signaled DONE"],
  ])("%s → %s", async (body, exitCode, classification, reason) => {
    const run = await start(["--task", "x"], { codex: makeFakeCodex(body) });
    expect(run.exitCode).toBe(exitCode);
    expect(run.meta).toMatchObject({ exit_code: exitCode, classification, reason });
    expect(run.outcome()).toEqual({ exit_code: exitCode, classification, tokens_used: "", title: "x", reason });
    expect(run.log).toContain(`\nExit Code: ${exitCode}\n`);
  });

  it("without Codex: 127, with the command that installs it", async () => {
    const run = await start(["--task", "x"]);
    expect(run.exitCode).toBe(127);
    expect(run.told.join("\n")).toContain("npm install -g @openai/codex");
    expect(run.log).toContain("Exit Code: 127\n");
    expect(run.outcome()).toMatchObject({ exit_code: 127, reason: "codex is not installed" });
  });

  it("with a Codex that cannot be started: 126", async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "codex"), "#!/none\n", { mode: 0o755 });
    const run = await start(["--task", "x"], { env: { PATH: folder } });
    expect([run.exitCode, run.meta?.classification]).toEqual([126, "error"]);
    expect(run.log).toContain("codex could not be started");
  });

  it("at its time limit: 124", async () => {
    const codex = makeFakeCodex("echo begun; exec sleep 60");
    // On a busy machine the time may be up before Codex has begun.
    const run = await until(
      () => start(["--task", "x", "--timeout", "1"], { codex }),
      ({ log }) => log.includes("begun\n"),
    );
    expect(run.exitCode).toBe(124);
    expect(run.meta).toMatchObject({ classification: "error", reason: "Timed out after 1 s" });
    expect(run.log).toMatch(/begun\n\[timeout\] [\s\S]*Exit Code: 124\n/);
  });

  it.each([
    [130, 130],
    [undefined, 143],
  ])("on %s: %s", async (reason, exitCode) => {
    const stop = new AbortController();
    const codex = makeFakeCodex("trap 'echo ending; exit 9' TERM; echo begun; sleep 60 & wait");
    const deps = { signal: stop.signal, show: (text: string) => void (text.includes("begun") && stop.abort(reason)) };
    const run = await start(["--task", "x", "--max-runs", "3"], { codex, deps });
    expect(run.exitCode).toBe(exitCode);
    expect(run.meta).toMatchObject({ classification: "user_cancelled", exit_code: exitCode });
    expect(run.log).toMatch(new RegExp(`ending\\n[\\s\\S]*Exit Code: ${exitCode}\n=====`));
    expect(codex.calls()).toBe(1);
  });

  it("before it began, if it is cancelled that early", async () => {
    const codex = makeFakeCodex(ANSWER);
    const run = await start(["--task", "x"], { codex, deps: { signal: AbortSignal.abort(129) } });
    expect([run.exitCode, codex.calls()]).toEqual([129, 0]);
    expect(run.outcome()).toMatchObject({ exit_code: 129, classification: "user_cancelled" });
  });
});

describe("a dry run", () => {
  it("does not start Codex and shows what would be started", async () => {
    const codex = makeFakeCodex(ANSWER);
    const run = await start(["--task", "x", "--sandbox", "read-only", "--dry-run", "--with-context"], {
      codex,
      deps: { enrich: async () => fail("E_ORCHESTRATOR", "asked") },
    });
    expect([run.exitCode, codex.calls()]).toEqual([0, 0]);
    expect(run.log).toContain("[DRY-RUN] 跳过 codex 执行，仅生成日志与指令文件\n");
    expect(run.log).toContain(
      "codex global args:\n  --sandbox\n  read-only\ncodex exec args:\n  --output-last-message\n",
    );
    expect(run.meta).toMatchObject({ classification: "normal", exit_code: 0 });
    expect(run.log).not.toContain("asked");
  });

  it("does not need Codex", async () => {
    const run = await start(["--task", "x", "--dry-run"]);
    expect(run.exitCode).toBe(0);
    expect(run.log).toContain("unknown version");
  });
});

describe("a refused run starts nothing and leaves a log [CNI-5] [CNI-7]", () => {
  const bypass = "--dangerously-bypass-approvals-and-sandbox";
  it.each([
    [["--task", "x", bypass, "--ask-for-approval", "never"], "参数冲突"],
    [["--task", "x", bypass, "--full-auto"], "参数冲突"],
    [["--task", "x", "--nonsense"], "未知参数"],
    [["--task"], "--task 需要文本参数"],
    [["-f", "missing.md"], "文件不存在"],
    [["--task", "x", "--redact", "--redact-pattern", "a("], "--redact-pattern"],
    [["--task", "x", "--repeat-until", "a("], "--repeat-until"],
    [["--task", "x", "--context-grep", "a("], "--context-grep"],
  ])("%j", async (argv, text) => {
    const codex = makeFakeCodex(ANSWER, null);
    const run = await start(["--log-dir", "logs", "--tag", "t", ...argv], { codex });
    expect([run.exitCode, codex.calls()]).toEqual([2, 0]);
    expect(run.told.join("\n")).toContain(text);
    expect(run.paths?.folder).toMatch(/\/logs\/exec-\d{8}_\d{6}-t$/);
    const lines = linesOf(run.log);
    expect(lines[0]).toMatch(/^===== Codex Run Start: /);
    expect(lines.at(-3)).toMatch(/^===== Codex Run End: /);
    expect(run.log).toContain("[arg-check] ");
    expect(run.log).toContain("[trap] 非零退出（可能为早期错误或参数问题）。Exit Code: 2\nExit Code: 2\n");
    expect(run.outcome()).toMatchObject({ exit_code: 2, classification: "error" });
  });

  it("full access without approval, if no switch allows it", async () => {
    const argv = ["--task", "x", "--sandbox", "danger-full-access", "--ask-for-approval", "never"];
    const run = await start(argv, { codex: makeFakeCodex(ANSWER), env: { DFA_DEGRADE_ON_NEVER: "0" } });
    expect(run.exitCode).toBe(2);
    expect(run.log).toContain("[arg-check] 错误: 组合无效");
  });

  it("prints its meta with --json", async () => {
    const run = await start(["--task", "x", "--json", "--nonsense"]);
    expect(JSON.parse(run.stdout)).toMatchObject({ exit_code: 2, classification: "error" });
  });

  it("a planted link, without any log", async () => {
    const cwd = makeFolder({ "elsewhere/.keep": "" });
    symlinkSync(join(cwd, "elsewhere"), join(cwd, ".codex-father"));
    const codex = makeFakeCodex(ANSWER);
    for (const argv of [["--task", "x"], ["--nonsense"]]) {
      const run = await start(argv, { cwd, codex });
      expect([run.exitCode, run.meta, run.paths]).toEqual([2, null, null]);
      expect(run.told.length).toBeGreaterThan(0);
    }
    expect([readdirSync(join(cwd, "elsewhere")), codex.calls()]).toEqual([[".keep"], 0]);
  });
});

describe("additional input for Codex", () => {
  it("asks for a patch", async () => {
    const codex = makeFakeCodex(ANSWER);
    const run = await start(["--task", "x", "--patch-mode"], { codex });
    expect(codex.stdin(1)).toMatch(/<instructions-section type="policy-note">[\s\S]*git apply/);
    expect(run.log).toContain("Patch Mode: on\n");
  });

  it("contains evidence, requested with the task alone", async () => {
    const codex = makeFakeCodex(ANSWER);
    const asked: string[] = [];
    const enrich = async (task: string) => {
      asked.push(task);
      return succeed("src/a.ts:1 decides");
    };
    const run = await start(["--task", "why?", "--with-context", "--max-runs", "2"], { codex, deps: { enrich } });
    expect(asked).toEqual(["why?"]);
    for (const call of [1, 2]) expect(codex.stdin(call)).toMatch(/type="context">\nsrc\/a.ts:1 decides\n/);
    expect(run.log).toContain("[context] evidence was added: 1 line\n");
  });

  it.each([
    [succeed(""), "nothing was found"],
    [fail("E_ORCHESTRATOR", "no index"), "no index"],
  ])("works without evidence", async (found, why) => {
    const codex = makeFakeCodex(ANSWER);
    const run = await start(["--task", "x", "--with-context"], { codex, deps: { enrich: async () => found } });
    expect([run.exitCode, codex.stdin(1).includes("context")]).toEqual([0, false]);
    expect(run.log).toContain(`[context] no evidence was added: ${why}\n`);
  });
});
