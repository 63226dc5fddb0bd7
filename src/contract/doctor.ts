/** Result of a check. Only `fail` makes the whole report not ok: something that was set up does not work. */
export type CheckStatus = "ok" | "warn" | "fail";

/** One check of the doctor. Contract: all keys are always present; `remedy` is empty if nothing is wrong. */
export interface Check {
  readonly group: string;
  readonly name: string;
  readonly status: CheckStatus;
  /** The actual finding. */
  readonly measured: string;
  /** The expected finding. */
  readonly expected: string;
  /** What to do, and where it is documented. */
  readonly remedy: string;
}

/** The output of `groundwork doctor --json`. */
export interface DoctorReport {
  /** True if no check is `fail`. */
  readonly ok: boolean;
  readonly checks: readonly Check[];
}

/** Makes the report of these checks. */
export function toDoctorReport(checks: readonly Check[]): DoctorReport {
  return { ok: checks.every(({ status }) => status !== "fail"), checks };
}
