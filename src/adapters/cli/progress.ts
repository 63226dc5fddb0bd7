import type { Clock } from "../../base/clock.ts";

/** How far a phase is. */
interface ProgressStep {
  readonly phase: "text" | "code" | "graph" | "history";
  readonly done: number;
  /** Zero where that is not known. */
  readonly total: number;
}

/** A line on a terminal that says how far something is. */
interface ProgressLine {
  readonly show: (step: ProgressStep) => void;
  readonly clear: () => void;
}

const NAMES = {
  text: "Reading text",
  code: "Reading code",
  graph: "Following calls",
  history: "Reading history",
} as const;
/** Faster changes cannot be read. */
const EVERY_MS = 100;
const ERASE = "\r\u001b[2K";

/** Makes such a line. Contract: writes at most ten times a second; rate and remaining time are those of the phase. */
export function makeProgressLine(clock: Clock, write: (text: string) => void): ProgressLine {
  let phase = "";
  let startMs = 0;
  let shownMs = Number.NEGATIVE_INFINITY;
  return {
    show: ({ phase: now, done, total }) => {
      const nowMs = clock.monotonicMs();
      if (now !== phase) {
        phase = now;
        startMs = nowMs;
      } else if (nowMs - shownMs < EVERY_MS) return;
      shownMs = nowMs;
      const perSecond = done / Math.max(0.001, (nowMs - startMs) / 1_000);
      const rate = done === 0 ? "" : `, ${Math.round(perSecond)}/s, ${Math.ceil((total - done) / perSecond)} s left`;
      write(`${ERASE}${NAMES[now]}${total === 0 ? "" : `: ${done} of ${total} files${rate}`}`);
    },
    clear: () => write(phase === "" ? "" : ERASE),
  };
}
