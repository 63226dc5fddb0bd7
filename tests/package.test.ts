import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "./support/doors.ts";
import { killMarked, MARKER } from "./support/leftovers.ts";
import { startMcp } from "./support/mcp-process.ts";
import { type Packed, packProject, runNpm, startRegistry } from "./support/npm-prefix.ts";
import { type DoorAnswer, runDoor } from "./support/run-door.ts";
import { SHOP } from "./support/shop-repo.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";
import { until } from "./support/until.ts";

const QUESTION = "who calls priceOf in src/price.ts?";
const marker = crypto.randomUUID();
const scratch = makeFolder();
const home = join(scratch, "家 home");
/** A prefix as of a version manager, with characters that break careless shells. */
const prefix = join(home, ".nvm", "versions", "node", "v20 前缀");
const inside = join(prefix, "lib", "node_modules", "groundwork-context");
const repo = makeFolder({ ...GIT_FILES, ...SHOP });
/** A PATH without node, as clients have that are started from a desktop. */
const thin = join(scratch, "thin");
const env = { PATH: thin, HOME: home, [MARKER]: marker, GROUNDWORK_CODE_CACHE: "" };
/** Log of the nodes that were used. */
const nodes = join(scratch, "nodes");
let packed: Packed;
let asked: readonly string[];

/** Runs a program of the installed package in the repository. */
function call(program: string, args: readonly string[], more: { input?: string; env?: object; at?: string } = {}) {
  const script = `exec "$PROGRAM" "$@"`;
  const all = { ...env, PROGRAM: join(more.at ?? join(prefix, "bin"), program), ...more.env };
  return runDoor({ cwd: repo, env: all, args, script, input: more.input ?? "" });
}

const payload = JSON.stringify({ hook_event_name: "UserPromptSubmit", prompt: QUESTION, cwd: repo });
const askHook = (client: string, more: { env?: object; at?: string } = {}) =>
  call("groundwork", ["hook", client], { input: payload, ...more });

/** What a hook for Claude Code injects; null if it printed nothing. Contract: throws if the client would complain. */
function injected({ code, signal, stdout }: DoorAnswer): string | null {
  expect([code, signal]).toEqual([0, null]);
  const text = stdout.toString("utf8");
  return text === "" ? null : JSON.parse(text).hookSpecificOutput.additionalContext;
}

const withoutTimes = (text: string | null) => text?.replace(/\d{4}-\d\d-\d\dT[\d:]+Z|gw-[0-9a-f]+/g, "…");

/** Makes a node that records its use. */
function makeNode(path: string): string {
  writeFileSync(path, `#!/bin/sh\necho '${path}' >>'${nodes}'\nexec '${process.execPath}' "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Returns path, size and times of everything below a folder. */
function snapshot(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => {
    const { size, mtimeMs, ctimeMs } = lstatSync(join(folder, path));
    return `${path} ${size} ${mtimeMs} ${ctimeMs}`;
  });
}

beforeAll(async () => {
  mkdirSync(home);
  mkdirSync(join(prefix, "bin"), { recursive: true });
  // The node of this prefix; the door must find it although it is not on the PATH.
  makeNode(join(prefix, "bin", "node"));
  mkdirSync(thin);
  for (const name of ["sh", "dash", "sleep", "kill", "readlink", "git", "grep"])
    for (const folder of ["/bin", "/usr/bin"])
      if (existsSync(join(folder, name)) && !existsSync(join(thin, name)))
        symlinkSync(join(folder, name), join(thin, name));
  packed = await packProject(scratch);
  await using registry = await startRegistry(join(scratch, "registry"));
  await runNpm(["install", "--global", "--prefix", prefix, packed.file], home, registry.url);
  asked = registry.asked;
});
afterAll(() => killMarked(marker));

describe("[P-1] the package", () => {
  it("[T-11] holds only what runs, in at most 25 MB, needs one package and loads nothing of a server", () => {
    const allowed =
      /^(?:package\.json|README\.md|CHANGELOG\.md|install\.sh|team\/package(?:-lock)?\.json|bin\/[\w-]+|plugin\/[\w/.-]+|\.claude-plugin\/marketplace\.json|hooks\/[\w/.-]+|config\/[\w/.-]+|man\/groundwork\.1|schema\/[\w.-]+\.json|mcp\/server\.sh|mcp\/codex-mcp-server\/(?:package\.json|dist\/index\.js)|docs\/[\w.-]+\.md|dist\/(?:build-id|commit|page\/[\w-]+\.(?:html|js|css|svg)|[\w-]+\.(?:cjs|model|txt)|grammars\/[\w-]+\.wasm\.gz|types\/[\w/.-]+\.d\.ts))$/;
    expect(packed.paths.filter((path) => !allowed.test(path))).toEqual([]);
    expect(packed.paths).toEqual(expect.arrayContaining(["README.md", "dist/third-party-licenses.txt"]));
    expect(packed.unpackedSize).toBeLessThan(25_000_000);
    const { scripts, dependencies, bin } = JSON.parse(readFileSync(join(inside, "package.json"), "utf8"));
    // Installing it runs none of our code, with or without --ignore-scripts.
    for (const name of ["preinstall", "install", "postinstall", "prepare", "prepublish"])
      expect(scripts).not.toHaveProperty(name);
    expect(Object.keys(dependencies)).toEqual(["@photostructure/sqlite"]);
    expect(asked).toEqual([]);
    // Only two commands load the code of a team's server; the PostgreSQL client is not even included.
    const teamCode = packed.paths.filter(
      (path) => /^dist\/.*\.cjs$/.test(path) && readFileSync(join(inside, path), "utf8").includes("groundwork_member"),
    );
    expect(teamCode.toSorted()).toEqual(["dist/serve-command.cjs", "dist/team-command.cjs"]);
    expect(existsSync(join(inside, "team/node_modules"))).toBe(false);
    // The page for "man groundwork".
    expect(existsSync(join(prefix, "share/man/man1/groundwork.1"))).toBe(true);
    expect(Object.keys(bin).toSorted()).toEqual(
      readdirSync(join(prefix, "bin"))
        .filter((name) => name !== "node")
        .toSorted(),
    );
  });

  it("prints version, commit and node; only package.json holds the version", async () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
    const commit = join(projectRoot, "dist", "commit");
    // Sources that are not a clone have no commit.
    const known = existsSync(commit) ? `${readFileSync(commit, "utf8").trim()}, ` : "";
    for (const name of ["groundwork", "groundwork-context"]) {
      const told = await call(name, ["--version"]);
      expect(told.stdout.toString()).toBe(`groundwork ${version} (${known}node ${process.versions.node})\n`);
    }
  });

  it("answers from an empty home, through links, with spaces and Chinese in its path, and writes nothing to its prefix", async () => {
    const linked = join(scratch, "linked");
    symlinkSync(prefix, linked);
    const far = join(scratch, "far");
    mkdirSync(far);
    symlinkSync("../linked/bin/groundwork", join(far, "groundwork"));
    const before = snapshot(prefix);
    for (const at of [join(prefix, "bin"), join(linked, "bin"), far]) {
      const tried = await call("groundwork", ["try", QUESTION], { at });
      expect([tried.code, tried.stderr]).toEqual([0, ""]);
      expect(tried.stdout.toString()).toContain("src/cart.ts");
      expect(injected(await askHook("claude", { at }))).toContain("src/cart.ts");
    }
    const dry = await call("codex-auto", ["--dry-run", "ping"]);
    expect([dry.code, JSON.parse(dry.stdout.toString()).schema_version]).toEqual([0, "1.0"]);
    expect(snapshot(prefix)).toEqual(before);
  });

  it("indexes, stores its code caches beside the index, and answers the same with them", async () => {
    const state = join(home, "state");
    mkdirSync(state, { mode: 0o700 });
    const more = { GROUNDWORK_HOME: state, CI_AUTO_TOOLS_INDEX: "auto", GROUNDWORK_CODE_CACHE: "" };
    const plain = injected(await askHook("claude", { env: { ...more, CI_AUTO_TOOLS_INDEX: "off" } }));
    const before = snapshot(prefix);
    const indexed = await call("groundwork", ["index"], { env: more });
    expect([indexed.code, indexed.stderr]).toEqual([0, expect.not.stringContaining("rror")]);
    const folder = join(state, "code");
    const isMade = () =>
      existsSync(folder) && readdirSync(folder).some((name) => existsSync(join(folder, name, "mcp-tools.cjs")));
    await until(isMade);
    const quick = injected(await askHook("claude", { env: { ...more, CI_AUTO_TOOLS_INDEX: "off" } }));
    expect(withoutTimes(quick)).toBe(withoutTimes(plain));
    expect(injected(await askHook("claude", { env: more }))).toContain("src/cart.ts");
    expect(snapshot(prefix)).toEqual(before);
  });

  it("serves MCP without any package of the SDK", async () => {
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "0" } };
    for (const [door, tool, args] of [
      [join(prefix, "bin", "code-intelligence-mcp"), "ci_search", { query: "priceOf" }],
      [join(inside, "mcp", "server.sh"), "codex.list", {}],
    ] as const) {
      await using server = startMcp(repo, env, door);
      await server.ask("initialize", hello);
      await server.send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
      const { result } = await server.ask("tools/call", { name: tool, arguments: args });
      expect([door, result?.["isError"] ?? false]).toEqual([door, false]);
    }
  });

  it("works as a library", () => {
    const library = createRequire(join(inside, "package.json"))("groundwork-context");
    expect(Object.keys(library)).toContain("executeToolCall");
  });

  it("uses the configured node, else the one of its prefix, and none from the work tree", async () => {
    mkdirSync(join(repo, "bin"));
    makeNode(join(repo, "bin", "node"));
    const named = makeNode(join(scratch, "named-node"));
    const PATH = `${join(repo, "bin")}:${thin}`;
    for (const [more, used] of [
      [{ GROUNDWORK_NODE: named }, named],
      [{ GROUNDWORK_NODE: join(scratch, "gone") }, join(prefix, "bin", "node")],
      [{ GROUNDWORK_NODE: "bin/node" }, join(prefix, "bin", "node")],
    ] as const) {
      writeFileSync(nodes, "");
      expect(injected(await askHook("claude", { env: { ...more, PATH } }))).toContain("src/cart.ts");
      expect(readFileSync(nodes, "utf8")).toBe(`${used}\n`);
    }
  });
});

describe("[P-7] during an update and after removal", () => {
  /** A launcher as made by `groundwork install`: its path never changes, even if the package is updated or removed. */
  const launcher = join(scratch, "launcher");
  const door = join(inside, "hooks", "context-inject-global.sh");
  beforeAll(() => {
    writeFileSync(launcher, `#!/bin/sh\n[ ! -x '${door}' ] || '${door}' "$@"\nexit 0\n`);
    chmodSync(launcher, 0o755);
  });
  const launch = (more: object = {}) =>
    runDoor({ cwd: repo, env: { ...env, LAUNCHER: launcher, ...more }, script: 'exec "$LAUNCHER"', input: payload });

  it.each([
    ...["bin", "hooks", "hooks/lib", "hooks/lib/guard.sh", "hooks/lib/resident.sh", "dist", "dist/hook.cjs"],
    ...["dist/hook-judge.cjs", "dist/hook-answer.cjs", "dist/judgement.model", "dist/yaml.cjs", "dist/build-id"],
    ...["config", "package.json", "node_modules", "dist/grammars"],
  ])("a hook of a package without %s injects nothing, in its client's format", async (part) => {
    const away = join(scratch, "away");
    renameSync(join(inside, part), away);
    try {
      const kept = injected(await launch());
      if (
        /^(?:bin|config|node_modules|package.json|dist\/(?:build-id|grammars|yaml.cjs)|hooks\/lib\/resident.sh)$/.test(
          part,
        )
      )
        expect(kept).toContain("src/cart.ts");
      // Any JSON printed for Kimi Code would reach its model.
      const kimi = await launch({ CI_ORCH_CLIENT_NAME: "kimi" });
      expect([kimi.code, kimi.stdout.toString().includes('{"hook')]).toEqual([0, false]);
    } finally {
      renameSync(away, join(inside, part));
    }
  });

  it("a truncated shell file never blocks a prompt", async () => {
    const file = join(inside, "hooks", "lib", "door.sh");
    const text = readFileSync(file, "utf8");
    try {
      for (const part of [0.1, 0.35, 0.6, 0.8, 0.95]) {
        writeFileSync(file, text.slice(0, text.length * part));
        expect([part, (await launch()).code]).toEqual([part, 0]);
      }
    } finally {
      writeFileSync(file, text);
    }
  });

  it("hooks called while the package is being replaced all succeed", async () => {
    const away = join(scratch, "away");
    const asking = Array.from({ length: 6 }, async (_, at) => {
      await sleep(at * 60);
      return launch();
    });
    for (let turn = 0; turn < 4; turn++) {
      await sleep(60);
      renameSync(inside, away);
      await sleep(60);
      renameSync(away, inside);
    }
    for (const answer of await Promise.all(asking)) injected(answer);
    renameSync(inside, away);
    expect(injected(await launch())).toBe(null);
    renameSync(away, inside);
  });

  it("an index of another version is rebuilt, and reported until then", async () => {
    const state = join(home, "older");
    mkdirSync(state, { mode: 0o700 });
    const more = { GROUNDWORK_HOME: state, CI_AUTO_TOOLS_INDEX: "auto" };
    await call("groundwork", ["index"], { env: more });
    const [index = ""] = readdirSync(join(state, "index"));
    const { DatabaseSync } = createRequire(join(inside, "package.json"))("@photostructure/sqlite");
    const database = new DatabaseSync(join(state, "index", index, "index.db"));
    database.exec("PRAGMA user_version = 1");
    database.close();
    const first = await call("groundwork", ["try", QUESTION], { env: more });
    expect(first.stdout.toString()).toMatch(/src\/cart\.ts[\s\S]*index\.db is of another version/);
    const status = async () => (await call("groundwork", ["index-status"], { env: more })).stdout.toString();
    await until(status, (told) => told.startsWith("ready"));
    const later = await call("groundwork", ["try", QUESTION], { env: more });
    expect(later.stdout.toString()).not.toContain("another version");
  });
});

it("[P-1] npx runs it by the package's name", async () => {
  await using registry = await startRegistry(join(scratch, "registry"));
  const told = await runNpm(
    ["exec", "--yes", "--package", packed.file, "--", "groundwork-context", "--version"],
    home,
    registry.url,
  );
  expect(told).toMatch(/^groundwork \d/);
  execFileSync("rm", ["-rf", join(home, "npm-cache")]);
});
