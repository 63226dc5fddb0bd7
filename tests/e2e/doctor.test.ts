import { execFile } from "node:child_process";
import { appendFileSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProgram } from "../../src/base/subprocess/open-program.ts";
import type { DoctorReport } from "../../src/contract/doctor.ts";
import { talk } from "../../src/install/doctor/json-rpc.ts";
import { installHooks } from "../../src/install/doctor/world.test-helper.ts";
import { groundwork } from "../support/doors.ts";
import { claudeCommand, codexCommand } from "./clients.ts";
import { makeScratch, type Scratch } from "./scratch.ts";

/** Runs the doctor once; `worst` has the checks that are not ok, as `group: name: status`. */
function runDoctor({ repo, env }: Scratch): Promise<{ readonly report: DoctorReport; readonly worst: string[] }> {
  return new Promise((resolve, reject) => {
    execFile(groundwork, ["doctor", "--json"], { cwd: repo, env }, (_error, stdout, stderr) => {
      if (stdout === "") return reject(new Error(stderr));
      const report = JSON.parse(stdout) as DoctorReport;
      const worst = report.checks.filter(({ status }) => status !== "ok");
      return resolve({ report, worst: worst.map(({ group, name, status }) => `${group}: ${name}: ${status}`) });
    });
  });
}

/** Trusts all hooks in Codex, as a user would. */
async function trustHooks({ repo, env, home }: Scratch): Promise<void> {
  const messages = [
    { id: 1, method: "initialize", params: { clientInfo: { name: "test", version: "1" } } },
    { method: "initialized", params: {} },
    { id: 2, method: "hooks/list", params: { cwds: [repo] } },
  ];
  const program = { command: codexCommand(), args: ["app-server"], cwd: repo, env };
  const limit = { limitMs: 30_000, signal: new AbortController().signal };
  // A pending promise does not keep vitest alive, but its own timers do.
  const { results } = await talk({ open: openProgram }, program, messages, limit);
  const { data } = results.get(2) as { data: { hooks: { key: string; currentHash: string }[] }[] };
  for (const { key, currentHash } of data.flatMap(({ hooks }) => hooks))
    appendFileSync(
      join(home, ".codex/config.toml"),
      `\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`,
    );
}

describe("[P-6] the doctor with the real clients", () => {
  it("sees their versions, calls their hooks, and knows whether Codex trusts ours", async () => {
    await using scratch = await makeScratch();
    await symlink(claudeCommand(), join(scratch.bin, "claude"));
    await symlink(codexCommand(), join(scratch.bin, "codex"));
    installHooks(["claude", "codex"], scratch.home, scratch.env);
    // Repeated if a hook on a busy machine had no time to answer, which the doctor rightly reports.
    let checks: DoctorReport["checks"] = [];
    const ask = async () => {
      const { report, worst } = await runDoctor(scratch);
      checks = report.checks;
      return worst;
    };
    await expect.poll(ask).toEqual(["codex: trusted: warn"]);
    const measured = (group: string, name: string) =>
      checks.find((check) => check.group === group && check.name === name)?.measured;
    expect(measured("claude", "version")).toMatch(/^2\.1\.\d+$/);
    expect(measured("codex", "version")).toMatch(/^0\.\d+\.\d+$/);
    expect(measured("codex", "trusted")).toBe("untrusted");
    expect(measured("codex", "answer")).toMatch(/ bytes$/);
    expect(measured("claude", "answer")).toMatch(/ characters$/);
    await trustHooks(scratch);
    await expect.poll(ask).toEqual([]);
  });
});
