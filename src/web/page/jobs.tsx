import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { sleep } from "../../base/timers.ts";
import type { JobRow, JobView } from "../wire.ts";
import { ApiError, postJson, useLoaded } from "./api.ts";
import { nameOf } from "./format.ts";
import { useLog } from "./job-log.ts";
import { usePage } from "./page-context.ts";
import { Empty, FactList, Section, Trouble } from "./parts.tsx";
import { TextBlock, VisibleLine } from "./plain.tsx";
import { type Route, toHash } from "./router.ts";
import { wordOf } from "./texts.ts";

/** Polling interval for job states. */
const LOOK_MS = 2_000;

/** Lists the Codex jobs of all known repositories, and shows one of them with its log. */
export function Jobs({ route }: { readonly route: Route }): VNode {
  const { t } = usePage();
  const { value, error, reload } = useLoaded<readonly JobRow[]>("jobs");
  useAgain(reload, value);
  const cwd = route.query.get("cwd") ?? "";
  const chosen = value?.find((job) => job.id === route.id && (cwd === "" || job.cwd === cwd));
  return (
    <div class="jobs">
      <h1 class="unseen">{t.parts.jobs}</h1>
      {error !== null && <Trouble error={error} />}
      {value?.length === 0 && (
        <Empty>
          {t.noJobs} {t.jobsHint}
        </Empty>
      )}
      {value !== null && value.length > 0 && <JobRows jobs={value} chosen={chosen?.id ?? ""} />}
      {chosen !== undefined && <JobPage key={`${chosen.cwd}\0${chosen.id}`} job={chosen} />}
    </div>
  );
}

/** Reloads after a delay, following every answer. */
function useAgain(reload: () => void, value: unknown): void {
  useEffect(() => {
    const end = new AbortController();
    sleep(LOOK_MS, end.signal).then(
      () => !end.signal.aborted && reload(),
      () => {},
    );
    return () => end.abort();
  }, [value]);
}

function JobRows({ jobs, chosen }: { readonly jobs: readonly JobRow[]; readonly chosen: string }): VNode {
  const { t, format } = usePage();
  return (
    <ul class="job-list">
      {jobs.map((job) => (
        <li key={`${job.cwd}\0${job.id}`}>
          <a
            class="job"
            href={toHash("jobs", job.id, { cwd: job.cwd })}
            aria-current={job.id === chosen ? "true" : undefined}
          >
            <span class={`job-state job-${job.state}`}>{wordOf(t.states, job.state)}</span>
            <span class="run-what">
              <span class="run-prompt">
                <VisibleLine text={job.title || job.id} max={160} />
              </span>
              <span class="run-from">
                <span class="run-repo" title={job.cwd}>
                  {nameOf(job.cwd)}
                </span>
                <span class="mono">{job.id}</span>
              </span>
            </span>
            <span class="note">{job.classification}</span>
            <time class="note" dateTime={job.created_at}>
              {format.dateTime(job.created_at)}
            </time>
          </a>
        </li>
      ))}
    </ul>
  );
}

function JobPage({ job }: { readonly job: JobRow }): VNode {
  const { t, format } = usePage();
  const query = new URLSearchParams({ cwd: job.cwd });
  const { value, reload } = useLoaded<JobView>(`jobs/${encodeURIComponent(job.id)}?${query}`);
  useAgain(reload, value);
  const isOpen = job.state === "running" || job.state === "queued";
  const facts: readonly (readonly [string, string])[] = [
    [t.folder, job.cwd],
    [t.created, format.dateTime(job.created_at)],
    [t.updated, format.dateTime(job.updated_at)],
    [t.exit, job.exit_code === null ? "–" : `${job.exit_code} ${job.classification}`],
    [t.tokens, job.tokens_used || "–"],
  ];
  return (
    <article class="job-page">
      <Section title={job.id} aside={isOpen ? <Stop job={job} /> : undefined}>
        <FactList facts={facts} />
      </Section>
      <Changes view={value} />
      <Log job={job} isOpen={isOpen} />
    </article>
  );
}

function Changes({ view }: { readonly view: JobView | null }): VNode | null {
  const { t, format } = usePage();
  if (view === null) return null;
  const { changes } = view;
  return (
    <Section title={t.changes}>
      {changes === null && <Empty>{t.noGit}</Empty>}
      {changes?.length === 0 && <Empty>{t.noChanges}</Empty>}
      {changes !== null && changes.length > 0 && (
        <ul class="changes" data-part="changes">
          {changes.map(({ path, added, removed }) => (
            <li key={path}>
              <span class="mono">
                <VisibleLine text={path} />
              </span>
              {added === null || removed === null ? (
                <span class="note">{t.binary}</span>
              ) : (
                <span class="figure">
                  <span class="added">+{format.number(added)}</span>{" "}
                  <span class="removed">−{format.number(removed)}</span>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Log({ job, isOpen }: { readonly job: JobRow; readonly isOpen: boolean }): VNode {
  const { t, format } = usePage();
  const { text, size, shown } = useLog(job, isOpen);
  return (
    <Section title={t.log} aside={isOpen ? <span class="live">{t.following}</span> : undefined}>
      {shown < size && <p class="note">{t.logMore(format.number(shown), format.number(size))}</p>}
      {text === "" ? <Empty>{t.noLog}</Empty> : <TextBlock text={text} part="log" />}
    </Section>
  );
}

function Stop({ job }: { readonly job: JobRow }): VNode {
  const { t } = usePage();
  const [step, setStep] = useState<"ready" | "asked" | "sent">("ready");
  const [said, setSaid] = useState("");
  const stop = async () => {
    setStep("sent");
    try {
      const { done } = await postJson(`jobs/${encodeURIComponent(job.id)}/stop`, { cwd: job.cwd });
      setSaid(String(done));
    } catch (thrown) {
      setSaid(thrown instanceof ApiError ? t.failed(thrown.message) : String(thrown));
      setStep("ready");
    }
  };
  if (step === "asked")
    return (
      <span class="row">
        <span>{t.stopSure}</span>
        <button type="button" class="danger" onClick={() => void stop()}>
          {t.stopDo}
        </button>
        <button type="button" onClick={() => setStep("ready")}>
          {t.cancel}
        </button>
      </span>
    );
  return (
    <span class="row">
      <span role="status">{said}</span>
      <button type="button" disabled={step === "sent"} onClick={() => setStep("asked")}>
        {t.stop}
      </button>
    </span>
  );
}
