import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/server";
import type { UserAnswer, UserQuestion } from "../../contract/tool.ts";

/** Nobody answered. */
export const NO_ANSWER: UserAnswer = { selected: [], cancelled: true };

type FormSchema = ElicitRequestFormParams["requestedSchema"];
type Field = FormSchema["properties"][string];

const CHOICE = "choice";
const OWN_WORDS = "answer";
/** Field of an option's checkbox, for clients that do not support lists. */
const boxOf = (at: number) => `option_${at + 1}`;

/** Converts a question to a form. Contract: an answer in the person's own words is always possible. */
export function toForm(
  { question, options, multiSelect }: UserQuestion,
  /** True if the client supports multi-select lists. */
  { hasLists }: { readonly hasLists: boolean },
): ElicitRequestFormParams {
  const fields: Record<string, Field> = {};
  if (options.length > 0) {
    const choices = [...options];
    if (!multiSelect) fields[CHOICE] = { type: "string", enum: choices };
    else if (hasLists) fields[CHOICE] = { type: "array", items: { type: "string", enum: choices } };
    else for (const [at, title] of choices.entries()) fields[boxOf(at)] = { type: "boolean", title };
  }
  fields[OWN_WORDS] = { type: "string", title: options.length > 0 ? "Another answer" : "Answer" };
  return { mode: "form", message: question, requestedSchema: { type: "object", properties: fields } };
}

/** Reads the response to a form. Contract: never throws; only options that were offered count as selected. */
export function readForm({ options }: UserQuestion, { action, content = {} }: ElicitResult): UserAnswer {
  if (action !== "accept") return NO_ANSWER;
  const chosen: unknown = content[CHOICE];
  const isChosen = (option: string, at: number) =>
    chosen === option || (Array.isArray(chosen) && chosen.includes(option)) || content[boxOf(at)] === true;
  const selected = options.filter(isChosen);
  const own = content[OWN_WORDS];
  const customInput = typeof own === "string" ? own.trim() : "";
  if (selected.length === 0 && customInput === "") return NO_ANSWER;
  return { selected, ...(customInput === "" ? {} : { customInput }) };
}
