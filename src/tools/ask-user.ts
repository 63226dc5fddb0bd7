import * as z from "zod/mini";
import { once } from "../base/once.ts";
import { succeed } from "../contract/faults.ts";
import { defineTool, type ToolDeclaration, type UserAnswer } from "../contract/tool.ts";
import { TOOL_FAULTS } from "../contract/tool-faults.ts";
import { text } from "./places.ts";

const NAME = "askuser-ask_question";

const Input = once(() =>
  z.object({
    question: text(4_000, "What to ask the person"),
    options: z._default(
      z
        .array(z.string().check(z.minLength(1), z.maxLength(500)))
        .check(z.maxLength(20), z.describe("Answers to choose from")),
      [],
    ),
    multiSelect: z._default(z.boolean().check(z.describe("Whether several may be chosen")), false),
  }),
);

const Output = once(() =>
  z.object({
    answer: z.string(),
    selected: z.array(z.string()),
    customInput: z.string(),
    cancelled: z.optional(z.boolean()),
  }),
);

/** A user needs longer to answer than a machine. */
const TIMEOUT_MS = 600_000;

/** `askuser-ask_question`: asks the user, if there is one. */
export function askUserTool(): ToolDeclaration {
  return defineTool({
    name: NAME,
    summary: "Ask the person a question, with answers to choose from or in their own words. Returns the answer.",
    tier: 2,
    effect: "read",
    version: "1.0",
    timeoutMs: TIMEOUT_MS,
    input: Input,
    output: Output,
    ceilings: {},
    resource: "person",
    // A plan never asks the user anything.
    plan: () => null,
    run: async (question, { askUser, signal }) => {
      if (askUser === null) return TOOL_FAULTS.nobodyToAsk(NAME);
      const { selected, customInput = "", cancelled = false } = await askUser(question, signal);
      const answer = toAnswer({ selected, customInput });
      return succeed({
        summary: cancelled ? "no answer: cancelled" : `answered: ${answer}`,
        data: { answer, selected: [...selected], customInput, ...(cancelled ? { cancelled } : {}) },
      });
    },
    toFindings: () => null,
  });
}

function toAnswer({ selected, customInput }: UserAnswer): string {
  return [...selected, customInput ?? ""].filter(Boolean).join(", ");
}
