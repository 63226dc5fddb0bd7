import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { DAY_MS } from "../../base/duration.ts";
import { RUN_DOORS, RUN_OUTCOMES, type RunRow } from "../../contract/run-history.ts";
import type { RunList } from "../wire.ts";
import { ApiError, getJson, listenToRuns } from "./api.ts";
import { dayOf, nameOf } from "./format.ts";
import { usePage } from "./page-context.ts";
import { Choice, Empty, Outcome, Trouble } from "./parts.tsx";
import { VisibleLine } from "./plain.tsx";
import { parseRoute, type Route, toHash } from "./router.ts";
import { wordOf } from "./texts.ts";

/** Number of runs per request. */
const PAGE = 100;
const FILTERS = ["repo", "door", "intent", "outcome", "text", "silent"] as const;
type FilterName = (typeof FILTERS)[number];

interface Held {
  readonly runs: readonly RunRow[];
  readonly total: number;
  /** Keys of runs that arrived while the list was open. */
  readonly fresh: ReadonlySet<string>;
}

/** The list of runs, updated live. */
export function Runs({ route }: { readonly route: Route }): VNode {
  const { t, format } = usePage();
  const [held, setHeld] = useState<Held | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [isLive, setLive] = useState(true);
  const filter = filterOf(route);
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== "")).toString();
  const asking = useRef<AbortController | null>(null);

  const read = async (before: string) => {
    asking.current?.abort();
    const own = new AbortController();
    asking.current = own;
    const next = before === "" ? "" : `&before=${encodeURIComponent(before)}`;
    try {
      const got = await getJson<RunList>(`runs?${query}&limit=${PAGE}${next}`, own.signal);
      if (own.signal.aborted) return;
      setError(null);
      setHeld((last) =>
        before === "" || last === null
          ? { ...got, fresh: new Set() }
          : { ...last, runs: [...last.runs, ...got.runs], total: got.total },
      );
    } catch (thrown) {
      if (!own.signal.aborted && thrown instanceof ApiError) setError(thrown);
    }
  };

  // As early as possible, because the user is waiting for the list.
  useLayoutEffect(() => {
    void read("");
    let opened = 0;
    const end = new AbortController();
    const stop = listenToRuns(
      // Only the server can apply the filter, so the newest runs are requested again.
      () => void refresh(query, end.signal, setHeld),
      () => {
        setLive(true);
        opened++;
        // Fetches the runs that arrived while the connection was lost.
        if (opened > 1) void refresh(query, end.signal, setHeld);
      },
      () => setLive(false),
    );
    return () => {
      stop();
      end.abort();
      asking.current?.abort();
    };
  }, [query]);

  // Uses the current address, which may be ahead of what is rendered.
  const choose = (name: FilterName, value: string) =>
    location.replace(toHash("runs", "", { ...filterOf(parseRoute(location.hash)), [name]: value }));
  const isFiltered = query !== "";
  return (
    <div class="runs">
      <Filters filter={filter} onChoose={choose} />
      <p class="list-head" role="status">
        <span>{held === null ? "" : t.runsFound(format.number(held.total))}</span>
        {isFiltered && (
          <a class="link" href={toHash("runs")}>
            {t.clearFilters}
          </a>
        )}
        <span class={isLive ? "live" : "live lost"}>{isLive ? t.live : t.lost}</span>
      </p>
      {error !== null && <Trouble error={error} />}
      {held !== null && held.runs.length === 0 && error === null && <Empty>{isFiltered ? t.noMatch : t.noRuns}</Empty>}
      {held !== null && <RunRows held={held} />}
      {held !== null && held.runs.length < held.total && held.runs.length > 0 && (
        <More key={held.runs.length} onWanted={() => void read(held.runs.at(-1)?.key ?? "")} />
      )}
    </div>
  );
}

type Filter = Readonly<Record<FilterName, string>>;

const filterOf = ({ query }: Route): Filter =>
  Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""])) as Filter;

/** Adds new runs in front of those already held. */
async function refresh(
  query: string,
  signal: AbortSignal,
  setHeld: (change: (last: Held | null) => Held | null) => void,
): Promise<void> {
  try {
    const got = await getJson<RunList>(`runs?${query}&limit=${PAGE}`, signal);
    if (signal.aborted) return;
    setHeld((last) => {
      const known = new Set(last?.runs.map(({ key }) => key));
      const fresh = got.runs.filter(({ key }) => !known.has(key));
      // More runs arrived than one request returns, so those in between are unknown.
      if (fresh.length === PAGE) return { ...got, fresh: new Set() };
      return {
        runs: [...fresh, ...(last?.runs ?? [])],
        total: got.total,
        fresh: new Set([...(last?.fresh ?? []), ...fresh.map(({ key }) => key)]),
      };
    });
  } catch {
    // The next refresh fetches these runs too.
  }
}

const INTENTS = ["debug", "refactor", "docs", "test", "explore", "feature", "none"] as const;

function Filters(props: {
  readonly filter: Filter;
  readonly onChoose: (name: FilterName, value: string) => void;
}): VNode {
  const { t, state } = usePage();
  const { filter, onChoose } = props;
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      search.current?.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  // Set outside of rendering: a render that comes after the next key press would undo it.
  useLayoutEffect(() => {
    if (search.current !== null) search.current.value = filterOf(parseRoute(location.hash)).text;
  }, [filter.text]);
  const words = (values: readonly string[], table: Readonly<Record<string, string>>) =>
    [["", t.any] as const, ...values.map((value) => [value, wordOf(table, value)] as const)] as const;
  const repos: (readonly [string, string])[] = state.repos.map((repo) => [repo, nameOf(repo)]);
  if (filter.repo !== "" && !state.repos.includes(filter.repo)) repos.push([filter.repo, nameOf(filter.repo)]);
  return (
    <search class="filters">
      <label class="search">
        <span class="unseen">{t.search}</span>
        <input
          ref={search}
          type="search"
          placeholder={t.search}
          aria-keyshortcuts="/"
          onInput={(event) => onChoose("text", event.currentTarget.value)}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
      </label>
      <Choice
        label={t.repository}
        value={filter.repo}
        options={[["", t.allRepositories], ...repos]}
        onChoose={(value) => onChoose("repo", value)}
      />
      <Choice
        label={t.outcome}
        value={filter.outcome}
        options={words(RUN_OUTCOMES, t.outcomes)}
        onChoose={(value) => onChoose("outcome", value)}
      />
      <Choice
        label={t.intent}
        value={filter.intent}
        options={words(INTENTS, t.intents)}
        onChoose={(value) => onChoose("intent", value)}
      />
      <Choice
        label={t.door}
        value={filter.door}
        options={words(RUN_DOORS, t.doors)}
        onChoose={(value) => onChoose("door", value)}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={filter.silent === "1"}
          onChange={(event) => onChoose("silent", event.currentTarget.checked ? "1" : "")}
        />
        {t.silentToo}
      </label>
    </search>
  );
}

function RunRows({ held }: { readonly held: Held }): VNode {
  const { t, format } = usePage();
  const today = dayOf(new Date().toISOString());
  const yesterday = dayOf(new Date(Date.now() - DAY_MS).toISOString());
  const days = new Map<string, RunRow[]>();
  for (const row of held.runs) {
    const day = dayOf(row.created_at);
    const known = days.get(day);
    if (known === undefined) days.set(day, [row]);
    else known.push(row);
  }
  const sayDay = (day: string) =>
    day === today ? t.today : day === yesterday ? t.yesterday : format.day(`${day}T12:00:00`);
  return (
    <>
      {[...days].map(([day, runs]) => (
        <section key={day} class="day">
          <h2>{sayDay(day)}</h2>
          <ul class="run-list">
            {runs.map((row) => (
              <RunItem key={row.key} row={row} isFresh={held.fresh.has(row.key)} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function RunItem({ row, isFresh }: { readonly row: RunRow; readonly isFresh: boolean }): VNode {
  const { t, format } = usePage();
  return (
    <li>
      <a
        class={isFresh ? "run fresh" : "run"}
        href={toHash("runs", row.key)}
        data-run={row.run_id}
        onKeyDown={walkRows}
      >
        <time dateTime={row.created_at}>{format.time(row.created_at)}</time>
        <span class="run-what">
          <span class={row.prompt === "" ? "run-prompt none" : "run-prompt"}>
            {/* The reason for a silent run is more useful than the note that no text is kept. */}
            <VisibleLine text={row.prompt || row.reason || t.noText} />
          </span>
          <span class="run-from">
            <span class="run-repo" title={row.repo}>
              <VisibleLine text={row.repo === "" ? t.unknownRepository : nameOf(row.repo)} max={60} />
            </span>
            <span class="mono">{row.run_id}</span>
            <span>
              <VisibleLine text={row.client} max={40} />
              {row.door === "hook" ? "" : ` · ${wordOf(t.doors, row.door)}`}
            </span>
            {row.verdict !== null && <span>{wordOf(t.verdicts, row.verdict)}</span>}
          </span>
        </span>
        <span class="run-intent">{row.intent === "none" ? "" : wordOf(t.intents, row.intent)}</span>
        <Outcome outcome={row.outcome} />
        <span class="run-chars">
          {row.injected_chars === 0 ? "–" : `${format.number(row.injected_chars)} ${t.chars}`}
        </span>
        <span class="run-ms">{format.duration(row.duration_ms)}</span>
      </a>
    </li>
  );
}

/** Arrow keys move the focus between runs. */
function walkRows(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLElement)) return;
  const rows = [...document.querySelectorAll<HTMLElement>("a.run")];
  const next = rows[rows.indexOf(event.target) + step];
  if (!rows.includes(event.target) || next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** Requests more runs as soon as it becomes visible or is pressed. */
function More({ onWanted }: { readonly onWanted: () => void }): VNode {
  const { t } = usePage();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (button.current === null) return;
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        watch.disconnect();
        onWanted();
      },
      { rootMargin: "600px" },
    );
    watch.observe(button.current);
    return () => watch.disconnect();
  }, []);
  return (
    <button ref={button} type="button" class="more" onClick={onWanted}>
      {t.more}
    </button>
  );
}
