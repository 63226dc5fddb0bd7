import { guessPlaces } from "../base/guess-findings.ts";
import { isRecord, sliceWhole, toOneLine } from "../base/text.ts";
import type { SubAgent } from "../contract/tool.ts";
import { type IssueText, readIssue } from "../engine/search/issue-text.ts";
import { kindOf } from "../engine/search/query-kind.ts";
import { CaseFile, type Clue, fade } from "./case-file.ts";

/** Longest text that is treated as a question rather than a report. */
const QUESTION_CHARS = 390;
/** Minimum length of a line that counts as a sentence, and of a text worth a separate search. */
const SENTENCE_CHARS = 20;
const LEAST_BODY_CHARS = 40;
const SEARCH_HITS = 20;
const MAX_SYMBOL_CHARS = 200;
/** Number of functions whose calls are followed before and after the other steps, and how deep. */
const FIRST_CHAINS = 2;
const MOST_CHAINS = 8;
const CHAIN_DEPTH = 2;
/** Maximum number of best functions whose names are searched for: other symbols of that name often change with them. */
const MOST_NAMESAKES = 3;
const NAMESAKE_HITS = 12;
/** Share that one such search gives its first hit: two searches that agree give the full share. */
const NAMESAKE_SHARE = 0.5;
/** Maximum number of names in the text that are searched for; shorter names occur everywhere. */
const MOST_NAMES = 3;
const LEAST_NAME_CHARS = 4;
const HISTORY = { days: 90, top: 50 };

interface Lead {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly why: string;
  /** Records its results in the case file. */
  readonly note: (clues: readonly Clue[], data: Readonly<Record<string, unknown>>) => void;
}

/**
 * Investigates by rules: locates the whole text, searches for its title and first sentences alone, follows the calls of
 * the best functions, searches for their names, then looks at history, at surrounding code, and for names in the text.
 * Results on which independent steps agree rise.
 * Contract: the most informative steps come first, because any step may be the last; never throws.
 */
export async function followTrail(question: string, agent: SubAgent): Promise<CaseFile> {
  const isReport = kindOf(question) === "issue";
  const file = new CaseFile({ isReport });
  const take = async ({ tool, args, why, note }: Lead): Promise<void> => {
    const result = await agent.step(tool, args, why);
    if (result?.data == null) return;
    note(result.findings ?? [], result.data);
  };
  const issue = readIssue(question);
  const functions: Clue[] = [];
  const locate = locateIn(question, file, functions);
  const first = isReport ? [locate, ...sentencesOf(issue, file)] : [answerIn(question, file, functions), locate];
  for (const lead of first) await take(lead);
  const chains = functions.filter(({ path, symbol }) => `${path}#${symbol}`.length <= MAX_SYMBOL_CHARS);
  for (const lead of chains.slice(0, FIRST_CHAINS).map((own) => callsOf(own, file))) await take(lead);
  for (const lead of namesakesOf(functions, file)) await take(lead);
  for (const lead of lateLeads(question, issue, file)) await take(lead);
  for (const lead of chains.slice(FIRST_CHAINS, MOST_CHAINS).map((own) => callsOf(own, file))) await take(lead);
  return file;
}

function locateIn(question: string, file: CaseFile, functions: Clue[]): Lead {
  return {
    tool: "ci_bug_locate",
    args: { error: question },
    why: "locates what the whole text describes",
    note: (_, { candidates }) => {
      const told = recordsIn(candidates);
      file.addLocated(guessPlaces(told.filter(({ kind }) => kind !== "function")));
      const found = guessPlaces(told.filter(({ kind }) => kind === "function"));
      functions.push(...found.filter(({ symbol }) => symbol !== ""));
      file.addFunctions(functions);
    },
  };
}

/** Asks a plain question; the best functions are those of its hits. */
function answerIn(question: string, file: CaseFile, functions: Clue[]): Lead {
  const lead = searchFor(question, "the question", ["title", "sentence"], file);
  return {
    ...lead,
    note: (clues, data) => {
      lead.note(clues, data);
      functions.push(...clues.filter(({ symbol }) => symbol !== ""));
      file.addFunctions(functions);
    },
  };
}

/** Searches for a text by itself; a title says more than any other sentence. */
function searchFor(query: string, what: string, sources: readonly ("title" | "sentence")[], file: CaseFile): Lead {
  const why = `answers ${what}`;
  return {
    tool: "ci_search",
    args: { query, limit: SEARCH_HITS },
    why,
    note: (clues) => {
      for (const source of sources) file.addRanked(source, clues, why);
    },
  };
}

function sentencesOf(issue: IssueText, file: CaseFile): Lead[] {
  const title = sliceWhole(toOneLine(issue.title.replace(/^#+/, "")), QUESTION_CHARS);
  const body = toBody(issue);
  return [
    ...(title === "" ? [] : [searchFor(title, "the title alone", ["title", "sentence"], file)]),
    ...(body.length < LEAST_BODY_CHARS ? [] : [searchFor(body, "the first sentences alone", ["sentence"], file)]),
  ];
}

/** The first sentences of a report, without its title and code. */
function toBody({ text, title }: IssueText): string {
  const lines = text
    .replace(/```[\s\S]*?(?:```|$(?![\s\S]))/g, "\n")
    .replace(/^(?: {4}|\t|>).*$/gm, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length > SENTENCE_CHARS && line !== title.trim());
  return sliceWhole(toOneLine(lines.join(" ")), QUESTION_CHARS);
}

function callsOf({ path, symbol }: Clue, file: CaseFile): Lead {
  return {
    tool: "ci_call_chain",
    args: { symbol: `${path}#${symbol}`, direction: "callees", depth: CHAIN_DEPTH },
    why: `follows the calls of ${symbol}`,
    note: (_, { call_chain: chain }) => {
      const callees = recordsIn(chain).filter(({ relation }) => relation === "callee");
      const clues = guessPlaces(callees).toSorted((a, b) => b.confidence - a.confidence);
      const say = (clue: Clue) => `${symbol} calls ${clue.symbol || clue.path}`;
      file.addShares("callees", clues, ({ confidence }) => confidence, say);
    },
  };
}

function namesakesOf(functions: readonly Clue[], file: CaseFile): Lead[] {
  const names = new Set(functions.map(({ symbol }) => symbol.split(".").at(-1) ?? symbol));
  return [...names].slice(0, MOST_NAMESAKES).map((name) => ({
    tool: "ci_search",
    args: { query: name, limit: NAMESAKE_HITS },
    why: `finds what else is about ${name}`,
    note: (clues) => {
      const shareOf = (_: Clue, rank: number) => NAMESAKE_SHARE * fade(rank);
      file.addShares("namesakes", clues, shareOf, () => `is about ${name}, too`);
    },
  }));
}

function lateLeads(question: string, issue: IssueText, file: CaseFile): Lead[] {
  const names = [...issue.names]
    .toSorted(([a, x], [b, y]) => Number(issue.titleNames.has(b)) - Number(issue.titleNames.has(a)) || y - x)
    .map(([name]) => name)
    .filter(({ length }) => length >= LEAST_NAME_CHARS);
  return [
    {
      tool: "ci_hotspot",
      args: HISTORY,
      why: "looks where changes pile up",
      note: (clues, { metadata }) => {
        // Without history the list contains merely complex files, which is no evidence for this question.
        if (!isRecord(metadata) || metadata["from"] === null) return;
        const known = new Set(file.suspects().map(({ path }) => path));
        const own = clues.filter(({ path }) => known.has(path));
        file.addShares(
          "history",
          own,
          () => 1,
          () => `among the files that change most in ${HISTORY.days} days`,
        );
      },
    },
    {
      tool: "ci_graph_rag",
      args: { query: question, depth: 1, top_k: SEARCH_HITS },
      why: "looks around the best hits",
      note: (clues) =>
        file.addShares(
          "around",
          clues,
          () => 1,
          ({ reason }) => reason,
        ),
    },
    ...names.slice(0, MOST_NAMES).map((name) => ({
      tool: "ci_search",
      args: { query: name, limit: SEARCH_HITS },
      why: `finds ${name}`,
      note: (clues: readonly Clue[]) => file.addRanked("names", clues, `finds ${name}`),
    })),
  ];
}

/** Entries of a list in the data of a step; a program that replaces the tool may have answered in another form. */
function recordsIn(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
