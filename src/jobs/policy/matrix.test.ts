import { describe, expect, it } from "vitest";
import { APPROVAL_POLICIES, SANDBOX_MODES } from "../../contract/codex-jobs.ts";
import { toLines } from "../../contract/faults.ts";
import { parseVersion } from "../run/codex.ts";
import { decidePolicy, fitToVersion } from "./policy.ts";

/** One combination of a caller's options; null means absent. */
interface Combination {
  readonly sandbox: string | null;
  readonly approval: string | null;
  readonly bypass: boolean;
  readonly fullAuto: boolean;
  readonly allow: string | undefined;
  readonly degrade: string | undefined;
  readonly standard: string | undefined;
}

const combinations: Combination[] = [null, ...SANDBOX_MODES].flatMap((sandbox) =>
  [null, ...APPROVAL_POLICIES].flatMap((approval) =>
    [false, true].flatMap((bypass) =>
      [false, true].flatMap((fullAuto) =>
        [undefined, "0", "1"].flatMap((allow) =>
          [undefined, "0", "1"].flatMap((degrade) =>
            [undefined, "never", "on-request", "untrusted"].map((standard) => ({
              sandbox,
              approval,
              bypass,
              fullAuto,
              allow,
              degrade,
              standard,
            })),
          ),
        ),
      ),
    ),
  ),
);

/** Arguments of a caller, interspersed with others that are unrelated to the policy. */
function wordsOf(said: Omit<Combination, "allow" | "degrade" | "standard">): string[] {
  return [
    ...["--model", "m"],
    ...(said.sandbox === null ? [] : ["--sandbox", said.sandbox]),
    ...(said.bypass ? ["--dangerously-bypass-approvals-and-sandbox"] : []),
    ...["--config", "a.b=1"],
    ...(said.approval === null ? [] : ["--ask-for-approval", said.approval]),
    ...(said.fullAuto ? ["--full-auto"] : []),
    "--json",
  ];
}

/** The contract's rules, stated independently: the emitted arguments, or which refusal applies. */
function expected(said: Combination): readonly string[] | "conflict" | "invalid" {
  if (said.bypass && (said.approval !== null || said.fullAuto)) return "conflict";
  if (said.bypass || said.sandbox !== "danger-full-access") return wordsOf(said);
  const approval = said.approval ?? said.standard ?? "on-request";
  const added = said.approval === null ? ["--ask-for-approval", approval] : [];
  if (approval !== "never") return [...wordsOf(said), ...added];
  if (said.allow === "1")
    return [...wordsOf({ ...said, approval: null, fullAuto: false }), "--dangerously-bypass-approvals-and-sandbox"];
  if (said.degrade === "0") return "invalid";
  return [...wordsOf({ ...said, sandbox: "workspace-write" }), ...added];
}

/** The arguments for a Codex from 0.100 on. */
function expectedToday(args: readonly string[]): readonly string[] {
  const hasSandbox = args.includes("--sandbox");
  return args.flatMap((word) => {
    if (word === "--full-auto") return hasSandbox ? [] : ["--sandbox", "workspace-write"];
    return word === "untrusted" || word === "on-failure" ? ["on-request"] : [word];
  });
}

const FIRST_LINES = { conflict: "错误: 参数冲突", invalid: "错误: 组合无效" };

describe("[CNI-1] [CNI-5] [CNI-6] [CNI-7] the whole matrix of the policy", () => {
  it("contains every combination", () => {
    expect(combinations).toHaveLength(4 * 5 * 2 * 2 * 3 * 3 * 4);
  });

  it.each([
    ["0.166.0", parseVersion("codex-cli 0.166.0")],
    ["0.100.0", parseVersion("codex-cli 0.100.0")],
    ["0.42.0", parseVersion("codex-cli 0.42.0")],
    ["unknown", null],
  ])("yields the contract's arguments with codex %s", (text, version) => {
    const isToday = text.startsWith("0.1");
    for (const said of combinations) {
      const env = {
        ALLOW_DFA_WITH_NEVER: said.allow,
        DFA_DEGRADE_ON_NEVER: said.degrade,
        DEFAULT_APPROVAL_FOR_DFA: said.standard,
      };
      const decision = decidePolicy({ args: wordsOf(said), env });
      const wanted = expected(said);
      const label = JSON.stringify(said);
      if (wanted === "conflict" || wanted === "invalid") {
        expect(decision.ok ? "" : toLines(decision.fault)[0], label).toBe(FIRST_LINES[wanted]);
        continue;
      }
      if (!decision.ok) throw new Error(`${label}: ${decision.fault.message}`);
      expect(decision.value.args, label).toEqual(wanted);
      expect(decision.value.notes.length > 0, label).toBe(
        wanted.join() !== wordsOf(said).join() || (said.bypass && /read|workspace/.test(said.sandbox ?? "")),
      );
      const fitted = fitToVersion(decision.value, version);
      expect(fitted.args, label).toEqual(isToday ? expectedToday(wanted) : wanted);
      expect(fitted.isKnown).toBe(isToday);
      if (fitted.args.join() !== wanted.join() || !isToday)
        expect(fitted.notes.join("\n")).toMatch(/^\[arg-normalize\] /);
    }
  });
});
