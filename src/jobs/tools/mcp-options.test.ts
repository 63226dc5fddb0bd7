import { describe, expect, it } from "vitest";
import { APPROVAL_POLICIES, SANDBOX_MODES } from "../../contract/codex-jobs.ts";
import { toLines } from "../../contract/faults.ts";
import { decidePolicy } from "../policy/policy.ts";
import { parseStartOptions } from "../run/start-options.ts";
import { injectMcpOptions, type McpRunInputs } from "./mcp-options.ts";

const BYPASS = "--dangerously-bypass-approvals-and-sandbox";
const inject = (inputs: Partial<McpRunInputs>) => injectMcpOptions({ args: [], ...inputs });

/** Follows an MCP call to Codex's arguments: options of start.sh, parsed, decided. If refused: the first line. */
function emit(inputs: Partial<McpRunInputs>, env: Readonly<Record<string, string | undefined>> = {}) {
  const options = parseStartOptions(inject(inputs), {});
  if (!options.ok) throw new Error(options.fault.message);
  const decision = decidePolicy({ args: options.value.codexArgs, env });
  return decision.ok ? decision.value.args : toLines(decision.fault)[0];
}

describe("[CNI-12] the sandbox of an MCP call", () => {
  it("is workspace-write if none is named", () => {
    expect(inject({})).toEqual(["--sandbox", "workspace-write"]);
    expect(inject({ args: ["--task", "x"] })).toEqual(["--sandbox", "workspace-write", "--task", "x"]);
    expect(inject({ fullAuto: true })).toEqual(["--sandbox", "workspace-write", "--full-auto"]);
  });

  it.each([
    [{ args: ["--sandbox", "read-only"] }],
    [{ args: ["--sandbox=read-only"] }],
    [{ args: ["--codex-config", "sandbox_mode=read-only"] }],
    [{ args: ["--codex-arg", "-sread-only"] }],
    [{ args: ["--codex-arg", "--sandbox", "--codex-arg", "read-only"] }],
    [{ args: ["--task", "x", "--", "-s", "read-only"] }],
    [{ args: ["--", "--approve-for-me"] }],
    [{ args: ["--unknown-here", "--sandbox", "read-only"] }],
  ])("is the caller's if the arguments name one: %j", ({ args }) => {
    expect(inject({ args })).toEqual(args);
  });

  it("is the caller's if an input or a setting names one", () => {
    expect(inject({ sandbox: "read-only" })).toEqual(["--sandbox", "read-only"]);
    expect(inject({ codexConfig: { sandbox_mode: "read-only" } })).toEqual([
      "--codex-config",
      'sandbox_mode="read-only"',
    ]);
    expect(inject({ sandbox: "read-only", dangerouslyBypass: true })).toEqual(["--sandbox", "read-only", BYPASS]);
  });

  it("[G D.5] is workspace-write if only permissions are named: their names do not tell what they allow", () => {
    const own = ["--codex-config", 'default_permissions="mine"'];
    expect(inject({ codexConfig: { default_permissions: "mine" } })).toEqual(["--sandbox", "workspace-write", ...own]);
    const both = ["--codex-config", "sandbox_mode=read-only", "--", "-c", "default_permissions=x"];
    expect(inject({ args: both })).toEqual(["--sandbox", "workspace-write", ...both]);
    const defined = ["--codex-config", 'permissions.x.filesystem={":root"="write"}'];
    expect(inject({ args: defined })).toEqual(["--sandbox", "workspace-write", ...defined]);
  });

  it("is not taken from a text that only looks like an option", () => {
    for (const text of ["-s read-only", "sandbox_mode=read-only", "--yolo", "--codex-arg --yolo"])
      expect(inject({ args: ["--task", text] }).slice(0, 2)).toEqual(["--sandbox", "workspace-write"]);
    expect(inject({ args: ["-c", "sandbox_mode=danger-full-access"] }).slice(0, 2)).toEqual([
      "--sandbox",
      "workspace-write",
    ]);
  });

  it("two different ones are left for the policy to refuse, two equal ones count as one", () => {
    expect(emit({ sandbox: "read-only", args: ["--sandbox", "workspace-write"] })).toBe("错误: 参数冲突");
    expect(emit({ sandbox: "read-only", args: ["--sandbox", "read-only"] })).toEqual(["--sandbox", "read-only"]);
  });
});

describe("[CNI-13] the bypass", () => {
  it.each([
    [{ dangerouslyBypass: true }, ["--sandbox", "danger-full-access", BYPASS]],
    [{ args: [BYPASS] }, ["--sandbox", "danger-full-access", BYPASS]],
    [{ args: ["--codex-arg", "--yolo"] }, ["--sandbox", "danger-full-access", "--codex-arg", "--yolo"]],
    [{ dangerouslyBypass: true, args: [BYPASS] }, ["--sandbox", "danger-full-access", BYPASS]],
    [{ dangerouslyBypass: false }, ["--sandbox", "workspace-write"]],
  ])("%j implies full access, unless a sandbox is named", (inputs, options) => {
    expect(inject(inputs)).toEqual(options);
  });

  it("[CNI-14] drops approvalPolicy, which is passed on otherwise", () => {
    expect(inject({ approvalPolicy: "never" })).toEqual([
      "--sandbox",
      "workspace-write",
      "--ask-for-approval",
      "never",
    ]);
    expect(emit({ approvalPolicy: "never", dangerouslyBypass: true })).toEqual([
      "--sandbox",
      "danger-full-access",
      BYPASS,
    ]);
    expect(inject({ approvalPolicy: "never", args: [BYPASS] })).toEqual(["--sandbox", "danger-full-access", BYPASS]);
  });

  it("[CNI-5] conflicts with --full-auto or a policy in the arguments", () => {
    expect(emit({ dangerouslyBypass: true, fullAuto: true })).toBe("错误: 参数冲突");
    expect(emit({ dangerouslyBypass: true, args: ["--ask-for-approval", "never"] })).toBe("错误: 参数冲突");
    expect(emit({ dangerouslyBypass: true, preset: "sprint" })).toBe("错误: 参数冲突");
  });
});

describe("[CNI-15] the other inputs", () => {
  it("are passed in the documented order, before the caller's arguments", () => {
    expect(
      inject({
        autoCommitMessage: "done",
        autoCommitOnDone: true,
        requireGitCommit: true,
        requireChangeIn: ["a/**", "b"],
        patchMode: true,
        contextHead: 0,
        compressContext: false,
        carryContext: false,
        preset: "secure",
        codexConfig: { model: 'a "b"\\\n\u007f\ud800', "x.y": 1.5, z: true },
        network: true,
        profile: "ci",
        fullAuto: true,
        approvalPolicy: "on-request",
        sandbox: "read-only",
        args: ["--task", "x", "--", "-m", "m"],
      }),
    ).toEqual([
      ...["--sandbox", "read-only", "--ask-for-approval", "on-request", "--full-auto", "--profile", "ci"],
      ...["--codex-config", "sandbox_workspace_write.network_access=true"],
      ...[
        "--codex-config",
        'model="a \\"b\\"\\\\\\n\\u007f\ufffd"',
        "--codex-config",
        "x.y=1.5",
        "--codex-config",
        "z=true",
      ],
      ...["--preset", "secure", "--no-carry-context", "--no-compress-context", "--context-head", "0", "--patch-mode"],
      ...["--require-change-in", "a/**", "--require-change-in", "b", "--require-git-commit", "--auto-commit-on-done"],
      ...["--auto-commit-message", "done", "--task", "x", "--", "-m", "m"],
    ]);
  });

  it("defaults and false add nothing; a network that is not wanted is switched off", () => {
    const off = { fullAuto: false, patchMode: false, requireGitCommit: false, autoCommitOnDone: false };
    expect(inject({ ...off, carryContext: true, compressContext: true, requireChangeIn: [] })).toEqual(inject({}));
    expect(inject({ network: false })).toContain("sandbox_workspace_write.network_access=false");
  });
});

/** The contract's rules for MCP, stated independently, as arguments of Codex or the first line of the refusal. */
function expected(
  said: {
    readonly sandbox: string | undefined;
    readonly approvalPolicy: string | undefined;
    readonly dangerouslyBypass: boolean;
    readonly fullAuto: boolean;
  },
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] | string {
  const full = said.fullAuto ? ["--full-auto"] : [];
  if (said.dangerouslyBypass)
    return said.fullAuto ? "错误: 参数冲突" : ["--sandbox", said.sandbox ?? "danger-full-access", BYPASS];
  const sandbox = said.sandbox ?? "workspace-write";
  const approval = said.approvalPolicy === undefined ? [] : ["--ask-for-approval", said.approvalPolicy];
  if (sandbox !== "danger-full-access") return ["--sandbox", sandbox, ...approval, ...full];
  const policy = said.approvalPolicy ?? env["DEFAULT_APPROVAL_FOR_DFA"] ?? "on-request";
  const added = said.approvalPolicy === undefined ? ["--ask-for-approval", policy] : [];
  if (policy !== "never") return ["--sandbox", sandbox, ...approval, ...full, ...added];
  if (env["ALLOW_DFA_WITH_NEVER"] === "1") return ["--sandbox", sandbox, BYPASS];
  if (env["DFA_DEGRADE_ON_NEVER"] === "0") return "错误: 组合无效";
  return ["--sandbox", "workspace-write", ...approval, ...full, ...added];
}

describe("[CNI-12] [CNI-13] [CNI-14] the whole matrix over MCP", () => {
  it("yields the contract's arguments", () => {
    let count = 0;
    for (const sandbox of [undefined, ...SANDBOX_MODES])
      for (const approvalPolicy of [undefined, ...APPROVAL_POLICIES])
        for (const dangerouslyBypass of [false, true])
          for (const fullAuto of [false, true])
            for (const ALLOW_DFA_WITH_NEVER of [undefined, "0", "1"])
              for (const DFA_DEGRADE_ON_NEVER of [undefined, "0", "1"])
                for (const DEFAULT_APPROVAL_FOR_DFA of [undefined, "never", "on-request", "untrusted"]) {
                  const said = { sandbox, approvalPolicy, dangerouslyBypass, fullAuto };
                  const env = { ALLOW_DFA_WITH_NEVER, DFA_DEGRADE_ON_NEVER, DEFAULT_APPROVAL_FOR_DFA };
                  expect(emit(said, env), JSON.stringify({ ...said, ...env })).toEqual(expected(said, env));
                  count++;
                }
    expect(count).toBe(2880);
  });
});
