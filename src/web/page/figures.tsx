import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { DayStats } from "../../contract/run-history.ts";
import { usePage } from "./page-context.ts";
import { AsTable, Bar, Empty, Section } from "./parts.tsx";
import { VisibleLine } from "./plain.tsx";
import { Plot } from "./plot.tsx";

/** A figure with its label, its value and additional text. */
export type Figure = readonly [label: string, value: string, more: string];

/** Shows figures side by side. */
export function FigureList({ figures }: { readonly figures: readonly Figure[] }): VNode {
  return (
    <dl class="figures" data-part="figures">
      {figures.map(([label, value, more]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value} {more !== "" && <small>{more}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Plots runs, latency and characters per day. */
export function Plots({ days }: { readonly days: readonly DayStats[] }): VNode {
  const { t, format } = usePage();
  const names = useMemo(() => days.map(({ day }) => day), [days]);
  const rows = useMemo(
    () => ({
      runs: [
        { label: t.withEvidence, colour: "--evidence", values: days.map((day) => day.with_evidence) },
        {
          label: t.rest,
          colour: "--guess",
          values: days.map((day) => Math.max(0, day.runs - day.with_evidence - day.silent)),
        },
        { label: t.silentShare, colour: "--silent", values: days.map(({ silent }) => silent) },
      ],
      latency: [
        { label: t.slow, colour: "--guess", values: days.map(({ p95 }) => p95) },
        { label: t.typical, colour: "--accent", values: days.map(({ p50 }) => p50) },
      ],
      chars: [{ label: t.injectedChars, colour: "--accent", values: days.map((day) => day.injected_chars) }],
    }),
    [days, t],
  );
  return (
    <>
      <div class="plots" data-part="plots">
        <Plot days={names} kind="stack" label={t.runsPerDay} series={rows.runs} write={format.number} />
        <Plot days={names} kind="lines" label={t.latencyPerDay} series={rows.latency} write={format.duration} />
        <Plot days={names} kind="stack" label={t.charsPerDay} series={rows.chars} write={format.number} />
      </div>
      <AsTable
        heads={[t.day, t.parts.runs, t.withEvidence, t.silentShare, t.typical, t.slow, t.injectedChars]}
        rows={days.map((day) => [
          day.day,
          ...[day.runs, day.with_evidence, day.silent].map(format.number),
          ...[day.p50, day.p95].map(format.duration),
          format.number(day.injected_chars),
        ])}
      />
    </>
  );
}

/** Maximum number of names listed. */
const MOST = 12;

/** Lists the most frequent names with their counts. */
export function Counts(props: {
  readonly title: string;
  readonly note: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly of: number;
  readonly empty: string;
  /** Additional text for a name; empty if there is none. */
  readonly more?: (name: string) => string;
}): VNode {
  const { format } = usePage();
  const { more = () => "" } = props;
  const shareOf = (count: number) => (props.of === 0 ? 0 : count / props.of);
  const counts = Object.entries(props.counts)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST);
  return (
    <Section title={props.title} aside={props.note === "" ? undefined : props.note}>
      {counts.length === 0 && <Empty>{props.empty}</Empty>}
      <ul class="counts">
        {counts.map(([name, count]) => (
          <li key={name}>
            <span class="count-name">
              <VisibleLine text={name} /> {more(name) !== "" && <small>{more(name)}</small>}
            </span>
            <Bar share={shareOf(count)} />
            <span class="figure">
              {format.number(count)} <small>{format.percent(shareOf(count))}</small>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
