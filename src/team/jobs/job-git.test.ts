import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, gitEnv, makeRepo } from "../../../tests/support/git-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { bundleResult, cloneForJob, type JobGitCall, pushResult } from "./job-git.ts";

const START = { files: { "a.txt": "one\n" }, subject: "start", at: "2026-01-01T00:00:00Z" };
const { signal } = new AbortController();

function makeCall(env: Record<string, string> = {}): JobGitCall {
  const { GIT_ALLOW_PROTOCOL: _any, ...own } = gitEnv(makeFolder());
  return { env: { ...own, ...env }, folder: makeFolder(), signal };
}

describe("[T-17] a job's clone", () => {
  it("is at the requested commit, with its history and without a remote", async () => {
    const origin = makeRepo([START, { ...START, files: { "a.txt": "two\n" }, subject: "next" }]);
    const first = git(origin, ["rev-parse", "HEAD~1"]);
    for (const [commit, text] of [
      ["", "two\n"],
      ["main", "two\n"],
      [first, "one\n"],
    ] as const) {
      const clone = await cloneForJob(makeCall(), { repo: `file://${origin}`, commit });
      if (!clone.ok) throw new Error(clone.fault.message);
      expect(readFileSync(join(clone.value.root, "a.txt"), "utf8")).toBe(text);
      expect(git(clone.value.root, ["rev-parse", "HEAD"])).toBe(clone.value.base);
      expect(git(clone.value.root, ["remote"])).toBe("");
    }
    for (const commit of ["nowhere", "f".repeat(40)])
      expect(await cloneForJob(makeCall(), { repo: `file://${origin}`, commit })).toMatchObject({ ok: false });
    expect(await cloneForJob(makeCall(), { repo: "file:///nowhere/at/all", commit: "" })).toMatchObject({ ok: false });
  });

  it("runs no hook, filter or submodule, whatever repository and settings say", async () => {
    const marks = makeFolder();
    const mark = (name: string) => `touch ${join(marks, name)}`;
    const inner = makeRepo([START]);
    const origin = makeRepo([{ ...START, files: { "b.txt": "b\n", ".gitattributes": "*.txt filter=evil\n" } }]);
    git(origin, ["-c", "protocol.file.allow=always", "submodule", "add", "--quiet", inner, "sub"]);
    git(origin, ["commit", "--quiet", "-m", "sub"]);
    const hooks = makeFolder();
    for (const hook of ["post-checkout", "reference-transaction", "post-index-change", "pre-push"]) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\n${mark(hook)}\n`);
      chmodSync(join(hooks, hook), 0o755);
    }
    const template = makeFolder();
    mkdirSync(join(template, "hooks"));
    writeFileSync(join(template, "hooks", "post-checkout"), `#!/bin/sh\n${mark("template")}\n`);
    chmodSync(join(template, "hooks", "post-checkout"), 0o755);
    const config = join(makeFolder(), "config");
    const settings = {
      "filter.evil.smudge": mark("smudge"),
      "filter.evil.clean": mark("clean"),
      "core.hooksPath": hooks,
      "core.fsmonitor": mark("monitor"),
      "submodule.recurse": "true",
      "init.templateDir": template,
    };
    for (const [name, value] of Object.entries(settings))
      execFileSync("git", ["config", "--file", config, name, value]);
    const call = makeCall({
      GIT_CONFIG_GLOBAL: config,
      GIT_TEMPLATE_DIR: template,
      GIT_DIR: "/nowhere",
      GIT_WORK_TREE: "/nowhere",
    });
    const clone = await cloneForJob(call, { repo: `file://${origin}`, commit: "" });
    if (!clone.ok) throw new Error(clone.fault.message);
    expect(readFileSync(join(clone.value.root, "b.txt"), "utf8")).toBe("b\n");
    expect(existsSync(join(clone.value.root, "sub", "a.txt"))).toBe(false);
    const head = await commitIn(clone.value.root);
    const bundle = await bundleResult(call, clone.value, { head, branch: "codex/cdx-1/1" });
    expect(bundle).toMatchObject({ ok: true });
    expect(readdirSync(marks)).toEqual([]);
    expect(await pushResult(call, clone.value.root, `file://${origin}`, "codex/cdx-1/1")).toMatchObject({ ok: true });
    expect(git(origin, ["rev-parse", "codex/cdx-1/1"])).toBe(head);
    // The receiving side, here on the same machine, runs with its own settings.
    expect(readdirSync(marks)).toEqual(["reference-transaction"]);
  });

  it("uses only the protocol of its address", async () => {
    const marks = makeFolder();
    const origin = makeRepo([START]);
    const config = join(makeFolder(), "config");
    // Even if the worker's own settings rewrite the address.
    execFileSync("git", ["config", "--file", config, "url.ext::touch.insteadOf", "https://git.example/"]);
    execFileSync("git", ["config", "--file", config, `url.file://${origin}.insteadOf`, "https://files.example/app"]);
    const call = () => makeCall({ GIT_CONFIG_GLOBAL: config });
    for (const repo of [`https://git.example/ ${join(marks, "ext")}`, "https://files.example/app"])
      expect(await cloneForJob(call(), { repo, commit: "" })).toMatchObject({
        ok: false,
        fault: { message: expect.stringContaining("not allowed") },
      });
    expect(readdirSync(marks)).toEqual([]);
  });

  it("is bundled from its objects alone: settings that Codex left in it have no effect", async () => {
    const marks = makeFolder();
    const origin = makeRepo([START]);
    const call = makeCall();
    const clone = await cloneForJob(call, { repo: `file://${origin}`, commit: "" });
    if (!clone.ok) throw new Error(clone.fault.message);
    const { root, base } = clone.value;
    const head = await commitIn(root);
    git(root, ["config", "core.fsmonitor", `touch ${join(marks, "monitor")}`]);
    git(root, ["config", "core.sshCommand", `touch ${join(marks, "ssh")}`]);
    git(root, ["config", "pack.packSizeLimit", "1"]);
    const bundle = await bundleResult(call, clone.value, { head, branch: "codex/cdx-1/1" });
    if (!bundle.ok) throw new Error(bundle.fault.message);
    expect(git(origin, ["bundle", "list-heads", bundle.value.path])).toBe(`${head} refs/heads/codex/cdx-1/1`);
    expect(readFileSync(bundle.value.path, "latin1")).toContain(`-${base}`);
    expect(readdirSync(marks)).toEqual([]);
    expect(await bundleResult(call, clone.value, { head: "f".repeat(40), branch: "codex/cdx-1/1" })).toMatchObject({
      ok: false,
    });
  });
});

async function commitIn(root: string): Promise<string> {
  writeFileSync(join(root, "new.md"), "new\n");
  git(root, ["add", "new.md"]);
  git(root, ["commit", "--quiet", "-m", "change"]);
  return git(root, ["rev-parse", "HEAD"]);
}
