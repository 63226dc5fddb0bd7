// `npm run bench:mcp`: how long a client waits for the answer to `initialize`, as ratios to a server on the bare SDK
// that offers one empty tool. The cases alternate, so that a busy machine slows all of them equally; the figures are
// medians of wall time and of CPU time up to the answer. The threshold is relative to the bare server as its author
// would run it; the same server bundled is shown for comparison.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { makeCodeCache } from "../scripts/code-cache.mjs";
import { groundwork, median, project } from "./support.mjs";

const ROUNDS = Number(process.argv[2] ?? 21);
const BAR = 1.5;
const scratch = mkdtempSync(join(tmpdir(), "groundwork-bench-"));
const sdk = join(project, "node_modules/@modelcontextprotocol/server/dist");
const bare = join(scratch, "bare.mjs");
writeFileSync(
  bare,
  `import { McpServer } from ${JSON.stringify(join(sdk, "index.mjs"))};
import { serveStdio } from ${JSON.stringify(join(sdk, "stdio.mjs"))};
serveStdio(() => {
  const server = new McpServer({ name: "bare", version: "1" }, { capabilities: { tools: {} } });
  server.registerTool("nothing", { description: "Does nothing." }, () => ({ content: [] }));
  return server;
});
`,
);
await build({
  entryPoints: [bare],
  outfile: join(scratch, "bundled.cjs"),
  bundle: true,
  platform: "node",
  format: "cjs",
  minify: true,
});
const cases = [
  { name: "bare SDK server", command: process.execPath, args: [bare] },
  { name: "bare SDK server, bundled", command: process.execPath, args: [join(scratch, "bundled.cjs")] },
  { name: "bin/code-intelligence-mcp", command: join(project, "bin/code-intelligence-mcp"), args: [], bar: BAR },
  { name: "groundwork mcp", command: groundwork, args: ["mcp"], bar: BAR },
];
const hello = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
};
const env = { PATH: process.env.PATH, HOME: scratch, CI_AUTO_TOOLS_INDEX: "off", ...makeCodeCache() };

/** CPU milliseconds of all threads of a process; only available on Linux. */
function cpuMs(pid) {
  if (process.platform !== "linux") return 0;
  const threads = readdirSync(`/proc/${pid}/task`);
  const runs = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]));
  return runs.reduce((sum, ns) => sum + ns / 1e6, 0);
}

/** Starts a server and initializes it. */
function measure({ name, command, args }) {
  return new Promise((done, fail) => {
    const startMs = performance.now();
    const child = spawn(command, args, { env, cwd: scratch, stdio: ["pipe", "pipe", "inherit"] });
    child.stdout.once("data", (chunk) => {
      const wall = performance.now() - startMs;
      const cpu = cpuMs(child.pid);
      if (!chunk.toString().includes('"protocolVersion":"2025-11-25"')) fail(new Error(`${name}: ${chunk}`));
      child.once("exit", () => done({ wall, cpu })).stdin.end();
    });
    child.stdin.write(`${JSON.stringify(hello)}\n`);
  });
}

const times = cases.map(() => []);
for (let round = -2; round < ROUNDS; round++) {
  for (const [at, own] of cases.entries()) {
    const time = await measure(own);
    // The first two rounds only warm the file cache.
    if (round >= 0) times[at].push(time);
  }
}
rmSync(scratch, { recursive: true, force: true });
const medians = times.map((list) => ({
  wall: median(list.map(({ wall }) => wall)),
  cpu: median(list.map(({ cpu }) => cpu)),
}));
const [base] = medians;
let missed = 0;
for (const [at, { name, bar }] of cases.entries()) {
  const { wall, cpu } = medians[at];
  const isMissed = bar !== undefined && (wall / base.wall > bar || cpu / base.cpu > bar);
  if (isMissed) missed++;
  const ratio = (part, whole) => `${(part / (whole || 1)).toFixed(2)}x`;
  const figures = `${wall.toFixed(0).padStart(5)} ms ${ratio(wall, base.wall)}   cpu ${cpu.toFixed(0).padStart(5)} ms ${ratio(cpu, base.cpu)}`;
  console.log(
    `${name.padEnd(28)}${figures}${bar === undefined ? "" : `  (bar ${bar}: ${isMissed ? "MISSED" : "met"})`}`,
  );
}
process.exit(missed === 0 ? 0 : 1);
