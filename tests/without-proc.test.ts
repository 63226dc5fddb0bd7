import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "./support/doors.ts";
import { makeFakeCodex } from "./support/fake-codex.ts";
import { findLeftProcesses, MARKER } from "./support/leftovers.ts";
import { makeOddProject } from "./support/odd-project.ts";
import { runDoor } from "./support/run-door.ts";
import { SHOP } from "./support/shop-repo.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";

const makeRepo = () => makeFolder({ ...GIT_FILES, ...SHOP });
const input = JSON.stringify({ prompt: "who calls priceOf?" });

/** Wraps a script so that it runs without /proc; its processes are still visible from outside. */
function withoutProc(script: string): string {
  const hidden = `mount -t tmpfs none /proc || exit 99\n${script}`;
  return `exec unshare -m --propagation private /bin/sh -c '${hidden.replaceAll("'", "'\\''")}' sh "$@"`;
}

function makeProgram(script: string): string {
  const path = join(makeFolder({ program: `#!/bin/sh\n${script}\n` }), "program");
  chmodSync(path, 0o755);
  return path;
}

/** Makes an environment with a marker for all processes started in it. */
function makeEnv(more: Readonly<Record<string, string>> = {}) {
  const marker = crypto.randomUUID();
  return { marker, env: { HOME: makeFolder(), PATH: process.env["PATH"], [MARKER]: marker, ...more } };
}

describe("[P-8] without /proc", () => {
  it("a question is answered", async () => {
    const { env } = makeEnv();
    const { code, stdout } = await runDoor({ cwd: makeRepo(), env, input, script: withoutProc('exec "$DOOR"') });
    expect(code).toBe(0);
    expect(stdout.toString("utf8")).toMatch(/"additionalContext":"[^"]*src\/cart\.ts/);
  });

  it("a tool that hangs is ended with its whole process group", async () => {
    const runner = makeProgram("trap '' TERM\nsleep 600 &\nsleep 600");
    const { env, marker } = makeEnv({ CI_AUTO_TOOLS_RUNNER_CI_SEARCH: runner, CI_AUTO_TOOLS_BUDGET_WALL_MS: "500" });
    const { code, stdout } = await runDoor({ cwd: makeRepo(), env, input, script: withoutProc('exec "$DOOR"') });
    expect(code).toBe(0);
    expect(stdout.toString("utf8")).toContain("hookSpecificOutput");
    expect(await findLeftProcesses(marker)).toEqual([]);
  });

  it("a running job is recognised, and is stopped with its whole process group", async () => {
    const codex = makeFakeCodex("sleep 600 & sleep 600");
    const { env, marker } = makeEnv({ PATH: codex.path });
    const job = join(projectRoot, "job.sh");
    const { stdout } = await runDoor({
      cwd: makeRepo(),
      env,
      script: withoutProc(`
        id=$('${job}' start --task x --json | sed -n 's/.*"jobId":"\\([^"]*\\).*/\\1/p')
        for moment in 1 2 3 4 5 6 7 8 9 10; do
          case $('${job}' status "$id" --json) in *'"state":"running"'*) echo running; break ;; esac
          sleep 1
        done
        '${job}' stop "$id"
        '${job}' status "$id" --json`),
    });
    expect(stdout.toString("utf8")).toMatch(/^running\n.* was stopped .*\n.*"classification":"user_cancelled"/);
    expect(await findLeftProcesses(marker)).toEqual([]);
  });

  it.each([["dash"], ["busybox sh"], ["bash"]])(
    "a program that hangs is ended with the process groups of its children: %s",
    async (shell) => {
      const { root } = makeOddProject();
      const place = makeFolder();
      const told = join(place, "told");
      // It starts a program without our mark, writes the output of `ps` for it, and hangs.
      writeFileSync(
        join(root, "dist", "hook.cjs"),
        `const env = { ${MARKER}: process.env.${MARKER} };
const child = require("node:child_process").spawn("/bin/sh", ["-c", "sleep 600 & sleep 600"], { detached: true, stdio: "ignore", env });
require("node:fs").writeFileSync(${JSON.stringify(told)}, "1 0\\n" + child.pid + " " + process.pid + "\\n" + process.ppid + " 1\\n");
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
      );
      // The `ps` of this system needs /proc; that of other systems does not.
      writeFileSync(join(place, "ps"), `#!/bin/sh\n[ "$*" = "-A -o pid= -o ppid=" ] && exec cat '${told}'\n`);
      chmodSync(join(place, "ps"), 0o755);
      const { env, marker } = makeEnv({ PATH: `${place}:${process.env["PATH"]}`, CI_AUTO_TOOLS_BUDGET_WALL_MS: "1" });
      const { code, stdout } = await runDoor({
        cwd: makeRepo(),
        env,
        input,
        script: withoutProc(`
          for ps in /usr/bin/ps /bin/ps; do [ ! -e "$ps" ] || mount --bind '${join(place, "ps")}' "$ps" || exit 99; done
          exec ${shell} '${join(root, "hooks/context-inject-global.sh")}'`),
      });
      expect(code).toBe(0);
      expect(stdout.toString("utf8")).toContain("orchestrator unavailable");
      expect(await findLeftProcesses(marker)).toEqual([]);
    },
  );
});
