import type { VNode } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { RunList, RunView } from "../wire.ts";
import { useLoaded } from "./api.ts";
import { toEditorLink } from "./editor-link.ts";
import { nameOf } from "./format.ts";
import { type RunGraph, toGraph } from "./graph-data.ts";
import { type Drawing, layOut, type PlacedNode } from "./graph-layout.ts";
import { useView } from "./graph-view.ts";
import { usePage } from "./page-context.ts";
import { Choice, Empty, Place, SvgLink, Trouble } from "./parts.tsx";
import { VisibleLine } from "./plain.tsx";
import { type Route, toHash } from "./router.ts";
import { wordOf } from "./texts.ts";

/** Maximum number of recent runs to choose from. */
const CHOICES = 50;

/** Shows the places of a run and the calls between them. */
export function Graph({ route }: { readonly route: Route }): VNode {
  const { t, format } = usePage();
  const recent = useLoaded<RunList>(`runs?outcome=evidence&limit=${CHOICES}`);
  const id = route.id || (recent.value?.runs[0]?.key ?? "");
  const { value, error } = useLoaded<RunView>(id === "" ? null : `runs/${encodeURIComponent(id)}`);
  const drawn = useMemo(() => (value?.document == null ? null : toGraph(value.document)), [value]);
  const runs = recent.value?.runs ?? [];
  const options: (readonly [string, string])[] = runs.map(({ key, created_at, prompt, run_id, repo }) => [
    key,
    `${format.time(created_at)}  ${(prompt || run_id).slice(0, 90)}  (${nameOf(repo)})`,
  ]);
  const shown = value?.row;
  if (shown !== undefined && !runs.some(({ key }) => key === shown.key))
    options.unshift([shown.key, (shown.prompt || shown.run_id).slice(0, 90)]);
  return (
    <div class="graph-page">
      <h1 class="unseen">{t.graphOf}</h1>
      <div class="filters">
        {options.length > 0 && (
          <Choice
            label={t.graphPick}
            value={shown?.key ?? id}
            options={options}
            onChoose={(key) => location.replace(toHash("graph", key))}
          />
        )}
        {shown !== undefined && <a href={toHash("runs", shown.key)}>{t.openRun}</a>}
      </div>
      {error !== null && <Trouble error={error} />}
      {recent.value !== null && id === "" && <Empty>{t.noRuns}</Empty>}
      {value !== null && (drawn === null || drawn.nodes.length === 0) && <Empty>{t.noGraph}</Empty>}
      {value !== null && drawn !== null && drawn.nodes.length > 0 && (
        <Picture key={value.row.key} graph={drawn} root={value.row.repo} />
      )}
    </div>
  );
}

function Picture({ graph, root }: { readonly graph: RunGraph; readonly root: string }): VNode {
  const { t, format } = usePage();
  const drawing = useMemo(() => layOut(graph), [graph]);
  const box = useRef<HTMLElement>(null);
  const view = useView(box, drawing);
  const [looked, setLooked] = useState<string | null>(null);
  const node = drawing.nodes.find(({ id }) => id === looked) ?? null;
  return (
    <>
      <section class="graph" ref={box} aria-label={t.graphOf} {...view.handlers}>
        <Canvas drawing={drawing} root={root} looked={looked} onLook={setLooked} transform={view.transform} />
        <div class="graph-tools">
          <button type="button" aria-label={t.zoomIn} onClick={() => view.zoom(1.25)}>
            +
          </button>
          <button type="button" aria-label={t.zoomOut} onClick={() => view.zoom(0.8)}>
            −
          </button>
          <button type="button" onClick={view.fit}>
            {t.fit}
          </button>
        </div>
        <ul class="legend">
          {(["target", "finding", "other"] as const).map((role) => (
            <li key={role} class={`legend-${role}`}>
              {wordOf(t.legend, role)}
            </li>
          ))}
        </ul>
      </section>
      <div class="graph-under" aria-live="polite">
        {node === null ? (
          <p class="note">
            {t.graphHelp} {graph.left > 0 && t.graphMore(format.number(graph.left))}
          </p>
        ) : (
          <Looked node={node} graph={graph} root={root} />
        )}
      </div>
    </>
  );
}

function Looked(props: { readonly node: PlacedNode; readonly graph: RunGraph; readonly root: string }): VNode {
  const { t, format } = usePage();
  const { node, graph } = props;
  const callers = graph.edges.filter(({ to }) => to === node.id).length;
  const callees = graph.edges.filter(({ from }) => from === node.id).length;
  return (
    <p>
      <Place root={props.root} path={node.path} line={node.line} />{" "}
      <strong>
        <VisibleLine text={node.symbol} />
      </strong>{" "}
      <span class="note">
        <VisibleLine text={node.summary} /> {t.calls(format.number(callers), format.number(callees))}
      </span>
    </p>
  );
}

function Canvas(props: {
  readonly drawing: Drawing;
  readonly root: string;
  readonly looked: string | null;
  readonly onLook: (id: string | null) => void;
  readonly transform: string;
}): VNode {
  const { t, state } = usePage();
  const { drawing, looked, onLook } = props;
  const near = new Set(
    drawing.edges.filter(({ from, to }) => from === looked || to === looked).flatMap(({ from, to }) => [from, to]),
  );
  const tone = (isLooked: boolean) => (looked === null ? "" : isLooked ? "near" : "far");
  return (
    <svg class="canvas" data-part="graph" aria-label={t.graphOf}>
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0L8 4L0 8z" />
        </marker>
      </defs>
      <g transform={props.transform}>
        {drawing.edges.map(({ from, to, way }) => (
          <path
            key={`${from}\0${to}`}
            class={`edge ${tone(from === looked || to === looked)}`}
            d={way}
            marker-end="url(#arrow)"
          />
        ))}
        {drawing.nodes.map((node) => (
          <NodeLink
            key={node.id}
            node={node}
            tone={tone(node.id === looked || near.has(node.id))}
            link={toEditorLink(state.editor_link, props.root, node.path, node.line)}
            onLook={onLook}
          />
        ))}
      </g>
    </svg>
  );
}

function NodeLink(props: {
  readonly node: PlacedNode;
  readonly tone: string;
  readonly link: string | null;
  readonly onLook: (id: string | null) => void;
}): VNode {
  const { node, link, onLook } = props;
  const look = () => onLook(node.id);
  return (
    <SvgLink
      class={`node node-${node.role} ${props.tone}`}
      link={link}
      label={`${node.symbol || node.path} ${node.path}${node.line === null ? "" : `:${node.line}`}`}
      onLook={look}
      onLeave={() => onLook(null)}
    >
      <rect x={node.x} y={node.y} width={node.width} height={node.height} rx="5" />
      <text class="node-title" x={node.x + 12} y={node.y + 17}>
        {node.title}
      </text>
      <text class="node-under" x={node.x + 12} y={node.y + 31}>
        {node.under}
      </text>
    </SvgLink>
  );
}
