/** One thing that the installer changes or keeps. */
export interface ReportItem {
  readonly action: "create" | "update" | "remove" | "keep" | "backup";
  readonly path: string;
  /** A short explanation. */
  readonly detail: string;
  /** The change, line by line; the first character is `+`, `-`, `@` or a space. Secrets are hidden. */
  readonly diff?: readonly string[];
}

/** What an installation or removal did, or would do. Contract: plain data, serializable as JSON. */
export interface InstallReport {
  readonly action: "install" | "uninstall";
  /** False for a dry run, and if there was nothing to change. */
  readonly written: boolean;
  /** The outcome in one line. */
  readonly summary: string;
  /** In the order of execution. */
  readonly items: readonly ReportItem[];
  /** What the user should know or do next. */
  readonly notes: readonly string[];
}

/** Formats the report for people. Contract: pure; ends with a newline. */
export function formatReport(report: InstallReport): string {
  const lines = [report.summary];
  for (const item of report.items) {
    lines.push(`  ${item.action.padEnd(6)}  ${item.path}  (${item.detail})`);
    for (const line of item.diff ?? []) lines.push(`          ${line}`.trimEnd());
  }
  for (const note of report.notes) lines.push(`note: ${note}`);
  return `${lines.join("\n")}\n`;
}
