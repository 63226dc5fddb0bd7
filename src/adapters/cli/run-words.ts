import { basename, dirname } from "node:path";
import { findClient } from "../../contract/clients.ts";
import type { RunOutcome, RunRow } from "../../contract/run-history.ts";
import type { Palette } from "./colour.ts";
import { safeLine } from "./safe-text.ts";

/** Styles of outcomes. */
export const OUTCOME_COLOURS: Readonly<Record<RunOutcome, keyof Palette>> = {
  evidence: "good",
  guess: "warning",
  plan: "accent",
  silent: "faint",
  failed: "bad",
};

/** Number of characters of a key that identify a run. */
const SHORT_CHARS = 6;

/** Short id of a run in lists and hints: the end of its key. */
export function shortId({ key }: Pick<RunRow, "key">): string {
  return safeLine(key).slice(-SHORT_CHARS);
}

/** Who asked, in one word: the client for a hook, otherwise the entry point. */
export function askedBy({ door, client }: Pick<RunRow, "door" | "client">): string {
  return safeLine(door === "hook" ? client : door);
}

/** Who asked, in words. */
export function sayAskedBy({ door, client }: Pick<RunRow, "door" | "client">): string {
  if (door === "hook") return `hook of ${findClient(client)?.title ?? safeLine(client)}`;
  const names = { codex: "codex-auto", cli: "command line", library: "library", mcp: "MCP server" };
  return names[door] ?? safeLine(door);
}

/** Returns a function that names repositories by their folder, with its parent if several have the same name. */
export function nameRepos(repos: Iterable<string>): (repo: string) => string {
  const all = [...new Set(repos)];
  const isShared = (repo: string) => all.filter((other) => basename(other) === basename(repo)).length > 1;
  return (repo) => {
    if (repo === "") return "-";
    return safeLine(isShared(repo) ? `${basename(dirname(repo))}/${basename(repo)}` : basename(repo) || repo);
  };
}

/** A one-line form of a question: its start, or why there is none. */
export function sayQuestion({ prompt, tools, reason }: RunRow): {
  readonly text: string;
  readonly isText: boolean;
} {
  if (prompt !== "") return { text: safeLine(prompt), isText: true };
  return { text: `(${(tools.length === 0 && toReason(reason)) || "its text is not kept"})`, isText: false };
}

/** Text of a limit without the advice. */
export function toReason(limit: string): string {
  return safeLine(limit.split(";")[0] ?? "");
}

/** Formats a number: `12,345`. */
export function toFigure(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}
