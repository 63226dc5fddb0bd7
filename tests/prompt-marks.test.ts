import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLIENT_IDS } from "../src/contract/clients.ts";
import { LIMITS } from "../src/contract/limits.ts";
import type { RunDocument } from "../src/contract/run-document.ts";
import { codexAutoDoor, groundwork, projectRoot, QUIET } from "./support/doors.ts";
import { makeFakeCodex } from "./support/fake-codex.ts";
import { KEYS, startOnTerminal } from "./support/pseudo-terminal.ts";
import { runDoor } from "./support/run-door.ts";
import { SHOP } from "./support/shop-repo.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";

const TIER2 = LIMITS.tier2Disabled().text;
const OFF = "switched off (#nocontext in the prompt)";
/** Also the name of a symbol in the repository, so that a search for it would find something. */
const SECRET = "formatRate";
const ASKED = `who calls priceOf? <private>our customer wants ${SECRET}</private>`;

/** Makes a repository, and a home that contains all state. */
function makePlace(more: Readonly<Record<string, string>> = {}) {
  const home = makeFolder();
  const root = makeFolder({ ...GIT_FILES, ...SHOP });
  mkdirSync(join(home, "state"), { mode: 0o700 });
  const codex = makeFakeCodex("echo answered");
  const env = {
    PATH: codex.path,
    HOME: home,
    GROUNDWORK_HOME: join(home, "state"),
    ...QUIET,
    ...more,
  };
  /** Runs a program. Returns its output, standard error and exit code. */
  const run = (command: string, args: readonly string[], input = "") => {
    const done = spawnSync(command, args, { cwd: root, env, input, encoding: "utf8" });
    return { code: done.status, stdout: done.stdout, stderr: done.stderr };
  };
  const askHook = async (prompt: string, variables: Readonly<Record<string, string>> = {}, payload: object = {}) => {
    const input = JSON.stringify({ session_id: "one", prompt, ...payload });
    const done = await runDoor({ cwd: root, env: { ...env, ...variables }, input });
    expect([done.code, done.stderr]).toEqual([0, ""]);
    return done.stdout.toString("utf8");
  };
  return { home, root, env, codex, run, askHook };
}

/** Returns all files below a folder as one text. */
function readAll(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")).join("\n");
}

/** Makes a program that records its environment and input. */
function makeListener(folder: string, answer: string): string {
  const path = join(folder, "listener");
  writeFileSync(path, `#!/bin/sh\n{ env; cat; } >>'${folder}/heard'\n${answer}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe("[K 3] #nocontext: nothing runs, nothing is injected, and one line reports it", () => {
  it.each(CLIENT_IDS)("the hook of %s", async (client) => {
    const { home, askHook } = makePlace({ CI_ORCH_CLIENT_NAME: client, CI_AUTO_TOOLS: "on" });
    for (const prompt of ["who calls priceOf? #nocontext", "请看#nocontext"]) {
      const said = await askHook(prompt);
      expect(said).not.toContain("src/");
      const shown = said === "" ? {} : (JSON.parse(said) as Record<string, unknown>);
      expect(JSON.stringify(shown)).not.toMatch(/"additionalContext":"[^"]/);
      if ("systemMessage" in shown) expect(shown["systemMessage"]).toBe(`groundwork: ${OFF}`);
    }
    expect(existsSync(join(home, "state", "sessions"))).toBe(false);
  });

  it("the line is the same from the kernel, and an unreadable settings file changes nothing", async () => {
    const { askHook, root } = makePlace();
    const quick = await askHook("who calls priceOf? #nocontext");
    expect(JSON.parse(quick)).toEqual({
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "" },
      systemMessage: `groundwork: ${OFF}`,
    });
    const done = await runDoor({
      cwd: root,
      env: { ...makePlace().env, CI_AUTO_TOOLS_PRINT_STDERR_SUMMARY: "1" },
      input: JSON.stringify({ prompt: "who calls priceOf? #nocontext" }),
    });
    expect(done.stdout.toString("utf8")).toBe(quick);
    expect(done.stderr).toContain(`[Limits] ${OFF}`);
    mkdirSync(join(root, "config"));
    writeFileSync(join(root, "config/auto-tools.yaml"), "a: [");
    expect(await askHook("who calls priceOf? #nocontext")).toBe(quick);
  });

  it("codex-auto passes on what was typed: as one prompt, through a pipe, and as a plan", () => {
    const { run, codex } = makePlace();
    const prompt = "who calls priceOf? #nocontext";
    const once = run(codexAutoDoor, [prompt]);
    expect([once.code, once.stdout]).toEqual([0, "answered\n"]);
    expect(once.stderr).toContain(`[Limits] ${OFF}`);
    expect(codex.stdin(1)).toBe(prompt);
    expect(run(codexAutoDoor, [], `${prompt}\n`).code).toBe(0);
    expect(codex.stdin(2)).toBe(prompt);
    const planned = run(codexAutoDoor, ["--dry-run", prompt]);
    expect((JSON.parse(planned.stdout) as RunDocument).tool_plan.tools).toEqual([]);
    expect(codex.calls()).toBe(2);
  });

  it("try, explain, enrich and the orchestrator report it; no other orchestrator is even asked", () => {
    const { run, home, env } = makePlace();
    const prompt = "who calls priceOf? #nocontext";
    for (const command of ["try", "explain"]) expect(run(groundwork, [command, prompt]).stdout).toContain(OFF);
    const enriched = run(groundwork, ["enrich", prompt]);
    expect([enriched.stdout, enriched.code]).toEqual([`${prompt}\n`, 0]);
    const door = join(projectRoot, "hooks/auto-tool-orchestrator.sh");
    const document = JSON.parse(run(door, [], JSON.stringify({ prompt })).stdout) as RunDocument;
    expect(document.tool_plan.tools).toEqual([]);
    expect(document.fused_context.for_user.limits_text).toBe(`[Limits] ${OFF}`);
    const path = makeListener(home, "echo '{}'");
    spawnSync(groundwork, ["try", prompt], { env: { ...env, CI_AUTO_TOOLS_ORCHESTRATOR_PATH: path } });
    expect(existsSync(join(home, "heard"))).toBe(false);
  });
});

describe("[K 3] [ATO-SEC-3] [AC-009] #deep requests tier 2", () => {
  it("without the variable, it yields the tier-2 limit, and tiers 0 and 1 run", () => {
    const { run } = makePlace();
    const document = JSON.parse(
      run(groundwork, ["try", "--json", "where is priceOf defined? #deep"]).stdout,
    ) as RunDocument;
    expect(document.tool_plan.tools.map(({ tier }) => tier)).toEqual([0, 1, 1]);
    expect(document.fused_context.for_user.limits_text).toContain(`[Limits] ${TIER2}`);
    expect(document.inputs.prompt).toBe("where is priceOf defined?");
  });

  it("the person is told even if nothing is injected", async () => {
    const { askHook } = makePlace();
    for (const prompt of ["where is priceOf defined? #deep", "thank you! #deep"]) {
      const { systemMessage } = JSON.parse(await askHook(prompt)) as { systemMessage: string };
      expect(systemMessage.split(TIER2).length - 1).toBe(1);
    }
  });

  it("with the variable, suitable tools run although no word asks for them", () => {
    const { run } = makePlace({ CI_AUTO_TOOLS_TIER_MAX: "2" });
    const toolsOf = (prompt: string) =>
      (JSON.parse(run(groundwork, ["explain", "--json", prompt]).stdout) as RunDocument).tool_plan.tools;
    const deepOf = (prompt: string) => toolsOf(prompt).flatMap(({ tool, tier }) => (tier === 2 ? [tool] : []));
    const byWords = deepOf("where is priceOf defined?");
    const byMark = deepOf("where is priceOf defined? #deep");
    expect(byMark).toEqual(expect.arrayContaining(byWords));
    expect(byMark.filter((tool) => !byWords.includes(tool))).toEqual(["ci_bug_locate", "ci_hotspot"]);
    expect(deepOf("thank you!")).toEqual([]);
    expect(deepOf("thank you! #deep")).not.toEqual([]);
  });

  it("a file cannot allow tier 2 through the mark, and off stays off", () => {
    const { run, root } = makePlace({ CI_AUTO_TOOLS: "off" });
    mkdirSync(join(root, "config"));
    writeFileSync(join(root, "config/auto-tools.yaml"), "tier_max: 2\n");
    const document = JSON.parse(run(groundwork, ["try", "--json", "where is priceOf? #deep"]).stdout) as RunDocument;
    expect(document.tool_plan.tools).toEqual([]);
    expect(document.fused_context.for_user.limits_text).not.toContain(TIER2);
  });
});

describe("[K 3] private text is neither analysed nor stored", () => {
  it.each(CLIENT_IDS)("the hook of %s, and what it leaves on disk", async (client) => {
    const { home, askHook } = makePlace({ CI_ORCH_CLIENT_NAME: client });
    const said = await askHook(ASKED);
    expect(said).toContain("src/cart.ts");
    expect(said).not.toContain("customer");
    expect(said).not.toContain(SECRET);
    expect(readAll(home)).not.toContain(SECRET);
    expect(readAll(join(home, "state"))).toContain("priceOf");
  });

  it("a sub-agent's task keeps its text, and only the rest gets evidence", async () => {
    const { askHook } = makePlace();
    const tool_input = { description: "look", prompt: ASKED };
    const payload = { hook_event_name: "PreToolUse", tool_name: "Task", tool_use_id: "1", tool_input };
    const said = await askHook("", {}, payload);
    const { updatedInput } = (JSON.parse(said) as { hookSpecificOutput: { updatedInput: { prompt: string } } })
      .hookSpecificOutput;
    expect(updatedInput.prompt.startsWith(`${ASKED}\n\n`)).toBe(true);
    expect(updatedInput.prompt.slice(ASKED.length)).toContain("src/cart.ts");
    expect(updatedInput.prompt.slice(ASKED.length)).not.toContain(SECRET);
  });

  it("Codex receives what was typed; nothing else does", () => {
    const { run, codex, home } = makePlace();
    const { stdout, stderr } = run(codexAutoDoor, ["--json", ASKED]);
    expect(codex.stdin(1).startsWith(`${ASKED}\n\n[groundwork run `)).toBe(true);
    expect(codex.stdin(1).slice(ASKED.length)).not.toContain(SECRET);
    expect(stdout + stderr).not.toContain(SECRET);
    expect((JSON.parse(stdout.split("\n")[0] ?? "") as RunDocument).inputs.prompt).toBe("who calls priceOf?");
    expect(readAll(home)).not.toContain(SECRET);
  });

  it("the loop's input history omits it", async () => {
    const { root, env, home, codex } = makePlace({ NO_COLOR: "1" });
    await using loop = startOnTerminal([codexAutoDoor], { cwd: root, env });
    await loop.until("codex-auto> ");
    loop.type(`${ASKED}${KEYS.enter}`);
    await loop.until("codex-auto> ");
    loop.type(KEYS.ctrlD);
    await loop.ended;
    expect(codex.stdin(1)).toContain(SECRET);
    expect(readAll(join(home, "state", "codex-auto"))).toBe('"who calls priceOf?"\n');
    expect(readAll(join(home, "state"))).not.toContain(SECRET);
  });

  it("try, explain, enrich and the orchestrator", () => {
    const { run, home } = makePlace();
    const door = join(projectRoot, "hooks/auto-tool-orchestrator.sh");
    const explained = run(groundwork, ["explain", ASKED]).stdout;
    const tried = run(groundwork, ["try", "--json", ASKED]).stdout;
    const asked = run(door, [], JSON.stringify({ prompt: ASKED })).stdout;
    const enriched = run(groundwork, ["enrich", ASKED]).stdout;
    expect(enriched.startsWith(`${ASKED}\n`)).toBe(true);
    for (const said of [explained, tried, asked, enriched.slice(ASKED.length)]) expect(said).not.toContain(SECRET);
    expect(tried).toContain(LIMITS.privateLeftOut().text);
    expect(readAll(home)).not.toContain(SECRET);
  });

  it("runners, tool hooks and another orchestrator do not see it; the marks reach the latter", async () => {
    const { home, askHook } = makePlace();
    mkdirSync(join(home, ".groundwork", "hooks"), { recursive: true, mode: 0o700 });
    const listener = makeListener(home, "exit 1");
    const hooks = JSON.stringify([{ hooks: [{ type: "command", command: listener }] }]);
    writeFileSync(join(home, ".groundwork/hooks/beforeToolCall.json"), hooks);
    writeFileSync(join(home, ".groundwork/hooks/afterToolCall.json"), hooks);
    await askHook(ASKED);
    await askHook(ASKED, { CI_AUTO_TOOLS_RUNNER_CI_SEARCH: listener });
    await askHook(`${ASKED} #deep`, { CI_AUTO_TOOLS_ORCHESTRATOR_PATH: listener });
    const heard = readFileSync(join(home, "heard"), "utf8");
    expect(heard).toContain("CI_TOOL_PROMPT=who calls priceOf?");
    expect(heard).toContain('"prompt":"who calls priceOf? #deep"');
    expect(heard).not.toContain(SECRET);
  });

  it("a prompt that is entirely private counts as empty", () => {
    const { run } = makePlace();
    const { stdout } = run(groundwork, ["try", "--json", `<private>who calls ${SECRET}?`]);
    const { inputs, fused_context } = JSON.parse(stdout) as RunDocument;
    expect(inputs.prompt).toBe("");
    expect(fused_context.for_user.limits_text.split("\n")).toEqual([
      "[Limits] empty prompt",
      `[Limits] ${LIMITS.privateLeftOut().text}`,
    ]);
  });
});
