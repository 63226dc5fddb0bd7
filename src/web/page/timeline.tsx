import type { VNode } from "preact";
import type { Stage, TimelinePart } from "../../contract/run-history.ts";
import type { RunView } from "../wire.ts";
import { usePage } from "./page-context.ts";
import { Bar, Empty, Section } from "./parts.tsx";
import { VisibleLine } from "./plain.tsx";
import { wordOf } from "./texts.ts";

/** Shows the stages and tools of a run over time, and its duration relative to the budget. */
export function Timeline({ view }: { readonly view: RunView }): VNode {
  const { t, format } = usePage();
  const { timeline, row, document } = view;
  const budgetMs = document?.tool_plan.budget.wall_ms ?? 0;
  const endMs = Math.max(row.duration_ms, ...timeline.map(({ start_ms, duration_ms }) => start_ms + duration_ms), 1);
  const share = (ms: number) => `${(ms / endMs) * 100}%`;
  return (
    <Section
      title={t.timeline}
      aside={
        budgetMs > 0 ? (
          <span class="cap">
            {t.ofBudget(format.duration(row.duration_ms), format.duration(budgetMs))}
            <Bar share={row.duration_ms / budgetMs} tone={row.duration_ms > budgetMs ? "over" : ""} />
          </span>
        ) : undefined
      }
    >
      {timeline.length === 0 && <Empty>{t.noTimeline}</Empty>}
      {timeline.length > 0 && (
        <ol class="timeline" data-part="timeline">
          {inOrder(timeline).map(({ stage, tool, start_ms, duration_ms, status = "" }, at) => (
            <li key={at} class={tool === undefined ? "stage" : "tool"}>
              <span class="timeline-name">
                <VisibleLine text={tool ?? wordOf(t.stages, stage)} max={80} />
              </span>
              <svg
                class="track"
                role="img"
                aria-label={`${format.duration(start_ms)} + ${format.duration(duration_ms)}`}
              >
                <line class="track-ground" x1="0" x2="100%" y1="50%" y2="50%" />
                <rect
                  class={`span ${tool === undefined ? "" : "span-tool"} ${status === "" || status === "ok" ? "" : "span-bad"}`}
                  x={share(start_ms)}
                  width={share(duration_ms)}
                  height="100%"
                  rx="2"
                />
              </svg>
              <span class="figure">{format.duration(duration_ms)}</span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

const STAGES: readonly Stage[] = ["judge", "look", "plan", "run", "conclude"];

/** Sorts by stage, each stage before its tools, and tools by start time. */
function inOrder(timeline: readonly TimelinePart[]): TimelinePart[] {
  return timeline.toSorted(
    (a, b) =>
      STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage) ||
      Number(a.tool !== undefined) - Number(b.tool !== undefined) ||
      a.start_ms - b.start_ms,
  );
}
