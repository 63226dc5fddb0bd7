import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { parseVersion, readCodexVersion } from "./codex.ts";

function makeCodex(script: string) {
  const cwd = makeFolder({ codex: `#!/bin/sh\n${script}\n` });
  chmodSync(join(cwd, "codex"), 0o755);
  return { codex: join(cwd, "codex"), cwd };
}

async function versionOf(script: string, signal = new AbortController().signal) {
  const { codex, cwd } = makeCodex(script);
  return readCodexVersion(codex, { cwd, env: { PATH: "/usr/bin:/bin" }, signal });
}

describe("the version of Codex", () => {
  it.each([
    ["codex-cli 0.166.0\n", { major: 0, minor: 166, text: "0.166.0" }],
    ["codex 1.2.3", { major: 1, minor: 2, text: "1.2.3" }],
    ["codex-cli 0.101.0-alpha.3", { major: 0, minor: 101, text: "0.101.0-alpha.3" }],
    ["WARNING: proceeding\r\ncodex-cli v0.42.0\r\n", { major: 0, minor: 42, text: "0.42.0" }],
    ["codex-cli 0.50", { major: 0, minor: 50, text: "0.50" }],
    ["", null],
    ["codex-cli unknown", null],
    ["listening on 127.0.0.1", null],
    ["codex-cli 99999999.1.0", null],
  ])("%j", (text, version) => {
    expect(parseVersion(text)).toEqual(version);
  });

  it("is read from the program's standard output", async () => {
    expect(await versionOf('[ "$1" = --version ] && echo warning >&2 && echo codex-cli 0.166.0')).toEqual({
      major: 0,
      minor: 166,
      text: "0.166.0",
    });
  });

  it.each([
    ["it fails", "echo codex-cli 0.166.0; exit 3"],
    ["it says it on stderr", "echo codex-cli 0.166.0 >&2"],
    ["it says too much", "yes | head -c 100000"],
  ])("is unknown if %s", async (_why, script) => {
    expect(await versionOf(script)).toBeNull();
  });

  it("is unknown without a program, and if the run is cancelled", async () => {
    const call = { cwd: makeFolder(), env: {}, signal: new AbortController().signal };
    expect(await readCodexVersion("/nowhere/codex", call)).toBeNull();
    expect(await versionOf("sleep 60; echo codex-cli 0.166.0", AbortSignal.timeout(100))).toBeNull();
  });
});
