import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { groundwork, projectRoot, QUIET } from "./support/doors.ts";
import { makeFakeCodex } from "./support/fake-codex.ts";
import { DOORS, makeOddProject } from "./support/odd-project.ts";
import { runPool } from "./support/run-door.ts";
import { runProgram } from "./support/run-program.ts";
import { SHOP } from "./support/shop-repo.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";

const SHELLS = [["dash"], ["busybox", "sh"], ["bash"]] as const;
const LIMIT = { timeout: 300_000 };
const QUESTION = "who calls priceOf in 价格 计算.ts?";
const HELLO = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } } })}\n`;
const PAYLOAD = JSON.stringify({ prompt: QUESTION });

/** Input of a door and its expected output. */
interface Row {
  readonly args: readonly string[];
  readonly input?: string;
  readonly code: number;
  readonly says: RegExp;
}

const EMPTY = /"additionalContext":"".*orchestrator unavailable/;
const NO_NODE = /no node found/;
const SERVER = { args: [], code: 0, says: /^$/ };
const HELP = { args: ["--help"], code: 0, says: /^usage: /i };

/** For each door: its help, a question, its behaviour without node, and its behaviour with a closed input. */
const CASES: Readonly<Record<string, { help: Row; asked: Row; noNode: Row; closed: Row }>> = {
  "bin/ci-setup-hook": {
    help: HELP,
    asked: { args: ["--what"], code: 1, says: /unknown option: --what/ },
    noNode: { args: ["--uninstall"], code: 1, says: /needs node/ },
    closed: HELP,
  },
  "bin/code-intelligence-mcp": {
    help: { ...SERVER, args: ["--help"] },
    asked: { args: [], input: HELLO, code: 0, says: /"name":"code-intelligence-mcp"/ },
    noNode: { args: [], code: 10, says: NO_NODE },
    closed: SERVER,
  },
  "bin/codex-auto": {
    help: HELP,
    asked: { args: ["--json", QUESTION], code: 0, says: /"schema_version":[\s\S]*answer to who calls priceOf/ },
    noNode: { args: ["fix it"], code: 0, says: /^answer to fix it[\s\S]*orchestrator unavailable/ },
    closed: { args: [], code: 1, says: /no prompt/ },
  },
  "bin/groundwork": {
    help: HELP,
    asked: { args: ["hook", "codex"], input: PAYLOAD, code: 0, says: /"additionalContext":"[^"]*src\/cart\.ts/ },
    noNode: { args: ["try", "x"], code: 10, says: NO_NODE },
    closed: { args: ["hook", "claude"], code: 0, says: /"additionalContext":""/ },
  },
  "hooks/augment-context-global.sh": {
    help: HELP,
    asked: { args: [], input: PAYLOAD, code: 0, says: /"additionalContext":"[^"]*src\/cart\.ts/ },
    noNode: { args: [], input: PAYLOAD, code: 0, says: EMPTY },
    closed: { args: [], code: 0, says: /"additionalContext":""/ },
  },
  "hooks/auto-tool-orchestrator.sh": {
    help: HELP,
    asked: { args: [], input: PAYLOAD, code: 0, says: /^\{"schema_version":.*src\/cart\.ts/ },
    noNode: { args: [], input: PAYLOAD, code: 10, says: /^\{"schema_version":/ },
    closed: { args: [], code: 0, says: /^\{"schema_version":/ },
  },
  "hooks/context-inject-global.sh": {
    help: HELP,
    asked: { args: [], input: PAYLOAD, code: 0, says: /"additionalContext":"[^"]*src\/cart\.ts/ },
    noNode: { args: ["--format", "text", "x"], code: 10, says: /orchestrator unavailable/ },
    closed: { args: [], code: 0, says: /"additionalContext":""/ },
  },
  "install.sh": {
    help: HELP,
    asked: { args: ["--with-hook", "--skip-deps", "--dry-run"], code: 0, says: /context-inject-global\.sh/ },
    noNode: { args: ["--skip-deps"], code: 1, says: /needs node/ },
    closed: { args: ["--with-hook", "--skip-deps", "--dry-run"], code: 0, says: /context-inject-global\.sh/ },
  },
  "job.sh": {
    help: HELP,
    asked: { args: ["list", "--json"], code: 0, says: /\[/ },
    noNode: { args: ["list"], code: 10, says: NO_NODE },
    closed: { args: ["list", "--json"], code: 0, says: /\[/ },
  },
  "mcp/server.sh": {
    help: { ...SERVER, args: ["--help"] },
    asked: { args: [], input: HELLO, code: 0, says: /"serverInfo"/ },
    noNode: { args: [], code: 1, says: NO_NODE },
    closed: SERVER,
  },
  "start.sh": {
    help: HELP,
    asked: { args: ["--task", QUESTION, "--dry-run"], code: 0, says: /./ },
    noNode: { args: ["--task", "x"], code: 10, says: NO_NODE },
    closed: { args: ["--task", "x", "--dry-run"], code: 0, says: /./ },
  },
};

const project = makeOddProject();

interface Ran {
  readonly code: number | null;
  readonly printed: string;
}

/** Runs a shell script with arguments, in a repository with an awkward name. */
async function runShell(script: string, args: readonly string[], input: string): Promise<Ran> {
  const cwd = join(makeFolder(), "仓库 with spaces");
  execFileSync("cp", [
    "-r",
    makeFolder({ ...GIT_FILES, ...SHOP, "src/价格 计算.ts": SHOP["src/price.ts"] ?? "" }),
    cwd,
  ]);
  // One per run, because it numbers its calls and several doors run concurrently.
  const codex = makeFakeCodex('echo "answer to $(head -n 1 "$here/stdin.$n")"');
  const env = {
    HOME: makeFolder(),
    PATH: codex.path,
    ...QUIET,
  };
  const { code, stdout, stderr } = await runProgram("/bin/sh", ["-c", script, "sh", ...args], { cwd, env, input });
  return { code, printed: `${stdout}${stderr}` };
}

/** Runs doors under every shell. Returns descriptions of wrong answers. */
async function findWrong(script: string, rowOf: (door: string) => Row | undefined, placeOf: (door: string) => string) {
  const runs = DOORS.flatMap((door) => SHELLS.map((shell) => ({ door, shell })));
  const wrong = await runPool(runs, 3, async ({ door, shell }) => {
    const row = rowOf(door);
    if (row === undefined) return [`${door} is not in the table`];
    const words = [...shell, placeOf(door), ...row.args];
    const { code, printed } = await runShell(script, words, row.input ?? "");
    const isRight = code === row.code && row.says.test(printed.trim());
    return isRight ? [] : [`${shell.join(" ")} ${door}: exit ${code}, ${printed.slice(0, 400)}`];
  });
  return wrong.flat();
}

const PLAIN = 'exec "$@"';
const CLOSED = 'exec "$@" <&-';
/** Hides every node of this machine from this script. */
const HIDDEN = `for node in ${JSON.stringify(process.execPath)} /usr/bin/node /usr/local/bin/node /opt/homebrew/bin/node; do
  [ ! -e "$node" ] || mount --bind /dev/null "$(readlink -f "$node")" || exit 99
done; exec "$@"`;
const NODELESS = `exec unshare -m --propagation private /bin/sh -c ${quote(HIDDEN)} sh "$@"`;

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

describe("[P-8] every shell door under dash, busybox and bash, in a place with spaces and Chinese characters", () => {
  it("prints its help through links", LIMIT, async () => {
    const byLink = (door: string) => join(project.links, door.replaceAll("/", " "));
    expect(await findWrong(PLAIN, (door) => CASES[door]?.help, byLink)).toEqual([]);
  });

  it("answers a prompt", LIMIT, async () => {
    expect(
      await findWrong(
        PLAIN,
        (door) => CASES[door]?.asked,
        (door) => join(project.root, door),
      ),
    ).toEqual([]);
  });

  it("answers with standard input closed", LIMIT, async () => {
    expect(
      await findWrong(
        CLOSED,
        (door) => CASES[door]?.closed,
        (door) => join(project.root, door),
      ),
    ).toEqual([]);
  });

  it("reports a missing node", LIMIT, async () => {
    expect(
      await findWrong(
        NODELESS,
        (door) => CASES[door]?.noNode,
        (door) => join(project.root, door),
      ),
    ).toEqual([]);
  });
});

describe("[P-8] which node a door takes", () => {
  const node = join(makeFolder({ "node 節點": `#!/bin/sh\necho "pinned: $*"\n` }), "node 節點");
  const run = (pinned: string) =>
    execFileSync("/bin/sh", [groundwork, "--help"], {
      env: { PATH: "/usr/bin:/bin", HOME: "/", GROUNDWORK_NODE: pinned },
      encoding: "utf8",
    });

  it("the one configured by the launcher, wherever it is", () => {
    execFileSync("chmod", ["+x", node]);
    expect(run(node)).toMatch(/^pinned: .*cli\.cjs --help/);
  });

  it.each(["", "node", "./node", "/proc/nowhere/node", "/tmp", `${node}.txt`])("not %j", (pinned) => {
    expect(run(pinned)).toMatch(/^Usage: groundwork/);
  });
});

it("[P-8] shellcheck reports nothing about doors", () => {
  const parts = execFileSync("ls", ["hooks/lib"], { cwd: projectRoot, encoding: "utf8" })
    .split("\n")
    .filter((name) => name.endsWith(".sh"))
    .map((name) => join("hooks/lib", name));
  expect(parts.length).toBeGreaterThan(4);
  execFileSync("shellcheck", ["-s", "sh", ...DOORS, ...parts], { cwd: projectRoot, encoding: "utf8" });
});
