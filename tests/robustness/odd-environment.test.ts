import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DECISIVE_FILE, makeScratch, PROMPT, type Scratch } from "../e2e/scratch.ts";
import { type Format, findProblems, toContext, toDocument } from "../support/answers.ts";
import { groundwork } from "../support/doors.ts";
import { findLeftProcesses, listTree, MARKER } from "../support/leftovers.ts";
import { saysNoTime } from "../support/no-time.ts";
import { answerLimitMs, type DoorAnswer, type DoorCall, HELD_MS, runDoor } from "../support/run-door.ts";
import { makeFolder } from "../support/temp-folder.ts";
import { until } from "../support/until.ts";

/** When a door's watchdog ends its program: as in hooks/lib/door.sh. */
function watchdogMs({ CI_AUTO_TOOLS_BUDGET_WALL_MS: wallMs }: Readonly<Record<string, string | undefined>>): number {
  return wallMs === undefined ? 17_000 : (Math.floor(Number(wallMs) / 1_000) + 7) * 1_000;
}

/** A door that cannot read its input waits for its watchdog: at a wall budget of 100 ms, plus the start. */
const WATCHDOG_MS = 7_000 + 1_500;

// With a session, so that every oddity also affects its memory.
const input = JSON.stringify({ prompt: PROMPT, session_id: "odd" });
/** A path that does not exist and must not be created. */
const MISSING = join(makeFolder(), "missing");
let scratch: Scratch;
let files: string[];
beforeAll(async () => {
  scratch = await makeScratch();
  files = listTree(scratch.repo);
});
afterAll(async () => {
  expect(listTree(scratch.repo), "a door has written to the repository").toEqual(files);
  expect(existsSync(MISSING), "a door has made a home that is not there").toBe(false);
  await scratch[Symbol.asyncDispose]();
});

/** Root may do everything; without its capabilities it is an ordinary user. */
const POWERLESS = process.getuid?.() === 0 ? "setpriv --bounding-set=-all --inh-caps=-all " : "";
/** True if we can mount, which needs our own namespace; not every container allows that. */
const MOUNTS = canMount();
function canMount(): boolean {
  try {
    execFileSync("/bin/sh", ["-c", "unshare -Urm mount -t tmpfs -o size=1m none /mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** An odd environment and the expected behaviour of the doors in it. */
interface Oddity {
  readonly name: string;
  readonly env?: Readonly<Record<string, string | undefined>> | (() => Readonly<Record<string, string | undefined>>);
  readonly script?: string;
  readonly input?: DoorCall["input"];
  readonly onStart?: NonNullable<DoorCall["onStart"]>;
  /** Exit codes of the json format. */
  readonly codes: readonly number[];
  /** True if the answer must contain the usual evidence. */
  readonly answers?: boolean;
  /** True if the output cannot be read. */
  readonly unheard?: boolean;
  readonly limitMs?: number;
}

/** Asks, in both machine formats if they may differ, and checks what every answer must satisfy. */
async function checkOddity(oddity: Oddity): Promise<void> {
  const marker = crypto.randomUUID();
  const odd = typeof oddity.env === "function" ? oddity.env() : (oddity.env ?? {});
  const env = { ...scratch.env, ...odd, [MARKER]: marker, REPO: scratch.repo, TOP: dirname(scratch.repo) };
  const formats = oddity.answers ? (["hook"] as const) : (["hook", "json"] as const);
  for (const format of formats) {
    const call = {
      cwd: scratch.repo,
      env,
      args: ["--format", format],
      input: oddity.input === undefined ? input : oddity.input,
      ...(oddity.script === undefined ? {} : { script: oddity.script }),
      ...(oddity.onStart === undefined ? {} : { onStart: oddity.onStart }),
    };
    // On a busy machine an answer that needs time is asked for again.
    const isHasty = ({ stdout }: DoorAnswer) => oddity.codes.includes(0) && saysNoTime(stdout.toString("utf8"));
    const answer = await until(
      () => runDoor(call),
      (one) => !isHasty(one) || (!oddity.answers && oddity.codes.includes(one.code ?? -1)),
    );
    const said = `${format}: ${answer.stdout.subarray(0, 300)} ${answer.stderr.slice(0, 300)}`;
    if (!oddity.unheard) expect(findProblems(format, answer), said).toEqual([]);
    // On a busy machine the watchdog may end the program before it can end itself; it does not do so any earlier.
    const watchdogCodes = answer.ms > watchdogMs(odd) ? [10] : [];
    expect(format === "hook" ? [0] : [...oddity.codes, ...watchdogCodes], said).toContain(answer.code);
    expect(answer.ms, said).toBeLessThan(answerLimitMs(answer, oddity.limitMs));
    expect(answer.heldMs, said).toBeLessThan(HELD_MS * answer.slowness);
    if (oddity.answers) expect(contextOf(format, answer), said).toContain(DECISIVE_FILE);
  }
  expect(await findLeftProcesses(marker)).toEqual([]);
}

function contextOf(format: Format, answer: DoorAnswer): string {
  return format === "hook" ? toContext(answer) : toDocument(answer).fused_context.for_model.additional_context;
}

/** Makes a folder of programs: names with scripts, or with paths to link to. */
function makeBin(programs: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(scratch.bin, "programs-"));
  for (const [name, content] of Object.entries(programs)) {
    if (content.startsWith("/")) symlinkSync(content, join(folder, name));
    else writeFileSync(join(folder, name), content, { mode: 0o755 });
  }
  return folder;
}

const ok = { codes: [0], answers: true } as const;
const RUN = 'exec "$DOOR" "$@"';

const TITLE = "[ATO-FAIL-1] [ATO-FAIL-3] a valid answer in time, nothing left behind: $name";

describe.concurrent("homes, paths and languages", () => {
  it.each<Oddity>([
    { name: "no HOME", env: { HOME: undefined }, ...ok },
    { name: "empty HOME", env: { HOME: "" }, ...ok },
    { name: "HOME that does not exist", env: { HOME: MISSING }, ...ok },
    { name: "HOME that is a file", env: { HOME: "/etc/passwd" }, ...ok },
    { name: "HOME that is a device", env: { HOME: "/dev/zero" }, ...ok },
    { name: "GROUNDWORK_HOME that cannot be made", env: { GROUNDWORK_HOME: "/proc/groundwork" }, ...ok },
    { name: "XDG_CACHE_HOME that is relative", env: { XDG_CACHE_HOME: "cache" }, ...ok },
    { name: "no TMPDIR", env: { TMPDIR: undefined }, ...ok },
    { name: "TMPDIR that does not exist", env: { TMPDIR: MISSING }, ...ok },
    { name: "TMPDIR that cannot be written", env: { TMPDIR: "/proc" }, ...ok },
    { name: "no git", env: () => ({ PATH: makeBin({ node: process.execPath, sleep: "/bin/sleep" }) }), ...ok },
    {
      name: "git that hangs",
      env: () => ({ PATH: `${makeBin({ git: "#!/bin/sh\nexec sleep 60\n" })}:${scratch.env["PATH"]}` }),
      ...ok,
    },
    {
      name: "git that floods",
      env: () => ({ PATH: `${makeBin({ git: "#!/bin/sh\nexec yes\n" })}:${scratch.env["PATH"]}` }),
      ...ok,
    },
    { name: "nothing but node on the PATH", env: () => ({ PATH: makeBin({ node: process.execPath }) }), ...ok },
    { name: "an empty PATH", env: { PATH: "" }, codes: [0, 10] },
    { name: "no PATH", env: { PATH: undefined }, codes: [0, 10] },
    {
      // The doors use the node that made the build.
      name: "node that fails",
      env: () => ({ PATH: makeBin({ node: "#!/bin/sh\necho 'No version is set for node' >&2\nexit 126\n" }) }),
      ...ok,
    },
    { name: "LANG=C", env: { LANG: "C", LC_ALL: "C" }, ...ok },
    { name: "a Chinese locale", env: { LANG: "zh_CN.GB18030", LC_ALL: "zh_CN.GB18030", TZ: "Asia/Shanghai" }, ...ok },
    { name: "an odd time zone", env: { TZ: "Not/AZone" }, ...ok },
    { name: "a terminal that cannot do anything", env: { TERM: "dumb", NO_COLOR: "1", FORCE_COLOR: "3" }, ...ok },
    { name: "WORKING_DIRECTORY that does not exist", env: { WORKING_DIRECTORY: MISSING }, codes: [20] },
    { name: "WORKING_DIRECTORY that is a file", env: { WORKING_DIRECTORY: "/etc/passwd" }, codes: [20] },
    { name: "a root that does not exist", env: { CI_AUTO_TOOLS_REPO_ROOT: MISSING }, codes: [20] },
  ])(TITLE, checkOddity);
});

describe("[decision 9] a home that does not exist is no home, also for commands that store something in it", () => {
  it.each([
    { args: ["install", "--with-hook"], code: 20 },
    { args: ["trust", "--yes"], code: 20 },
    { args: ["index"], code: 20 },
    { args: ["search", "rateFor"], code: 0 },
  ])("$args", ({ args, code }) => {
    // With an index: looking for it must not create its folder either.
    const env = { ...scratch.env, HOME: MISSING, CI_AUTO_TOOLS_INDEX: "auto" };
    const run = spawnSync(groundwork, args, { cwd: scratch.repo, env, encoding: "utf8" });
    expect(run.status, run.stderr).toBe(code);
    expect(existsSync(MISSING)).toBe(false);
  });
});

describe.concurrent("variables with odd values", () => {
  const options = ["--bogus", `--require=${MISSING}.cjs`, "--max-old-space-size=4", `--import=${MISSING}.mjs`];
  it.each<Oddity>([
    ...options.map((value) => ({ name: `NODE_OPTIONS=${value}`, env: { NODE_OPTIONS: value }, codes: [10] })),
    {
      name: "NODE_OPTIONS=--inspect-brk",
      env: { NODE_OPTIONS: "--inspect-brk=0", CI_AUTO_TOOLS_BUDGET_WALL_MS: "100" },
      codes: [0, 10],
      limitMs: WATCHDOG_MS,
    },
    { name: "NODE_OPTIONS that warn", env: { NODE_OPTIONS: "--trace-warnings --throw-deprecation" }, ...ok },
    { name: "NODE_OPTIONS without compiler", env: { NODE_OPTIONS: "--jitless" }, codes: [0, 10] },
    { name: "NODE_DEBUG", env: { NODE_DEBUG: "fs,module,child_process" }, ...ok },
    ...["0", "00", "008", "0099", "-1", "abc", "1e3", "99999", "100000", "9".repeat(50), " ", "$(id)", "1;id"].map(
      (value) => ({
        name: `CI_AUTO_TOOLS_BUDGET_WALL_MS=${value}`,
        env: { CI_AUTO_TOOLS_BUDGET_WALL_MS: value },
        codes: [0, 50],
      }),
    ),
    {
      name: "every other setting wrong",
      env: {
        CI_AUTO_TOOLS: "perhaps",
        CI_AUTO_TOOLS_MODE: "fast",
        CI_AUTO_TOOLS_DRY_RUN: "no",
        CI_AUTO_TOOLS_TIER_MAX: "two",
        CI_AUTO_TOOLS_MAX_CONCURRENCY: "0",
        CI_AUTO_TOOLS_MAX_INJECTED_CHARS: "many",
        CI_AUTO_TOOLS_LEGACY: "\u0007",
        CI_CODEX_SESSION_MODE: "",
        CI_ORCH_CLIENT_NAME: "vim",
      },
      ...ok,
    },
    { name: "no room for text", env: { CI_AUTO_TOOLS_MAX_INJECTED_CHARS: "0" }, codes: [50] },
    { name: "a wall budget of 1 ms", env: { CI_AUTO_TOOLS_BUDGET_WALL_MS: "1" }, codes: [0, 50] },
  ])(TITLE, checkOddity);
});

describe.concurrent("limits, folders and streams", () => {
  it.each<Oddity>([
    { name: "24 file descriptors", script: `ulimit -n 24; ${RUN}`, ...ok },
    { name: "a stack of 128 kB", script: `ulimit -s 128; ${RUN}`, codes: [0, 10] },
    { name: "800 MB of address space", script: `ulimit -v 800000; ${RUN}`, codes: [0, 10] },
    { name: "no file may be written", script: `ulimit -f 0; ${RUN}`, ...ok },
    { name: "no time to compute", script: `ulimit -t 1; ${RUN}`, codes: [0, 10] },
    { name: "child signals ignored", script: `trap '' CHLD PIPE HUP; ${RUN}`, ...ok },
    {
      name: "a deleted folder",
      script: `cd "$(mktemp -d "$TOP/XXXXXX")" && rmdir "$PWD"; ${RUN}`,
      codes: [20],
    },
    {
      name: "a folder that cannot be read",
      script: `cd "$(mktemp -d "$TOP/XXXXXX")" && chmod 000 .; exec ${POWERLESS}"$DOOR" "$@"`,
      codes: [0, 20],
    },
    {
      name: "a folder with files that cannot be read",
      script: `cd "$(mktemp -d "$TOP/XXXXXX")" && mkdir config && echo a: >config/auto-tools.yaml && echo a >a.ts &&
        mkdir src && chmod 000 src a.ts config; exec ${POWERLESS}"$DOOR" "$@"`,
      codes: [0],
    },
    { name: "standard input closed", script: `${RUN} <&-`, codes: [0] },
    { name: "standard input is a folder", script: `${RUN} </`, codes: [0] },
    { name: "standard input is /dev/null", script: `${RUN} </dev/null`, codes: [0] },
    { name: "standard input is /dev/zero", script: `${RUN} </dev/zero`, codes: [0] },
    { name: "standard output closed", script: `${RUN} >&-`, codes: [0, 10, 30, 40], unheard: true },
    { name: "standard output full", script: `${RUN} >/dev/full`, codes: [0, 10, 30, 40], unheard: true },
    { name: "standard error closed", script: `${RUN} 2>&-`, ...ok },
    { name: "standard error full", script: `${RUN} 2>/dev/full`, ...ok },
    { name: "all streams closed", script: `${RUN} <&- >&- 2>&-`, codes: [0, 10, 30, 40], unheard: true },
    {
      name: "a reader that goes away",
      onStart: (child) => child.stdout?.destroy(),
      codes: [0, 10, 30, 40],
      unheard: true,
    },
    {
      name: "a whole payload on a pipe that stays open",
      input: null,
      onStart: (child) => child.stdin?.write(input),
      ...ok,
    },
    {
      name: "an open pipe without a payload",
      input: null,
      env: { CI_AUTO_TOOLS_BUDGET_WALL_MS: "100" },
      codes: [0, 10],
      limitMs: WATCHDOG_MS,
    },
    {
      name: "a pipe that trickles for ever",
      input: null,
      onStart: (child) => {
        const timer = setInterval(() => child.stdin?.write(" "), 200);
        child.once("exit", () => clearInterval(timer));
      },
      env: { CI_AUTO_TOOLS_BUDGET_WALL_MS: "100" },
      codes: [0, 10],
      limitMs: WATCHDOG_MS,
    },
  ])(TITLE, checkOddity);

  it("[decision 9] [ATO-FAIL-1] a read-only tree is answered as usual, and nothing is written", async () => {
    await using own = await makeScratch();
    const before = listTree(dirname(own.repo));
    execFileSync("chmod", ["-R", "a-w", dirname(own.repo)]);
    const script = `exec ${POWERLESS}"$DOOR" "$@"`;
    const answer = await runDoor({ cwd: own.repo, env: own.env, args: ["--format", "hook"], input, script });
    expect(findProblems("hook", answer)).toEqual([]);
    expect(toContext(answer)).toContain(DECISIVE_FILE);
    expect(listTree(dirname(own.repo))).toEqual(before);
    execFileSync("chmod", ["-R", "u+w", dirname(own.repo)]);
  });

  it.skipIf(!MOUNTS).each<Oddity>([
    {
      name: "a file system that is read-only",
      script: `exec unshare -Urm sh -c 'mount --bind "$TOP" "$TOP" && mount -o remount,ro,bind "$TOP" && cd "$REPO" && ${RUN}' sh "$@"`,
      ...ok,
    },
    {
      name: "a disk that is full",
      script: `exec unshare -Urm sh -c 'mount -t tmpfs -o size=1m none "$HOME" && mount --bind "$HOME" "$TMPDIR" &&
        mkdir -p "$HOME/.cache/groundwork"; cat /dev/zero >"$HOME/full" 2>/dev/null; ${RUN}' sh "$@"`,
      ...ok,
    },
  ])(TITLE, checkOddity);
});

describe.concurrent("programs that replace a tool", () => {
  const runner = (script: string) => () => ({
    CI_AUTO_TOOLS_RUNNER_CI_SEARCH: join(makeBin({ runner: script }), "runner"),
  });
  const shell = (script: string) => runner(`#!/bin/sh\n${script}\n`);
  /** A flood keeps a CPU busy until the time is up, so the budget is small. */
  const flood = (script: string) => () => ({ ...shell(script)(), CI_AUTO_TOOLS_BUDGET_WALL_MS: "1000" });
  const named = (path: string) => ({ CI_AUTO_TOOLS_RUNNER_CI_SEARCH: path });
  it.each<Oddity>([
    { name: "missing", env: named(join(MISSING, "runner")), codes: [40] },
    { name: "a folder", env: named("/usr"), codes: [40] },
    { name: "not executable", env: named("/etc/passwd"), codes: [40] },
    { name: "no program", env: runner("neither machine code nor script"), codes: [40] },
    { name: "an interpreter that is missing", env: runner(`#!${MISSING}/sh\n`), codes: [40] },
    { name: "silent", env: shell("exit 0"), codes: [0] },
    { name: "failing", env: shell("echo trouble >&2; exit 3"), codes: [40] },
    { name: "crashing", env: shell("kill -SEGV $$"), codes: [40] },
    { name: "killing its own group", env: shell("kill -9 0"), codes: [40] },
    { name: "hanging", env: shell("sleep 60"), codes: [50] },
    {
      name: "hanging and ignoring SIGTERM",
      env: shell("trap '' TERM INT HUP; sleep 60 & wait; sleep 60"),
      codes: [50],
    },
    { name: "stopped", env: shell("kill -STOP $$"), codes: [50] },
    { name: "flooding without end", env: flood("exec yes flood"), codes: [50] },
    { name: "flooding 1 GB", env: flood("exec head -c 1000000000 /dev/zero"), codes: [0, 50] },
    { name: "flooding stderr", env: flood("exec yes flood >&2"), codes: [50] },
    { name: "closing its output and staying", env: shell("exec >&- 2>&-; sleep 60"), codes: [50] },
    { name: "a child that holds the output", env: shell("sleep 60 & echo '{\"candidates\":[]}'"), codes: [0] },
    { name: "a child in another session", env: shell("setsid sleep 60 & echo '{\"candidates\":[]}'"), codes: [0] },
    {
      name: "many children",
      env: shell("for i in 1 2 3 4 5 6 7 8 9; do setsid sleep 60 & done; sleep 60"),
      codes: [50],
    },
    { name: "broken JSON", env: shell("echo '{\"candidates\": ['"), codes: [40] },
    {
      name: "deep JSON",
      env: shell("head -c 20000 /dev/zero | tr '\\0' '['; head -c 20000 /dev/zero | tr '\\0' ']'"),
      codes: [0, 40],
    },
    { name: "binary", env: shell("head -c 40000 /dev/urandom"), codes: [0, 40] },
    {
      name: "lone surrogates",
      env: shell(`echo '{"summary":"\\ud800","candidates":[{"file":"\\udc00.ts","score":1}]}'`),
      codes: [0],
    },
    {
      name: "wrong types",
      env: shell(
        `echo '{"summary":5,"candidates":[null,1,"a",[],{"file":7,"line":"x","score":"high"},{"file":null}]}'`,
      ),
      codes: [0, 40],
    },
    {
      name: "__proto__",
      env: shell(`echo '{"__proto__":{"status":"ok"},"candidates":{"__proto__":[]},"claims":[{"claim_key":[]}]}'`),
      codes: [0, 40],
    },
    {
      name: "huge numbers",
      env: shell(
        `echo '{"candidates":[{"file":"a.ts","line":1e308,"score":1e400},{"file":"b.ts","line":-1,"score":-5}]}'`,
      ),
      codes: [0, 40],
    },
  ])(`${TITLE}, a runner`, checkOddity);

  const orchestrator = (script: string) => () => ({
    CI_AUTO_TOOLS_ORCHESTRATOR_PATH: join(makeBin({ orchestrator: `#!/bin/sh\n${script}\n` }), "orchestrator"),
    CI_AUTO_TOOLS_BUDGET_WALL_MS: "100",
  });
  it.each<Oddity>([
    { name: "missing", env: { CI_AUTO_TOOLS_ORCHESTRATOR_PATH: MISSING }, codes: [10] },
    { name: "silent", env: orchestrator("exit 0"), codes: [30] },
    { name: "talking", env: orchestrator("echo hello"), codes: [30] },
    { name: "crashing", env: orchestrator("kill -SEGV $$"), codes: [10, 30] },
    { name: "hanging", env: orchestrator("trap '' TERM; sleep 60 & wait; sleep 60"), codes: [50] },
    { name: "flooding", env: orchestrator("head -c 50000000 /dev/zero; sleep 60"), codes: [30, 50] },
  ])(`[ATO-FAIL-5] [ATO-FAIL-6] ${TITLE}, an orchestrator`, checkOddity);
});
