import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { printStatusLine, readStatusFolder, type ShownRun } from "../adapters/hook/status-line.ts";
import { parseQuestion } from "../adapters/resident/question.ts";
import type { Environment } from "../base/environment.ts";
import { historyFolder } from "../config/places.ts";
import { glimpse } from "./glimpse.ts";
import { rootBySight } from "./record-silent.ts";
import type { LastMessage } from "./resident-messages.ts";

/** Data that the status lines are made from. */
interface StatusSources {
  /** Number of files of a repository that is held open; null if it is not. */
  readonly filesOf: (root: string) => number | null;
  /** Requests the last run of a repository; the result arrives through `learn`. */
  readonly lookUp: (message: LastMessage) => void;
}

/** Maximum number of repositories whose last run is cached. */
const MOST = 50;

/**
 * Makes status lines from memory. The history is queried only after it has been written to; the line after that shows
 * the result.
 */
export function makeStatusLines({ filesOf, lookUp }: StatusSources) {
  const runs = new Map<string, { run: ShownRun | null; stamp: string }>();
  const toLine = (env: Environment, root: string) => {
    const known = runs.get(root) ?? { run: null, stamp: "" };
    const stamp = stampOf(env);
    if (stamp !== known.stamp) {
      if (runs.size >= MOST) runs.clear();
      runs.set(root, { ...known, stamp });
      lookUp({ kind: "last", env, root });
    }
    return printStatusLine({ ...glimpse(env, root), files: filesOf(root), last: known.run });
  };
  return {
    /** The line for the body of a request. Contract: never throws; waits for nothing; empty if there is nothing to say. */
    answer: (body: Buffer) => {
      const question = parseQuestion(body);
      if (question === null) return "";
      const { env, payload } = question;
      const root = rootBySight(env, readStatusFolder(payload) ?? env["PWD"] ?? "");
      return root === "" ? "" : toLine(env, root);
    },
    learn: (root: string, run: ShownRun | null) => {
      const known = runs.get(root);
      if (known !== undefined) runs.set(root, { ...known, run });
    },
  };
}

/** A stamp that changes with every write to the history. */
function stampOf(env: Environment): string {
  const folder = historyFolder(env);
  try {
    if (folder === null) return "none";
    return readdirSync(folder)
      .map((name) => `${name}:${lstatSync(join(folder, name)).mtimeMs}`)
      .join(" ");
  } catch {
    return "none";
  }
}
