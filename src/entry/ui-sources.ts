import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { findRepoRoot, toRealFolder } from "../base/repo-root.ts";
import { startTimer } from "../base/timers.ts";
import { loadUserSettings } from "../config/load-settings.ts";
import { isCurrent, readOffBook } from "../config/off-book.ts";
import { findHome } from "../config/places.ts";
import type { Settings } from "../config/settings.ts";
import { hasTeamServer, readTeamServer } from "../config/team-server.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { RunRow } from "../contract/run-history.ts";
import { recordOff, recordOn } from "../install/record-off.ts";
import { makeNewRunsReader } from "../run-history/new-runs.ts";
import type { RunHistory } from "../run-history/run-history.ts";
import { fetchTeamStats } from "../team/team-stats.ts";
import type { WebSources } from "../web/sources.ts";
import type { OffView, PurgeRequest } from "../web/wire.ts";
import { openOwnHistory } from "./own-history.ts";
import { makeUiJobs } from "./ui-jobs.ts";
import { readRepository } from "./ui-repository.ts";
import { VERSION } from "./version.ts";

/** Polling interval for new runs while a page listens. */
const LOOK_MS = 700;
const MOST_NEW = 500;
const MINUTE_MS = 60_000;

/** Opens all data sources of the page. */
export async function openUiSources(
  env: Environment,
  folder: string,
): Promise<Outcome<{ readonly sources: WebSources; readonly close: () => void }>> {
  const first = await openOwnHistory(env);
  if (!first.ok) return first;
  const loaded = await loadUserSettings(env);
  if (!loaded.ok) return loaded;
  const held = holdHistory(first.value, () => openOwnHistory(env));
  const { settings } = loaded.value;
  return succeed({ sources: makeUiSources({ env, settings, here: findHere(folder), ...held }), close: held.close });
}

interface HeldHistory {
  /** Queries the history. Contract: throws if it cannot be read; it is then reopened for the next query. */
  readonly read: <T>(ask: (history: RunHistory) => T) => T;
  readonly close: () => void;
}

function holdHistory(first: RunHistory, open: () => Promise<Outcome<RunHistory>>): HeldHistory {
  let held: RunHistory | null = first;
  let isClosed = false;
  const drop = () => {
    try {
      held?.close();
    } catch {
      // The history is broken; it is reopened.
    }
    held = null;
  };
  const reopen = async () => {
    const opened = await open().catch(() => null);
    if (opened?.ok !== true) return;
    if (isClosed || held !== null) opened.value.close();
    else held = opened.value;
  };
  return {
    read: (ask) => {
      try {
        if (held === null) throw new Error("the history cannot be opened");
        held.refresh(systemClock.nowMs());
        return ask(held);
      } catch (thrown) {
        drop();
        void reopen();
        throw thrown;
      }
    },
    close: () => {
      isClosed = true;
      drop();
    },
  };
}

/** The repository that a folder belongs to; empty if there is none. */
function findHere(folder: string): string {
  const real = toRealFolder(folder);
  const found = real === null ? null : findRepoRoot(real);
  return found?.source === "git" ? found.root : "";
}

interface UiParts extends HeldHistory {
  readonly env: Environment;
  readonly settings: Settings;
  readonly here: string;
}

function makeUiSources({ env, settings, here, read }: UiParts): WebSources {
  const listRepos = () => {
    const known = read((history) => history.repos());
    return here === "" || known.includes(here) ? known : [...known, here];
  };
  return {
    state: () => ({
      version: VERSION,
      history: settings.history,
      history_days: settings.historyDays,
      history_mb: settings.historyMb,
      off: readOff(env),
      editor_link: settings.editorLink === "off" ? "" : settings.editorLink,
      has_team: hasTeamServer(env),
      repos: listRepos(),
      here,
    }),
    listRuns: (filter) => read((history) => history.list(filter)),
    countRuns: (filter) => read((history) => history.count(filter)),
    findRun: (id) => read((history) => history.find(id)),
    stats: (filter) => read((history) => history.stats(filter)),
    watchRuns: (onNew) => {
      const findNew = makeNewRunsReader({ silent: true, limit: MOST_NEW });
      return watchRuns(() => read((history) => findNew(history, systemClock.nowMs())), onNew);
    },
    repository: async (root) => (listRepos().includes(root) ? readRepository(root, env, read) : null),
    ...makeUiJobs(env, listRepos),
    teamStats: async (days) => {
      const place = readTeamServer(env);
      return place.ok ? fetchTeamStats(place.value, days) : place;
    },
    switchOff: ({ repo, minutes }) =>
      change(env, listRepos, repo, (request) => recordOff(request, minutes === undefined ? null : minutes * MINUTE_MS)),
    switchOn: ({ repo }) => change(env, listRepos, repo, recordOn),
    purge: (request) => succeed(read((history) => history.purge(toPurge(request)))),
  };
}

function toPurge(request: PurgeRequest): Parameters<RunHistory["purge"]>[0] {
  if ("all" in request) return {};
  return "repo" in request ? { repo: request.repo } : { before_ms: Date.parse(request.before) };
}

/** Polls for new runs. Contract: never throws; what cannot be read now is looked for again. */
function watchRuns(listNew: () => readonly RunRow[], onNew: (rows: readonly RunRow[]) => void): () => void {
  let timer: NodeJS.Timeout;
  const look = () => {
    try {
      onNew(listNew());
    } catch {
      // The history will be reopened.
    }
    timer = startTimer(LOOK_MS, look).unref();
  };
  look();
  return () => clearTimeout(timer);
}

function readOff(env: Environment): OffView {
  const home = findHome(env);
  if (home === null) return { everywhere: null, repos: [], damage: "" };
  const { entries, damage } = readOffBook(home);
  const current = entries.filter((entry) => isCurrent(entry, systemClock.nowMs()));
  const everywhere = current.find(({ root }) => root === null);
  return {
    everywhere: everywhere === undefined ? null : { until: everywhere.until },
    repos: current.flatMap(({ root, until }) => (root === null ? [] : [{ repo: root, until }])),
    damage: damage ?? "",
  };
}

/** Switches the hook on or off. Contract: accepts only repositories that the page itself shows. */
function change(
  env: Environment,
  listRepos: () => readonly string[],
  repo: string | undefined,
  act: (request: Parameters<typeof recordOn>[0]) => Outcome<unknown>,
): Outcome<null> {
  const home = findHome(env);
  if (home === null) return fail("E_CONFIG", "HOME names no folder", "set HOME to your home folder");
  if (repo !== undefined && !listRepos().includes(repo))
    return fail("E_REPO_ROOT", "no runs of this repository are kept");
  const done = act({ home, root: repo ?? null, nowMs: systemClock.nowMs() });
  return done.ok ? succeed(null) : done;
}
