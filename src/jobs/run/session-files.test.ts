import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeCodex } from "../../../tests/support/fake-codex.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { countUsualMs } from "../../../tests/support/timed.ts";
import { ANSWER, start } from "./session.test-helper.ts";

describe("secrets [CNI-18]", () => {
  const SECRET = `sk-${"A1b2C3d4E5f6G7h8".repeat(2)}`;
  const body = `printf '{"type":"item.completed","item":{"type":"agent_message","text":"key %s"}}\\n' '${SECRET}'
printf 'split ${SECRET.slice(0, 10)}' >&2; sleep 0.3; printf '${SECRET.slice(10)}\\n' >&2
echo 'the key is ${SECRET}' >"$last"; [ "$n" = 1 ]`;

  it.each([
    [["--redact"], {}],
    [["--preset", "secure"], {}],
    [[], { REDACT_ENABLE: "1" }],
  ])("reach Codex, but nothing that is stored or shown: %j %j", async (argv, env) => {
    const codex = makeFakeCodex(body);
    const task = `use ${SECRET}`;
    const run = await start(["--task", task, "--max-runs", "2", ...argv], { codex, env });
    expect(codex.stdin(1)).toContain(SECRET);
    const kept = run.files.map((name) => readFileSync(join(run.paths?.folder ?? "", name), "utf8"));
    expect([run.stdout, run.shown, ...run.told, ...kept].join("\n")).not.toContain(SECRET.slice(0, 12));
    for (const ending of [
      ".log",
      ".instructions.md",
      ".meta.json",
      ".events.jsonl",
      ".r1.last.txt",
      ".r2.instructions.md",
    ])
      expect(run.read(ending), ending).toContain("***REDACTED***");
    expect(run.log).toContain("split ***REDACTED***\n");
  });

  it("are stored as Codex printed them without --redact", async () => {
    const run = await start(["--task", `use ${SECRET}`], { codex: makeFakeCodex(body) });
    expect(run.log).toContain(`split ${SECRET}`);
  });

  it("are hidden in refusals too", async () => {
    const run = await start(["--redact", "--nonsense", SECRET]);
    expect([run.log, ...run.told].join("\n")).not.toContain(SECRET);
  });
});

describe("[G D.21] a run whose folder is replaced while it runs", () => {
  const SWAP = 'dir=$(dirname "$last"); mv "$dir" "$dir.moved"; ln -s "$TARGET" "$dir"';

  it.each([
    ["at once", `${SWAP}; echo one; sleep 0.3; echo two; sleep 30`],
    ["without a word", SWAP],
    ["with a last message, and events", `${SWAP}; echo '{"type":"turn.started"}'; echo mine >"$dir.moved/x"; exit 0`],
  ])("ends with an error, and nothing is written through the link: %s", async (_how, body) => {
    const outside = makeFolder({ "job.r1.last.txt": "theirs" });
    const codex = makeFakeCodex(body);
    const usualMs = countUsualMs();
    const run = await start(["--task", "x", "--max-runs", "3"], { codex, env: { TARGET: outside } });
    expect(usualMs()).toBeLessThan(15_000);
    expect([run.exitCode, codex.calls()]).toEqual([1, 1]);
    expect(run.meta).toMatchObject({ classification: "error", reason: expect.stringContaining("was replaced") });
    expect(run.told.join("\n")).toContain("is not the folder any more that this run began in");
    expect(readdirSync(outside)).toEqual(["job.r1.last.txt"]);
    expect(readFileSync(join(outside, "job.r1.last.txt"), "utf8")).toBe("theirs");
    expect(statSync(join(outside, "job.r1.last.txt")).mode & 0o777).not.toBe(0o600);
    // Files that were open stay in the moved folder and report the replacement.
    const moved = `${run.paths?.folder}.moved`;
    expect(readFileSync(join(moved, "job.log"), "utf8")).toMatch(/\[folder\] .*\n[\s\S]*Exit Code: 1\n/);
    expect(JSON.parse(readFileSync(join(moved, "outcome.json"), "utf8"))).toMatchObject({ exit_code: 1 });
  });

  it("ends the same way if a parent folder is replaced", async () => {
    const outside = makeFolder();
    const codex = makeFakeCodex(`mv .codex-father elsewhere; ln -s elsewhere .codex-father; echo said; sleep 20`);
    const run = await start(["--task", "x"], { codex, env: { TARGET: outside } });
    expect([run.exitCode, run.meta?.classification]).toEqual([1, "error"]);
    expect(run.read(".meta.json")).toBe("");
  });
});

describe("a full disk", () => {
  it("is reported like any other write failure, and the run goes on", async () => {
    const cwd = makeFolder({ "x.meta.json/taken": "" });
    const run = await start(["--task", "x", "--log-file", "x.log"], { codex: makeFakeCodex(ANSWER), cwd });
    expect(run.exitCode).toBe(0);
    expect(run.told).toEqual([expect.stringContaining(`${join(cwd, "x.meta.json")} could not be written: `)]);
    expect(readdirSync(cwd).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it.skipIf(!existsSync("/dev/full"))("stops neither Codex nor the end", async () => {
    const cwd = makeFolder();
    mkdirSync(join(cwd, "s"));
    // All writes to the log fail; everything else has space.
    symlinkSync("/dev/full", join(cwd, "s/job.log"));
    const codex = makeFakeCodex(ANSWER);
    const run = await start(["--task", "x", "--log-file", "s/job.log"], { codex, cwd });
    expect([run.exitCode, codex.calls()]).toEqual([0, 1]);
    expect(run.told).toEqual([expect.stringContaining("ENOSPC")]);
    expect(run.outcome()).toMatchObject({ exit_code: 0, tokens_used: "15" });
  });
});
