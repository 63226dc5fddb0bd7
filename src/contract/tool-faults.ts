import { answerNothing, FAULTS, fail } from "./faults.ts";
import { LIMITS } from "./limits.ts";

const WAIT = 'run "groundwork index" and ask again when it is done';

/**
 * Why a tool cannot answer, each with what to do about it. Contract: messages name the tool; no other code words them.
 */
export const TOOL_FAULTS = {
  badInput: (tool: string, key: string, hint?: string) =>
    fail("E_INVALID_ARGS", `${tool}: ${FAULTS.E_INVALID_ARGS.limit} (${key})`, hint),
  noCalls: (tool: string, usesIndex: boolean, damage: string | null) =>
    fail(
      "E_TOOL_UNAVAILABLE",
      `${tool}: the calls of this repository are not known yet${damage === null ? "" : `; ${LIMITS.indexDamaged(damage).text}`}`,
      usesIndex ? WAIT : "the setting index is off; calls come with the index",
    ),
  unknownSymbol: (tool: string, symbol: string, nearest: readonly string[], isComplete: boolean) =>
    answerNothing(
      `${tool}: no symbol ${symbol}${nearest.length === 0 ? "" : `; did you mean ${nearest.join(", ")}?`}`,
      isComplete ? undefined : `the index is not complete yet; ${WAIT}`,
    ),
  unknownFile: (tool: string, path: string, nearest: readonly string[]) =>
    answerNothing(
      `${tool}: ${path} is not a file in the index${nearest.length === 0 ? "" : `; did you mean ${nearest.join(", ")}?`}`,
    ),
  excluded: (tool: string, path: string) => fail("E_REPO_ROOT", `${tool}: ${path}: excluded by the settings`),
  noFunctions: (tool: string, path: string) =>
    answerNothing(`${tool}: ${path} has no functions that can be measured`, "name a file or a folder with code"),
  nothingChanged: (tool: string) =>
    answerNothing(`${tool}: no uncommitted change in a file of code`, "name a symbol or a file"),
  nobodyToAsk: (tool: string) =>
    fail(
      "E_TOOL_UNAVAILABLE",
      `${tool}: nobody to ask: there is no terminal, and the caller offers no way to ask`,
      "decide without an answer, or state what is unknown",
    ),
  noTeam: (tool: string) =>
    fail(
      "E_CONFIG",
      `${tool}: no team's server is named`,
      "set GROUNDWORK_TEAM_URL and GROUNDWORK_TEAM_TOKEN, or ask without other repositories",
    ),
  noCommits: (tool: string) =>
    answerNothing(`${tool}: there is no commit to compare the files with`, "name a symbol or a file"),
} as const;
