import { randomBytes } from "node:crypto";
import type { TimelinePart } from "../../contract/run-history.ts";

/** What is told of a run or of one call: names, counts and times, never a text. */
export interface TraceFacts {
  /** A whole run, or one call that somebody made by name. */
  readonly kind: "run" | "call";
  /** When it began and ended, in milliseconds since the epoch. */
  readonly startMs: number;
  readonly endMs: number;
  /** Names and counts of the whole. */
  readonly about: Readonly<Record<string, string | number>>;
  /** True where it failed as a whole. */
  readonly isFailed: boolean;
  readonly timeline: readonly TracedPart[];
}

/** A stage or a call, and the code of what went wrong. */
export interface TracedPart extends TimelinePart {
  readonly error?: string;
}

/** Who sends: the resource of the user's variables, and this program. */
interface Sender {
  readonly resource: Readonly<Record<string, string>>;
  readonly version: string;
}

type Attributes = Readonly<Record<string, string | number>>;

/** Names in OTLP's JSON are fixed. */
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
 * A trace as OTLP's JSON, after the conventions for generative AI: the run is a workflow, below it its stages, below the stage
 * that runs tools one `execute_tool` for each call. Contract: pure but for the ids.
 */
export function toOtlp(facts: TraceFacts, { resource, version }: Sender): string {
  const spans = toSpans(facts);
  const scopeSpans = [{ scope: { name: WORKFLOW, version }, spans }];
  const attributes = toAttributes({ ...resource, "service.version": resource["service.version"] ?? version });
  return JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] });
}

function toSpans({ kind, startMs, endMs, about, isFailed, timeline }: TraceFacts): Span[] {
  const traceId = toId(16);
  // Stages count from the kernel's beginning, which is before the end by as much as they took.
  const beginMs = Math.max(startMs, endMs - Math.max(0, ...timeline.map(endOf)));
  const make = (
    name: string,
    parent: string | null,
    from: number,
    to: number,
    attributes: Attributes,
    error = "",
  ): Span => ({
    traceId,
    spanId: toId(8),
    ...(parent === null ? {} : { parentSpanId: parent }),
    name,
    kind: 1,
    startTimeUnixNano: toNano(from),
    endTimeUnixNano: toNano(Math.max(from, to)),
    attributes: toAttributes(error === "" ? attributes : { ...attributes, "error.type": error }),
    status: error === "" ? {} : { code: 2 },
  });
  const calls = timeline.flatMap((part) => (part.tool === undefined ? [] : [{ ...part, tool: part.tool }]));
  const makeCalls = (parent: string | null, more: Attributes) =>
    calls.map((part) => {
      const attributes = { ...toCall(part), ...more };
      return make(
        `execute_tool ${part.tool}`,
        parent,
        beginMs + part.start_ms,
        beginMs + endOf(part),
        attributes,
        part.error,
      );
    });
  if (kind === "call") return makeCalls(null, about);
  const ofWorkflow = { "gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": WORKFLOW, ...about };
  const root = make(`invoke_workflow ${WORKFLOW}`, null, startMs, endMs, ofWorkflow, isFailed ? "_OTHER" : "");
  const stages = timeline.filter(({ tool }) => tool === undefined);
  const made = stages.map((part) => {
    const attributes = { "groundwork.stage": part.stage };
    return make(`${WORKFLOW} ${part.stage}`, root.spanId, beginMs + part.start_ms, beginMs + endOf(part), attributes);
  });
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
