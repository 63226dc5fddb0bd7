import { toOneLine } from "../../base/text.ts";
import type { Trust } from "../../config/trust.ts";
import type { TrustedRepository } from "../../config/trust-book.ts";
import { isWithHooks, type TrustPlan } from "../../config/trust-plan.ts";
import { toLimitTexts } from "../../contract/limits.ts";
import { guardLimits, guardOwn } from "../../lifecycle/guard.ts";
import { defang } from "../../safety/defang/defang.ts";
import { table } from "./layout.ts";

/** Never wraps lines, so that hashes can be compared. */
const columns = (rows: readonly (readonly string[])[]) => table(rows, { width: null });

/** Short description of a repository's trust state. */
export function describeTrust(trust: Trust): string {
  if (trust.kind === "trusted") return `trusted since ${trust.since}`;
  if (trust.kind === "changed") return `changed since you trusted it at ${trust.since}; it only narrows`;
  return trust.kind === "damaged" ? `nothing is trusted: ${trust.why}` : "not trusted; it only narrows";
}

/** The effects of trusting a repository, as data. Contract: content of the repository's files is sanitised. */
export function explainTrustPlan({ root, trust, files, changes, refused, commands }: TrustPlan) {
  return {
    root,
    trust,
    files,
    changes: guardOwn(changes),
    refused: toLimitTexts(guardLimits(refused)),
    commands: guardOwn(commands),
  };
}

/** The same for people: the files with their hashes, and in plain words what would change. */
export function printTrustPlan(plan: TrustPlan): string {
  const { root, files, changes, refused, commands } = explainTrustPlan(plan);
  const unpinned = [...new Set(commands.flatMap((own) => own.unpinned))];
  const rows = changes.map(({ key, from, to }) => [`  ${key}`, `${showValue(from)} -> ${showValue(to)}`]);
  const parts = [
    `Repository: ${toLine(root)} (${describeTrust(plan.trust)})`,
    `Files, with their SHA-256:\n${columns(files.map(({ path, sha256 }) => [`  ${path}`, sha256]))}`,
    rows.length === 0
      ? "No setting would change."
      : `Would change for every question in this repository:\n${columns(rows)}`,
    isWithHooks(plan) ? "The hook files among them can name programs to run; trusted, they count like your own." : "",
    commands.length === 0
      ? ""
      : `Would run around tool calls:\n${commands.map(({ file, command }) => `  ${toLine(file)}: ${toLine(command)}`).join("\n")}`,
    unpinned.length === 0
      ? ""
      : `Not pinned, and may change later without asking you again: ${unpinned.map(toLine).join(", ")}`,
    refused.length === 0 ? "" : `Refused all the same:\n${refused.map((limit) => `  ${toOneLine(limit)}`).join("\n")}`,
    "Any change of these files, and any file added to them, undoes the trust.",
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** Lists all trusted repositories. */
export function printTrustList(repositories: readonly { repository: TrustedRepository; state: string }[]): string {
  if (repositories.length === 0) return "No repository is trusted.\n";
  return repositories
    .map(({ repository: { root, files }, state }) => {
      const rows = files.map(({ path, sha256 }) => [`  ${toLine(path)}`, sha256]);
      return `${toLine(root)} (${state})\n${columns(rows)}\n`;
    })
    .join("\n");
}

/** Sanitises a path for display on a terminal. */
export function toLine(path: string): string {
  return toOneLine(defang(path));
}

/** Formats the value of a setting in one line. */
export function showValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "(none)" : toOneLine(value.join(", "));
  return value === "" ? "(none)" : toOneLine(String(value));
}
