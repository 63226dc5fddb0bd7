import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DECISIVE_FILE, PROMPT, type Scratch } from "../e2e/scratch.ts";
import { groundwork } from "../support/doors.ts";
import { findLeftProcesses, killMarked } from "../support/leftovers.ts";
import { saysNoTime } from "../support/no-time.ts";
import { makeResidentPlace } from "../support/resident-place.ts";
import { runDoor } from "../support/run-door.ts";

const marker = crypto.randomUUID();
const ROUNDS = 6;
const CLIENTS = 3;

let scratch: Scratch;
let state: string;
let env: Record<string, string>;

beforeAll(async () => {
  ({ scratch, state, env } = await makeResidentPlace(marker));
});
afterAll(async () => {
  killMarked(marker);
  await scratch[Symbol.asyncDispose]();
});

/** Returns the complete output of the hook for a prompt. */
async function ask(prompt: string): Promise<string> {
  const { code, signal, ms, stdout, stderr } = await runDoor({
    cwd: scratch.repo,
    env,
    input: JSON.stringify({ prompt }),
  });
  expect({ code, signal }, `after ${ms} ms: ${stderr}`).toEqual({ code: 0, signal: null });
  return stdout.toString("utf8");
}

const contextOf = (printed: string) => String(JSON.parse(printed).hookSpecificOutput.additionalContext);

function pidOfResident(): number | null {
  const done = spawnSync(groundwork, ["resident", "status", "--json"], { cwd: scratch.repo, env, encoding: "utf8" });
  return JSON.parse(done.stdout).pid;
}

describe("[R-3] [R-4] a resident under load", () => {
  it("clients ask, files change, branches are switched, it is killed: every answer is valid and fresh, and nothing is left behind", async () => {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@localhost", ...args], { cwd: scratch.repo, env });
    let isOver = false;
    const answers: string[] = [];
    const client = async () => {
      while (!isOver) answers.push(await ask(PROMPT));
    };
    const clients = Array.from({ length: CLIENTS }, client);
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const name = `freshlyMade${"ABCDEF".charAt(round)}`;
        const path = `src/made${round % 2}/part${round}.ts`;
        mkdirSync(join(scratch.repo, path, ".."), { recursive: true });
        writeFileSync(join(scratch.repo, path), `/** Made just now. */\nexport function ${name}(): void {}\n`);
        const where = async () => contextOf(await ask(`where is ${name} defined?`));
        await expect.poll(where).toContain(path);
        if (round % 2 === 0) {
          git("checkout", "-q", "-B", `branch-${round}`);
          git("add", "-A");
          git("commit", "-q", "-m", "made");
          git("checkout", "-q", "-");
        } else rmSync(join(scratch.repo, path, ".."), { recursive: true });
        const pid = pidOfResident();
        if (pid !== null) process.kill(pid, "SIGKILL");
      }
    } finally {
      isOver = true;
      await Promise.all(clients);
    }
    const others = answers.filter((printed) => !contextOf(printed).includes(DECISIVE_FILE));
    expect(answers.length - others.length).toBeGreaterThan(ROUNDS);
    // On a busy machine a question may have no time, but must say so.
    const unexplained = others.filter((printed) => !saysNoTime(printed));
    expect(unexplained, unexplained.join("")).toEqual([]);
    await sleep(200);
    spawnSync(groundwork, ["resident", "stop"], { cwd: scratch.repo, env });
    // A builder exits by itself.
    await expect.poll(() => findLeftProcesses(marker)).toEqual([]);
    expect(readdirSync(state).filter((name) => !["history", "index", "resident"].includes(name))).toEqual([]);
  });
});
