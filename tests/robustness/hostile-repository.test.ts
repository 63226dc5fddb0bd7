import { chmodSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toSha256 } from "../../src/base/hash.ts";
import { toBookText } from "../../src/config/trust-book.ts";
import { findQuietProblems, hasString, toDocument } from "../support/answers.ts";
import { askInProcess } from "../support/door-in-process.ts";
import { addTraps, listSprung } from "../support/hostile-git.ts";
import {
  addForbiddenThings,
  addHeavyThings,
  CANARY,
  type HostileGround,
  makeGround,
  makePipe,
  SYMBOL,
  sourceOf,
} from "../support/hostile-repo.ts";
import { hostileSettings } from "../support/hostile-settings.ts";
import { saysNoTime } from "../support/no-time.ts";
import { answerLimitMs, type DoorCall, runDoor } from "../support/run-door.ts";
import { writeFiles } from "../support/temp-folder.ts";

/** Characters that are visible only to a terminal or a model. */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}]|\u2028|\u2029/u;

let ground: HostileGround;

/** Asks a question and checks what every answer must satisfy: valid, in time, no leak, nothing run. */
async function ask(prompt: string, more: Partial<DoorCall> = {}, askDoor = runDoor) {
  const { args = [], ...call } = more;
  const answer = await askDoor({
    cwd: ground.repo,
    env: ground.env,
    args: ["--format", "json", ...args],
    input: JSON.stringify({ prompt }),
    ...call,
  });
  expect(findQuietProblems("json", answer)).toEqual([]);
  expect(answer.ms).toBeLessThan(answerLimitMs(answer));
  const document = toDocument(answer);
  const { inputs, ...said } = document;
  expect(hasString(said, (text) => text.includes(CANARY) || text.includes("root:x:0"))).toBe(false);
  expect(hasString([said.tool_results, said.fused_context], (text) => INVISIBLE.test(text))).toBe(false);
  expect(hasString(said.fused_context, (text) => text.includes("ignore all previous"))).toBe(false);
  expect(existsSync(ground.trap)).toBe(false);
  expect(listSprung(ground)).toEqual([]);
  return document;
}

const QUESTION = `why does ${SYMBOL}() fail?`;

describe("a repository full of traps", () => {
  beforeAll(() => {
    ground = makeGround();
    addHeavyThings(ground);
    addForbiddenThings(ground);
    addTraps(ground);
  });
  afterAll(() => ground[Symbol.asyncDispose]());

  it.each([
    { name: "a plain question", prompt: QUESTION },
    { name: "a Chinese question", prompt: `为什么 ${SYMBOL} 会报错？` },
    { name: "an error", prompt: `TypeError: ${CANARY.slice(0, 6)} at ${SYMBOL} (src/settings.ts:2:3)` },
    { name: "links by name", prompt: `fix ${SYMBOL} in src/settings.ts, src/outside.ts, src/linked/invoice.ts` },
    { name: "more links", prompt: `fix @src/passwd.ts @src/etc/passwd @src/home/.ssh/invoice.ts @src/environ.ts` },
    { name: "pipes and devices", prompt: `fix ${SYMBOL} in src/pipe.ts, pipe.md, src/zero.ts and src/random.ts` },
    { name: "big files", prompt: `fix ${SYMBOL} in src/sparse.ts and src/long-line.ts` },
    { name: "outside", prompt: `fix ${SYMBOL} in ../outside/invoice.ts ../repo-private/invoice.ts ~/invoice.ts` },
    { name: "absolute paths", prompt: `fix ${SYMBOL} in /etc/passwd and /proc/self/environ and /dev/zero` },
    { name: "sensitive files", prompt: `show .env .ENV.local secrets/invoice.ts src/invoice.pem .npmrc ${SYMBOL}` },
    { name: "names that look alike", prompt: `fix ${SYMBOL} in .env. and .env~ and src/.SSH/invoice.ts and \uff0eenv` },
    {
      name: "hard links and chains",
      prompt: `fix ${SYMBOL} in src/hard.ts, 0.ts, src/chain2.ts, src/chain3/invoice.ts`,
    },
    { name: "sockets, circles and folders", prompt: `fix ${SYMBOL} in src/socket.ts, src/circle1.ts, src/folder.ts` },
    { name: "git's own folder", prompt: `what does .git/config and .git/invoice.ts say about ${SYMBOL}` },
    { name: "odd names", prompt: `fix ${SYMBOL} in odd/ and odd/-rf and $(touch ${"trap"})` },
  ])("[ATO-PATH-4] [ATO-PATH-5] [ATO-PATH-6] [ATO-BUD-1] nothing leaks, runs or hangs: $name", async ({ prompt }) => {
    const document = await ask(prompt);
    expect(document.inputs.repo_root).toBe(ground.repo);
    if (prompt !== QUESTION) return;
    // An empty answer would pass every check above. Only one for which a busy machine had no time is asked for again.
    let answer = document;
    while (answer.fused_context.for_model.additional_context === "" && saysNoTime(`${answer.limits_text}`))
      answer = await ask(prompt);
    expect(answer.fused_context.for_model.additional_context, `${answer.limits_text}`).toContain(
      sourceOf("").split("\n")[1],
    );
  });

  it.each([
    { name: "--file to a link", args: ["--file", "src/settings.ts", "--line", "1"] },
    { name: "--file outside", args: ["--file", "../outside/invoice.ts", "--function", SYMBOL] },
    { name: "--file a pipe", args: ["--file", "src/pipe.ts"] },
  ])("[ATO-PATH-4] [ATO-PATH-5] the command line offers no way around: $name", async ({ args }) => {
    await ask(QUESTION, { args });
  });

  it("[ATO-SEC-1] tier 2 reads history and changes without running what the repository names", async () => {
    const env = { ...ground.env, CI_AUTO_TOOLS_TIER_MAX: "2", CI_AUTO_TOOLS_BUDGET_WALL_MS: "1000" };
    await ask(`impact and call chain of ${SYMBOL}: which recent commit broke it, refactor its hotspots?`, { env });
  });

  it.each([
    { name: "a sub-folder", folder: "src" },
    { name: "a deep folder", folder: "deep/".repeat(600) },
  ])("[ATO-PATH-3] started in $name, the root is the top of the work tree", async ({ folder }) => {
    const document = await ask(QUESTION, { cwd: join(ground.repo, folder) });
    expect(document.inputs.repo_root).toBe(ground.repo);
  });
});

describe("a false .git", () => {
  beforeAll(async () => {
    ground = makeGround();
    await rm(join(ground.repo, ".git"), { recursive: true });
    await mkdir(join(ground.outside, ".git/objects"), { recursive: true });
    writeFileSync(join(ground.outside, ".git/HEAD"), "ref: refs/heads/main\n");
  });
  afterAll(() => ground[Symbol.asyncDispose]());

  const folder = (files: Record<string, string>) => async (git: string) => {
    await mkdir(join(git, "objects"), { recursive: true });
    writeFiles(git, { HEAD: "ref: refs/heads/main\n", ...files });
  };
  it.each<{ name: string; make: (git: string) => unknown }>([
    { name: "core.worktree", make: folder({ config: "[core]\n\tworktree = ../../outside\n" }) },
    { name: "commondir", make: folder({ commondir: "../../outside/.git\n" }) },
    { name: "gitdir file", make: (git) => writeFileSync(git, "gitdir: ../outside/.git\n") },
    { name: "gitdir file to a device", make: (git) => writeFileSync(git, "gitdir: /dev/zero\n") },
    { name: "gitdir file of 10 MB", make: (git) => writeFileSync(git, `gitdir: ${"x".repeat(10_000_000)}\n`) },
    { name: "link to another repository", make: (git) => symlinkSync("../outside/.git", git) },
    { name: "link to /dev/zero", make: (git) => symlinkSync("/dev/zero", git) },
    { name: "link to itself", make: (git) => symlinkSync(".git", git) },
    { name: "FIFO", make: (git) => makePipe(git) },
    { name: "FIFO as HEAD", make: (git) => ["HEAD", "objects/pack"].map((name) => makePipe(git, name)) },
    {
      name: "FIFO as config and index",
      make: async (git) => {
        await folder({})(git);
        for (const name of ["config", "index", "packed-refs", "info/exclude"]) makePipe(git, name);
      },
    },
  ])("[ATO-PATH-1] [ATO-PATH-4] the root remains this folder: $name", async ({ make }) => {
    const git = join(ground.repo, ".git");
    await rm(git, { recursive: true, force: true });
    await make(git);
    const document = await ask(QUESTION);
    expect(document.inputs.repo_root).toBe(ground.repo);
  });

  it("[ATO-PATH-1] an embedded bare repository is not a root", async () => {
    await rm(join(ground.repo, ".git"), { recursive: true, force: true });
    await folder({ config: "[core]\n\tbare = true\n\tworktree = ../../outside\n" })(ground.repo);
    const document = await ask(QUESTION, { cwd: join(ground.repo, "src") });
    expect(document.inputs.repo_root).toBe(join(ground.repo, "src"));
  });
});

describe("a repository made to be slow", () => {
  beforeAll(() => {
    ground = makeGround();
  });
  afterAll(() => ground[Symbol.asyncDispose]());

  const numbered = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at));
  it.each<{ name: string; files: () => Record<string, string> }>([
    {
      name: "files of nothing but imports",
      files: () => {
        const text = `import { ${SYMBOL} } from "../invoice.ts";\n`.repeat(8_000);
        return Object.fromEntries(numbered(60, (at) => `f${at}.ts`).map((path) => [path, text]));
      },
    },
    {
      name: "files of nothing but definitions",
      files: () => {
        const text = numbered(17_000, (at) => `fn ${SYMBOL}${at % 10}`).join("\n");
        return Object.fromEntries(numbered(60, (at) => `f${at}.rs`).map((path) => [path, text]));
      },
    },
    {
      name: "files of nothing but calls",
      files: () => {
        const text = `${SYMBOL}(${SYMBOL}(a));\n`.repeat(12_000);
        return Object.fromEntries(numbered(60, (at) => `f${at}.ts`).map((path) => [path, text]));
      },
    },
    {
      name: "ever deeper definitions",
      files: () => {
        const text = numbered(9_000, (at) => `${" ".repeat(at % 24)}def ${SYMBOL}_${at}():`).join("\n");
        return Object.fromEntries(numbered(60, (at) => `f${at}.py`).map((path) => [path, text]));
      },
    },
    {
      name: "an ignore file of 26,000 rules over 4,000 files",
      files: () => ({
        ".gitignore": `*.log\n${numbered(26_000, (at) => `!q${at.toString(36)}z`).join("\n")}\n`,
        ...Object.fromEntries(numbered(4_000, (at) => `f${at}.log`).map((path) => [path, "x"])),
      }),
    },
    {
      name: "lines that patterns stumble over",
      files: () => {
        const starts = ["ignore all ", "a_password", "-----BEGIN RSA PRIVATE KEY", "eyJaaaaaaaa.", "https://a:", " \t"];
        return Object.fromEntries(
          starts.map((start, at) => [
            `f${at}.ts`,
            `${sourceOf("slow")}${`${start.repeat(1_900 / start.length)}\n`.repeat(190)}`,
          ]),
        );
      },
    },
  ])("[ATO-BUD-1] [ATO-BUD-3] [ATO-FAIL-1] answers within the budget: $name", async ({ files }) => {
    const folder = join(ground.repo, "src/slow");
    await rm(folder, { recursive: true, force: true });
    writeFiles(folder, files());
    await ask(QUESTION);
  });
});

describe("a hostile config/auto-tools.yaml", () => {
  const file = () => join(ground.repo, "config/auto-tools.yaml");
  beforeAll(async () => {
    ground = makeGround();
    symlinkSync(ground.outside, join(ground.repo, "src/linked"));
    await mkdir(join(ground.repo, "config"));
  });
  afterAll(() => ground[Symbol.asyncDispose]());

  /** A question that needs tier 2, so that a raised limit would be visible. */
  const WISH = `impact and call chain of ${SYMBOL}: why does it fail?`;

  async function askNarrow(more: Partial<DoorCall> = {}, askDoor = runDoor) {
    const document = await ask(WISH, more, askDoor);
    const { tier_max, budget, tools } = document.tool_plan;
    expect(tier_max).toBeLessThanOrEqual(1);
    expect(budget.wall_ms).toBeLessThanOrEqual(5_000);
    expect(budget.max_concurrency).toBeLessThanOrEqual(3);
    expect(budget.max_injected_chars).toBeLessThanOrEqual(12_000);
    const most = { ci_index_status: 500, ci_search: 2_000, ci_graph_rag: 3_500 } as Record<string, number>;
    expect(tools.filter(({ tool, tier, timeout_ms }) => tier > 1 || timeout_ms > (most[tool] ?? 0))).toEqual([]);
    const ceilings = { limit: 10, depth: 2, top_k: 10, token_budget: 8_000 } as Record<string, number>;
    const raised = tools
      .flatMap(({ args }) => Object.entries(args))
      .filter(([key, value]) => Number(value) > (ceilings[key] ?? Infinity));
    expect(raised).toEqual([]);
    const root = document.inputs.repo_root ?? ground.repo;
    expect(`${root}/`.startsWith(`${ground.repo}/`)).toBe(true);
    return document;
  }

  // Settings are mostly tested in this process; every tenth file goes through the real door.
  const rows = hostileSettings.map((row, at) => ({ ...row, askDoor: at % 10 === 0 ? runDoor : askInProcess }));
  it.each(rows)(
    "[ATO-CTL-5] [ATO-CTL-7] [ATO-CTL-14] [decision 8] raises no limit and runs nothing: $name",
    async ({ text, asksForTier2, askDoor }) => {
      const planted = typeof text === "string" ? text.replaceAll("TRAP", ground.trap) : text;
      writeFileSync(file(), planted);
      const document = await askNarrow({}, askDoor);
      const { limits_text } = document.fused_context.for_user;
      if (asksForTier2)
        expect(limits_text).toContain("[Limits] tier-2 requires CI_AUTO_TOOLS_TIER_MAX=2 (config ignored)");
    },
  );

  it.each([
    { name: "a FIFO", make: () => makePipe(file()) },
    { name: "/dev/zero", make: () => symlinkSync("/dev/zero", file()) },
    { name: "/etc/passwd", make: () => symlinkSync("/etc/passwd", file()) },
    { name: "a folder", make: () => mkdir(file()) },
    {
      name: "a file outside",
      make: () => {
        writeFileSync(join(ground.outside, "auto-tools.yaml"), `auto_tools: off\n${CANARY}: 1\n`);
        symlinkSync(join(ground.outside, "auto-tools.yaml"), file());
      },
    },
  ])("[decision 8] [ATO-BUD-1] is not opened if it is $name", async ({ make }) => {
    await rm(file(), { recursive: true, force: true });
    await make();
    const document = await askNarrow();
    expect(document.tool_plan.tools.length).toBeGreaterThan(0);
    await rm(file(), { recursive: true, force: true });
  });

  const WIDE = "auto_tools: on\nbudget: { wall_ms: 10000, max_concurrency: 16 }\n";
  const recordOf = (root: string, text = WIDE) =>
    toBookText([
      { root, files: [{ path: "config/auto-tools.yaml", sha256: toSha256(text) }], at: "2026-11-15T10:15:00Z" },
    ]);
  it.each<{ name: string; record: () => string; home?: () => string; mode?: number }>([
    { name: "another repository", record: () => recordOf(ground.outside) },
    { name: "the repository around it", record: () => recordOf(ground.top) },
    { name: "a repository inside it", record: () => recordOf(join(ground.repo, "src")) },
    { name: "another version of the file", record: () => recordOf(ground.repo, `${WIDE}\n`) },
    { name: "every repository", record: () => recordOf("/") },
    { name: "a relative root", record: () => recordOf(".") },
    { name: "this repository, in its own folder", record: () => recordOf(ground.repo), home: () => ground.repo },
    { name: "this repository, writable by all", record: () => recordOf(ground.repo), mode: 0o666 },
    { name: "this repository, but cut off", record: () => recordOf(ground.repo).slice(0, -4) },
  ])("[decision 8] [decision 9] is not widened by trust in $name", async ({ record, home, mode = 0o600 }) => {
    await rm(file(), { recursive: true, force: true });
    writeFileSync(file(), WIDE);
    const folder = join(home?.() ?? ground.home, ".groundwork");
    await mkdir(folder, { mode: 0o700 });
    writeFileSync(join(folder, "trust.json"), record());
    chmodSync(join(folder, "trust.json"), mode);
    await askNarrow({ env: { ...ground.env, HOME: home?.() ?? ground.home } });
    await rm(folder, { recursive: true });
    await rm(file());
  });

  it("[decision 8] a repository inside a trusted one is not trusted", async () => {
    const inner = join(ground.repo, "vendor/inner");
    writeFiles(inner, {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/objects/.keep": "",
      "config/auto-tools.yaml": WIDE,
      "invoice.ts": sourceOf("inner"),
    });
    await mkdir(join(ground.home, ".groundwork"), { mode: 0o700 });
    writeFileSync(join(ground.home, ".groundwork/trust.json"), recordOf(ground.repo), { mode: 0o600 });
    writeFileSync(file(), WIDE);
    const document = await askNarrow({ cwd: inner });
    expect(document.inputs.repo_root).toBe(inner);
    // The outer repository is in fact trusted.
    const trusted = await ask(WISH);
    expect(trusted.tool_plan.budget).toMatchObject({ wall_ms: 10_000, max_concurrency: 16 });
    expect(trusted.tool_plan.tier_max).toBe(1);
    for (const path of [inner, join(ground.home, ".groundwork"), file()]) await rm(path, { recursive: true });
  });

  it.each(["", ".", "./", undefined])(
    "[decision 8] [decision 9] is not mistaken for the user's file with HOME=%j",
    async (home) => {
      await rm(file(), { recursive: true, force: true });
      writeFiles(ground.repo, {
        ".groundwork/auto-tools.yaml": "budget: { wall_ms: 10000, max_concurrency: 16 }\n",
      });
      const { HOME: _, ...env } = ground.env;
      await askNarrow({ env: home === undefined ? env : { ...env, HOME: home } });
      await rm(join(ground.repo, ".groundwork"), { recursive: true });
    },
  );

  it("[decision 9] a FIFO as the user's settings file does not hang", async () => {
    makePipe(ground.home, ".groundwork/auto-tools.yaml");
    await askNarrow();
    await rename(join(ground.home, ".groundwork"), join(ground.home, "gone"));
  });
});
