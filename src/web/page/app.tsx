import type { FunctionComponent, VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { PageState } from "../wire.ts";
import { useLoaded } from "./api.ts";
import { Boundary } from "./boundary.tsx";
import { makeFormat } from "./format.ts";
import { type PageContext, PageValue, usePage } from "./page-context.ts";
import { PARTS, type Part, type Route, toHash, useRoute } from "./router.ts";
import { RunPage } from "./run.tsx";
import { Runs } from "./runs.tsx";
import { Steering } from "./steering.tsx";
import { type Language, TEXTS } from "./texts.ts";
import { useTheme } from "./theme.ts";

/** A part of the page. */
type PartView = FunctionComponent<{ readonly route: Route }>;

/** Less frequently used parts and their drawing libraries are loaded on demand. */
const LATER: Readonly<Record<Exclude<Part, "runs">, () => Promise<PartView>>> = {
  graph: async () => (await import("./graph.tsx")).Graph,
  repository: async () => (await import("./repository.tsx")).Repository,
  value: async () => (await import("./value.tsx")).Value,
  team: async () => (await import("./team.tsx")).Team,
  jobs: async () => (await import("./jobs.tsx")).Jobs,
};

/** Placeholder until the state has been loaded. */
const NO_STATE: PageState = {
  version: "",
  history: "full",
  history_days: 0,
  history_mb: 0,
  off: { everywhere: null, repos: [], damage: "" },
  editor_link: "",
  has_team: false,
  repos: [],
  here: "",
};

/** The whole page. */
export function App({ language }: { readonly language: Language }): VNode {
  const route = useRoute();
  const loaded = useLoaded<PageState>("state");
  const t = TEXTS[language];
  const format = useMemo(() => makeFormat(language), [language]);
  const context: PageContext = { t, format, state: loaded.value ?? NO_STATE, reloadState: loaded.reload };
  const isOut = loaded.error?.status === 401;
  useEffect(() => {
    document.title = `${t.parts[route.part]} · Groundwork`;
  }, [t, route.part]);
  return (
    <PageValue.Provider value={context}>
      <button type="button" class="skip" onClick={skip}>
        {t.skip}
      </button>
      <Head route={route} isKnown={loaded.value !== null} />
      <main id="main" tabIndex={-1}>
        {isOut ? (
          <p class="empty">{t.noToken}</p>
        ) : (
          <Boundary key={`${route.part}/${route.id}`}>
            <PartOf route={route} />
          </Boundary>
        )}
      </main>
    </PageValue.Provider>
  );
}

/** Moves the focus to the content. Not a link, because the URL fragment selects the part shown. */
function skip(): void {
  document.getElementById("main")?.focus();
}

function Head({ route, isKnown }: { readonly route: Route; readonly isKnown: boolean }): VNode {
  const page = usePage();
  const [theme, nextTheme] = useTheme();
  return (
    <header class="head">
      <a class="brand" href={toHash("runs")}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" />
          <path d="M7 22h18M9.5 16.5h13M12 11h8" />
        </svg>
        Groundwork
      </a>
      <nav aria-label={page.t.menu}>
        {PARTS.filter((part) => part !== "team" || page.state.has_team).map((part) => (
          <a key={part} href={toHash(part)} aria-current={route.part === part ? "page" : undefined}>
            {page.t.parts[part]}
          </a>
        ))}
      </nav>
      <div class="head-end">
        {isKnown && <Steering />}
        <button type="button" class="quiet" aria-label={`${page.t.theme}: ${page.t.themes[theme]}`} onClick={nextTheme}>
          <svg class="contrast" viewBox="0 0 16 16" aria-hidden="true">
            <circle cx="8" cy="8" r="6" />
            <path d="M8 2a6 6 0 0 1 0 12z" />
          </svg>
          {page.t.themes[theme]}
        </button>
      </div>
    </header>
  );
}

function PartOf({ route }: { readonly route: Route }): VNode {
  if (route.part === "runs") return route.id === "" ? <Runs route={route} /> : <RunPage id={route.id} />;
  return <Later key={route.part} part={route.part} route={route} />;
}

function Later({ part, route }: { readonly part: keyof typeof LATER; readonly route: Route }): VNode {
  const { t } = usePage();
  const [View, setView] = useState<PartView | null>(null);
  useEffect(() => {
    let isWanted = true;
    LATER[part]().then(
      (view) => isWanted && setView(() => view),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [part]);
  return View === null ? <p class="empty">{t.loading}</p> : <View route={route} />;
}
