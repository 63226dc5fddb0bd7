/** How a check came out. `fail` alone makes the whole report not ok: something that was set up does not work. */
export type CheckStatus = "ok" | "warn" | "fail";

/** One thing that the doctor looked at. Contract: every key is there always; `remedy` is empty where nothing is wrong. */
export interface Check {
  readonly group: string;
  readonly name: string;
  readonly status: CheckStatus;
  /** What was found. */
  readonly measured: string;
  /** What should have been found. */
  readonly expected: string;
  /** What to do, and where it is explained. */
  readonly remedy: string;
}

/** What `groundwork doctor --json` prints. */
export interface DoctorReport {
  /** True where no check is `fail`. */
  readonly ok: boolean;
  readonly checks: readonly Check[];
}

/** Puts a report together. */
export function toDoctorReport(checks: readonly Check[]): DoctorReport {
  return { ok: checks.every(({ status }) => status !== "fail"), checks };
}
