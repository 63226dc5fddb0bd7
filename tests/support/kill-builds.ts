import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeCache } from "./doors.ts";
import { GeneratedRepo, type KnownSymbol } from "./generated-repo.ts";
import { killMarked, MARKER } from "./leftovers.ts";
import { makeRandom } from "./random.ts";
import { killGroup } from "./run-door.ts";

/** Parameters of a kill test. */
interface KillRequest {
  /** An empty folder for the repository and all state. */
  readonly folder: string;
  /** Path of the built command line. */
  readonly cli: string;
  readonly rounds: number;
  readonly files: number;
  /** Determines moments and changes. */
  readonly seed: number;
}

/** Result of a kill test. */
interface KillReport {
  /** Number of builds that ended before they were to be killed, and were repeated. */
  readonly missed: number;
  /** Number of rounds by the first words of the status afterwards. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Duration of a complete build. */
  readonly wholeMs: number;
  /** Descriptions of all failures. */
  readonly problems: readonly string[];
}

/** Durations of a complete build, and of one that finds changes. */
interface Spans {
  whole: number;
  changes: number;
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Answered {
  readonly id: string;
  readonly data?: { readonly candidates?: readonly Candidate[] };
}

interface Candidate {
  readonly file: string;
  readonly line: number;
}

/** Maximum number of files changed at once: more than a build follows calls for one by one. */
const MOST_CHANGES = 60;

/**
 * Kills builds of an index at random moments and asks questions after each. Contract: every answer is checked against
 * the current files; at the end the index must answer like one built without interruption. Leaves no process running,
 * if the system can list them.
 */
export async function killBuilds(request: KillRequest): Promise<KillReport> {
  const run = new KillRun(request);
  try {
    return await run.all();
  } finally {
    run.stop();
  }
}

class KillRun {
  readonly #request: KillRequest;
  readonly #repo: GeneratedRepo;
  readonly #random: () => number;
  readonly #marker = crypto.randomUUID();
  readonly #problems: string[] = [];

  constructor(request: KillRequest) {
    this.#request = request;
    this.#random = makeRandom(request.seed);
    this.#repo = new GeneratedRepo(join(request.folder, "repository"), request.files);
  }

  async all(): Promise<KillReport> {
    // The first build runs with cold caches.
    await this.#build("first");
    const wholeMs = await this.#timeBuild();
    this.#changeFiles();
    const spans: Spans = { whole: wholeMs, changes: await this.#timeBuild() };
    const statuses: Record<string, number> = {};
    let missed = 0;
    for (let round = 0; round < this.#request.rounds; round++) {
      const moment = this.#random();
      let killedAfterMs = await this.#killOnce(round, moment, spans);
      for (; killedAfterMs === undefined; killedAfterMs = await this.#killOnce(round, moment, spans)) missed++;
      const status = await this.#check(`round ${round}, killed after ${killedAfterMs} ms`);
      const words = status.replace(/ \(.*/, "");
      statuses[words] = (statuses[words] ?? 0) + 1;
      // The question may have started a builder, which is killed as well.
      this.stop();
    }
    await this.#compareWithFresh();
    return { missed, statuses, wholeMs, problems: this.#problems };
  }

  /**
   * Kills one build after the given share of the expected duration. Returns the time, or undefined if the build had
   * already ended: the expected duration is then reduced, so that a later attempt hits.
   */
  async #killOnce(round: number, moment: number, spans: Spans): Promise<number | undefined> {
    // A build starts from nothing, continues where the last one was killed, or finds changes since a complete one.
    const kind = round % 3;
    if (kind === 0) rmSync(this.#stateOf("main"), { recursive: true, force: true });
    if (kind === 2) await this.#build("main");
    if (kind === 2 || this.#random() < 0.3) this.#changeFiles();
    const span = kind === 2 ? "changes" : "whole";
    const ms = Math.floor(moment * spans[span]);
    const { signal } = await this.#groundwork("main", ["index", this.#repo.root], { killAfterMs: ms });
    if (signal === "SIGKILL") return ms;
    spans[span] *= 0.7;
    return undefined;
  }

  async #timeBuild(): Promise<number> {
    const startMs = performance.now();
    await this.#build("main");
    return performance.now() - startMs;
  }

  /** Kills processes that a question left behind. */
  stop(): void {
    killMarked(this.#marker);
  }

  #changeFiles(): void {
    const changes = 1 + Math.floor(this.#random() * MOST_CHANGES);
    for (let at = 0; at < changes; at++) {
      const symbol = this.#pick();
      const kind = this.#random();
      if (kind < 0.4) this.#repo.change(symbol);
      else if (kind < 0.6) this.#repo.rename(symbol);
      else if (kind < 0.8) this.#repo.remove(symbol);
      else this.#repo.add();
    }
  }

  #pick(): KnownSymbol {
    const symbols = this.#repo.symbols();
    return symbols[Math.floor(this.#random() * symbols.length)] as KnownSymbol;
  }

  /** Checks the current answers. Returns the status. */
  async #check(when: string): Promise<string> {
    const asked = await this.#groundwork("main", ["index-status", "--json"]);
    const status: string = asked.code === 0 ? JSON.parse(asked.stdout).index_status : "";
    if (asked.code !== 0) this.#problems.push(`${when}: index-status: exit ${asked.code}: ${asked.stderr}`);
    if (status.startsWith("ready")) await this.#checkReady(`${when}: ${status}`);
    const symbol = this.#pick();
    const gone = this.#repo.goneNames().at(-1) ?? "neverWritten";
    const answers = await this.#askEach("main", "search", [symbol.name, gone], when);
    const [best] = answers.find(({ id }) => id === symbol.name)?.data?.candidates ?? [];
    if (best?.file !== symbol.path || best.line !== symbol.line)
      this.#problems.push(
        `${when}: ${symbol.name} is at ${symbol.path}:${symbol.line}, told ${best?.file}:${best?.line} (${status})`,
      );
    for (const { file, line } of answers.flatMap(({ data }) => data?.candidates ?? []))
      if (line > this.#countLines(file)) this.#problems.push(`${when}: there is no ${file}:${line} (${status})`);
    return status;
  }

  /** An index whose status is ready must contain all files as they are, so that another build finds nothing to do. */
  async #checkReady(when: string): Promise<void> {
    const { files, changed, removed } = await this.#build("main");
    const count = this.#repo.symbols().length;
    if (changed + removed > 0) this.#problems.push(`${when}: ${changed} files were not read, ${removed} were gone`);
    if (!when.endsWith(`(${count} files)`) || files !== count)
      this.#problems.push(`${when}: there are ${count} files, ${files} indexed`);
  }

  #countLines(file: string): number {
    try {
      return readFileSync(join(this.#repo.root, file), "utf8").split("\n").length;
    } catch {
      return -1;
    }
  }

  /** At the end the index must have every symbol and its calls, like one built without interruption. */
  async #compareWithFresh(): Promise<void> {
    await this.#build("main");
    await this.#build("fresh");
    const symbols = this.#repo.symbols();
    const names = symbols.map(({ name }) => name);
    const found = await this.#askEach("main", "search", names, "at the end");
    symbols.forEach(({ name, path, line }, at) => {
      const [best] = found[at]?.data?.candidates ?? [];
      if (best?.file !== path || best.line !== line)
        this.#problems.push(`at the end: ${name} is at ${path}:${line}, told ${best?.file}:${best?.line}`);
    });
    const after = (await this.#askEach("main", "call-chain", names, "at the end")).map(withoutTimes);
    const fresh = (await this.#askEach("fresh", "call-chain", names, "built in one go")).map(withoutTimes);
    const other = names.findIndex((_, at) => fresh[at] === undefined || fresh[at] !== after[at]);
    if (other >= 0) this.#problems.push(`at the end: calls are ${after[other]}, built in one go ${fresh[other]}`);
  }

  /** Builds the complete index. Contract: throws if that fails. */
  async #build(state: string): Promise<{ files: number; changed: number; removed: number }> {
    for (;;) {
      const { code, stdout, stderr } = await this.#groundwork(state, ["index", this.#repo.root, "--json"]);
      if (code !== 0) throw new Error(`index: exit ${code}: ${stderr}`);
      const report = JSON.parse(stdout);
      if (report.outcome === "done") return report;
      // A builder that a question left behind is still running, and could not be found to be killed.
      await sleep(200);
    }
  }

  async #askEach(state: string, tool: string, names: readonly string[], when: string): Promise<Answered[]> {
    const key = tool === "search" ? "query" : "symbol";
    const input = names.map((name) => JSON.stringify({ id: name, [key]: name })).join("\n");
    const { code, stdout, stderr } = await this.#groundwork(state, [tool, "--each", "-"], { input });
    if (code !== 0) this.#problems.push(`${when}: ${tool}: exit ${code}: ${stderr}`);
    return stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  #stateOf(name: string): string {
    return join(this.#request.folder, `state-${name}`);
  }

  /** Runs the command line in its own process group, which may be killed. */
  #groundwork(
    state: string,
    args: readonly string[],
    { input = "", killAfterMs }: { readonly input?: string; readonly killAfterMs?: number } = {},
  ): Promise<Ended> {
    mkdirSync(this.#stateOf(state), { recursive: true });
    const child = spawn(process.execPath, [this.#request.cli, ...args], {
      cwd: this.#repo.root,
      detached: true,
      stdio: "pipe",
      env: {
        PATH: process.env["PATH"],
        HOME: this.#request.folder,
        GROUNDWORK_HOME: this.#stateOf(state),
        ...codeCache,
        [MARKER]: this.#marker,
      },
    });
    const timer = killAfterMs === undefined ? undefined : setTimeout(() => killGroup(child, "SIGKILL"), killAfterMs);
    // A killed process does not read its input.
    child.stdin.on("error", () => {}).end(input);
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => {
        clearTimeout(timer);
        resolve({ code, signal, stdout: `${Buffer.concat(stdout)}`, stderr: `${Buffer.concat(stderr)}` });
      });
    });
  }
}

function withoutTimes(answer: Answered): string {
  return JSON.stringify(answer, (key, value) => (key === "ms" || key === "latency_ms" ? undefined : value));
}
