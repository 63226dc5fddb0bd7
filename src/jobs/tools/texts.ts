import type { Fault, FaultCode } from "../../contract/faults.ts";

/** Server name of the tools for Codex jobs; clients' settings and scripts rely on it. */
export const CODEX_SERVER_NAME = "codex-father-mcp";

/** Instructions to a model about these tools as a whole. */
export const CODEX_INSTRUCTIONS =
  "Runs Codex unattended: in the foreground, or as a background job whose state and result are read later. A foreground run ends when its client stops waiting, so start a job for anything that takes minutes. Codex may write inside cwd, without network, unless the call says otherwise.";

/** Error codes by which scripts distinguish errors. */
type CodexErrorCode =
  | "INVALID_ARGUMENT"
  | "LOG_NOT_FOUND"
  | "START_SH_NOT_FOUND"
  | "JOB_SH_NOT_FOUND"
  | "CLI_NON_ZERO_EXIT"
  | "CLI_RUNTIME_ERROR";

/** Returns the error code of a fault, derived if the fault has none. */
export function toErrorCode({ code, detail }: Fault): string {
  if (detail !== undefined) return detail;
  return code === "E_INVALID_ARGS" || code === "E_REPO_ROOT" ? "INVALID_ARGUMENT" : "CLI_RUNTIME_ERROR";
}

function failAs(code: FaultCode, detail: CodexErrorCode, message: string, hint?: string) {
  const fault: Fault = { code, detail, message, ...(hint === undefined ? {} : { hint }) };
  return { ok: false as const, fault };
}

const FOLDER_HINT = "name a folder that is there, or leave cwd out";
const ARG_HINT = "put a long text into a file and name that with --file";
const LOG_HINT = "check jobId and cwd; codex.list shows the jobs of a folder";

/** Faults of calls about Codex, most with a hint. Contract: the only place that words them. */
export const CODEX_FAULTS = {
  badFolder: (folder: string, why: string) =>
    failAs("E_REPO_ROOT", "INVALID_ARGUMENT", `cwd: ${folder}: ${why}`, FOLDER_HINT),
  badArg: (at: number, why: string) => failAs("E_INVALID_ARGS", "INVALID_ARGUMENT", `args.${at}: ${why}`, ARG_HINT),
  noLog: (why: string) => failAs("E_TOOL_UNAVAILABLE", "LOG_NOT_FOUND", `log not found: ${why}`, LOG_HINT),
  noProgram: (variable: "CODEX_START_SH" | "CODEX_JOB_SH", program: string) => {
    const detail = variable === "CODEX_START_SH" ? "START_SH_NOT_FOUND" : "JOB_SH_NOT_FOUND";
    const hint = `check ${variable}, or leave it unset`;
    return failAs("E_TOOL_UNAVAILABLE", detail, `${program} is not an executable file`, hint);
  },
  replaced: (folder: string) =>
    failAs("E_REPO_ROOT", "CLI_RUNTIME_ERROR", `another folder has replaced the session: ${folder}`),
  notStarted: (what: string, why: string) =>
    failAs("E_TOOL_UNAVAILABLE", "CLI_RUNTIME_ERROR", `${what} could not be started: ${why}`),
  ended: (what: string, how: string, said: string) =>
    failAs("E_TOOL_UNAVAILABLE", "CLI_NON_ZERO_EXIT", `${what} ended with ${how}${said === "" ? "" : `: ${said}`}`),
} as const;

/** Adds the prefix of every error of these tools. */
export const CODEX_ERROR = (text: string) => `ERROR: ${text}`;
