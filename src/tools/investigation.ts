import { withTimeLimit } from "../base/timers.ts";
import { countOf } from "../contract/count-of.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import type { SubAgent, ToolContext, ToolDeclaration } from "../contract/tool.ts";
import { kindOf } from "../engine/search/query-kind.ts";
import { CaseFile, type Suspect } from "./case-file.ts";
import { followTrail } from "./follow-trail.ts";
import type { ModelSettings } from "./investigate.ts";

interface Investigation {
  readonly question: string;
  readonly maxSteps: number;
  /** Tools that may be called. */
  readonly tools: readonly ToolDeclaration[];
  /** Null if no model leads it. */
  readonly model: ModelSettings | null;
  readonly context: Pick<ToolContext, "startSubAgent" | "signal" | "timeLeftMs">;
}

/** Time limits of an investigation, and a model's share of the time: the rest is reserved for continuing without it. */
const MOST_MS = { rules: 30_000, model: 240_000 };
const MODEL_SHARE = 0.7;
const MAX_CHARS = { rules: 2_000_000, model: 400_000 };
const MOST_FILES = 20;
const MOST_FUNCTIONS = 20;
const TOLD_FILES = 3;

/**
 * Investigates with the user's model, or by rules if there is none or it fails. Contract: never throws; ends with the
 * context's time or signal; every call goes through a sub-agent and is one of `steps`.
 */
export async function investigate(job: Investigation) {
  const led = job.model === null ? null : await leadByModel(job, job.model);
  if (led !== null && led.text !== null) {
    const { named, file, text, agent } = led;
    return toAnswer([...named, ...file.suspects().filter((own) => !named.includes(own))], {
      file,
      steps: agent.steps(),
      stopped: agent.stopped(),
      limits: [],
      conclusion: text,
      strategy: "model",
      model: job.model?.model ?? "",
    });
  }
  const agent = startAgent(job, "rules");
  const file = await followTrail(job.question, agent);
  const suspects = file.suspects();
  return toAnswer(suspects, {
    file,
    steps: [...(led?.agent.steps() ?? []), ...agent.steps()],
    stopped: agent.stopped(),
    limits: led === null ? [] : led.limits,
    conclusion: conclude(suspects, agent),
    strategy: "rules",
    model: "",
  });
}

function startAgent({ tools, maxSteps, context }: Investigation, by: "rules" | "model"): SubAgent {
  const share = by === "model" ? MODEL_SHARE : 1;
  return context.startSubAgent({
    tools: tools.map(({ name }) => name),
    maxSteps,
    maxMs: Math.min(MOST_MS[by], context.timeLeftMs() * share),
    maxChars: MAX_CHARS[by],
  });
}

interface Led {
  readonly agent: SubAgent;
  readonly file: CaseFile;
  /** Null if it reached no conclusion. */
  readonly text: string | null;
  /** The suspects that its conclusion names, in that order. */
  readonly named: readonly Suspect[];
  readonly limits: readonly Limit[];
}

async function leadByModel(job: Investigation, settings: ModelSettings): Promise<Led> {
  const { question, tools, context } = job;
  const file = new CaseFile({ isReport: kindOf(question) === "issue" });
  const started = startAgent(job, "model");
  const agent: SubAgent = {
    ...started,
    step: async (tool, args, why) => {
      const result = await started.step(tool, args, why);
      if (result?.findings != null) file.addRanked("asked", result.findings, why);
      return result;
    },
  };
  const ms = Math.max(1, Math.floor(Math.min(MOST_MS.model, context.timeLeftMs() * MODEL_SHARE)));
  // A separate bundle, because few users have a model.
  const { askModel } = await import("./model-agent.ts");
  const verdict = await withTimeLimit(context.signal, ms, (signal) =>
    askModel({ question, settings, tools, agent, signal }),
  );
  if (!verdict.ok) return { agent, file, text: null, named: [], limits: [LIMITS.modelCut(verdict.fault)] };
  return { agent, file, text: verdict.value, named: namedIn(verdict.value, file.suspects()), limits: [] };
}

/** The suspects that a text names, in its order. Paths that no step found are ignored: a model may invent them. */
function namedIn(text: string, suspects: readonly Suspect[]): Suspect[] {
  return suspects
    .map((suspect) => ({ suspect, at: text.indexOf(suspect.path) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)
    .map(({ suspect }) => suspect);
}

function conclude(suspects: readonly Suspect[], agent: SubAgent): string {
  const [first, ...others] = suspects.slice(0, TOLD_FILES);
  const taken = countOf(agent.steps().length, "step");
  if (first === undefined) return `Nothing was found in ${taken}; a path, a name or the error text would help.`;
  const place = first.symbol === "" ? first.path : `${first.symbol} in ${first.path}:${first.line}`;
  const why = first.evidence.length === 0 ? "" : `: ${first.evidence.join("; ")}`;
  const next = others.length === 0 ? "" : ` Then ${others.map(({ path }) => path).join(" and ")}.`;
  return `After ${taken}, most likely ${place}${why}.${next}`;
}

interface Investigated {
  readonly file: CaseFile;
  readonly steps: ReturnType<SubAgent["steps"]>;
  readonly stopped: ReturnType<SubAgent["stopped"]>;
  readonly limits: readonly Limit[];
  readonly conclusion: string;
  readonly strategy: "rules" | "model";
  readonly model: string;
}

function toAnswer(suspects: readonly Suspect[], told: Investigated) {
  const { file, steps, stopped, limits, conclusion, strategy, model } = told;
  const candidates = suspects.slice(0, MOST_FILES).map(({ path, line, endLine, symbol, score, evidence }) => ({
    file: path,
    line,
    end_line: endLine,
    symbol,
    score,
    evidence,
    reason: evidence.join("; "),
  }));
  const functions = file.functions(MOST_FUNCTIONS);
  return {
    summary: `${countOf(candidates.length, "file")} and ${countOf(functions.length, "function")} after ${countOf(steps.length, "step")}`,
    data: {
      schema_version: "1.0",
      conclusion,
      candidates,
      functions,
      steps,
      metadata: { strategy, model: model === "" ? null : model, stopped_by: stopped },
    },
    limits,
  };
}
