import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPostgres, type Postgres } from "../../scripts/postgres.mjs";
import { DOCUMENTED_SHOP } from "../support/documented-shop.ts";
import { codeCache, projectRoot, readProjectFile } from "../support/doors.ts";
import { makeFakeCodex } from "../support/fake-codex.ts";
import { makeRepo } from "../support/git-repo.ts";
import { startPostgres } from "../support/postgres.ts";
import { startTestServer } from "../support/team-server.ts";
import { makeFolder } from "../support/temp-folder.ts";

const markdown = readdirSync(join(projectRoot, "docs")).filter((name) => name.endsWith(".md"));
const pages = ["README.md", ...markdown.map((name) => join("docs", name))];

/** A command that the documentation shows. */
interface Shown {
  readonly page: string;
  readonly command: string;
  /** Lines `export …` above it in the same block. */
  readonly exports: readonly string[];
}

/** Returns the commands in the shell blocks of a page, in order, without comments. */
function commandsOf(page: string): Shown[] {
  const blocks = Array.from(readProjectFile(page).matchAll(/```sh\n([\s\S]*?)```/g), (match) => match[1] ?? "");
  return blocks.flatMap((block) => {
    const lines = block.split("\n").map((line) => line.replace(/(?:^|\s+)#.*$/, "").trim());
    return lines
      .map((command, at) => ({
        page,
        command,
        exports: lines.slice(0, at).filter((line) => line.startsWith("export ")),
      }))
      .filter(({ command }) => command !== "");
  });
}

// A command on several pages is run once, at its first occurrence; exports apply only to their own block.
const shown = pages
  .flatMap(commandsOf)
  .filter(({ command }, at, all) => all.findIndex((other) => other.command === command) === at);

/** A command that a test cannot run as shown: the reason, its proof, and the replacement. */
interface Exempt {
  readonly command: string;
  readonly why: string;
  readonly instead: string | null;
  /** True if the reason still holds: a command that could be run as shown must be removed from this list. */
  readonly isNeeded: () => boolean | Promise<boolean>;
}

/** The answer of a command that prints nothing is its exit code. */
const isSilent = async (command: string) => (await run(command)).stdout === "";
const DUMP = "pg_dump --username postgres --format=custom --file groundwork.dump groundwork";
const CREATE = "createdb --username postgres --owner groundwork groundwork";
const ASKED = '"where is the retry delay computed?" --repo ../your-repository';
const EXEMPT: readonly Exempt[] = [
  {
    command: "npm test",
    why: "it is what runs this test",
    instead: null,
    isNeeded: () => readProjectFile("package.json").includes('"test": "node scripts/test.mjs"'),
  },
  {
    command: `npm start -- ${ASKED}`,
    why: "it installs packages over the network and builds, where that is not done",
    instead: `bin/groundwork try ${ASKED}`,
    isNeeded: () =>
      /prepare\(installAndBuild\)[\s\S]*"dist\/cli.cjs", "try"/.test(readProjectFile("scripts/start.mjs")),
  },
  {
    command: "groundwork resident",
    why: "it ends with 1 where no resident is running, and none may outlive a test",
    instead: "groundwork resident start && groundwork resident && groundwork resident stop",
    isNeeded: async () => (await run("groundwork resident")).code === 1,
  },
  // No test opens a browser on the developer's machine.
  ...["groundwork ui", "groundwork ui --open"].map((command) => ({
    command,
    why: "it serves until it is interrupted",
    instead:
      "rm -f ui.out; groundwork ui >ui.out & ui=$!; until [ -s ui.out ]; do sleep 0.1; done; kill $ui; wait $ui; cat ui.out",
    isNeeded: () => readProjectFile("src/entry/ui-command.ts").includes("serveUntilStopped("),
  })),
  {
    command: "npm run team:install",
    why: "it installs packages over the network",
    instead: null,
    isNeeded: () => readProjectFile("package.json").includes('"team:install": "npm ci '),
  },
  // No test uses a fixed port.
  ...["", " --listen 127.0.0.1:7418", " --listen 0.0.0.0:7418 --behind-proxy"].map((options) => ({
    command: `groundwork serve${options}`,
    why: "it serves until it is asked to go",
    instead: `rm -f serve.out; groundwork serve --listen 127.0.0.1:0${options.replace(/ --listen \S+/, "")} >serve.out & serve=$!; until [ -s serve.out ]; do sleep 0.1; done; kill $serve; wait $serve; cat serve.out`,
    isNeeded: () => readProjectFile("src/entry/serve-command.ts").includes("untilStopped()"),
  })),
  {
    command: "groundwork team worker --repos https://git.example/team/ --max 2",
    why: "it takes jobs until it is asked to go",
    instead:
      "groundwork team worker --repos https://git.example/team/ --max 2 >worker.out & worker=$!; until [ -s worker.out ]; do sleep 0.1; done; kill $worker; wait $worker; cat worker.out",
    isNeeded: () => readProjectFile("src/entry/worker-command.ts").includes("untilStopped()"),
  },
  // They need a job that has ended on a team's server, and what it changed; tests/team-jobs.test.ts has both.
  ...[
    ["groundwork codex fetch cdx-20261116_093000-kwmzrtqa --team", 'ask("fetch", id, "--repo", clone)'],
    ["groundwork codex fetch cdx-20261118_093000-kwmzrtqa --team", 'ask("fetch", id, "--repo", clone)'],
    ["groundwork codex logs cdx-20261118_093000-kwmzrtqa --team --follow", 'ask("logs", id, "--follow")'],
    ["git merge codex/cdx-20261118_093000-kwmzrtqa/1", 'git(clone, ["merge", `codex/'],
  ].map(([command = "", proof = ""]) => ({
    command,
    why: "it needs a job that has ended on a team's server",
    instead: null,
    isNeeded: () => readProjectFile("tests/team-jobs.test.ts").includes(proof),
  })),
  {
    command: "npm install -g groundwork-context-*.tgz",
    why: "it installs for all programs of this machine",
    instead: null,
    isNeeded: () => readProjectFile("tests/package.test.ts").includes('runNpm(["install", "--global", '),
  },
  {
    command: "./install.sh --with-hook",
    why: "it installs packages over the network and builds, where that is not done",
    instead: "./install.sh --with-hook --skip-deps",
    isNeeded: () => /\$deps" = no .* node "\$root\/scripts\/prepare.mjs"/.test(readProjectFile("install.sh")),
  },
  ...["bin/groundwork", "groundwork"].map((door) => ({
    command: `${door} install`,
    why: "it asks on a terminal",
    instead: `${door} install --yes --client qwen && ${door} uninstall --client qwen`,
    isNeeded: async () => {
      const { code, stderr } = await run(`${door} install --client qwen`);
      return code === 2 && stderr.includes("--yes");
    },
  })),
  {
    command: "claude mcp add code-intelligence -- groundwork mcp",
    why: "it wants Claude Code, which the end-to-end tests have and this one has not",
    instead: null,
    isNeeded: async () => (await run("claude --version")).code === 127,
  },
  // The databases of a backup are all on one server here.
  {
    command: CREATE,
    why: "the database that was backed up is still there",
    instead: `dropdb --username postgres groundwork && ${CREATE} --echo`,
    isNeeded: async () => (await run(CREATE)).stderr.includes("already exists"),
  },
  ...[
    DUMP,
    "pg_restore --username postgres --role groundwork --no-owner --dbname groundwork groundwork.dump",
    "node bench/answer.mjs index --root ../your-repository --index-dir ../index",
    "echo 'where is the retry delay computed?' >../question.txt",
    `echo '{"id": "1", "query": "TypeError in rateFor"}' >../queries.jsonl`,
  ].map((command) => ({
    command,
    why: "it prints nothing",
    instead: `${command} && echo done`,
    isNeeded: () => isSilent(command),
  })),
  ...["training/fit-ranking.mjs", "bench/ablation.mjs"].map((program) => ({
    command: `node ${program}`,
    why: "it needs the benchmarks",
    instead: `node ${program} 2>&1`,
    isNeeded: async () => (await run(`node ${program}`)).stderr.includes("BENCH_HOME"),
  })),
  {
    command: "groundwork trust",
    why: "it asks on a terminal",
    instead: "groundwork trust --yes",
    isNeeded: async () => {
      const { code, stderr } = await run("groundwork trust");
      return code !== 0 && /terminal/.test(stderr) && stderr.includes("--yes");
    },
  },
];

const place = makeFolder();
const repo = join(place, "your-repository");
const home = join(place, "home");
const codex = makeFakeCodex(`echo '{"type":"thread.started","thread_id":"0190-abc"}'
[ -z "$last" ] || echo done >"$last"`);
/** Id of the job that the pages call "fix"; it replaces the id that they show. */
let job = "";
let postgres: Postgres;
let database = "";
/** A team's server; `token` has all permissions on it. */
let server: Awaited<ReturnType<typeof startTestServer>>;
let token = "";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in the repository, with a separate home and the project's doors on the PATH. */
function run(command: string, exports: readonly string[] = []): Promise<Ended> {
  const here = command
    .replace(
      /(^|\s)(\.\/|bin\/|hooks\/|bench\/|training\/)(?=[a-z])/g,
      (_, before, folder) => `${before}${projectRoot}/${folder}`,
    )
    .replace(/\bcdx-\d{8}_\d{6}-\w+/g, job);
  const ownExports = exports.map((line) =>
    line
      .replace(/postgresql:.*/, `'${database}'`)
      .replace(/(GROUNDWORK_TEAM_URL)=\S+/, `$1=${server.url}`)
      .replace(/(GROUNDWORK_TEAM_TOKEN)=\S+/, `$1=${token}`),
  );
  const env = {
    HOME: home,
    PATH: [join(projectRoot, "bin"), codex.path, dirname(findPostgres("pg_dump"))].join(delimiter),
    PGHOST: new URL(database).searchParams.get("host") ?? "",
    TMPDIR: place,
    GROUNDWORK_RESIDENT: "off",
    GROUNDWORK_TEAM_DATABASE: database,
    GROUNDWORK_TEAM_URL: server.url,
    GROUNDWORK_TEAM_TOKEN: token,
    ...codeCache,
    // Otherwise start.sh would keep its runs in its own folder.
    CODEX_SESSIONS_ROOT: join(repo, ".codex-father", "sessions"),
  };
  const script = [...ownExports, here].join("\n");
  return new Promise((resolve) => {
    const child = execFile("/bin/sh", ["-c", script], { cwd: repo, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

afterAll(async () => {
  await server.close();
  await postgres.stop();
});
beforeAll(async () => {
  postgres = await startPostgres();
  database = postgres.makeDatabase();
  postgres.sql("postgres", "CREATE ROLE postgres SUPERUSER LOGIN; CREATE ROLE groundwork LOGIN");
  postgres.sql("postgres", "CREATE DATABASE groundwork OWNER groundwork");
  server = await startTestServer(database);
  token = await server.makeToken({ read: ["*"], publish: ["*"], maySubmit: true, mayWork: true });
  const made = makeRepo([{ files: DOCUMENTED_SHOP, subject: "shop", at: "2026-11-10T12:00:00Z" }]);
  renameSync(made, repo);
  // An uncommitted change to ask about.
  appendFileSync(join(repo, "src/tax/table.ts"), "// rates of 2026\n");
  mkdirSync(home);
  expect(await run("groundwork index")).toMatchObject({ code: 0 });
});

describe("[ATO-INST-4] every command shown in the documentation does what it should", () => {
  it.each(shown)("$page: $command", async ({ command, exports }) => {
    const exempt = EXEMPT.find((entry) => entry.command === command);
    const line = exempt === undefined ? command : exempt.instead;
    if (line === null) return;
    const { code, stdout, stderr } = await run(line, exports);
    expect(`${code} ${stderr}`, stdout).toMatch(/^0 /);
    if (!line.startsWith("export ")) expect(stdout).not.toBe("");
    [job] = /\bcdx-\S+-fix\b/.exec(stdout) ?? [job];
    // The next page expects an indexed repository.
    if (line.endsWith("index-status clear")) await run("groundwork index");
  });

  it.each(EXEMPT)("is not run as shown: $command ($why)", async ({ command, isNeeded }) => {
    expect(shown.map((one) => one.command)).toContain(command);
    expect(await isNeeded()).toBe(true);
  });
});
