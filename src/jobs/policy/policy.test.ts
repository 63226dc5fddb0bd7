import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toLines } from "../../contract/faults.ts";
import { parseVersion } from "../run/codex.ts";
import { splitArgs } from "./args.ts";
import { decidePolicy, fitToVersion } from "./policy.ts";

const BYPASS = "--dangerously-bypass-approvals-and-sandbox";
const CONFLICT = [
  "错误: 参数冲突",
  "- --dangerously-bypass-approvals-and-sandbox 不可与 --ask-for-approval 或 --full-auto 同时使用",
];

type Environment = Readonly<Record<string, string>>;

function decide(args: readonly string[], env: Environment = {}) {
  const decision = decidePolicy({ args, env });
  if (!decision.ok) throw new Error(decision.fault.message);
  return decision.value;
}

function refuse(args: readonly string[], env: Environment = {}): readonly string[] {
  const decision = decidePolicy({ args, env });
  if (decision.ok) throw new Error(`not refused: ${decision.value.args.join(" ")}`);
  return toLines(decision.fault);
}

function wordsToday(args: readonly string[], version = "codex-cli 0.166.0") {
  return fitToVersion(decide(args), parseVersion(version));
}

describe("[CNI-5] the bypass together with an approval policy", () => {
  it.each([
    [[BYPASS, "--ask-for-approval", "never"]],
    [[BYPASS, "--ask-for-approval=on-request"]],
    [["-a", "never", BYPASS]],
    [["-anever", "--yolo"]],
    [["--yolo", "--full-auto"]],
    [["--yolo", "-c", "approval_policy=never"]],
    [["--sandbox", "danger-full-access", BYPASS, "--full-auto"]],
  ])("is refused: %j", (args) => {
    const lines = refuse(args);
    expect(lines.slice(0, 2)).toEqual(CONFLICT);
    expect(lines[2]).toMatch(
      /^Given: .*(?:-a|approv|full-auto).*Either the bypass alone.*--sandbox.*--ask-for-approval/,
    );
  });

  it("is refused whatever the switches are", () => {
    expect(refuse([BYPASS, "-a", "never"], { ALLOW_DFA_WITH_NEVER: "1" }).slice(0, 2)).toEqual(CONFLICT);
  });

  it("passes the bypass alone, without additions", () => {
    expect(decide([BYPASS])).toEqual({
      args: [BYPASS],
      sandbox: "danger-full-access",
      approval: null,
      bypass: true,
      network: false,
      notes: [],
    });
  });

  it("keeps a sandbox next to the bypass and notes that it has no effect", () => {
    const { args, sandbox, notes } = decide(["-s", "read-only", "--yolo"]);
    expect(args).toEqual(["-s", "read-only", "--yolo"]);
    expect(sandbox).toBe("danger-full-access");
    expect(notes).toEqual([
      "[arg-normalize] the bypass wins over --sandbox read-only: Codex runs without sandbox and approvals",
    ]);
  });
});

describe("[CNI-2] [CNI-3] arguments that need no rule pass unchanged", () => {
  it.each([
    [[]],
    [["--sandbox", "read-only", "--ask-for-approval", "never"]],
    [["--sandbox", "workspace-write", "--ask-for-approval", "never"]],
    [["--full-auto"]],
    [["--full-auto", "-s", "read-only"]],
    [["--approve-for-me"]],
    [["--profile", "ci", "a word", "-"]],
    [["-c", "approval_policy={granular={rules=true}}", "-s", "danger-full-access"]],
  ])("%j", (args) => {
    const { args: emitted, notes, bypass } = decide(args);
    expect(emitted).toEqual(args);
    expect(notes).toEqual([]);
    expect(bypass).toBe(false);
  });

  it("nothing is added if no sandbox is named", () => {
    expect(decide([]).sandbox).toBeNull();
  });
});

describe("[CNI-6] full access without an approval policy", () => {
  it.each([
    ["--sandbox danger-full-access"],
    ["--sandbox=danger-full-access"],
    ["-s danger-full-access"],
    ["-sdanger-full-access"],
    ["-s=danger-full-access"],
    ["-c sandbox_mode=danger-full-access"],
    ['-csandbox_mode="danger-full-access"'],
    ["--config=sandbox_mode='danger-full-access'"],
    ["-c sandbox_mode=read-only --config sandbox_mode=danger-full-access"],
    ["-c default_permissions=:danger-full-access"],
    ['-cdefault_permissions=":danger-full-access" -c sandbox_mode=read-only'],
  ])("gets on-request: %s", (line) => {
    const args = line.split(" ");
    const decision = decide(args);
    expect(decision.args).toEqual([...args, "--ask-for-approval", "on-request"]);
    expect(decision).toMatchObject({ sandbox: "danger-full-access", approval: "on-request", bypass: false });
    expect(decision.notes).toEqual([
      "[arg-normalize] --sandbox danger-full-access without an approval policy: added --ask-for-approval on-request",
    ]);
  });

  it("adds nothing if a flag overrides the setting", () => {
    const args = ["-s", "read-only", "-c", "sandbox_mode=danger-full-access"];
    expect(decide(args)).toMatchObject({ args, sandbox: "read-only", notes: [] });
    const permitted = ["-s", "read-only", "-c", 'default_permissions=":danger-full-access"'];
    expect(decide(permitted)).toMatchObject({ args: permitted, sandbox: "read-only", notes: [] });
    const reviewed = ["--approve-for-me", "-c", "sandbox_mode=danger-full-access"];
    expect(decide(reviewed)).toMatchObject({ args: reviewed, sandbox: "workspace-write", approval: "on-request" });
  });

  it("treats an empty variable as unset", () => {
    const env = { DEFAULT_APPROVAL_FOR_DFA: "" };
    expect(decide(["-s", "danger-full-access"], env).args.slice(2)).toEqual(["--ask-for-approval", "on-request"]);
  });

  it("refuses a DEFAULT_APPROVAL_FOR_DFA that is not a policy", () => {
    const args = ["-s", "danger-full-access"];
    expect(decide(args, { DEFAULT_APPROVAL_FOR_DFA: "untrusted" }).args).toEqual([
      ...args,
      "--ask-for-approval",
      "untrusted",
    ]);
    expect(refuse(args, { DEFAULT_APPROVAL_FOR_DFA: "yes" })).toEqual([
      '错误: DEFAULT_APPROVAL_FOR_DFA cannot be "yes"; accepted: untrusted, on-failure, on-request, never',
    ]);
    expect(decide(["-s", "read-only"], { DEFAULT_APPROVAL_FOR_DFA: "yes" }).notes).toEqual([]);
  });

  it("applies the rule for never to a default of never", () => {
    const env = { DEFAULT_APPROVAL_FOR_DFA: "never" };
    const { args, notes } = decide(["-s", "danger-full-access"], env);
    expect(args).toEqual(["-s", "workspace-write", "--ask-for-approval", "never"]);
    expect(notes.join("\n")).toMatch(/DEFAULT_APPROVAL_FOR_DFA.*\n.*lowered to workspace-write/);
    expect(refuse(["-s", "danger-full-access"], { ...env, DFA_DEGRADE_ON_NEVER: "0" })[0]).toBe("错误: 组合无效");
  });
});

describe("[CNI-7] full access with never", () => {
  const args = ["--sandbox", "danger-full-access", "--ask-for-approval", "never"];

  it("ALLOW_DFA_WITH_NEVER=1 adds the bypass and drops what conflicts with it", () => {
    const decision = decide([...args, "--full-auto", "-m", "x"], { ALLOW_DFA_WITH_NEVER: "1" });
    expect(decision.args).toEqual(["--sandbox", "danger-full-access", "-m", "x", BYPASS]);
    expect(decision).toMatchObject({ sandbox: "danger-full-access", approval: null, bypass: true });
    expect(decision.notes.join("\n")).toMatch(
      /^\[arg-normalize\] ALLOW_DFA_WITH_NEVER=1 .*dropped --ask-for-approval never and --full-auto\./,
    );
  });

  it.each(["0", "", "true", "yes", " 1"])("ALLOW_DFA_WITH_NEVER=%j allows nothing", (allow) => {
    expect(decide(args, { ALLOW_DFA_WITH_NEVER: allow }).bypass).toBe(false);
  });

  it("lowers the sandbox wherever it was named, with a note", () => {
    const spelled = [
      "-c",
      'sandbox_mode = "danger-full-access"',
      "-sdanger-full-access",
      "-c",
      "approval_policy=never",
      "--config=default_permissions=:danger-full-access",
    ];
    const { args: emitted, notes, sandbox } = decide(spelled);
    expect(emitted).toEqual([
      "-c",
      "sandbox_mode =workspace-write",
      "-sworkspace-write",
      "-c",
      "approval_policy=never",
      '--config=default_permissions=":workspace"',
    ]);
    expect(sandbox).toBe("workspace-write");
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^\[arg-normalize\] .*lowered to workspace-write/);
  });

  it("lowers to DFA_DEGRADE_TARGET, which cannot be full access", () => {
    expect(decide(args, { DFA_DEGRADE_TARGET: "read-only" }).sandbox).toBe("read-only");
    for (const target of ["danger-full-access", "readonly"])
      expect(refuse(args, { DFA_DEGRADE_TARGET: target })).toEqual([
        `错误: DFA_DEGRADE_TARGET cannot be "${target}"; accepted: read-only, workspace-write`,
      ]);
  });

  it.each(["0", "no", "true"])("DFA_DEGRADE_ON_NEVER=%s: refused, with three alternatives", (degrade) => {
    const lines = refuse(args, { DFA_DEGRADE_ON_NEVER: degrade });
    expect(lines[0]).toBe("错误: 组合无效");
    expect(lines.filter((line) => line.startsWith("- "))).toHaveLength(3);
  });
});

describe("[G D.5] permissions that the arguments define", () => {
  const ALL = 'permissions.x.filesystem={":root"="write"}';
  const COUNT =
    "[arg-normalize] permissions that are defined in arguments count as danger-full-access: --sandbox names less than that";

  it.each([
    [["-c", "default_permissions=x", "-c", ALL]],
    [["--config", ALL, "--config", 'default_permissions="x"', "-c", "sandbox_mode=read-only"]],
    [['-cpermissions={x={filesystem={":root"="write"}}}', "-c", "default_permissions=x"]],
    [["-c", "permissions.x.network.enabled=true"]],
    [["-c", "default_permissions=:read-only", "-c", "default_permissions=x", "-c", ALL]],
  ])("[CNI-6] count as full access: %j gets a policy", (args) => {
    const decision = decide(args);
    expect(decision.args).toEqual([...args, "--ask-for-approval", "on-request"]);
    expect(decision.sandbox).toBe("danger-full-access");
    expect(decision.notes[0]).toBe(COUNT);
    expect(fitToVersion(decision, parseVersion("codex-cli 0.166.0")).notes.join()).toContain("everything runs unasked");
  });

  it("[CNI-7] with never, are lowered, refused, or become the bypass", () => {
    const args = ["-a", "never", "-c", "default_permissions=x", "-m", "m", "-c", ALL];
    const { args: emitted, sandbox, notes } = decide(args);
    expect(emitted).toEqual(["-a", "never", "-m", "m", "--sandbox", "workspace-write"]);
    expect(sandbox).toBe("workspace-write");
    expect(notes).toEqual([COUNT, expect.stringContaining("lowered to workspace-write")]);
    expect(decide(args, { DFA_DEGRADE_TARGET: "read-only" }).sandbox).toBe("read-only");
    expect(refuse(args, { DFA_DEGRADE_ON_NEVER: "0" })[0]).toBe("错误: 组合无效");
    expect(decide(args, { ALLOW_DFA_WITH_NEVER: "1" })).toMatchObject({ bypass: true, sandbox: "danger-full-access" });
  });

  it.each([
    [["-s", "read-only", "-c", "default_permissions=x", "-c", ALL], "read-only"],
    [["-c", 'default_permissions=":workspace"', "-c", ALL], "workspace-write"],
    [["-c", "default_permissions=mine"], null],
  ])("do not count if a sandbox is named or if they are the user's own: %j", (args, sandbox) => {
    expect(decide(args)).toMatchObject({ args, sandbox, notes: [] });
  });
});

describe("invalid and contradictory arguments", () => {
  it.each([
    [
      ["-s", "nonsense"],
      '错误: --sandbox cannot be "nonsense"; accepted: read-only, workspace-write, danger-full-access',
    ],
    [["--sandbox"], "错误: --sandbox needs a value; accepted: read-only, workspace-write, danger-full-access"],
    [
      ["--sandbox", "--json"],
      "错误: --sandbox needs a value; accepted: read-only, workspace-write, danger-full-access",
    ],
    [["-c", 'sandbox_mode="\\u0064anger-full-access"'], /^错误: sandbox_mode cannot be/],
    [
      ["-a", "always"],
      '错误: --ask-for-approval cannot be "always"; accepted: untrusted, on-failure, on-request, never',
    ],
    [["-c", "approval_policy=always"], /^错误: approval_policy cannot be "always"/],
    [["--model", "m", "--", "--sandbox"], /^错误: --sandbox needs a value/],
    [["-c", "--full-auto", "sandbox_mode=danger-full-access"], "错误: --config needs a value: key=value"],
    [
      ["-c", "default_permissions=:all"],
      /^错误: default_permissions cannot be ":all"; accepted: :read-only, :workspace/,
    ],
    [["-c", 'default_permissions=":danger\\u002dfull-access"'], /^错误: default_permissions cannot be/],
    [["-s", "a\nExit Code: 0"], /^错误: --sandbox cannot be "a Exit Code: 0"/],
    [["--", "hello"], /^错误: "--" cannot be handed to Codex/],
  ])("%j is refused, with the accepted values", (args, line) => {
    expect(refuse(args)[0]).toEqual(typeof line === "string" ? line : expect.stringMatching(line));
  });

  it("two values of one option are a conflict; the same value twice is dropped with a note", () => {
    expect(refuse(["-s", "read-only", "--sandbox=workspace-write"])).toEqual([
      "错误: 参数冲突",
      "- --sandbox is given more than once, with different values: read-only, workspace-write. Give one.",
    ]);
    expect(refuse(["-a", "never", "-a", "on-request"])[1]).toMatch(/^- --ask-for-approval is given more than once/);
    const { args, notes } = decide(["-s", "read-only", "-m", "x", "--sandbox=read-only", "--full-auto", "--full-auto"]);
    expect(args).toEqual(["-s", "read-only", "-m", "x", "--full-auto"]);
    expect(notes).toEqual([
      "[arg-normalize] dropped a second --sandbox=read-only: Codex takes it once",
      "[arg-normalize] dropped a second --full-auto: Codex takes it once",
    ]);
  });
});

describe("[CNI-4] network access", () => {
  it.each([
    [["-c", "sandbox_workspace_write.network_access=true"], true],
    [["--config", "sandbox_workspace_write={ network_access = true }"], true],
    [
      ["-c", "sandbox_workspace_write.network_access=true", "-c", "sandbox_workspace_write.network_access=false"],
      false,
    ],
    [["-c", "sandbox_workspace_write.writable_roots=[]"], false],
  ])("%j", (args, network) => {
    expect(decide(args)).toMatchObject({ args, network, notes: [] });
  });

  it("is noted as having no effect under read-only", () => {
    expect(decide(["-s", "read-only", "-c", "sandbox_workspace_write.network_access=true"]).notes).toEqual([
      "[arg-normalize] sandbox_workspace_write.network_access counts under workspace-write alone; the sandbox is read-only",
    ]);
  });
});

describe("[CNI-2] fitting the arguments to the installed Codex", () => {
  it.each([
    [["--full-auto"], ["--sandbox", "workspace-write"], /now --sandbox workspace-write/],
    [
      ["--full-auto", "-c", "default_permissions=mine"],
      ["-c", "default_permissions=mine"],
      /dropped: the sandbox mine/,
    ],
    [["--full-auto", "-s", "read-only"], ["-s", "read-only"], /--full-auto dropped: the sandbox read-only/],
    [["--full-auto", "-c", "sandbox_mode=read-only"], ["-c", "sandbox_mode=read-only"], /--full-auto dropped/],
    [["-a", "untrusted"], ["-a", "on-request"], /untrusted is now on-request/],
    [["-aon-failure"], ["-aon-request"], /on-failure is now on-request/],
    [["-c", 'approval_policy="untrusted"'], ["-c", "approval_policy=on-request"], /untrusted is now on-request/],
    [
      ["-s", "danger-full-access", "-a", "on-request"],
      ["-s", "danger-full-access", "-a", "on-request"],
      /never asks in exec/,
    ],
  ])("%j becomes %j", (given, emitted, note) => {
    const { args, notes, isKnown } = wordsToday(given);
    expect(args).toEqual(emitted);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(note);
    expect(isKnown).toBe(true);
  });

  it("adds no note if nothing changes", () => {
    expect(wordsToday(["-s", "read-only", "-a", "never"]).notes).toEqual([]);
    expect(wordsToday([BYPASS]).notes).toEqual([]);
  });

  it.each([
    ["codex-cli 0.99.9", "[arg-normalize] codex 0.99.9 is older than 0.100: everything is passed as given"],
    ["codex", "[arg-normalize] codex does not report its version: everything is passed as given"],
  ])("%s gets everything unchanged, with a note", (version, note) => {
    const given = ["--full-auto", "-a", "untrusted", "-s", "read-only"];
    expect(wordsToday(given, version)).toEqual({ args: given, notes: [note], isKnown: false });
  });

  it("a major version counts as newer", () => {
    expect(wordsToday(["--full-auto"], "codex-cli 1.0.0").args).toEqual(["--sandbox", "workspace-write"]);
  });
});

const WORDS = {
  policy: [
    ...["--sandbox", "--sandbox=read-only", "-s", "-sdanger-full-access", "read-only", "danger-full-access"],
    ...["workspace-write", "--ask-for-approval", "-a", "-anever", "never", "on-request", "untrusted"],
    ...["--full-auto", "--yolo", BYPASS, "-c", "sandbox_mode=danger-full-access", "approval_policy=never"],
    ...["default_permissions=:danger-full-access", "default_permissions=mine"],
    ...["permissions.mine.network.enabled=true"],
  ],
  other: ["-m", "--model", "gpt", "--json", "-C", "/x", "-", "--add-dir=/y", "a.b=1", "--approve-for-me", "-i", ""],
};
const anyArgs = fc.array(fc.constantFrom(...WORDS.policy, ...WORDS.other), { maxLength: 8 });
const anySwitch = fc.constantFrom("", "0", "1", "never", "on-request", "read-only", "danger-full-access");
const anyEnv = fc.record({
  ALLOW_DFA_WITH_NEVER: anySwitch,
  DFA_DEGRADE_ON_NEVER: anySwitch,
  DEFAULT_APPROVAL_FOR_DFA: anySwitch,
  DFA_DEGRADE_TARGET: anySwitch,
});
const isBypass = (word: string) => word === "--yolo" || word === BYPASS;

describe("[CNI-20] invariants for all arguments", () => {
  it("is idempotent", () => {
    void fc.assert(
      fc.property(anyArgs, anyEnv, (args, env) => {
        const first = decidePolicy({ args, env });
        if (!first.ok) return;
        expect(decide(first.value.args, env).args).toEqual(first.value.args);
        const fitted = fitToVersion(first.value, parseVersion("codex-cli 0.166.0"));
        const again = decide(fitted.args, env);
        expect(again.args).toEqual(fitted.args);
        expect(again.sandbox).toBe(first.value.sandbox);
        expect(decide(splitArgs(fitted.args).globalArgs, env).sandbox).toBe(first.value.sandbox);
      }),
      { numRuns: 5_000 },
    );
  });

  it("has the bypass only if the caller or ALLOW_DFA_WITH_NEVER=1 asks for it", () => {
    void fc.assert(
      fc.property(anyArgs, anyEnv, (args, env) => {
        const decision = decidePolicy({ args, env });
        if (!decision.ok || args.some(isBypass) || env.ALLOW_DFA_WITH_NEVER === "1") return;
        expect(decision.value.bypass).toBe(false);
        expect(decision.value.args.some(isBypass)).toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });

  it("has full access only if the caller named it, and never together with never", () => {
    void fc.assert(
      fc.property(anyArgs, anyEnv, (args, env) => {
        const decision = decidePolicy({ args, env });
        if (!decision.ok || decision.value.sandbox !== "danger-full-access") return;
        const isNamed = (word: string) => /danger-full-access|^permissions\./.test(word) || isBypass(word);
        expect(args.some(isNamed)).toBe(true);
        expect(decision.value.bypass || decision.value.approval !== "never").toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it("neither loses nor moves anything else of the caller's", () => {
    const others = (args: readonly string[]) => args.filter((word) => WORDS.other.includes(word));
    void fc.assert(
      fc.property(anyArgs, anyEnv, (args, env) => {
        const decision = decidePolicy({ args, env });
        if (!decision.ok) return;
        expect(others(decision.value.args)).toEqual(others(args));
        const fitted = fitToVersion(decision.value, parseVersion("codex-cli 0.166.0"));
        expect(others(fitted.args)).toEqual(others(args));
        const { globalArgs, execArgs } = splitArgs(fitted.args);
        expect([...globalArgs, ...execArgs].toSorted()).toEqual(fitted.args.toSorted());
      }),
      { numRuns: 5_000 },
    );
  });
});
