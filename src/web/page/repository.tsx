import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { RepositoryView } from "../wire.ts";
import { useLoaded } from "./api.ts";
import { toEditorLink } from "./editor-link.ts";
import { nameOf } from "./format.ts";
import { usePage } from "./page-context.ts";
import { AsTable, Bar, Choice, Empty, Place, Section, SvgLink, Trouble } from "./parts.tsx";
import { VisibleLine } from "./plain.tsx";
import { type Route, toHash } from "./router.ts";
import { wordOf } from "./texts.ts";
import { type Cell, SHADES, toCells } from "./treemap.ts";

/** Shows a repository: its index, its languages, its hotspots and the places that questions were about. */
export function Repository({ route }: { readonly route: Route }): VNode {
  const { t, state } = usePage();
  const repo = route.query.get("repo") ?? (state.here || (state.repos[0] ?? ""));
  const { value, error, isLoading } = useLoaded<RepositoryView>(
    repo === "" ? null : `repository?${new URLSearchParams({ repo })}`,
  );
  return (
    <div class="repository">
      <h1 class="unseen">{t.repository}</h1>
      <div class="filters">
        <Choice
          label={t.repository}
          value={repo}
          options={state.repos.map((one) => [one, nameOf(one)] as const)}
          onChoose={(chosen) => location.replace(toHash("repository", "", { repo: chosen }))}
        />
        {value !== null && <span class="mono note">{value.root}</span>}
      </div>
      {error !== null && <Trouble error={error} />}
      {repo === "" && <Empty>{t.pickRepository}</Empty>}
      {isLoading && repo !== "" && <Empty>{t.loading}</Empty>}
      {value !== null && !isLoading && <Facts view={value} />}
    </div>
  );
}

function Facts({ view }: { readonly view: RepositoryView }): VNode {
  const { t, format } = usePage();
  const { index } = view;
  const phase = index.progress === "building" ? wordOf(t.phases, index.phase) : index.note;
  const written = index.updated_at === null ? "" : t.written(format.dateTime(index.updated_at));
  return (
    <>
      <dl class="figures" data-part="facts">
        <div>
          <dt>{t.index}</dt>
          <dd class={`index-${index.progress}`}>
            {t.progress[index.progress]} <small>{[phase, written].filter(Boolean).join(" · ")}</small>
          </dd>
        </div>
        {(["files", "lines", "symbols"] as const).map((name) => (
          <div key={name}>
            <dt>{t[name]}</dt>
            <dd>{format.number(view[name])}</dd>
          </div>
        ))}
      </dl>
      <Hotspots view={view} />
      <div class="halves">
        <Asked view={view} />
        <div>
          <Languages view={view} />
          <Commits view={view} />
        </div>
      </div>
    </>
  );
}

const WIDTH = 1_160;
const HEIGHT = 360;

function Hotspots({ view }: { readonly view: RepositoryView }): VNode {
  const { t, format } = usePage();
  const cells = useMemo(() => toCells(view.hotspots, WIDTH, HEIGHT), [view]);
  return (
    <Section
      title={t.hotspots}
      aside={
        <span class="heat-legend">
          {view.hotspot_days > 0 ? t.hotspotsOf(view.hotspot_days) : t.hotspotsPlain} <span>{t.cool}</span>
          <svg viewBox={`0 0 ${SHADES * 12} 10`} aria-hidden="true">
            {Array.from({ length: SHADES }, (_, heat) => (
              <rect key={heat} class={`heat-${heat}`} x={heat * 12} width="12" height="10" />
            ))}
          </svg>
          <span>{t.hot}</span>
        </span>
      }
    >
      {cells.length === 0 ? (
        <Empty>{t.noHotspots}</Empty>
      ) : (
        <svg class="treemap" data-part="treemap" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-label={t.hotspots}>
          {cells.map((cell) => (
            <HotCell key={cell.file.path} cell={cell} root={view.root} />
          ))}
        </svg>
      )}
      {cells.length > 0 && (
        <AsTable
          heads={[t.file, t.score, t.commits, t.complexity, t.lines]}
          rows={view.hotspots
            .slice(0, 40)
            .map(({ path, score, commits, complexity, lines }) => [
              <Place key={path} root={view.root} path={path} line={null} />,
              ...[score, commits, complexity, lines].map(format.number),
            ])}
        />
      )}
    </Section>
  );
}

function HotCell({ cell, root }: { readonly cell: Cell; readonly root: string }): VNode {
  const { t, format, state } = usePage();
  const { file, x, y, width, height, heat } = cell;
  const chars = height > 18 ? Math.floor((width - 10) / 6.7) : 0;
  const name = fitName(file.path, chars);
  const said = `${file.path}\n${format.number(file.lines)} ${t.lines}, ${format.number(file.commits)} ${t.commits}, ${t.complexity} ${format.number(file.complexity)}`;
  return (
    <SvgLink class={`cell heat-${heat}`} link={toEditorLink(state.editor_link, root, file.path, null)} label={said}>
      <title>{said}</title>
      <rect x={x} y={y} width={width} height={height} rx="2" />
      {name !== "" && (
        <text x={x + 6} y={y + 15}>
          {name}
        </text>
      )}
      {name !== "" && height > 34 && (
        <text class="cell-more" x={x + 6} y={y + 29}>
          {format.number(file.score)}
        </text>
      )}
    </SvgLink>
  );
}

/** As much of a file's name as fits: with its folder, the name alone, or the beginning of it. */
function fitName(path: string, chars: number): string {
  const long = path.split("/").slice(-2).join("/");
  const short = nameOf(path);
  if (long.length <= chars) return long;
  if (short.length <= chars) return short;
  return chars < 6 ? "" : `${short.slice(0, chars - 1)}…`;
}

function Languages({ view }: { readonly view: RepositoryView }): VNode {
  const { t, format } = usePage();
  const all = Math.max(1, view.lines);
  return (
    <Section title={t.languages}>
      <ul class="counts">
        {view.languages.slice(0, 8).map(({ language, files, lines }) => (
          <li key={language}>
            <span class="count-name">
              <VisibleLine text={language === "" ? t.otherLanguages : language} max={40} />
            </span>
            <Bar share={lines / all} />
            <span class="figure">
              {format.number(lines)} {t.lines}{" "}
              <small>
                {format.number(files)} {t.files}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Asked({ view }: { readonly view: RepositoryView }): VNode {
  const { t, format } = usePage();
  const most = view.asked[0]?.runs ?? 1;
  return (
    <Section title={t.asked} aside={view.asked.length === 0 ? undefined : t.askedOf(format.number(view.asked_runs))}>
      {view.asked.length === 0 && <Empty>{t.noAsked}</Empty>}
      <ol class="counts asked">
        {view.asked.map(({ path, symbol, line, runs }) => (
          <li key={`${path}#${symbol}:${line}`}>
            <span class="count-name">
              <Place root={view.root} path={path} line={line} />{" "}
              {symbol !== "" && (
                <span class="symbol">
                  <VisibleLine text={symbol} max={80} />
                </span>
              )}
            </span>
            <Bar share={runs / most} />
            <span class="figure">{t.timesAsked(format.number(runs))}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Commits({ view }: { readonly view: RepositoryView }): VNode | null {
  const { t, format } = usePage();
  if (view.commits.length === 0) return null;
  return (
    <Section title={t.recent}>
      <ul class="commits">
        {view.commits.map(({ id, time, author, subject }) => (
          <li key={id}>
            <span class="mono">{id.slice(0, 8)}</span>
            <span class="commit-subject">
              <VisibleLine text={subject} max={120} />
            </span>
            <span class="note" title={format.dateTime(time)}>
              <VisibleLine text={author} max={40} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
