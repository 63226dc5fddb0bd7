import type { Check, CheckStatus } from "../../contract/doctor.ts";

/** Sections of the troubleshooting page that remedies link to, by heading. */
type Section =
  | "the-program-is-not-whole"
  | "node-is-not-found"
  | "the-state-folder-cannot-be-used"
  | "the-disk-is-full"
  | "something-was-left-behind"
  | "the-index-cannot-be-read"
  | "the-base-is-not-used"
  | "settings-cannot-be-read"
  | "it-is-switched-off"
  | "the-repository-wants-more"
  | "the-resident-does-not-answer"
  | "the-history-cannot-be-used"
  | "the-teams-figures-are-not-sent"
  | "the-mcp-server-does-not-answer"
  | "the-client-does-not-answer"
  | "the-client-is-too-old"
  | "the-clients-settings-cannot-be-read"
  | "the-client-runs-no-hooks"
  | "the-hook-leads-nowhere"
  | "the-hook-is-cut-off"
  | "the-hook-does-not-answer"
  | "the-hook-is-not-trusted"
  | "the-hook-is-there-twice"
  | "the-doctor-itself-failed";

/** A check that has not been assigned to a group yet. */
export interface UngroupedCheck extends Omit<Check, "group"> {
  /**
   * Fixes the problem and returns a sentence about what was done. Contract: touches our own files only; never throws.
   */
  readonly mend?: () => string;
}

const PAGE = "docs/troubleshooting.md";

/** Remedy for a problem, with the section that explains it. */
export interface Remedy {
  readonly text: string;
  readonly section: Section;
  readonly mend?: (() => string) | undefined;
}

/** The two ways in which a check can end. */
interface Verdicts {
  /** What was found is as it should be, or merely absent. */
  readonly fine: (measured: string) => UngroupedCheck;
  readonly poor: (status: Exclude<CheckStatus, "ok">, measured: string, remedy: Remedy) => UngroupedCheck;
}

/** Names a check and what it expects; the result says what was found. */
export function checkOf(name: string, expected: string): Verdicts {
  return {
    fine: (measured) => ({ name, status: "ok", measured, expected, remedy: "" }),
    poor: (status, measured, { text, section, mend }) => {
      const found = { name, status, measured, expected, remedy: `${text} (${PAGE}#${section})` };
      return mend === undefined ? found : { ...found, mend };
    },
  };
}
