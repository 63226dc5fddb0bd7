import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeScratch, PROMPT, type Scratch } from "../e2e/scratch.ts";
import { type Format, findProblems, findQuietProblems, toContext, withoutTimes } from "../support/answers.ts";
import { findLeftProcesses, listTree, MARKER } from "../support/leftovers.ts";
import { saysNoTime } from "../support/no-time.ts";
import { answerLimitMs, type DoorAnswer, type DoorCall, killGroup, runDoor, runPool } from "../support/run-door.ts";
import { until } from "../support/until.ts";

const KILLS = 100;
const TERMS = 60;
const LAST_MOMENT_MS = 300;
const AT_ONCE = 4;
/** The doors' watchdog at a wall budget of 100 ms, plus time to start and end. */
const WATCHDOG_MS = 7_000 + 1_500;

const input = JSON.stringify({ prompt: PROMPT });
let scratch: Scratch;
let env: Record<string, string>;
beforeAll(async () => {
  scratch = await makeScratch();
  env = { ...scratch.env, GROUNDWORK_HOME: join(scratch.home, "state") };
});
afterAll(() => scratch[Symbol.asyncDispose]());

const ask = (format: Format, more: Partial<DoorCall> = {}): Promise<DoorAnswer> =>
  runDoor({ cwd: scratch.repo, env, args: ["--format", format], input, ...more });

/** Asks until there was time for the whole answer, which may take several attempts on a busy machine. */
const askCalmly = () =>
  until(
    () => ask("hook"),
    ({ stdout }) => !saysNoTime(stdout.toString("utf8")),
  );

/** Returns moments spread over the duration of a run: always the same ones, unordered. */
function makeMoments(count: number): number[] {
  return Array.from({ length: count }, (_, at) => (((at * 0.618_033_988_7) % 1) * LAST_MOMENT_MS) | 0);
}

/** Runs `strike` after the given time. */
function strikeAt(ms: number, strike: NonNullable<DoorCall["onStart"]>): Partial<DoorCall> {
  return {
    onStart: (child) => {
      const timer = setTimeout(() => strike(child), ms);
      child.once("exit", () => clearTimeout(timer));
    },
  };
}

describe("a killed door", () => {
  it(`[ATO-FAIL-1] kill -9 at ${KILLS} moments loses no later answer and leaves no file and no process`, async () => {
    // The very first answer mentions that runs are kept.
    await ask("hook");
    const before = withoutTimes(await askCalmly());
    const files = listTree(scratch.home).concat(listTree(scratch.repo), listTree(env["TMPDIR"] ?? ""));
    const marker = crypto.randomUUID();
    const marked = { ...env, [MARKER]: marker };
    const killed = await runPool(makeMoments(KILLS), AT_ONCE, async (ms) => {
      const { signal } = await ask("hook", { env: marked, ...strikeAt(ms, (child) => killGroup(child, "SIGKILL")) });
      return signal === "SIGKILL";
    });

    expect(killed.filter(Boolean).length).toBeGreaterThan(KILLS / 5);
    const after = await askCalmly();
    expect(findQuietProblems("hook", after)).toEqual([]);
    expect(withoutTimes(after)).toBe(before);
    expect(listTree(scratch.home).concat(listTree(scratch.repo), listTree(env["TMPDIR"] ?? ""))).toEqual(files);
    expect(await findLeftProcesses(marker)).toEqual([]);
  });

  it.each(["hook", "json"] as const)(
    "[ATO-FAIL-1] SIGTERM ends everything; %s prints one answer or none",
    async (format) => {
      const marker = crypto.randomUUID();
      const marked = { ...env, [MARKER]: marker };
      const failures = await runPool(makeMoments(TERMS), AT_ONCE, async (ms) => {
        const answer = await ask(format, { env: marked, ...strikeAt(ms, (child) => child.kill("SIGTERM")) });
        // A client that ends a door no longer reads it, so no output is fine, too. Exit code 2 would erase the prompt.
        if (answer.stdout.length === 0 && answer.code !== 2) return [];
        // The shell may die before it can pass the signal on: its program may then still answer.
        const code = answer.signal === "SIGTERM" ? 0 : answer.code;
        return findProblems(format, { ...answer, code }).map(
          (problem) => `${ms} ms: ${problem}: ${answer.stdout.subarray(0, 200)}`,
        );
      });
      expect(failures.flat().slice(0, 3)).toEqual([]);
      expect(await findLeftProcesses(marker)).toEqual([]);
    },
  );

  it("[ATO-FAIL-1] SIGTERM during a hanging tool ends the tool, too", async () => {
    const marker = crypto.randomUUID();
    const [runner, started] = [join(scratch.bin, "hang"), join(scratch.bin, "started")];
    await writeFile(runner, `#!/bin/sh\ntrap '' TERM\nsleep 60 &\n: >"${started}"\nwait; sleep 60\n`, { mode: 0o755 });
    const answer = await ask("hook", {
      env: { ...env, [MARKER]: marker, CI_AUTO_TOOLS_RUNNER_CI_SEARCH: runner },
      onStart: (child) => {
        const timer = setInterval(() => {
          if (!existsSync(started)) return;
          clearInterval(timer);
          child.kill("SIGTERM");
        }, 20);
      },
    });
    expect(answer.ms).toBeLessThan(answerLimitMs(answer, 1_900));
    expect(await findLeftProcesses(marker)).toEqual([]);
  });
});

describe.concurrent("a door whose event loop is blocked", () => {
  // Waiting blocks the event loop like a busy loop, but leaves the CPU to other tests.
  const block = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)";

  it.each([
    { when: "from the start", format: "hook", code: 0, script: `${block};\n` },
    { when: "from the start", format: "json", code: 10, script: `${block};\n` },
    { when: "while a tool runs", format: "hook", code: 0, script: `setTimeout(() => ${block}, 10);\n` },
  ] as const)("[ATO-FAIL-1] [ATO-BUD-1] $when is ended in time with the empty injection: $format", async (row) => {
    const { format, code } = row;
    const name = `${row.when} ${format}`.replaceAll(" ", "-");
    const [preload, runner] = [join(scratch.bin, `${name}.cjs`), join(scratch.bin, name)];
    await writeFile(preload, row.script);
    await writeFile(runner, "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
    const marker = crypto.randomUUID();
    const answer = await ask(format, {
      env: {
        ...env,
        [MARKER]: marker,
        NODE_OPTIONS: `--require=${preload}`,
        CI_AUTO_TOOLS_BUDGET_WALL_MS: "100",
        CI_AUTO_TOOLS_RUNNER_CI_SEARCH: runner,
      },
    });
    expect(findProblems(format, answer)).toEqual([]);
    expect(answer.code).toBe(code);
    if (format === "hook") expect(toContext(answer)).toBe("");
    expect(answer.ms).toBeLessThan(answerLimitMs(answer, WATCHDOG_MS));
    expect(await findLeftProcesses(marker)).toEqual([]);
  });
});
