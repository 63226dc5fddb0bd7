import { createInterface } from "node:readline";
import { toOneLine } from "../base/text.ts";
import type { AskUser, UserAnswer, UserQuestion } from "../contract/tool.ts";
import { canAsk } from "./process.ts";

/**
 * Returns a function that asks the user at the terminal, or null if there is no terminal. Contract: end of input and an
 * empty line cancel.
 */
export function terminalAsker(): AskUser | null {
  return canAsk() ? askTerminal : null;
}

async function askTerminal(question: UserQuestion, signal: AbortSignal): Promise<UserAnswer> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<UserAnswer>((resolve) => {
      lines.once("close", () => resolve({ selected: [], cancelled: true }));
      signal.addEventListener("abort", () => lines.close(), { once: true });
      lines.question(toPrompt(question), (line) => resolve(readAnswer(line, question)));
    });
  } finally {
    lines.close();
  }
}

function toPrompt({ question, options, multiSelect }: UserQuestion): string {
  const choices = options.map((option, at) => `  ${at + 1}. ${toOneLine(option)}\n`).join("");
  const how = multiSelect ? "numbers, or your own words" : "a number, or your own words";
  return `${question}\n${choices}${options.length > 0 ? how : "your answer"} (Enter cancels): `;
}

/** Interprets a typed line: numbers select options, anything else is a free-text answer. */
export function readAnswer(line: string, { options, multiSelect }: UserQuestion): UserAnswer {
  const text = line.trim();
  if (text === "") return { selected: [], cancelled: true };
  const numbers = /^\d+(?:[\s,，、]+\d+)*$/.test(text) ? text.split(/[\s,，、]+/).map(Number) : [];
  const chosen = [...new Set(numbers)].flatMap((number) => options[number - 1] ?? []);
  const isChoice = chosen.length > 0 && chosen.length === new Set(numbers).size && (multiSelect || chosen.length === 1);
  return isChoice ? { selected: chosen } : { selected: [], customInput: text };
}
