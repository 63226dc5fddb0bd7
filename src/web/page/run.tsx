import type { VNode } from "preact";
import type { RunDocument } from "../../contract/run-document.ts";
import type { RunView } from "../wire.ts";
import { useLoaded } from "./api.ts";
import { Findings } from "./findings.tsx";
import { usePage } from "./page-context.ts";
import { Bar, Command, Empty, FactList, Outcome, Section, Trouble } from "./parts.tsx";
import { TextBlock, VisibleLine } from "./plain.tsx";
import { toHash } from "./router.ts";
import { toCommand } from "./shell-quote.ts";
import { wordOf } from "./texts.ts";
import { Timeline } from "./timeline.tsx";

/** Shows one run: the prompt, why it was classified as code, what ran, what was found, left out and injected. */
export function RunPage({ id }: { readonly id: string }): VNode {
  const { t } = usePage();
  const { value, error } = useLoaded<RunView>(`runs/${encodeURIComponent(id)}`);
  return (
    <article class="run-page">
      <p class="crumbs">
        <a href={toHash("runs")}>{t.back}</a>
      </p>
      {error !== null && <Trouble error={error} />}
      {value === null ? error === null && <Empty>{t.loading}</Empty> : <RunParts view={value} />}
    </article>
  );
}

function RunParts({ view }: { readonly view: RunView }): VNode {
  const { t } = usePage();
  const { document } = view;
  return (
    <>
      <RunHead view={view} />
      {document === null && <p class="notice">{t.onlyRow}</p>}
      <div class="columns">
        <div class="wide">
          <Injected view={view} />
          {document !== null && <Findings document={document} root={view.row.repo} />}
        </div>
        <div class="narrow">
          {document !== null && <Signals document={document} />}
          <Timeline view={view} />
          {document !== null && <Plan document={document} />}
          <LeftOut view={view} />
          <Commands view={view} />
        </div>
      </div>
    </>
  );
}

/** Maximum length of a prompt that is shown without expanding it. */
const PROMPT_CHARS = 2_000;

function RunHead({ view }: { readonly view: RunView }): VNode {
  const { t, format } = usePage();
  const { row, document } = view;
  const prompt = document?.inputs.prompt ?? row.prompt;
  const facts: readonly (readonly [string, string])[] = [
    [t.repository, row.repo === "" ? t.unknownRepository : row.repo],
    [t.began, format.dateTime(row.created_at)],
    [t.client, `${view.client_title} · ${wordOf(t.doors, row.door)}`],
    [t.took, format.duration(row.duration_ms)],
    [t.injected, `${format.number(row.injected_chars)} ${t.chars}`],
    [t.run, row.run_id],
  ];
  return (
    <header class="run-head">
      <div class="run-title">
        <Outcome outcome={row.outcome} />
        {row.intent !== "none" && <span class="tag">{wordOf(t.intents, row.intent)}</span>}
        {row.verdict !== null && <span class="tag">{wordOf(t.verdicts, row.verdict)}</span>}
      </div>
      <h1 class="unseen">
        {t.run} {row.run_id}
      </h1>
      <div class="prompt" data-part="prompt">
        {prompt === "" ? <p class="none">{t.noText}</p> : <TextBlock text={prompt} usual={PROMPT_CHARS} />}
      </div>
      <FactList facts={facts} />
    </header>
  );
}

function Signals({ document }: { readonly document: RunDocument }): VNode {
  const { t, format } = usePage();
  const { signals } = document.inputs;
  const judged = document.fused_context.for_model.structured.task_context?.intent_analysis;
  return (
    <Section title={t.signals}>
      {signals.length === 0 && <Empty>{t.noSignals}</Empty>}
      <ul class="signals">
        {signals.map(({ type, match, weight }, at) => (
          <li key={at}>
            <span class="signal-type">{wordOf(t.signalTypes, type)}</span>
            <span class="signal-match">
              <VisibleLine text={match} />
            </span>
            <Bar share={weight} />
            <span class="figure">{weight.toFixed(2)}</span>
          </li>
        ))}
      </ul>
      {judged !== undefined && signals.length > 0 && (
        <p class="note">
          {t.takenAs(wordOf(t.intents, judged.primary_intent), format.percent(judged.confidence ?? 0))}
        </p>
      )}
    </Section>
  );
}

function Plan({ document }: { readonly document: RunDocument }): VNode {
  const { t, format } = usePage();
  const { tools } = document.tool_plan;
  return (
    <Section title={t.plan}>
      {tools.length === 0 && <Empty>{t.noPlan}</Empty>}
      <ol class="plan">
        {tools.map(({ tool, tier, reason, args, timeout_ms }, at) => {
          const result = document.tool_results.find((own) => own.tool === tool);
          return (
            <li key={at}>
              <div class="plan-line">
                <strong>
                  <VisibleLine text={tool} max={80} />
                </strong>
                <span class={`status status-${result?.status ?? "planned"}`}>
                  {wordOf(t.statuses, result?.status ?? "planned")}
                </span>
              </div>
              <p>
                <VisibleLine text={reason} />
              </p>
              {result !== undefined && (result.error.message || result.summary) !== "" && (
                <p class="note">
                  <VisibleLine text={result.error.message || result.summary} />
                </p>
              )}
              <p class="note">
                {t.tier(tier)} · {t.limitOf(format.duration(timeout_ms))}
              </p>
              {Object.keys(args).length > 0 && (
                <code class="args">
                  <VisibleLine
                    text={Object.entries(args)
                      .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
                      .join("  ")}
                    max={600}
                  />
                </code>
              )}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

function LeftOut({ view }: { readonly view: RunView }): VNode {
  const { t, format } = usePage();
  const { row, document, cut } = view;
  const results = document?.tool_results ?? [];
  const hidden = new Map<string, number>();
  for (const { redactions } of results)
    for (const { kind, count } of redactions) hidden.set(kind, (hidden.get(kind) ?? 0) + count);
  const lines = [
    ...row.limits,
    ...(document?.degraded.is_degraded === true ? [document.degraded.reason] : []),
    ...[...hidden].map(([kind, count]) => t.hidden(format.number(count), kind)),
    ...results.filter(({ truncated }) => truncated).map(({ tool }) => t.shortened(tool)),
    ...cut,
  ];
  return (
    <Section title={t.leftOut}>
      {lines.length === 0 ? (
        <Empty>{t.nothingLeftOut}</Empty>
      ) : (
        <ul class="limits" data-part="limits">
          {lines.map((line, at) => (
            <li key={at}>
              <VisibleLine text={line} max={1_000} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Injected({ view }: { readonly view: RunView }): VNode {
  const { t, format } = usePage();
  const { injected, injected_size, client_max, unit } = view;
  const size = format.number(injected_size);
  const said =
    client_max === 0 ? t.noCap(size, t.units[unit]) : t.ofCap(size, format.number(client_max), t.units[unit]);
  if (injected === "")
    return (
      <Section title={t.asSent}>
        <Empty>{t.nothingInjected}</Empty>
      </Section>
    );
  return (
    <Section
      title={t.asSent}
      aside={
        <span class="cap">
          {said}
          {client_max > 0 && <Bar share={injected_size / client_max} />}
        </span>
      }
    >
      <TextBlock text={injected} part="injected" />
    </Section>
  );
}

function Commands({ view }: { readonly view: RunView }): VNode {
  const { t } = usePage();
  const { row, document } = view;
  const prompt = document?.inputs.prompt ?? "";
  const there = row.repo === "" ? [] : ["--repo", row.repo];
  return (
    <Section title={t.commands}>
      {prompt !== "" && <Command label={t.askAgain} command={toCommand(["groundwork", "try", prompt, ...there])} />}
      <Command label={t.showAgain} command={toCommand(["groundwork", "show", row.key])} />
      <Command label={t.markIt} command={toCommand(["groundwork", "mark", "useful", row.key])} />
      {document !== null && (
        <p>
          <a href={toHash("graph", row.key)}>{t.openGraph}</a>
        </p>
      )}
    </Section>
  );
}
