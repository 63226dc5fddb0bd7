import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";
import { useColours } from "./theme.ts";

/** One data series of a plot. */
interface PlotSeries {
  readonly label: string;
  /** Name of the CSS variable with its colour. */
  readonly colour: string;
  readonly values: readonly number[];
}

/** Data of a plot with one value per day. */
interface PlotData {
  /** Days as `2026-11-17`. */
  readonly days: readonly string[];
  readonly series: readonly PlotSeries[];
  /** Stacked bars, or lines. */
  readonly kind: "stack" | "lines";
  readonly label: string;
  readonly write: (value: number) => string;
}

const HEIGHT = 190;

/** Draws values per day. The caller shows the same figures in a table, for users who cannot see the plot. */
export function Plot(data: PlotData): VNode {
  const box = useRef<HTMLDivElement>(null);
  const colours = useColours();
  useEffect(() => {
    const place = box.current;
    if (place === null) return;
    const plot = new UPlot(toOptions(data, place), toAligned(data), place);
    const watch = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT }));
    watch.observe(place);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [data.days, data.series, colours]);
  return (
    <figure class="plot">
      <figcaption>
        {data.label}
        {data.series.length > 1 && (
          <ul class="plot-legend">
            {data.series.map(({ label, colour }) => (
              <li key={label} class={`swatch${colour}`}>
                {label}
              </li>
            ))}
          </ul>
        )}
      </figcaption>
      <div ref={box} role="img" aria-label={data.label} class="plot-box" />
    </figure>
  );
}

/**
 * Stacked series become cumulative sums, drawn from the highest down, so that each covers the lower part of the one
 * before.
 */
function toAligned({ days, series, kind }: PlotData): UPlot.AlignedData {
  const x = days.map((_, at) => at);
  const rows = series.map(({ values }) => [...values]);
  if (kind === "stack")
    for (let at = rows.length - 2; at >= 0; at--)
      rows[at] = (rows[at] ?? []).map((value, day) => value + (rows[at + 1]?.[day] ?? 0));
  return [x, ...rows];
}

function toOptions(data: PlotData, place: HTMLElement): UPlot.Options {
  const colour = (name: string) => resolveColour(place, name);
  const font = `11px ${getComputedStyle(place).fontFamily}`;
  const bars = UPlot.paths.bars?.({ size: [0.7, 26] });
  const axis = {
    stroke: colour("--muted"),
    font,
    ticks: { show: false },
    grid: { stroke: colour("--line"), width: 1 },
  };
  return {
    width: place.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: [-0.6, Math.max(data.days.length - 0.4, 0.6)] }, y: { range: toRange } },
    axes: [
      {
        ...axis,
        size: 26,
        gap: 6,
        grid: { show: false },
        splits: () => toSplits(data.days.length),
        values: (_plot, splits) => splits.map((at) => data.days[at]?.slice(5).replace("-", "/") ?? ""),
      },
      { ...axis, size: 58, values: (_plot, splits) => splits.map(data.write) },
    ],
    series: [
      {},
      ...data.series.map(({ label, colour: name }) => ({
        label,
        stroke: colour(name),
        width: data.kind === "lines" ? 2 : 0,
        points: { show: data.kind === "lines" && data.days.length < 3 },
        ...(data.kind === "stack" ? { fill: colour(name), ...(bars === undefined ? {} : { paths: bars }) } : {}),
      })),
    ],
  };
}

/** Resolves a colour of the style sheet in the current theme. */
function resolveColour(place: HTMLElement, name: string): string {
  const probe = place.appendChild(document.createElement("span"));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function toRange(_plot: UPlot, _min: number, max: number): UPlot.Range.MinMax {
  return [0, max <= 0 ? 1 : max * 1.08];
}

/** At most eight days are labelled. */
function toSplits(days: number): number[] {
  const step = Math.max(1, Math.ceil(days / 8));
  return Array.from({ length: Math.ceil(days / step) }, (_, at) => at * step);
}
