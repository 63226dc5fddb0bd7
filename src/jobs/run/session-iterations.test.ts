import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeCodex } from "../../../tests/support/fake-codex.ts";
import { commit, git } from "../../../tests/support/git-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { start } from "./session.test-helper.ts";

describe("iterations [CNI-19]", () => {
  it("run as often as requested, each with its own files", async () => {
    const codex = makeFakeCodex(
      `echo "message $n" >"$last"; echo '{"type":"turn.completed","usage":{"input_tokens":'$n'}}'`,
    );
    const run = await start(["--task", "x", "--max-runs", "3", "--json"], { codex });
    expect(codex.calls()).toBe(3);
    for (const n of [1, 2, 3]) {
      expect(run.read(`.r${n}.last.txt`)).toBe(`message ${n}\n`);
      expect(run.read(`.r${n}.instructions.md`)).toBe(codex.stdin(n));
      expect(JSON.parse(run.read(`.r${n}.meta.json`))).toMatchObject({ iteration: n, tokens_used: `${n}` });
    }
    expect(codex.stdin(1)).not.toContain("previous-run");
    expect(codex.stdin(3)).toMatch(/type="previous-run">[\s\S]*message 2/);
    expect(JSON.parse(run.stdout)).toMatchObject({ iteration: 3, last_message_file: `${run.paths?.base}.r3.last.txt` });
    const meta = JSON.parse(run.read(".meta.json"));
    expect([Object.keys(meta).length, meta.tokens_used]).toEqual([12, "6"]);
    expect(
      readFileSync(join(run.paths?.folder ?? "", "aggregate.jsonl"), "utf8")
        .trim()
        .split("\n"),
    ).toHaveLength(3);
    expect(run.log.match(/^Exit Code: /gm)).toHaveLength(1);
    expect(run.outcome()).toMatchObject({ tokens_used: "6" });
  });

  it("count the tokens of a session once, however often it is resumed", async () => {
    const codex = makeFakeCodex(`echo '{"type":"thread.started","thread_id":"t1"}'
echo '{"type":"turn.completed","usage":{"input_tokens":'$n'00}}'`);
    const run = await start(["--task", "x", "--max-runs", "3", "--resume-thread", "t1"], { codex });
    expect([JSON.parse(run.read(".meta.json")).tokens_used, run.meta?.tokens_used]).toEqual(["300", "300"]);
  });

  it("write no meta of the run before its end", async () => {
    const codex = makeFakeCodex(`ls "$(dirname "$last")" >&2; true`);
    const run = await start(["--task", "x", "--max-runs", "2"], { codex });
    const [, second = ""] = run.log.split("Begin Codex Output (iteration 2)");
    expect(second).toContain("job.r1.meta.json\n");
    expect(second).not.toContain("job.meta.json\n");
  });

  it("run until the last message matches", async () => {
    const codex = makeFakeCodex('[ "$n" = 2 ] && echo "CONTROL: DONE" >"$last"');
    const run = await start(
      ["--task", "x", "--max-runs", "5", "--repeat-until", "CONTROL: DONE$", "--no-carry-context"],
      {
        codex,
      },
    );
    expect(codex.calls()).toBe(2);
    expect(run.log).toContain("[repeat] 条件已满足（CONTROL: DONE$），停止迭代。");
    expect(codex.stdin(2)).not.toContain("previous-run");
    expect(run.meta).toMatchObject({ classification: "done", iteration: 2 });
  });

  it("are retried with less context after an overflow, as often as allowed", async () => {
    const codex = makeFakeCodex("echo 'context window exceeded' >&2; exit 1");
    const run = await start(["--task", "x", "--overflow-retries", "2"], { codex });
    expect([codex.calls(), run.exitCode, run.meta?.classification]).toEqual([3, 1, "context_overflow"]);
    expect(JSON.parse(run.read(".r1.meta.json"))).toMatchObject({ iteration: 1, exit_code: 1 });
    const never = makeFakeCodex("echo 'context window exceeded' >&2; exit 1");
    await start(["--task", "x", "--no-overflow-retry"], { codex: never });
    expect(never.calls()).toBe(1);
    const second = makeFakeCodex('[ "$n" = 1 ] && { echo "too long" >&2; exit 1; }\nexit 0');
    const better = await start(["--task", "x", "--resume-thread", "t1"], { codex: second });
    expect([second.calls(), better.exitCode]).toEqual([2, 0]);
    expect([second.args(1).includes("resume"), second.args(2).includes("resume")]).toEqual([true, false]);
  });

  it("use new sessions once the resumed one has overflowed, retried or not", async () => {
    for (const [more, expected] of [
      [[], [true, false, false, false]],
      [["--no-overflow-retry"], [true, false, false]],
    ] as const) {
      const codex = makeFakeCodex('[ "$n" = 1 ] && { echo "too long" >&2; exit 1; }\nexit 0');
      await start(["--task", "x", "--resume-thread", "t1", "--max-runs", "3", ...more], { codex });
      expect(expected.map((_, at) => codex.args(at + 1).includes("resume"))).toEqual(expected);
      expect(codex.calls()).toBe(expected.length);
    }
  });

  it("[G D.24] are not retried for an expired token, which is not an overflow", async () => {
    for (const text of ["token expired", "Error: expired token", "invalid token"]) {
      const codex = makeFakeCodex(`echo '${text}' >&2; exit 1`);
      const run = await start(["--task", "x"], { codex });
      expect([codex.calls(), run.meta?.classification]).toEqual([1, "auth_error"]);
    }
  });

  it("read the files anew, and keep the earlier instructions if a file is gone", async () => {
    const cwd = makeFolder({ "plan.md": "first" });
    const codex = makeFakeCodex(`case $n in 1) echo second >plan.md;; 2) rm plan.md;; esac`);
    const run = await start(["-f", "plan.md", "--max-runs", "3"], { codex, cwd });
    expect([codex.stdin(2), codex.stdin(3)]).toEqual([
      expect.stringContaining("second"),
      expect.stringContaining("second"),
    ]);
    expect(run.log).toContain("could not be put together again");
  });

  it("run until the requirements are met, by our commit if requested", async () => {
    const cwd = makeFolder();
    git(cwd, ["init", "--quiet"]);
    commit(cwd, { files: { "a.txt": "a" }, subject: "first", at: "2026-01-01T00:00:00Z" });
    for (const [name, value] of [
      ["user.name", "Ada"],
      ["user.email", "ada@example.org"],
    ] as const)
      git(cwd, ["config", name, value]);
    const codex = makeFakeCodex(
      '[ "$n" = 2 ] && { mkdir -p docs; echo new >docs/x.md; }; echo "CONTROL: DONE" >"$last"',
    );
    const argv = ["--task", "x", "--max-runs", "4", "--repeat-until", "DONE", "--require-change-in", "docs/*"];
    const run = await start([...argv, "--require-git-commit", "--auto-commit-on-done"], { codex, cwd });
    expect(codex.calls()).toBe(2);
    expect(codex.stdin(2)).toMatch(/type="policy-note">[\s\S]*未检测到匹配变更/);
    expect(run.log).toContain("[repeat] 条件满足但未通过完成校验（缺少提交；未检测到匹配变更）");
    expect(git(cwd, ["show", "--format=%s", "--name-only"])).toBe("docs(progress): auto update\n\ndocs/x.md");
  });
});
