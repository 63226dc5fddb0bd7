import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { endJobProcesses, findJobProcesses } from "../../src/base/subprocess/marks.ts";
import { supervisorMark } from "../../src/jobs/job/store.ts";
import { projectRoot } from "../support/doors.ts";
import { makeRandom } from "../support/random.ts";
import { runPool } from "../support/run-door.ts";
import { makeFolder } from "../support/temp-folder.ts";

const JOBS = 50;
const AT_ONCE = 8;
const STARTS_AT_ONCE = 6;
const SAMPLE_MS = 40;
/** Number of jobs at the beginning that are not killed, because they wait for each other. */
const SPARED = AT_ONCE + STARTS_AT_ONCE;
const LAST_MOMENT_MS = 2_500;
/** Long, because the machine may be busy; the test takes half a minute on two slow cores. */
const ALL_MS = 600_000;

const door = join(projectRoot, "job.sh");
const run = promisify(execFile);
const cwd = makeFolder();
const home = makeFolder();
const sessions = join(cwd, ".codex-father", "sessions");
const folderOf = (id: string) => join(sessions, id);

/** A task that only ends if it is killed. */
const VICTIM = "wait for the blow";
/**
 * Prints the events of Codex and takes a moment. The first ones wait until all slots are in use, even on a slow
 * machine.
 */
const CODEX = `#!/bin/sh
if [ "$1" = --version ]; then echo 'codex-cli 0.166.0'; exit 0; fi
task=$(cat)
echo '{"type":"thread.started","thread_id":"0199"}'
case $task in *'${VICTIM}'*) sleep 600 ;; esac
: >"$HOME/started/$$"
while set -- "$HOME"/started/* && [ $# -lt ${AT_ONCE} ]; do sleep 0.1; done
sleep 1.$(($$ % 10))
echo '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"Exit Code: 0"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":10,"cached_input_tokens":0,"output_tokens":5}}'
`;
for (const name of ["bin", "started"]) mkdirSync(join(home, name));
writeFileSync(join(home, "bin/codex"), CODEX);
chmodSync(join(home, "bin/codex"), 0o755);
const env = { HOME: home, PATH: `${join(home, "bin")}:${process.env["PATH"]}` };

const KINDS = ["codex", "supervisor", "both", "early"] as const;
interface Victim {
  readonly kind: (typeof KINDS)[number];
  /** Delay after the start for `early`, after the end of the wait in the queue for the others. */
  readonly delayMs: number;
}

function readJson(id: string, name: string): Record<string, unknown> | null {
  try {
    return JSON.parse(readFileSync(join(folderOf(id), name), "utf8"));
  } catch {
    return null;
  }
}

const isOver = (id: string) => ["completed", "failed"].includes(String(readJson(id, "state.json")?.["state"]));

/** Kills its targets after the delay; false if the job was over before. */
async function strike(id: string, { kind, delayMs }: Victim): Promise<boolean> {
  while (kind !== "early" && !existsSync(join(folderOf(id), "go"))) await sleep(10);
  await sleep(delayMs);
  for (; !isOver(id); await sleep(5)) {
    const pid = Number(readJson(id, "process.json")?.["pid"]);
    const codex = findJobProcesses(folderOf(id));
    // Codex may not have been started yet.
    if ((kind === "codex" || kind === "both") && codex.length === 0) continue;
    if (kind !== "codex" && !(pid > 0)) continue;
    const targets = { codex, supervisor: [pid], both: [pid, ...codex], early: [pid] }[kind];
    if (readJson(id, "outcome.json") !== null || targets.filter(kill).length === 0) return false;
    // Exit code 0 means that the run had ended regularly just before; it has no other source.
    await sleep(50);
    return readJson(id, "outcome.json")?.["exit_code"] !== 0;
  }
  return false;
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

/** Returns all processes with one of our marks, as `pid job`; a look takes a while, and is no snapshot. */
function look(): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
        const [, job = ""] = /(?:^|\0)GROUNDWORK_JOB=([^\0]*)/.exec(environment) ?? [];
        return job.startsWith(sessions) ? [`${pid} ${job}`] : [];
      } catch {
        // Another user's process, or one that has just ended.
        return [];
      }
    });
}

/** Returns the number of jobs whose Codex is among the processes. */
function countRunning(marked: readonly string[]): number {
  const jobs = marked.map((one) => one.slice(one.indexOf(" "))).filter((job) => !job.endsWith("/supervisor"));
  return new Set(jobs).size;
}

afterAll(() => {
  for (const id of existsSync(sessions) ? readdirSync(sessions) : []) {
    endJobProcesses(supervisorMark(folderOf(id)));
    endJobProcesses(folderOf(id));
  }
});

describe("killed jobs", () => {
  it(`[CNI-11] ${JOBS} jobs, ${AT_ONCE} at once, a third of them killed: each ends in its true state`, {
    timeout: ALL_MS + 30_000,
  }, async () => {
    const random = makeRandom(20_261_116);
    const victims = Array.from({ length: JOBS }, (_, at): Victim | null => {
      const kind = KINDS[Math.floor(random() * KINDS.length)] ?? "both";
      const delayMs = Math.floor(random() * LAST_MOMENT_MS);
      return at >= SPARED && at % 2 === 1 ? { kind, delayMs } : null;
    });
    const strikes: Promise<boolean>[] = [];
    const struck = new Map<string, Victim>();
    const most = { inOneLook: 0, betweenTwo: 0 };
    let isDone = false;
    const watch = (async () => {
      for (let before: readonly string[] = []; !isDone; await sleep(SAMPLE_MS)) {
        const now = look();
        most.inOneLook = Math.max(most.inOneLook, countRunning(now));
        // Processes that both looks have found were alive at the same time, namely in between.
        most.betweenTwo = Math.max(most.betweenTwo, countRunning(now.filter((one) => before.includes(one))));
        before = now;
      }
    })();

    const startMs = performance.now();
    const ids = await runPool(victims, STARTS_AT_ONCE, async (victim, at) => {
      const task = victim === null ? `task ${at}` : VICTIM;
      const args = ["--max-parallel", String(AT_ONCE), "--priority", String(at % 3), "--task", task];
      const { stdout } = await run(door, ["start", "--cwd", cwd, "--tag", `t${at}`, "--json", ...args], { env });
      const id = String(JSON.parse(stdout).jobId);
      if (victim !== null)
        strikes.push(
          strike(id, victim).then((hit) => {
            if (hit) struck.set(id, victim);
            return hit;
          }),
        );
      return id;
    });
    // Nothing is called from here on: however a job ends, the next one must start.
    while (!ids.every(isOver) && performance.now() - startMs < ALL_MS) await sleep(100);
    await Promise.all(strikes);
    isDone = true;
    await watch;

    const { stdout } = await run(door, ["list", "--cwd", cwd, "--json"], { env });
    const listed = new Map<string, string>(
      JSON.parse(stdout).map((job: Record<string, string>) => [job["id"], job["state"]]),
    );
    const wrong = ids.flatMap((id) => {
      const outcome = readJson(id, "outcome.json");
      const meta = readJson(id, "job.meta.json");
      const expected = struck.has(id) ? "failed" : "completed";
      const problems = [
        listed.get(id) === expected ? "" : `is ${listed.get(id)}, not ${expected}`,
        readJson(id, "state.json")?.["state"] === listed.get(id) ? "" : "state.json says something else",
        outcome?.["exit_code"] === meta?.["exit_code"] ? "" : "outcome and meta differ",
        (outcome?.["exit_code"] === 0) === (listed.get(id) === "completed") ? "" : "the exit code is another",
        Object.keys(meta ?? {}).length === 12 ? "" : "meta.json is not whole",
        ...readdirSync(folderOf(id))
          .filter((name) => name.endsWith(".tmp") || (name.endsWith(".json") && readJson(id, name) === null))
          .map((name) => `${name} is left half written`),
      ].filter((problem) => problem !== "");
      return problems.map((problem) => `${id} (${JSON.stringify(struck.get(id) ?? null)}): ${problem}`);
    });
    expect(wrong).toEqual([]);
    expect(new Set(ids).size).toBe(JOBS);
    expect(struck.size).toBe(victims.filter((victim) => victim !== null).length);
    expect(most.inOneLook).toBeGreaterThanOrEqual(AT_ONCE);
    expect(most.betweenTwo).toBeLessThanOrEqual(AT_ONCE);
    await expect.poll(look).toEqual([]);
  });
});
