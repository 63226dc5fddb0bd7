import { withTimeLimit } from "../base/timers.ts";
import { LIMITS } from "../contract/limits.ts";
import type {
  ChainedResult,
  SubAgent,
  SubAgentBounds,
  SubAgentStep,
  SubAgentStop,
  ToolDeclaration,
  ToolProgress,
} from "../contract/tool.ts";

/** Dependencies of a sub-agent; the executor passes its own `call`, so that there is no other way to call tools. */
export interface SubAgentSources {
  /** Runs one call, including hooks and guard, until the signal is aborted. Contract: never throws. */
  readonly call: (tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<ChainedResult>;
  readonly find: (tool: string) => Promise<Pick<ToolDeclaration, "effect"> | undefined>;
  /** Aborted when the tool that started the sub-agent ends. */
  readonly signal: AbortSignal;
  readonly timeLeftMs: () => number;
  readonly report: (progress: ToolProgress) => void;
}

/** Time reserved for reporting the results. */
const RESERVE_MS = 300;
/** Less time than this is too short for a step; a timer may also fire slightly early. */
const LEAST_MS = 5;
/** Number of consecutive steps without a new place after which the sub-agent stops. */
const MOST_BARREN = 4;

/**
 * Starts a sub-agent: it calls the read-only tools of its list one after another, and stops at its bounds or when steps
 * find nothing new. Contract: never throws; every step requested before it stops is recorded once, refused and repeated
 * steps as skipped, so that a caller that repeats its requests reaches an end.
 */
export function startSubAgent(bounds: SubAgentBounds, sources: SubAgentSources): SubAgent {
  const { signal, timeLeftMs, report } = sources;
  const endAtMs = Math.max(RESERVE_MS, timeLeftMs() - bounds.maxMs);
  const leftMs = () => timeLeftMs() - endAtMs;
  const steps: SubAgentStep[] = [];
  const known = new Map<string, ChainedResult>();
  const places = new Set<string>();
  let chars = 0;
  let barren = 0;
  const stopped = (): SubAgentStop | null => {
    if (signal.aborted) return "cancelled";
    if (leftMs() < LEAST_MS) return "time";
    if (steps.length >= bounds.maxSteps) return "steps";
    if (chars >= bounds.maxChars) return "size";
    return barren >= MOST_BARREN ? "nothing new" : null;
  };
  const perform = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<ChainedResult> => {
    const isAllowed = bounds.tools.includes(tool) && (await sources.find(tool))?.effect === "read";
    if (!isAllowed) return toSkipped(LIMITS.stepRefused(tool).text);
    const key = JSON.stringify([tool, args]);
    const before = known.get(key);
    if (before !== undefined) return toSkipped(LIMITS.stepRepeated(tool).text);
    const result = await withTimeLimit(signal, leftMs(), (limited) => sources.call(tool, args, limited));
    known.set(key, result);
    return result;
  };
  return {
    steps: () => steps,
    stopped,
    step: async (tool, args, why) => {
      if (stopped() !== null) return null;
      report({ done: steps.length, of: bounds.maxSteps, message: why });
      const result = await perform(tool, args);
      steps.push({ tool, arguments: args, status: result.status, why, summary: result.summary });
      chars += JSON.stringify(result.data ?? "").length;
      const before = places.size;
      // Another passage of a known file is not a new place.
      for (const { path, symbol } of result.findings ?? [])
        if (path !== "") places.add(`${path}#`).add(`${path}#${symbol}`);
      barren = places.size > before ? 0 : barren + 1;
      return result;
    },
  };
}

function toSkipped(error: string): ChainedResult {
  return { status: "skipped", summary: error, data: null, findings: null, error };
}
