import { resolve } from "node:path";
import { shortId } from "../adapters/cli/run-words.ts";
import { safeLine } from "../adapters/cli/safe-text.ts";
import { systemClock } from "../base/clock.ts";
import { findNearest } from "../base/edit-distance.ts";
import { MOMENT_FORM, parseMoment } from "../base/moment.ts";
import { findRepoRoot, toRealFolder } from "../base/repo-root.ts";
import { loadSettings } from "../config/load-settings.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { RunDetail, RunFilter } from "../contract/run-history.ts";
import type { RunHistory } from "../run-history/run-history.ts";
import { toHistoryFault } from "../run-history/store.ts";
import { openOwnHistory } from "./own-history.ts";
import { failed, type Printed } from "./printed.ts";
import { workingFolder, writeAll } from "./process.ts";
import { rootBySight } from "./record-silent.ts";

/**
 * Runs `work` with the history. Contract: closes it afterwards; a broken or locked store is reported as a fault, never
 * thrown.
 */
export async function withHistory<T>(work: (history: RunHistory) => T | Promise<T>): Promise<T | Printed> {
  const opened = await openOwnHistory(process.env);
  if (!opened.ok) return failed(opened.fault);
  try {
    return await work(opened.value);
  } catch (thrown) {
    return failed(toHistoryFault(thrown).fault);
  } finally {
    opened.value.close();
  }
}

/** Reports that there is no such run: message on standard error, exit code 1. */
export function sayNone(message: string): Printed {
  writeAll(2, `groundwork: ${safeLine(message)}\n`);
  return { text: "", exitCode: 1 };
}

/** The runs that the options of a command select. Contract: a repository that is gone may be named while runs of it are kept. */
export function readSelection(
  { repo, since, before }: { readonly [option in "repo" | "since" | "before"]?: string | undefined },
  history: RunHistory,
): Outcome<Pick<RunFilter, "repo" | "since_ms" | "before_ms">> {
  const root = repo === undefined ? succeed(undefined) : readRepo(repo, history);
  if (!root.ok) return root;
  const from = readMoment("--since", since);
  if (!from.ok) return from;
  const until = readMoment("--before", before);
  return until.ok ? succeed({ repo: root.value, since_ms: from.value, before_ms: until.value }) : until;
}

function readRepo(named: string, history: RunHistory): Outcome<string> {
  const path = resolve(named);
  const folder = toRealFolder(path);
  if (folder !== null) return succeed(findRepoRoot(folder).root);
  if (history.repos().includes(path)) return succeed(path);
  return fail("E_INVALID_ARGS", `--repo ${safeLine(named)} is not a folder, and no runs of it are kept`);
}

function readMoment(option: string, text: string | undefined): Outcome<number | undefined> {
  if (text === undefined) return succeed(undefined);
  const ms = parseMoment(text, systemClock.nowMs());
  return ms === null ? fail("E_INVALID_ARGS", `${option} takes ${MOMENT_FORM}`) : succeed(ms);
}

/** Maximum number of runs searched for a similar id. */
const MOST_LOOKED_AT = 500;

/** The run that a user means: by id, or the last one with evidence, preferably of the current repository. */
export function findRun(history: RunHistory, id: string, repo?: string): Outcome<RunDetail> {
  const none = (message: string, hint: string) => fail("E_INVALID_ARGS", message, hint);
  if (id !== "last") {
    const found = history.find(id);
    if (found !== null) return succeed(found);
    const rows = history.list({ silent: true, limit: MOST_LOOKED_AT });
    const nearest = findNearest(
      id,
      rows.flatMap((row) => [row.run_id, shortId(row)]),
    );
    const meant = nearest === "" ? "" : `did you mean ${nearest}? `;
    return none(`no run ${id} is kept`, `${meant}"groundwork runs --silent" lists all`);
  }
  const hint = '"groundwork runs --silent" lists what else there is';
  if (repo !== undefined) {
    const found = history.find("last", repo);
    return found === null ? none(`no run with evidence is kept of ${repo}`, hint) : succeed(found);
  }
  const here = rootBySight(process.env, workingFolder());
  const own = here === "" ? null : history.find("last", here);
  const found = own ?? history.find("last");
  if (found === null) return none("no run with evidence is kept", hint);
  if (own === null && here !== "" && findRepoRoot(here).source === "git")
    writeAll(2, "groundwork: no run with evidence is kept of this repository; this is the newest of all\n");
  return succeed(found);
}

/** Message for an empty history. */
export async function sayEmpty(): Promise<string> {
  const loaded = await loadSettings({ env: process.env, folder: workingFolder() || "/", bounds: [] });
  if (loaded.ok && loaded.value.settings.history === "off")
    return `No runs are kept: history is off (${loaded.value.origins.history}). See docs/configuration.md.\n`;
  return [
    "No runs are kept yet. Every prompt that a client sends through Groundwork makes one:\n",
    "  groundwork install                            puts the hook into your clients\n",
    '  groundwork try "where is the tax computed?"   makes one right now\n',
  ].join("");
}
