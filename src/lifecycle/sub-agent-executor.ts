import { isRecord } from "../base/text.ts";
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

/** What a sub-agent is given; the executor hands in its own way of calling, so that there is no other. */
export interface SubAgentSources {
  /** Runs one call, hooks and guard included, until the signal. Contract: never throws. */
  readonly call: (tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<ChainedResult>;
  readonly find: (tool: string) => Promise<Pick<ToolDeclaration, "effect"> | undefined>;
  /** Aborted when the tool that started it is at its end. */
  readonly signal: AbortSignal;
  readonly timeLeftMs: () => number;
  readonly report: (progress: ToolProgress) => void;
}

/** Time that is kept back for telling what was found. */
const RESERVE_MS = 300;
/** Time in which nothing can be done; a timer may also ring a little early. */
const LEAST_MS = 5;
/** Steps in a row that bring up no place that was not known. */
const MOST_BARREN = 4;
const PATH_KEYS = ["file", "file_path", "path"];
const MAX_DEPTH = 8;

/**
 * Starts a sub-agent: it calls the tools of its list, if they only read, one after the other, and stops at its bounds or
 * when nothing new comes. Contract: never throws; every step that is asked for is recorded once, those that are refused or
 * were taken before as skipped, so that whoever asks in a circle comes to an end.
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
      addPlaces(result.data, places);
      barren = places.size > before ? 0 : barren + 1;
      return result;
    },
  };
}

function toSkipped(error: string): ChainedResult {
  return { status: "skipped", summary: error, data: null, findings: null, error };
}

/** Adds the places that data names: files, and symbols in them. */
function addPlaces(data: unknown, places: Set<string>, depth = 0): void {
  if (depth > MAX_DEPTH) return;
  if (isRecord(data)) {
    const path = PATH_KEYS.map((key) => data[key]).find((value) => typeof value === "string");
    // A passage of a file that is known is nothing new.
    if (path !== undefined) places.add(`${String(path)}#`).add(`${String(path)}#${String(data["symbol"] ?? "")}`);
  }
  if (typeof data === "object" && data !== null)
    for (const item of Object.values(data)) addPlaces(item, places, depth + 1);
}
