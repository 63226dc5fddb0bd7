import { randomBytes } from "node:crypto";
import type { TimelinePart } from "../../contract/run-history.ts";

/** Telemetry of a run or of one call: names, counts and times, never texts. */
export interface TraceFacts {
  /** A whole run, or one call of a named tool. */
  readonly kind: "run" | "call";
  /** Start and end, in milliseconds since the epoch. */
  readonly startMs: number;
  readonly endMs: number;
  /** Names and counts of the whole run or call. */
  readonly about: Readonly<Record<string, string | number>>;
  /** True if it failed as a whole. */
  readonly isFailed: boolean;
  readonly timeline: readonly TracedPart[];
}

/** A stage or a call, with its error code if it failed. */
export interface TracedPart extends TimelinePart {
  readonly error?: string;
}

/** The sender: the resource from the user's variables, and the version of this program. */
interface Sender {
  readonly resource: Readonly<Record<string, string>>;
  readonly version: string;
}

type Interval = readonly [fromMs: number, toMs: number];
type Attributes = Readonly<Record<string, string | number>>;

/** The names are defined by OTLP's JSON format. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 1;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly unknown[];
  readonly status: { readonly code?: 2 };
}

const WORKFLOW = "groundwork";

/**
 * Formats a trace as OTLP JSON by the conventions for generative AI: the run is a workflow, its children are the
 * stages, and the stage that runs tools has one `execute_tool` child per call. Contract: pure, except for the ids.
 */
export function toOtlp(facts: TraceFacts, { resource, version }: Sender): string {
  const spans = toSpans(facts);
  const scopeSpans = [{ scope: { name: WORKFLOW, version }, spans }];
  const attributes = toAttributes({ ...resource, "service.version": resource["service.version"] ?? version });
  return JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] });
}

function toSpans({ kind, startMs, endMs, about, isFailed, timeline }: TraceFacts): Span[] {
  const traceId = toId(16);
  // Times of stages are relative to the start of the kernel, which is derived from the end and their total duration.
  const beginMs = Math.max(startMs, endMs - Math.max(0, ...timeline.map(endOf)));
  const during = (part: TimelinePart): Interval => [beginMs + part.start_ms, beginMs + endOf(part)];
  const make = (name: string, parent: string | null, [from, to]: Interval, own: Attributes, error = ""): Span => ({
    traceId,
    spanId: toId(8),
    ...(parent === null ? {} : { parentSpanId: parent }),
    name,
    kind: 1,
    startTimeUnixNano: toNano(from),
    endTimeUnixNano: toNano(Math.max(from, to)),
    attributes: toAttributes(error === "" ? own : { ...own, "error.type": error }),
    status: error === "" ? {} : { code: 2 },
  });
  const calls = timeline.flatMap((part) => (part.tool === undefined ? [] : [{ ...part, tool: part.tool }]));
  const makeCalls = (parent: string | null, more: Attributes) =>
    calls.map((part) =>
      make(`execute_tool ${part.tool}`, parent, during(part), { ...toCall(part), ...more }, part.error),
    );
  if (kind === "call") return makeCalls(null, about);
  const ofWorkflow = { "gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": WORKFLOW, ...about };
  const root = make(`invoke_workflow ${WORKFLOW}`, null, [startMs, endMs], ofWorkflow, isFailed ? "_OTHER" : "");
  const stages = timeline.filter(({ tool }) => tool === undefined);
  const made = stages.map((part) =>
    make(`${WORKFLOW} ${part.stage}`, root.spanId, during(part), { "groundwork.stage": part.stage }),
  );
  const running = made[stages.findIndex(({ stage }) => stage === "run")] ?? root;
  return [root, ...made, ...makeCalls(running.spanId, {})];
}

function toCall({ tool, status = "ok" }: TracedPart & { readonly tool: string }): Attributes {
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
    "gen_ai.tool.type": "function",
    "groundwork.tool.status": status,
  };
}

const endOf = ({ start_ms, duration_ms }: TimelinePart) => start_ms + duration_ms;
const toId = (bytes: number) => randomBytes(bytes).toString("hex");
const toNano = (ms: number) => `${Math.round(ms * 1_000)}000`;

function toAttributes(attributes: Attributes): unknown[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "string" ? { stringValue: value } : toNumber(value),
  }));
}

function toNumber(value: number): unknown {
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
