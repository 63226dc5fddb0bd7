/** Every way in which a call or a run can fail. */
export type FaultCode =
  | "E_TIMEOUT"
  | "E_PARSE"
  | "E_TOOL_UNAVAILABLE"
  | "E_BUDGET_EXCEEDED"
  | "E_INVALID_ARGS"
  | "E_REPO_ROOT"
  | "E_SESSION"
  | "E_CONFIG"
  | "E_ORCHESTRATOR"
  | "E_OUTPUT"
  | "E_UNKNOWN";

/** An expected failure, as a value: what happened and what to do about it. */
export interface Fault {
  readonly code: FaultCode;
  /** Code of the caller's own protocol, if that is more specific. */
  readonly detail?: string;
  readonly message: string;
  readonly hint?: string;
  /** The message as whole lines for a terminal, if one line is not enough. */
  readonly lines?: readonly string[];
  /** True if the tool worked but has nothing to report: the subject of the question does not exist here. */
  readonly isAnswer?: boolean;
}

/** A fault in one sentence: what happened, then what to do. */
export function sayFault({ message, hint }: Pick<Fault, "message" | "hint">): string {
  return [message, hint].filter(Boolean).join("; ");
}

/** Either a value or a fault. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: Fault };

interface FaultRow {
  /** Exit code of the json and text formats; the hook envelope always exits 0. */
  readonly exit: ExitCode;
  /** Text of its [Limits] line, without the prefix. */
  readonly limit: string;
  /** What the fault means, for the documentation. */
  readonly about: string;
}

/** Exit codes of the adapters in the json and text formats. */
export type ExitCode = 0 | 10 | 20 | 30 | 40 | 50;

/** The table of faults: code → exit code and limit text. */
export const FAULTS: { readonly [code in FaultCode]: FaultRow } = {
  E_TIMEOUT: {
    exit: 50,
    limit: "tool timeout; degraded to plan-only",
    about: "A tool's own limit or the wall clock ended it.",
  },
  E_PARSE: { exit: 40, limit: "tool output not parsable; skipped", about: "A tool's output could not be read." },
  E_TOOL_UNAVAILABLE: {
    exit: 40,
    limit: "tool unavailable; skipped",
    about: "A tool is missing, not executable, or ended with an error.",
  },
  E_BUDGET_EXCEEDED: {
    exit: 50,
    limit: "budget exceeded; results truncated",
    about: "The rendered text did not fit max_injected_chars.",
  },
  E_INVALID_ARGS: { exit: 40, limit: "args rejected", about: "Arguments that could not be clamped into their range." },
  E_REPO_ROOT: {
    exit: 40,
    limit: "path refused",
    about: "The root or a path is outside the repository or may not be read.",
  },
  E_SESSION: {
    exit: 0,
    limit: "session continuity unavailable; fallback to stateless exec",
    about: "Codex could not resume its session; the round ran in a new one.",
  },
  E_CONFIG: { exit: 20, limit: "configuration invalid", about: "A settings file or variable cannot be read." },
  E_ORCHESTRATOR: {
    exit: 10,
    limit: "orchestrator unavailable",
    about: "The orchestrator is missing, not executable, or did not answer.",
  },
  E_OUTPUT: {
    exit: 30,
    limit: "orchestrator output invalid; fallback to empty context",
    about: "The orchestrator's output is not a run document.",
  },
  E_UNKNOWN: { exit: 40, limit: "unexpected error; skipped", about: "Anything else." },
};

type Failure = Extract<Outcome<never>, { readonly ok: false }>;

/** Makes a fault outcome. */
export function fail(code: FaultCode, message: string, hint?: string): Failure {
  return { ok: false, fault: hint === undefined ? { code, message } : { code, message, hint } };
}

/** Makes a fault for a tool that worked but found that the subject of the question does not exist here. */
export function answerNothing(message: string, hint?: string): Failure {
  const { fault } = fail("E_INVALID_ARGS", message, hint);
  return { ok: false, fault: { ...fault, isAnswer: true } };
}

/** Makes a fault for a request that is refused before anything is done. Contract: `lines` are worded for a terminal. */
export function refuse(...lines: readonly string[]): Failure {
  return { ok: false, fault: { code: "E_INVALID_ARGS", message: lines.join("\n"), lines } };
}

/** Lines that a terminal shows for a fault. */
export function toLines({ lines, message }: Fault): readonly string[] {
  return lines ?? [message];
}

/** Makes a success outcome. */
export function succeed<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** The exit code of a run with these faults: the highest one, so that 50 wins over 40. */
export function toExitCode(codes: readonly FaultCode[]): ExitCode {
  return Math.max(0, ...codes.map((code) => FAULTS[code].exit)) as ExitCode;
}
