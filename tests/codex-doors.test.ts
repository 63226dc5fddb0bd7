import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { APPROVAL_POLICIES, SANDBOX_MODES } from "../src/contract/codex-jobs.ts";
import { groundwork, projectRoot } from "./support/doors.ts";
import { makeFakeCodex } from "./support/fake-codex.ts";
import { codexDoor, startMcp } from "./support/mcp-process.ts";
import { runPool } from "./support/run-door.ts";
import { makeFolder } from "./support/temp-folder.ts";

/** Options that a caller gives; null means that it does not give one. */
interface Said {
  readonly sandbox: string | null;
  readonly approval: string | null;
  readonly bypass: boolean;
  readonly fullAuto: boolean;
}

/**
 * Covers every combination of any three of the four options, for instance each sandbox with each approval with and
 * without bypass; all four would double the runs. `policy-matrix.test.ts` tests every combination without processes.
 * Calls without a sandbox are compared with those that name the default one, so both alternate in the same way.
 */
const SAID: readonly Said[] = [null, ...SANDBOX_MODES].flatMap((sandbox) =>
  [null, ...APPROVAL_POLICIES].flatMap((approval, column) => {
    const isEven = (column + (sandbox === "read-only" ? 1 : 0)) % 2 === 0;
    return [false, true].map((bypass) => ({ sandbox, approval, bypass, fullAuto: bypass === isEven }));
  }),
);

const wordsOf = ({ sandbox, approval, bypass, fullAuto }: Said) => [
  ...(sandbox === null ? [] : ["--sandbox", sandbox]),
  ...(bypass ? ["--dangerously-bypass-approvals-and-sandbox"] : []),
  ...(approval === null ? [] : ["--ask-for-approval", approval]),
  ...(fullAuto ? ["--full-auto"] : []),
];

/** Returns the command in the log of a dry run: options before and after `exec`, or the refusal. */
function readCommand(log: string): string {
  const text = readFileSync(log, "utf8");
  const [, refused] = /\[arg-check\] (.*)/.exec(text) ?? [];
  if (refused !== undefined) return refused;
  const [, before, behind] = /\ncodex global args:\n((?: {2}.*\n)*)codex exec args:\n((?: {2}.*\n)*)/.exec(text) ?? [];
  return `${before}exec\n${behind}`.replaceAll(/\S*\.last\.txt/g, "LAST");
}

const codex = makeFakeCodex("exit 1");
const run = promisify(execFile);
const BASIC = ["--task", "x", "--dry-run"];

/** Returns the command that a program in the shell would start for each. */
function byProgram(command: string, first: readonly string[], all: readonly Said[], env: Record<string, string>) {
  const cwd = makeFolder();
  return runPool(all, 3, async (said, at) => {
    const log = join(cwd, `${at}.log`);
    const args = [...first, "--log-file", log, ...BASIC, ...wordsOf(said)];
    await run(command, args, { cwd, env }).catch(() => {});
    return readCommand(log);
  });
}

describe("[CNI-2] [CNI-3] [CNI-12] the same options mean the same at every door", () => {
  it.each([
    { switches: {}, all: SAID },
    // These switches only affect full access.
    { switches: { ALLOW_DFA_WITH_NEVER: "1" }, all: SAID.filter(({ sandbox }) => sandbox === "danger-full-access") },
    { switches: { DFA_DEGRADE_ON_NEVER: "0" }, all: SAID.filter(({ sandbox }) => sandbox === "danger-full-access") },
  ])("$switches", { timeout: 240_000 }, async ({ switches, all }) => {
    const env = { PATH: codex.path, HOME: makeFolder(), ...switches };
    const byStart = await byProgram(join(projectRoot, "start.sh"), [], all, env);
    expect(new Set(byStart).size).toBeGreaterThan(2);
    expect(byStart.filter((command) => command.includes("undefined"))).toEqual([]);
    // Another door to the same program: a sample is enough.
    const isSome = (_: unknown, at: number) => at % 3 === 0;
    const byCommand = await byProgram(groundwork, ["codex", "exec"], all.filter(isSome), env);
    expect(byCommand).toEqual(byStart.filter(isSome));

    await using server = startMcp(makeFolder(), env, codexDoor);
    const byMcp = await runPool(all, 3, async (said) => {
      const call = { name: "codex.exec", arguments: { args: [...BASIC, ...wordsOf(said)] } };
      const { result } = await server.ask("tools/call", call);
      const ended = result?.["structuredContent"] as { readonly logFile: string } | undefined;
      return readCommand(ended?.logFile ?? "");
    });
    // By MCP, this sandbox is added if none is named.
    const named = all.map((said) => ({
      ...said,
      sandbox: said.sandbox ?? (said.bypass ? "danger-full-access" : "workspace-write"),
    }));
    const keyOf = (said: Said) => wordsOf(said).join(" ");
    const wanted = new Map(all.map((said, at) => [keyOf(said), byStart[at]]));
    expect(byMcp).toEqual(named.map((said) => wanted.get(keyOf(said))));
    expect(codex.calls()).toBe(0);
  });
});
