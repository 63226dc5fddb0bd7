import { extname } from "node:path";
import { systemClock, toIsoSeconds } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { loadSettings } from "../config/load-settings.ts";
import type { Engine } from "../engine/engine.ts";
import { countChurn } from "../engine/history/churn.ts";
import { entryOfEnding } from "../engine/languages.ts";
import type { OpenBudget, Repository } from "../engine/repository.ts";
import type { IndexState } from "../engine/store/index-store.ts";
import { guardOwn } from "../lifecycle/guard.ts";
import { makeGuardPolicy } from "../lifecycle/lifecycle-deps.ts";
import type { RunHistory } from "../run-history/run-history.ts";
import { codeBelow, sumComplexity } from "../tools/measured.ts";
import type { AskedPlace, HotFile, IndexProgress, RepositoryView } from "../web/wire.ts";
import { makeDoorEngine } from "./engine.ts";

/** Time limit for all data about one repository. */
const BUDGET_MS = 6_000;
/** Part of the time limit that measuring files may take. */
const MEASURING_MS = 3_500;
/** Number of days whose commits count, then the maximum numbers of files and commits reported. */
const DAYS = 90;
const MOST_FILES = 150;
const MOST_COMMITS = 6;
/** Number of runs whose findings are counted, and maximum number of places reported. */
const ASKED_RUNS = 200;
const MOST_ASKED = 12;
/** Number of files between two checks of the clock, at which other work gets a turn. */
const BATCH = 40;

/**
 * Collects everything that the page shows of a repository. Contract: builds nothing, and reads no file that is not
 * indexed.
 */
export async function readRepository(
  root: string,
  env: Environment,
  ask: <T>(question: (history: RunHistory) => T) => T,
): Promise<RepositoryView | null> {
  const loaded = await loadSettings({ env, folder: root, bounds: [] });
  if (!loaded.ok) return null;
  const engine = makeDoorEngine(env, { startBuilder: async () => {} });
  const endMs = systemClock.monotonicMs() + BUDGET_MS;
  const budget: OpenBudget = {
    signal: AbortSignal.timeout(BUDGET_MS),
    timeLeftMs: () => endMs - systemClock.monotonicMs(),
    isExcluded: makeGuardPolicy(loaded.value).isExcluded,
    usesIndex: loaded.value.settings.index === "auto",
  };
  try {
    const { name, techStack } = engine.project(root);
    const state = engine.indexState(root, budget);
    const damage = engine.indexDamage(root, budget);
    // Without an index this would have to read every file.
    const repository = state === null ? null : await engine.open(root, budget);
    const commits = await engine.recentCommits(root, budget);
    return {
      root,
      name: guardOwn(name),
      tech_stack: techStack,
      index: {
        progress: judgeProgress(state, damage, repository, budget.usesIndex),
        phase: state?.phase ?? "",
        updated_at: state === null ? null : toIsoSeconds(state.atMs),
        note: damage ?? "",
      },
      ...(repository === null ? NOTHING : await measure(root, engine, repository, budget)),
      ...countAsked(root, ask),
      commits: commits.slice(0, MOST_COMMITS).map(({ id, atMs, author, subject }) => ({
        id: id.slice(0, 12),
        time: toIsoSeconds(atMs),
        author: guardOwn(author),
        subject: guardOwn(subject),
      })),
    };
  } finally {
    engine.close();
  }
}

function judgeProgress(
  state: IndexState | null,
  damage: string | null,
  repository: Repository | null,
  usesIndex: boolean,
): IndexProgress {
  if (!usesIndex) return "off";
  if (damage !== null) return "damaged";
  if (state === null) return "none";
  if (state.phase !== "done") return "building";
  const { updated = 0, unread = 0, removed = 0 } = repository?.coverage ?? {};
  return updated + unread + removed > 0 ? "behind" : "ready";
}

type Measured = Pick<RepositoryView, "files" | "lines" | "symbols" | "languages" | "hotspots" | "hotspot_days">;

const NOTHING: Measured = { files: 0, lines: 0, symbols: 0, languages: [], hotspots: [], hotspot_days: 0 };

async function measure(root: string, engine: Engine, repository: Repository, budget: OpenBudget): Promise<Measured> {
  const { index } = repository;
  const languages = new Map<string, { language: string; files: number; lines: number }>();
  const linesOf = new Map<string, number>();
  let lines = 0;
  for (let file = 0; file < index.fileCount; file++) {
    const path = index.pathOf(file);
    const own = index.lines[file] ?? 0;
    linesOf.set(path, own);
    lines += own;
    const language = entryOfEnding(extname(path).toLowerCase())?.id ?? "";
    const known = languages.get(language) ?? { language, files: 0, lines: 0 };
    languages.set(language, { language, files: known.files + 1, lines: known.lines + own });
  }
  const window = await engine.window(root, DAYS, budget);
  const churn = window === null ? null : countChurn(window);
  const commitsOf = (path: string) => churn?.get(path)?.commits ?? 0;
  // If time runs out, the files that change most have already been measured.
  const files = codeBelow(repository, "").toSorted((a, b) => commitsOf(b) - commitsOf(a));
  const hotspots: HotFile[] = [];
  let symbols = 0;
  const stopMs = systemClock.monotonicMs() + MEASURING_MS;
  for (const [at, path] of files.entries()) {
    if (at % BATCH === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      if (systemClock.monotonicMs() > stopMs) break;
    }
    const own = repository.symbolsOf(path);
    symbols += own.length;
    const complexity = sumComplexity(own);
    if (complexity === 0) continue;
    const commits = commitsOf(path);
    const authors = churn?.get(path)?.authors ?? 0;
    const score = complexity * (churn === null ? 1 : commits);
    hotspots.push({ path, lines: linesOf.get(path) ?? 0, commits, authors, complexity, score });
  }
  hotspots.sort((a, b) => b.score - a.score || b.lines - a.lines || (a.path < b.path ? -1 : 1));
  return {
    files: index.fileCount,
    lines,
    symbols,
    languages: [...languages.values()].sort((a, b) => b.lines - a.lines),
    hotspots: hotspots.slice(0, MOST_FILES),
    hotspot_days: churn === null ? 0 : DAYS,
  };
}

/** The places that the latest runs with evidence named most often. */
function countAsked(
  root: string,
  ask: <T>(question: (history: RunHistory) => T) => T,
): Pick<RepositoryView, "asked" | "asked_runs"> {
  const places = new Map<string, AskedPlace>();
  const rows = ask((history) => history.list({ repo: root, outcome: "evidence", limit: ASKED_RUNS }));
  for (const { key } of rows) {
    const document = ask((history) => history.find(key))?.document;
    const named = new Set<string>();
    for (const { path, symbol, line } of document?.fused_context.for_model.structured.findings ?? []) {
      const id = `${path}#${symbol}`;
      if (path === "" || named.has(id)) continue;
      named.add(id);
      const known = places.get(id);
      // Lines in earlier runs may have moved since; the newest run is read first.
      places.set(id, { path, symbol, line: known?.line ?? line, runs: (known?.runs ?? 0) + 1 });
    }
  }
  const most = [...places.values()].sort((a, b) => b.runs - a.runs || (a.path < b.path ? -1 : 1));
  return { asked: most.slice(0, MOST_ASKED), asked_runs: rows.length };
}
