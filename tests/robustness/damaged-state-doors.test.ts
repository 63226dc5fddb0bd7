import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sessionFileName } from "../../src/config/places.ts";
import { INDEX_FILES } from "../../src/engine/store/database.ts";
import { DECISIVE_FILE, makeScratch, PROMPT, type Scratch } from "../e2e/scratch.ts";
import { findProblems, toDocument } from "../support/answers.ts";
import { DAMAGES, flipBytes, restoreFolder } from "../support/damage.ts";
import { groundwork } from "../support/doors.ts";
import { killMarked, listMarked, MARKER } from "../support/leftovers.ts";
import { HELLO, startMcp } from "../support/mcp-process.ts";
import { answerLimitMs, runDoor } from "../support/run-door.ts";
import { countUsualMs } from "../support/timed.ts";
import { until } from "../support/until.ts";

/** The budget of 5 s plus the start on a busy machine. */
const ANSWER_MS = 6_500;
const BUILD_MS = 200_000;
const SESSION = "damaged";
const POWERLESS = process.getuid?.() === 0 ? "setpriv --bounding-set=-all --inh-caps=-all " : "";
const marker = crypto.randomUUID();

let scratch: Scratch;
let env: Record<string, string>;
let state: string;
let copy: string;
let index: string;

beforeAll(async () => {
  scratch = await makeScratch();
  state = join(scratch.home, "state");
  copy = join(scratch.home, "copy");
  mkdirSync(state, { mode: 0o700 });
  env = { ...scratch.env, GROUNDWORK_HOME: state, CI_AUTO_TOOLS_INDEX: "auto", [MARKER]: marker };
  // Files that were just written count as changed.
  await sleep(100);
  run("index");
  await ask();
  index = join("index", readdirSync(join(state, "index"))[0] ?? "");
  await ready();
  cpSync(state, copy, { recursive: true, preserveTimestamps: true });
});
beforeEach(async () => {
  await ready();
  restoreFolder(state, copy);
});
afterAll(async () => {
  killMarked(marker);
  await scratch[Symbol.asyncDispose]();
});

function run(...args: string[]): string {
  return execFileSync(groundwork, args, { cwd: scratch.repo, env, encoding: "utf8", stdio: "pipe", timeout: BUILD_MS });
}

async function ask(script?: string) {
  const input = JSON.stringify({ prompt: PROMPT, session_id: SESSION });
  const more = script === undefined ? {} : { script };
  const answer = await runDoor({ cwd: scratch.repo, env, args: ["--format", "json"], input, ...more });
  expect(findProblems("json", answer), answer.stdout.toString().slice(0, 300)).toEqual([]);
  const { fused_context } = toDocument(answer);
  return { ...answer, context: fused_context.for_model.additional_context, limits: fused_context.for_user.limits_text };
}

/**
 * Waits until the background builder has ended and the index is ready. The status alone is not enough: an index that
 * the question could not read may look ready until the builder starts on it.
 */
async function ready(): Promise<void> {
  await until(
    () => (listMarked(marker).length === 0 ? run("index-status") : "a builder is running"),
    (status) => status.startsWith("ready"),
  );
}

/** Does damage and asks; repeats this if the question had no time on a busy machine. */
async function askDamaged(damage: () => unknown, script?: string) {
  for (let left = 5; ; left--) {
    damage();
    const answer = await ask(script);
    if (left === 0 || answer.context !== "") return answer;
    await ready();
  }
}

const DAMAGED: readonly { readonly name: string; readonly damage: () => void; readonly said: RegExp }[] = [
  ...["index.db", "index.db-journal", "index.db-wal", "index.db-shm"].map((file) => ({
    name: `${file} a pipe`,
    damage: () => DAMAGES["a pipe"]?.(join(state, index, file)),
    said: new RegExp(`being rebuilt: ${file} is a pipe`),
  })),
  ...["zeroed", "random", "halved", "a link to /dev/zero"].map((how) => ({
    name: `index.db ${how}`,
    damage: () => DAMAGES[how]?.(join(state, index, "index.db")),
    said: /the index cannot be read and is being rebuilt: ./,
  })),
  ...["a folder", "random", "a pipe"].map((how) => ({
    name: `builder.lock ${how}, and no index`,
    damage: () => {
      DAMAGES[how]?.(join(state, index, "builder.lock"));
      DAMAGES["zeroed"]?.(join(state, index, "index.db"));
    },
    said: /the index cannot be read and is being rebuilt: ./,
  })),
  ...["a pipe", "a folder", "random", "a link to /dev/zero"].map((how) => ({
    name: `the session's memory ${how}`,
    damage: () => DAMAGES[how]?.(join(state, "sessions", sessionFileName(SESSION))),
    said: /earlier answers of this session are not known: ./,
  })),
  {
    name: "the folder of all indexes a pipe",
    damage: () => DAMAGES["a pipe"]?.(join(state, "index")),
    said: /being rebuilt: index is not a folder/,
  },
];

describe("[G C.1] [G D.13] damaged state through the hook's door", () => {
  it.each(DAMAGED)(
    "[G C.1] $name: answered in time and reported, and repaired afterwards",
    async ({ damage, said }) => {
      const first = await askDamaged(damage);
      expect(first.context).toContain(DECISIVE_FILE);
      expect(first.ms).toBeLessThan(answerLimitMs(first, ANSWER_MS));
      expect(first.limits).toMatch(said);
      await ready();
      const second = await ask();
      expect(second.context + second.limits).toContain(DECISIVE_FILE);
      expect(second.limits).not.toMatch(/cannot be read|is not known/);
    },
  );

  it("[G C.1] an unreadable index, lock and memory: answered, reported, rebuilt", async () => {
    const first = await askDamaged(() => {
      for (const path of [`${index}/index.db`, `${index}/builder.lock`, `sessions/${sessionFileName(SESSION)}`])
        DAMAGES["unreadable"]?.(join(state, path));
    }, `exec ${POWERLESS}"$DOOR" "$@"`);
    expect(first.context).toContain(DECISIVE_FILE);
    expect(first.limits).toMatch(/the index cannot be read and is being rebuilt: ./);
    await ready();
    expect((await ask()).limits).not.toMatch(/cannot be read/);
  });

  it("[G D.24] unreadable settings of the user: reported, and nothing is injected", async () => {
    mkdirSync(join(scratch.home, ".groundwork"));
    const path = join(scratch.home, ".groundwork", "auto-tools.yaml");
    writeFileSync(path, "auto_tools: off\n", { mode: 0 });
    const { context, limits, code } = await ask(`exec ${POWERLESS}"$DOOR" "$@"`);
    rmSync(path);
    expect({ context, code }).toEqual({ context: "", code: 20 });
    expect(limits).toContain("~/.groundwork/auto-tools.yaml: not readable");
  });

  it.each([1, 2, 3])("[G D.2] flipped bytes (%i): correct, or reported", async (seed) => {
    let how = "";
    const answer = await askDamaged(() => {
      how = flipBytes(join(state, index, "index.db"), seed);
    });
    expect(answer.context, how).toContain(DECISIVE_FILE);
    expect(answer.ms).toBeLessThan(answerLimitMs(answer, ANSWER_MS));
    expect(run("index"), how).toContain("files indexed");
    await ready();
    expect((await ask()).limits, how).not.toMatch(/cannot be read/);
  });

  it("an unchanged index starts no builder", async () => {
    run("index");
    // Every builder writes a new seal.
    const sealed = () => statSync(join(state, index, INDEX_FILES.seal)).mtimeMs;
    const before = sealed();
    expect((await ask()).context).toContain(DECISIVE_FILE);
    await sleep(1_500);
    expect(sealed()).toBe(before);
  });
});

describe("[G D.13] damaged state through the MCP server", () => {
  it.each(["index.db", "index.db-journal"])("%s is a pipe: it answers, and ends when asked to", async (file) => {
    await using server = startMcp(scratch.repo, env);
    await server.ask("initialize", HELLO);
    DAMAGES["a pipe"]?.(join(state, index, file));
    const { result } = await server.ask("tools/call", { name: "ci_search", arguments: { query: "rateFor" } });
    expect(JSON.stringify(result)).toContain(DECISIVE_FILE);
    const usualMs = countUsualMs();
    const ended = once(server.child, "close");
    server.child.kill("SIGTERM");
    await ended;
    expect(usualMs()).toBeLessThan(3_000);
  });
});
