import type { ToolProgress } from "../../contract/tool.ts";

interface ProgressParams {
  readonly progressToken: string | number;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Minimum interval between reports. */
const EVERY_MS = 100;

/**
 * Makes a function that forwards a call's progress. Contract: at most ten reports per second, and only increasing ones.
 */
export function makeReporter(
  progressToken: string | number,
  nowMs: () => number,
  send: (params: ProgressParams) => void,
): (progress: ToolProgress) => void {
  let last = Number.NEGATIVE_INFINITY;
  let sentMs = Number.NEGATIVE_INFINITY;
  return ({ done, of, message }) => {
    const atMs = nowMs();
    if (done <= last || atMs - sentMs < EVERY_MS) return;
    last = done;
    sentMs = atMs;
    send({
      progressToken,
      progress: done,
      ...(of === undefined ? {} : { total: of }),
      ...(message === undefined ? {} : { message }),
    });
  };
}
