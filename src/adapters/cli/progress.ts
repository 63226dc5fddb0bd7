import type { Clock } from "../../base/clock.ts";
import { cutToWidth, displayWidth } from "../../base/display-width.ts";

/** Progress of a phase, counted in megabytes for `base` and in files otherwise. */
export interface ProgressStep {
  readonly phase: "waiting" | "base" | "text" | "code" | "graph" | "history";
  readonly done: number;
  /** Zero if unknown. */
  readonly total: number;
}

/** Displays progress. */
interface Progress {
  readonly show: (step: ProgressStep) => void;
  /** Called when all is done: removes the line from the screen. */
  readonly clear: () => void;
  /** Called if the user stopped it: reports what happens to the work done so far. */
  readonly stop: () => void;
}

/** Where progress is displayed. */
interface ProgressPlace {
  readonly clock: Clock;
  readonly write: (text: string) => void;
  /** Width of a terminal whose line can be redrawn; null if only whole lines can be written. */
  readonly columns: (() => number) | null;
}

const NAMES = {
  waiting: "Waiting for another process that builds this index",
  base: "Fetching the base",
  text: "Reading text",
  code: "Reading code",
  graph: "Following calls",
  history: "Reading history",
} as const;
const STOPPED = {
  waiting: "Stopped. The other process continues to build this index.\n",
  /** Texts are stored in batches of several megabytes; those of a small repository are stored all at once. */
  text: "Stopped. Texts are kept in large parts; the next build goes on after the last whole one.\n",
  later: "Stopped. Finished work is kept; the next build continues from there.\n",
} as const;
/** Minimum interval between redraws; faster changes are not readable. */
const REDRAW_MS = 100;
/** Minimum interval between lines without a terminal; a short build writes none. */
const LINE_MS = 10_000;
/** Window for measuring the rate: later files may differ in kind from earlier ones. */
const RATE_MS = 5_000;
const ERASE = "\r\u001b[2K";
const [LEAST_BAR, MOST_BAR] = [8, 30];

/**
 * Makes a progress display. Contract: a line is always narrower than the terminal, so that it does not wrap; writes at
 * most ten times a second on a terminal, and a line every ten seconds elsewhere.
 */
export function makeProgress({ clock, write, columns }: ProgressPlace): Progress {
  let phase: ProgressStep["phase"] | "" = "";
  let isDrawn = false;
  let shownMs = columns === null ? clock.monotonicMs() : Number.NEGATIVE_INFINITY;
  let samples: { readonly ms: number; readonly done: number }[] = [];
  const measure = (nowMs: number, done: number): number => {
    samples = [...samples.filter(({ ms }) => nowMs - ms <= RATE_MS), { ms: nowMs, done }];
    const [first] = samples;
    return first === undefined || nowMs === first.ms ? 0 : ((done - first.done) * 1_000) / (nowMs - first.ms);
  };
  const erase = () => write(isDrawn ? ERASE : "");
  return {
    show: (step) => {
      const nowMs = clock.monotonicMs();
      const isNew = step.phase !== phase;
      if (isNew) samples = [];
      phase = step.phase;
      const perSecond = measure(nowMs, step.done);
      const isSoon = nowMs - shownMs < (columns === null ? LINE_MS : REDRAW_MS);
      if (isSoon && !(isNew && columns !== null)) return;
      shownMs = nowMs;
      isDrawn = columns !== null;
      write(columns === null ? `${toPlain(step)}\n` : `${ERASE}${toLine(step, perSecond, columns() - 1)}`);
    },
    clear: erase,
    stop: () => {
      erase();
      if (phase === "waiting") write(STOPPED.waiting);
      else write(phase === "" || phase === "text" ? STOPPED.text : STOPPED.later);
    },
  };
}

function unitOf(phase: ProgressStep["phase"]): string {
  return phase === "base" ? "MB" : "files";
}

function toPlain({ phase, done, total }: ProgressStep): string {
  return total === 0 ? NAMES[phase] : `${NAMES[phase]}: ${done} of ${total} ${unitOf(phase)}`;
}

/** `Reading code  ████░░░░  120/480 files  60/s  6 s left`, or as much of it as fits. */
function toLine({ phase, done, total }: ProgressStep, perSecond: number, room: number): string {
  if (total === 0) return cutToWidth(NAMES[phase], room);
  const rate = perSecond > 0 ? [`${Math.round(perSecond)}/s`, sayLeft((total - done) / perSecond)] : [];
  const parts = [`${done}/${total} ${unitOf(phase)}`, ...rate];
  const barRoom = room - displayWidth([NAMES[phase], ...parts].join("  ")) - 2;
  if (barRoom >= LEAST_BAR) {
    const bar = drawBar(done / total, Math.min(MOST_BAR, barRoom));
    return [NAMES[phase], bar, ...parts].join("  ");
  }
  return cutToWidth([NAMES[phase], ...parts].join("  "), room);
}

function drawBar(share: number, columns: number): string {
  const full = Math.floor(Math.min(1, share) * columns);
  return "█".repeat(full) + "░".repeat(columns - full);
}

function sayLeft(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 120 ? `${whole} s left` : `${Math.ceil(whole / 60)} min left`;
}
