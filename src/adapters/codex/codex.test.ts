import { describe, expect, it } from "vitest";
import { LIMITS } from "../../contract/limits.ts";
import { makeEmptyDocument } from "../../orchestrator/document.ts";
import { parseCodexArguments } from "./arguments.ts";
import { enrichPrompt } from "./round.ts";

const empty = makeEmptyDocument({ client: { name: "codex-cli", event: "cli" }, prompt: "", reason: "x", limits: [] });
const withTexts = (context: string, plan: string, unsaid: string) => ({
  unsaid: [LIMITS.quoted(unsaid)],
  document: {
    ...empty,
    run_id: "20260101-000000-abcdef",
    fused_context: {
      for_model: { ...empty.fused_context.for_model, additional_context: context },
      for_user: { tool_plan_text: plan, results_text: "", limits_text: "" },
    },
  },
});

describe("[ATO-CDX-6] the prompt that codex is given", () => {
  it("has the user's words first and untouched, then run id, evidence and limits", () => {
    expect(enrichPrompt("fix  it\n", withTexts("block\n[Limits] a\nend", "[Auto Tools] x", "b"))).toBe(
      "fix  it\n\n\n[groundwork run 20260101-000000-abcdef]\nblock\n[Limits] a\nend\n[Limits] b",
    );
  });

  it("has only the limits if nothing was found", () => {
    expect(enrichPrompt("fix it", withTexts("", "[Auto Tools] x", "nothing"))).toBe(
      "fix it\n\n[groundwork run 20260101-000000-abcdef]\n[Limits] nothing",
    );
  });

  it("is unchanged if nothing was planned", () => {
    expect(enrichPrompt("hello", withTexts("", "", "not code"))).toBe("hello");
  });
});

describe("the command line of codex-auto", () => {
  it("options become variables, the rest is the prompt", () => {
    expect(
      parseCodexArguments([
        "--mode",
        "plan",
        "--dry-run",
        "--session-mode",
        "exec",
        "--json",
        "fix",
        "it",
        "--",
        "--now",
      ]),
    ).toEqual({
      help: false,
      version: false,
      printsDocument: true,
      env: { CI_AUTO_TOOLS_MODE: "plan", CI_AUTO_TOOLS_DRY_RUN: "1", CI_CODEX_SESSION_MODE: "exec" },
      job: null,
      words: ["fix", "it", "--now"],
      error: "",
    });
  });

  it.each([
    [["--mode", "fast"], /--mode takes plan or run/],
    [["--session-mode"], /resume_last or exec/],
    [["--what"], /unknown option --what; put -- before/],
    [["--background"], /needs a prompt/],
    [["--background", "--dry-run", "fix"], /--background goes with --sandbox and --json alone/],
    [["--sandbox", "read-only", "fix"], /--sandbox is for --background/],
    [["--background", "fix", "--sandbox"], /--sandbox takes read-only/],
  ])("%j is refused", (argv, error) => {
    expect(parseCodexArguments(argv).error).toMatch(error);
  });

  it("a job in the background is told what it may do", () => {
    expect(parseCodexArguments(["--background", "--sandbox", "read-only", "--json", "fix", "it"])).toMatchObject({
      job: ["--sandbox", "read-only", "--json"],
      words: ["fix", "it"],
      error: "",
    });
    expect(parseCodexArguments(["--background", "fix"])).toMatchObject({ job: [], error: "" });
  });

  it("a lone dash is standard input", () => {
    expect(parseCodexArguments(["-"])).toMatchObject({ words: ["-"], error: "" });
  });
});
