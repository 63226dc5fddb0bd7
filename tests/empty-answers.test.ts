import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeCache, codexAutoDoor, hookDoor, projectRoot } from "./support/doors.ts";
import { startMcp } from "./support/mcp-process.ts";
import { SHOP } from "./support/shop-repo.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";

/** A path that does not exist. */
const MISSING = join(makeFolder(), "missing");

const cli = join(projectRoot, "dist", "cli.cjs");
const NOWHERE = "fix zzqqNowhere";

/** A reason for an empty answer: the question, its context, and what every door must report. */
interface Reason {
  readonly prompt: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  /** What a client sends in addition to the prompt. */
  readonly payload?: object;
  readonly says: RegExp;
  /** What the hook tells the person, if that differs; null for nothing. */
  readonly hookSays?: RegExp | null;
  /** What enrich prints, if that differs. */
  readonly enrichSays?: RegExp;
}

const REASONS: Readonly<Record<string, Reason>> = {
  "a file that may hold secrets": {
    prompt: "what is in .env?",
    says: /\.env may hold secrets; its content is not read/,
  },
  "tier 2 refused": {
    prompt: "who calls zzqqNowhere?",
    says: /tier-2 disabled by default; set CI_AUTO_TOOLS_TIER_MAX=2 to enable/,
  },
  "legacy mode": {
    prompt: NOWHERE,
    env: { CI_AUTO_TOOLS_LEGACY: "1" },
    says: /legacy mode enabled; using legacy policy/,
  },
  "settings broken": {
    prompt: NOWHERE,
    files: { "config/auto-tools.yaml": "budget: [\n" },
    says: /configuration invalid: config\/auto-tools\.yaml/,
  },
  "a tool asked for directly": {
    prompt: NOWHERE,
    payload: { tool_calls: [{ tool: "ci_search" }] },
    says: /tool invocation must go through orchestrator/,
  },
  "plan mode": {
    prompt: NOWHERE,
    env: { CI_AUTO_TOOLS_MODE: "plan" },
    says: /planned 3 tools/,
    hookSays: /^groundwork: plan only, 3 tools would run: ci_index_status, ci_search, ci_graph_rag/,
    enrichSays: /^\[Limits\] plan mode; no tool was run$/m,
  },
  "no orchestrator": {
    prompt: NOWHERE,
    env: { CI_AUTO_TOOLS_ORCHESTRATOR_PATH: join(MISSING, "orchestrator") },
    says: /orchestrator unavailable/,
  },
  "a root that is not there": {
    prompt: NOWHERE,
    env: { CI_AUTO_TOOLS_REPO_ROOT: join(MISSING, "root") },
    says: /E_REPO_ROOT: .*\/missing\/root/,
  },
  "nothing found": { prompt: NOWHERE, says: /nothing found/ },
  "switched off": { prompt: NOWHERE, env: { CI_AUTO_TOOLS: "off" }, says: /switched off/, hookSays: null },
  "not about code": { prompt: "thanks, see you tomorrow", says: /not about this repository's code/, hookSays: null },
};

function makePlace({ files = {}, env = {} }: Partial<Reason>) {
  const root = makeFolder({ ...GIT_FILES, ...SHOP, ...files });
  const home = makeFolder({});
  mkdirSync(join(home, "bin"));
  const codex = join(home, "bin", "codex");
  writeFileSync(codex, '#!/bin/sh\ncat >"$HOME/told"\necho answered\nexit 7\n');
  chmodSync(codex, 0o755);
  const all = {
    PATH: `${join(home, "bin")}:${process.env["PATH"]}`,
    HOME: home,
    GROUNDWORK_HOME: join(home, "state"),
    CI_AUTO_TOOLS_INDEX: "off",
    ...codeCache,
    ...env,
  };
  const run = (command: string, args: readonly string[], input = "") =>
    spawnSync(command, args, { cwd: root, env: all, encoding: "utf8", input });
  return { root, home, env: all, run };
}

describe.each(Object.entries(REASONS))("[G A.2] [G A.3] [ATO-FAIL-1] %s", (_, reason) => {
  const { prompt, payload = {}, says, hookSays = says, enrichSays = says } = reason;
  const input = JSON.stringify({ prompt, ...payload });

  it("the hook injects nothing and prints one line for the person", () => {
    const { status, stdout, stderr } = makePlace(reason).run(hookDoor, [], input);
    const { hookSpecificOutput, systemMessage = "" } = JSON.parse(stdout);
    expect([status, stderr, hookSpecificOutput.additionalContext]).toEqual([0, "", ""]);
    if (hookSays === null) expect(systemMessage).toBe("");
    else expect(systemMessage).toMatch(hookSays);
    expect(systemMessage.split("\n")).toHaveLength(1);
  });

  it("the formats text and json", () => {
    const { run } = makePlace(reason);
    expect(run(hookDoor, ["--format", "text"], input).stdout).toMatch(says);
    const document = JSON.parse(run(hookDoor, ["--format", "json"], input).stdout);
    const { tool_plan_text, limits_text } = document.fused_context.for_user;
    expect(`${tool_plan_text}\n${limits_text}`).toMatch(says);
    expect(document.fused_context.for_model.additional_context).toBe("");
  });

  // The other doors take arguments, not a payload.
  if (Object.keys(payload).length > 0) return;

  it("codex-auto still asks Codex, except for a plan", () => {
    const { home, run } = makePlace(reason);
    const { status, stdout, stderr } = run(codexAutoDoor, ["--session-mode", "exec", prompt]);
    const isPlan = reason.env?.["CI_AUTO_TOOLS_MODE"] === "plan";
    expect([status, existsSync(join(home, "told"))]).toEqual(isPlan ? [0, false] : [7, true]);
    expect(isPlan ? stdout : stderr).toMatch(says);
    if (!isPlan) expect(readFileSync(join(home, "told"), "utf8")).toMatch(new RegExp(`^${prompt.replace("?", "\\?")}`));
  });

  it("enrich prints only the prompt; the run and its limits go to standard error", () => {
    const { status, stdout, stderr } = makePlace(reason).run(process.execPath, [cli, "enrich", prompt]);
    expect([status, stdout]).toEqual([0, `${prompt}\n`]);
    expect(stderr).toMatch(/^run_id: (?:plan-|empty-|\d{8}-)/m);
    expect(stderr).toMatch(enrichSays);
  });

  it("try", () => {
    expect(makePlace(reason).run(process.execPath, [cli, "try", prompt]).stdout).toMatch(says);
  });
});

/** Reasons why a call by name returns less, and what every door for such calls must report. */
const CALLS: Readonly<Record<string, Omit<Reason, "prompt"> & { readonly home?: Readonly<Record<string, string>> }>> = {
  "settings broken": { files: { "config/auto-tools.yaml": "budget: [\n" }, says: /config\/auto-tools\.yaml/ },
  "a root that is not there": { env: { CI_AUTO_TOOLS_REPO_ROOT: join(MISSING, "root") }, says: /\/missing\/root/ },
  "a file of hooks that cannot be read": {
    home: { ".groundwork/hooks/beforeToolCall.json": "{" },
    says: /beforeToolCall\.json: not valid JSON; not run/,
  },
};

describe.each(Object.entries(CALLS))(
  "[G A.5] [ATO-FAIL-1] calling a tool by name, %s",
  (_, { home = {}, ...reason }) => {
    const place = makePlace(reason);
    for (const [path, text] of Object.entries(home)) {
      mkdirSync(join(place.home, path, ".."), { recursive: true, mode: 0o700 });
      writeFileSync(join(place.home, path), text);
    }
    const args = { query: "price of an article" };

    it.each([
      ["call", ["call", "ci_search", JSON.stringify(args)]],
      ["call --json", ["call", "ci_search", JSON.stringify(args), "--json"]],
      ["search", ["search", args.query]],
      ["search --json", ["search", args.query, "--json"]],
    ])("%s", (_name, words) => {
      const { stdout, stderr } = place.run(process.execPath, [cli, ...words]);
      expect(`${stdout}${stderr}`).toMatch(reason.says);
      // Output for scripts stays JSON.
      if (words.includes("--json") && stdout !== "") JSON.parse(stdout);
    });

    it("MCP", async () => {
      await using server = startMcp(place.root, place.env);
      const { result } = await server.ask("tools/call", { name: "ci_search", arguments: args });
      expect(JSON.stringify(result)).toMatch(reason.says);
    });

    it("the library", () => {
      const call = { id: "1", type: "function", function: { name: "ci_search", arguments: JSON.stringify(args) } };
      const script = `require(${JSON.stringify(projectRoot)}).executeToolCall(${JSON.stringify(call)}).then((told) => console.log(JSON.stringify(told)))`;
      expect(place.run(process.execPath, ["-e", script]).stdout).toMatch(reason.says);
    });
  },
);
