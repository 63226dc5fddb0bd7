import { CLIENTS, type ClientId } from "../contract/clients.ts";

/** A single change that the installer makes, or a file that it keeps. */
export interface ReportItem {
  readonly action: "create" | "update" | "remove" | "keep" | "backup";
  readonly path: string;
  /** Client that the item belongs to; absent if it is shared by all clients. */
  readonly client?: ClientId;
  /** A short explanation. */
  readonly detail: string;
  /** The change, line by line; the first character is `+`, `-`, `@` or a space. Secrets are hidden. */
  readonly diff?: readonly string[];
}

/** Result for one client. */
export interface ClientReport {
  readonly client: ClientId;
  readonly title: string;
  readonly state: "installed" | "removed" | "planned" | "unchanged" | "refused";
  /** Why it was refused; otherwise empty. */
  readonly why: string;
  /** Result of asking the launcher a question; absent if it was not asked. */
  readonly proof?: Proof;
}

/** Answer of a launcher to one question. */
export interface Proof {
  readonly ok: boolean;
  readonly tookMs: number;
  /** One line: what arrived, or what is wrong. */
  readonly says: string;
}

/** Result of an installation or removal, or of its dry run. Contract: plain data, serialisable as JSON. */
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
  readonly clients: readonly ClientReport[];
}

/** Formats the report for people. Contract: pure; ends with a newline. */
export function formatReport(report: InstallReport): string {
  const lines: string[] = [];
  let client: ClientId | undefined;
  for (const item of report.items) {
    if (item.client !== undefined && item.client !== client) lines.push(CLIENTS[item.client].title);
    client = item.client;
    lines.push(`  ${item.action.padEnd(6)}  ${item.path}  (${item.detail})`);
    for (const line of item.diff ?? []) lines.push(`          ${line}`.trimEnd());
  }
  return toText([report.summary, ...lines, ...toEnding(report)]);
}

/** Formats the report for a user who has already seen every change. Contract: as `formatReport`. */
export function formatOutcome(report: InstallReport): string {
  return toText([report.summary, ...toEnding(report)]);
}

function toEnding({ clients, notes }: InstallReport): string[] {
  const told = clients.flatMap(({ title, state, why, proof }) => [
    ...(state === "refused" ? [`${title}: refused: ${why}`] : []),
    ...(proof === undefined ? [] : [`${title}: ${proof.ok ? "asked, and it answered" : "asked, but"} ${proof.says}`]),
  ]);
  return [...told, ...notes.map((note) => `note: ${note}`)];
}

const toText = (lines: readonly string[]) => `${lines.join("\n")}\n`;
