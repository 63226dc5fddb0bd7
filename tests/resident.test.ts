import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ResidentStatus } from "../src/contract/resident.ts";
import { INDEX_FILES, openReader } from "../src/engine/store/database.ts";
import { IndexStore } from "../src/engine/store/index-store.ts";
import { indexFolderOf } from "../src/entry/engine.ts";
import { DECISIVE_FILE, PROMPT, type Scratch } from "./e2e/scratch.ts";
import { groundwork, projectRoot } from "./support/doors.ts";
import { killMarked } from "./support/leftovers.ts";
import { HELLO, startMcp } from "./support/mcp-process.ts";
import { makeResidentPlace, NO_NODE } from "./support/resident-place.ts";
import { answerLimitMs, type DoorCall, runDoor, runPool } from "./support/run-door.ts";
import { sleepUsualMs } from "./support/timed.ts";

const marker = crypto.randomUUID();

let scratch: Scratch;
let state: string;
let env: Record<string, string>;

beforeAll(async () => {
  ({ scratch, state, env } = await makeResidentPlace(marker));
});
afterEach(() => {
  spawnSync(groundwork, ["resident", "stop"], { cwd: scratch.repo, env });
  for (const place of [join(scratch.home, ".groundwork"), join(scratch.repo, "config")])
    rmSync(place, { recursive: true, force: true });
});
afterAll(async () => {
  killMarked(marker);
  await scratch[Symbol.asyncDispose]();
});

function run(...args: string[]): string {
  return execFileSync(groundwork, args, { cwd: scratch.repo, env, encoding: "utf8", stdio: "pipe" });
}

function steer(action: string, more: Record<string, string> = {}) {
  const args = ["resident", action, "--json"];
  const done = spawnSync(groundwork, args, { cwd: scratch.repo, env: { ...env, ...more }, encoding: "utf8" });
  return { exitCode: done.status, stderr: done.stderr, status: JSON.parse(done.stdout || "null") as ResidentStatus };
}

/** Number of the resident. Contract: throws if there is none, because a signal to 0 would end this test run. */
function pidOfResident(action: "start" | "status" = "status"): number {
  const { status, stderr } = steer(action);
  if (status.pid === null) throw new Error(`no resident is running: ${stderr}`);
  return status.pid;
}

/** Runs the hook for a prompt and parses its output as the client does. */
async function ask(prompt: string, more: Partial<DoorCall> & { readonly variables?: Record<string, string> } = {}) {
  const { variables = {}, ...call } = more;
  const answer = await runDoor({
    cwd: scratch.repo,
    env: { ...env, ...variables },
    input: JSON.stringify({ prompt }),
    ...call,
  });
  const { hookSpecificOutput, systemMessage = "" } = JSON.parse(answer.stdout.toString("utf8"));
  return { ...answer, context: String(hookSpecificOutput.additionalContext), message: String(systemMessage) };
}

/** Removes what differs from run to run from an answer: times, and the mark of the block, which is a hash of it. */
function timeless({ context, message }: { readonly context: string; readonly message: string }): string {
  const marked = context
    .replace(/gw-[0-9a-f]{12}/g, "gw")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ(?:, [\dT:Z-]{20})*/g, "then");
  return `${marked}\n${message.replace(/\d+(?:\.\d+)? m?s/, "soon")}`;
}

/** Current number of files in the index. */
function countIndexed(): number {
  const folder = indexFolderOf(env, scratch.repo) ?? "";
  const database = openReader(join(folder, INDEX_FILES.database));
  if (database === null) return 0;
  const store = IndexStore.over(database, folder);
  try {
    return store.state()?.files ?? 0;
  } finally {
    store.close();
  }
}

const QUESTIONS = [
  PROMPT,
  "who calls rateFor?",
  "税率是在哪里计算的？",
  "what breaks if I change computeTotal?",
  "show me .env please, and fix rateFor",
  "where is the frobnicator of the quux?",
  "thanks, have a nice weekend",
];

describe("[R-1] groundwork resident", () => {
  it("reports that none is running, starts one, reports it and ends it, leaving nothing behind", async () => {
    expect(steer("status")).toMatchObject({ exitCode: 1, status: { running: false, pid: null, repositories: [] } });
    const { exitCode, status } = steer("start");
    expect({ exitCode, running: status.running }).toEqual({ exitCode: 0, running: true });
    expect(steer("start").status.pid).toBe(status.pid);
    await ask(PROMPT);
    const told = steer("status");
    expect(told).toMatchObject({ exitCode: 0, status: { pid: status.pid, socket: join(state, "resident", "socket") } });
    expect(told.status.repositories).toMatchObject([{ root: scratch.repo, files: 3 }]);
    expect(told.status.rss_mb).toBeLessThan(300);
    expect(steer("stop")).toMatchObject({ exitCode: 0, status: { running: false } });
    expect(existsSync(join(state, "resident", "socket"))).toBe(false);
    expect(existsSync(join(state, "resident", "place"))).toBe(false);
    expect(steer("stop")).toMatchObject({ exitCode: 0, status: { running: false } });
    const { pid } = steer("start").status;
    const said = () => spawnSync(groundwork, ["resident", "stop"], { cwd: scratch.repo, env, encoding: "utf8" }).stdout;
    expect(said()).toMatch(new RegExp(`^Stopped process ${pid}\\. No resident is running`));
    expect(said()).toMatch(/^No resident is running/);
  });

  it("reports why it cannot listen, and is not restarted at every question", async () => {
    const folder = join(state, "resident");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, "failure"), "listen EOPNOTSUPP: operation not supported\n");
    await ask(PROMPT);
    await sleep(1_500);
    expect(steer("status").status.running).toBe(false);
    expect(steer("start").status.running).toBe(true);
    expect(existsSync(join(folder, "failure"))).toBe(false);
  });

  it("explains arguments that it does not understand", () => {
    const wrong = spawnSync(groundwork, ["resident", "restart"], { env, cwd: scratch.repo, encoding: "utf8" });
    expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining("status, start and stop") });
  });

  it("[K 3] respects the marks in a prompt without starting node", async () => {
    steer("start");
    await ask(PROMPT);
    const off = await ask(`${PROMPT} #nocontext`, { variables: NO_NODE });
    expect([off.context, off.message]).toEqual(["", "groundwork: switched off (#nocontext in the prompt)"]);
    const closed = await ask("who calls rateFor? <private>computeTotal</private>", { variables: NO_NODE });
    expect(closed.context).toContain("rateFor");
    expect(closed.context).toContain("[Limits] text marked private was neither analysed nor kept");
  });

  it("[K 2] respects groundwork off without starting node, everywhere and in one repository", async () => {
    steer("start");
    for (const args of [[], ["--repo"]]) {
      expect((await ask(PROMPT)).context).toContain(DECISIVE_FILE);
      run("off", ...args);
      const off = await ask(PROMPT, { variables: { ...NO_NODE, CI_AUTO_TOOLS: "on" } });
      expect([off.context, off.message]).toEqual(["", ""]);
      run("on", ...args);
    }
    expect((await ask(PROMPT, { variables: NO_NODE })).context).toContain(DECISIVE_FILE);
  });

  it("is started by the first question about code, but not by small talk or if the settings say off", async () => {
    await ask("thanks, have a nice weekend");
    expect(steer("status").status.running).toBe(false);
    mkdirSync(join(scratch.repo, "config"));
    writeFileSync(join(scratch.repo, "config/auto-tools.yaml"), "resident: off\n");
    await ask(PROMPT);
    expect(steer("status").status.running).toBe(false);
    rmSync(join(scratch.repo, "config"), { recursive: true });
    await ask(PROMPT);
    await expect.poll(() => steer("status").status.running).toBe(true);
    // A later prompt does not start a second one.
    const { pid } = steer("status").status;
    await ask(PROMPT, { variables: NO_NODE });
    expect(steer("status").status.pid).toBe(pid);
  });

  it("ends when its folder is taken over or its program changes", async () => {
    const first = pidOfResident("start");
    renameSync(join(state, "resident"), join(state, "gone"));
    await expect.poll(() => isThere(first)).toBe(false);
    rmSync(join(state, "gone"), { recursive: true });
    const second = pidOfResident("start");
    rmSync(join(state, "resident", "socket"));
    await expect.poll(() => isThere(second)).toBe(false);
  });

  it("listens in the runtime folder if the socket's path would be too long", async () => {
    const long = join(
      scratch.home,
      "a-state-folder-with-a-name-that-is-much-longer-than-the-name-of-a-socket-may-be-on-linux",
    );
    const runtime = realpathSync(scratch.env["TMPDIR"] ?? "");
    mkdirSync(long, { mode: 0o700 });
    const more = { GROUNDWORK_HOME: long, XDG_RUNTIME_DIR: runtime };
    try {
      const { status } = steer("start", more);
      expect(status.socket).toMatch(new RegExp(`^${runtime}/groundwork-\\d+-[0-9a-f]{24}/socket$`));
      expect((await ask(PROMPT, { variables: { ...more, ...NO_NODE } })).context).toContain(DECISIVE_FILE);
    } finally {
      steer("stop", more);
    }
  });
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("[R-2] the quick door", () => {
  it("answers without starting node", async () => {
    steer("start");
    expect((await ask(PROMPT, { variables: NO_NODE })).context).toContain(DECISIVE_FILE);
    expect((await ask("thanks, have a nice weekend", { variables: NO_NODE })).context).toBe("");
    spawnSync(groundwork, ["resident", "stop"], { cwd: scratch.repo, env });
    expect((await ask(PROMPT, { variables: NO_NODE })).message).toBe("groundwork: orchestrator unavailable");
  });

  it.each(QUESTIONS)("gives the same answer as without a resident: %s", async (question) => {
    // Indexes the changes of earlier tests now, so that both answers see the same.
    spawnSync(groundwork, ["index"], { cwd: scratch.repo, env });
    const alone = await ask(question, { variables: { GROUNDWORK_RESIDENT: "off" } });
    steer("start");
    expect(timeless(await ask(question, { variables: NO_NODE }))).toBe(timeless(alone));
  });

  it("ignores the caller's environment variables for Perl", async () => {
    steer("start");
    const odd = { PERL5OPT: "-MNo::Such::Module", PERL5LIB: "/proc/nowhere", PERL_UNICODE: "SDA", PERLIO: ":utf8" };
    const answer = await ask("税率是在哪里计算的？", { variables: { ...NO_NODE, ...odd } });
    expect(answer.context).toContain(DECISIVE_FILE);
  });

  it("applies the caller's switches to its question only", async () => {
    steer("start");
    const off = await ask(PROMPT, { variables: { ...NO_NODE, CI_AUTO_TOOLS: "off" } });
    expect(off.context).toBe("");
    const plan = await ask(PROMPT, { variables: { ...NO_NODE, CI_AUTO_TOOLS_MODE: "plan" } });
    expect(plan.message).toContain("plan only");
    const deep = await ask("who calls rateFor?", { variables: { ...NO_NODE, CI_AUTO_TOOLS_TIER_MAX: "2" } });
    expect(deep.context).toContain("ci_call_chain");
    const plain = await ask("who calls rateFor?", { variables: NO_NODE });
    expect(plain.context).not.toContain("ci_call_chain");
    // Another home has another state folder, without a resident.
    const other = join(scratch.home, "other");
    mkdirSync(other, { mode: 0o700, recursive: true });
    const away = await ask(PROMPT, { variables: { ...NO_NODE, GROUNDWORK_HOME: other } });
    expect(away.message).toContain("unavailable");
  });

  it.each([
    ["another format", { args: ["--format", "json"] }, {}],
    ["a prompt in the arguments", { args: ["--prompt", PROMPT] }, {}],
    ["a runner", {}, { CI_AUTO_TOOLS_RUNNER_CI_SEARCH: "/bin/true" }],
    ["an embedding model", {}, { GROUNDWORK_EMBEDDINGS_URL: "http://127.0.0.1:9" }],
    ["a summary on standard error", {}, { CI_AUTO_TOOLS_PRINT_STDERR_SUMMARY: "1" }],
    ["the variable", {}, { GROUNDWORK_RESIDENT: "off" }],
  ])("falls back to node: %s", async (_, call, variables) => {
    steer("start");
    const input = JSON.stringify({ prompt: PROMPT });
    const quick = await runDoor({ cwd: scratch.repo, env: { ...env, ...variables, ...NO_NODE }, input, ...call });
    expect(quick.stdout.toString("utf8")).toContain("orchestrator unavailable");
    const slow = await runDoor({ cwd: scratch.repo, env: { ...env, ...variables }, input, ...call });
    expect(slow.stdout.toString("utf8")).not.toContain("orchestrator unavailable");
  });

  it("falls back to node for hooks of the user and for settings that switch it off", async () => {
    steer("start");
    const hooks = join(scratch.home, ".groundwork/hooks");
    mkdirSync(hooks, { recursive: true });
    const rule = [{ matcher: "*", hooks: [{ type: "command", command: "echo seen >&2; exit 1" }] }];
    writeFileSync(join(hooks, "beforeToolCall.json"), JSON.stringify({ beforeToolCall: rule }));
    expect((await ask(PROMPT, { variables: NO_NODE })).message).toContain("unavailable");
    expect((await ask(PROMPT)).context).toContain("seen");
    rmSync(hooks, { recursive: true });
    writeFileSync(join(scratch.home, ".groundwork/auto-tools.yaml"), "resident: off\n");
    expect((await ask(PROMPT, { variables: NO_NODE })).message).toContain("unavailable");
    rmSync(join(scratch.home, ".groundwork"), { recursive: true });
    expect((await ask(PROMPT, { variables: NO_NODE })).context).toContain(DECISIVE_FILE);
  });

  it("answers a client that never closes its end, whatever the size of its pieces", async () => {
    steer("start");
    const input = JSON.stringify({ prompt: `${PROMPT} "}" {`, cwd: scratch.repo });
    const pieces = [input.slice(0, 7), input.slice(7, -1), input.slice(-1)];
    const answer = await runDoor({
      cwd: scratch.repo,
      env: { ...env, ...NO_NODE },
      input: null,
      onStart: async ({ stdin }) => {
        for (const piece of pieces) {
          stdin?.write(piece);
          await sleep(50);
        }
      },
    });
    expect(answer.stdout.toString("utf8")).toContain(DECISIVE_FILE);
    expect(answer.ms).toBeLessThan(answerLimitMs(answer));
  });

  it("asks through curl if there is no Perl, with the same answers", async () => {
    steer("start");
    // The same door in a copy of the project that does not look for perl.
    const copy = join(scratch.home, "copy");
    for (const name of ["dist", "config", "package.json"]) {
      mkdirSync(copy, { recursive: true });
      execFileSync("ln", ["-s", join(projectRoot, name), join(copy, name)]);
    }
    cpSync(join(projectRoot, "hooks"), join(copy, "hooks"), { recursive: true });
    const lib = join(copy, "hooks/lib/resident.sh");
    writeFileSync(lib, readFileSync(lib, "utf8").replace("/usr/bin/perl /bin/perl /usr/local/bin/perl ", ""));
    const script = `exec "${join(copy, "hooks/context-inject-global.sh")}"`;
    const odd = { ...NO_NODE, CI_AUTO_TOOLS_CI_SEARCH_LIMIT: "3", GROUNDWORK_ODD: "a 'b' \"c\" $d\ne", PS4: "x" };
    for (const question of QUESTIONS) {
      const quick = await ask(question, { variables: odd });
      expect(timeless(await ask(question, { variables: odd, script }))).toBe(timeless(quick));
    }
    const open = await ask("", {
      variables: NO_NODE,
      script,
      input: null,
      onStart: ({ stdin }) => void stdin?.write(JSON.stringify({ prompt: `${PROMPT} }` })),
    });
    expect(open.context).toContain(DECISIVE_FILE);
    process.kill(pidOfResident(), "SIGSTOP");
    expect((await ask(PROMPT, { script })).context).toContain(DECISIVE_FILE);
    killMarked(marker);
  });

  it("answers 64 simultaneous doors, each within its budget", async () => {
    steer("start");
    await ask(PROMPT);
    const answers = await runPool(
      Array.from({ length: 64 }, () => PROMPT),
      64,
      (prompt) => ask(prompt, { variables: NO_NODE }),
    );
    expect(answers.filter(({ context }) => context.includes(DECISIVE_FILE))).toHaveLength(64);
    for (const answer of answers) expect(answer.ms).toBeLessThan(answerLimitMs(answer));
  });
});

describe("[R-3] nobody else gets in, and no failure of a resident costs a prompt", () => {
  const stillAnswers = async (variables: Record<string, string> = {}) => {
    const answer = await ask(PROMPT, { variables });
    expect(answer.context).toContain(DECISIVE_FILE);
    expect(answer.ms).toBeLessThan(answerLimitMs(answer));
  };

  it("killed, frozen, or of another build", async () => {
    process.kill(pidOfResident("start"), "SIGKILL");
    await stillAnswers();
    await expect.poll(() => steer("status").status.running).toBe(true);
    const pid = pidOfResident();
    process.kill(pid, "SIGSTOP");
    await stillAnswers();
    process.kill(pid, "SIGCONT");
    const place = join(state, "resident", "place");
    writeFileSync(place, readFileSync(place, "utf8").replace(/\n.*\n/, "\nanother\n"));
    expect((await ask(PROMPT, { variables: NO_NODE })).message).toContain("unavailable");
    await stillAnswers();
  });

  it("a process that has only the number of a dead one is no resident", async () => {
    process.kill(pidOfResident("start"), "SIGKILL");
    const place = join(state, "resident", "place");
    const lines = readFileSync(place, "utf8").split("\n");
    writeFileSync(place, lines.with(2, String(process.pid)).join("\n"));
    expect(steer("status")).toMatchObject({ exitCode: 1, status: { running: false } });
    await stillAnswers();
    await expect.poll(() => steer("status").status.running).toBe(true);
  });

  it("killed while it answers", async () => {
    steer("start");
    await ask(PROMPT);
    const pid = pidOfResident();
    const answers = await runPool([0, 1, 2, 3], 4, async (at) => {
      if (at === 3) process.kill(pid, "SIGKILL");
      return ask(PROMPT);
    });
    for (const { context } of answers) expect(context).toContain(DECISIVE_FILE);
  });

  it("a folder open to others, a planted socket, a planted file, a folder behind a link", async () => {
    steer("start");
    const folder = join(state, "resident");
    // Without an index, no resident is started, but an existing one is asked.
    const noStart = { CI_AUTO_TOOLS_INDEX: "off" };
    chmodSync(folder, 0o755);
    expect((await ask(PROMPT, { variables: NO_NODE })).message).toContain("unavailable");
    await stillAnswers(noStart);
    chmodSync(folder, 0o700);
    steer("stop");
    rmSync(folder, { recursive: true });

    const planted = join(scratch.home, "planted");
    mkdirSync(planted, { mode: 0o755 });
    const heard: string[] = [];
    const server = createServer((connection) => connection.on("data", (bytes) => heard.push(String(bytes))));
    await new Promise<void>((resolve) => server.listen(join(planted, "socket"), resolve));
    const build = readFileSync(join(projectRoot, "dist/build-id"), "utf8");
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, "place"), `${join(planted, "socket")}\n${build}1\n`);
    await stillAnswers(noStart);
    rmSync(folder, { recursive: true });
    execFileSync("ln", ["-s", planted, folder]);
    writeFileSync(join(planted, "place"), `${join(planted, "socket")}\n${build}1\n`);
    await stillAnswers(noStart);
    expect(heard).toEqual([]);
    server.close();
    rmSync(folder);

    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, "place"), "\0".repeat(5_000));
    writeFileSync(join(folder, "socket"), "no socket");
    await stillAnswers(noStart);
  });

  it("one that hangs up during a question", async () => {
    const folder = join(state, "resident");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const server = createServer((connection) => connection.on("error", () => {}).destroy());
    await new Promise<void>((resolve) => server.listen(join(folder, "socket"), resolve));
    chmodSync(join(folder, "socket"), 0o600);
    const build = readFileSync(join(projectRoot, "dist/build-id"), "utf8");
    writeFileSync(join(folder, "place"), `${join(folder, "socket")}\n${build}1\n`);
    // More than the socket buffers.
    const input = JSON.stringify({ prompt: PROMPT, transcript: "x".repeat(4_000_000) });
    const answer = await ask(PROMPT, { input, variables: { CI_AUTO_TOOLS_INDEX: "off" } });
    server.close();
    expect(answer.context).toContain(DECISIVE_FILE);
    expect(answer.ms).toBeLessThan(answerLimitMs(answer));
  });

  it("a payload that never arrives costs no more than without a resident", async () => {
    steer("start");
    const answer = await ask("", { input: null, variables: { ...NO_NODE, CI_AUTO_TOOLS_BUDGET_WALL_MS: "100" } });
    expect(answer.message).toContain("unavailable");
    expect(answer.ms).toBeLessThan(answerLimitMs(answer, 7_000 + 1_500));
  });

  it("invalid requests end nothing", async () => {
    const { socket, pid } = steer("start").status;
    const send = (bytes: string | Buffer) =>
      new Promise<void>((resolve) => {
        const connection = connect(socket ?? "").on("error", () => resolve());
        connection.on("close", () => resolve()).on("data", () => {});
        connection.write(bytes, () => setTimeout(() => connection.destroy(), 100));
      });
    const build = readFileSync(join(projectRoot, "dist/build-id"), "utf8").trim();
    const post = (body: string | Buffer, length = body.length) =>
      Buffer.concat([
        Buffer.from(
          `POST /hook HTTP/1.1\r\nHost: g\r\nX-Groundwork-Build: ${build}\r\nContent-Length: ${length}\r\n\r\n`,
        ),
        Buffer.from(body),
      ]);
    const bad = [
      "",
      "\0\0\0",
      "GET / HTTP/1.1\r\n\r\n",
      "x".repeat(200_000),
      post("no variables at all"),
      post("=\0\0{}"),
      post("HOME=/\0\0not json"),
      post(`PWD=/\0\0${"[".repeat(100_000)}`),
      post(Buffer.alloc(9 * 1024 * 1024, 97)),
      post("HOME=/", 50_000_000),
      `DELETE /hook HTTP/1.1\r\nX-Groundwork-Build: ${build}\r\n\r\n`,
      `POST /call HTTP/1.1\r\nHost: g\r\nX-Groundwork-Build: ${build}\r\nContent-Length: 4\r\n\r\n\0{}\0`,
    ];
    await Promise.all(bad.map(send));
    expect(steer("status").status.pid).toBe(pid);
    expect((await ask(PROMPT, { variables: NO_NODE })).context).toContain(DECISIVE_FILE);
  });
});

describe("[R-4] [R-6] answers reflect what is there now", () => {
  it("a changed file is in the answers one second after it was saved, and a deleted one is not", async () => {
    steer("start");
    await ask(PROMPT);
    await expect.poll(() => steer("status").status.repositories[0]?.state).toBe("watched");
    const added = join(scratch.repo, "src/discount.ts");
    writeFileSync(
      added,
      "/** The discount of a loyal customer. */\nexport function loyalDiscount(): number {\n  return 0.1;\n}\n",
    );
    await sleepUsualMs(1_000);
    const where = "where is loyalDiscount defined?";
    expect((await ask(where, { variables: NO_NODE })).context).toContain("src/discount.ts:2");
    // When the resident is idle, it indexes a few changes itself, without a builder.
    await expect.poll(() => run("index-status"), { interval: 2_000 }).toContain("ready (4 files)");
    appendFileSync(added, "export const VIP_DISCOUNT = 0.2;\n");
    await sleepUsualMs(1_000);
    expect((await ask("where is VIP_DISCOUNT defined?", { variables: NO_NODE })).context).toContain(
      "src/discount.ts:5",
    );
    rmSync(added);
    await sleepUsualMs(1_000);
    expect((await ask(where, { variables: NO_NODE })).context).not.toContain("src/discount.ts");
  });

  it("many changes soon after many others are indexed, too, without another question", async () => {
    steer("start");
    await ask(PROMPT);
    await expect.poll(() => steer("status").status.repositories[0]?.state).toBe("watched");
    const folder = join(scratch.repo, "src/many");
    const add = (name: string) => {
      mkdirSync(folder, { recursive: true });
      for (let at = 0; at < 25; at++)
        writeFileSync(join(folder, `${name}${at}.ts`), `export const ${name}${at} = 1;\n`);
    };
    // Only the resident may answer, because any other process would start a builder. The file asked about is written
    // last: an answer that contains it has seen all files, and is the last question until they are indexed.
    const askUntilSeen = (name: string) =>
      expect
        .poll(async () => (await ask(`where is ${name}24 defined?`, { variables: NO_NODE })).context)
        .toContain(`src/many/${name}24.ts`);
    add("first");
    await askUntilSeen("first");
    await expect.poll(countIndexed).toBe(3 + 25);
    add("second");
    await askUntilSeen("second");
    await expect.poll(countIndexed).toBe(3 + 50);
    rmSync(folder, { recursive: true });
  });

  it("MCP servers forward their calls and answer the same", async () => {
    const params = { name: "ci_search", arguments: { query: "where is the tax rate of a region?" } };
    const call = async (variables: Record<string, string>) => {
      await using server = startMcp(scratch.repo, { ...env, ...variables });
      await server.ask("initialize", HELLO);
      const { result } = await server.ask("tools/call", params);
      return JSON.stringify(result).replace(/latency_ms\\*":\d+/g, "");
    };
    const alone = await call({ GROUNDWORK_RESIDENT: "off" });
    steer("start");
    expect(await call({})).toBe(alone);
    expect(steer("status").status.repositories).toMatchObject([{ root: scratch.repo }]);
  });
});
