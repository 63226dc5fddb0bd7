import type { IssueView } from "./issue.ts";
import { placePath } from "./issue-signals.ts";
import { linesIn, lowerBound, type TermLines } from "./postings.ts";
import { scoreDefinitions, scoreSentence, toShares } from "./score.ts";
import type { IndexedDefinition, SearchIndex } from "./source.ts";
import type { DefinitionFeature } from "./weights.ts";
import { partsOf } from "./words.ts";

/** A definition in a candidate file, with its ranking features. */
interface DefinitionCandidate {
  readonly definition: IndexedDefinition;
  readonly features: Readonly<Record<DefinitionFeature, number>>;
}

/** Scores the definitions of one file against an issue. Contract: features are from 0 to 1, relative to the file. */
export function findDefinitionCandidates(index: SearchIndex, view: IssueView, file: number): DefinitionCandidate[] {
  const definitions = index.definitionsIn(file).filter(({ kind }) => kind !== "value");
  const all = linesIn(file, view.all);
  const title = linesIn(file, view.title);
  const code = linesIn(file, view.code);
  const shareOf = (found: readonly TermLines[]) => toShares(scoreDefinitions(found, definitions));
  const shares = { all: shareOf(all), title: shareOf(title), code: shareOf(code) };
  const sentences = toShares(Float64Array.from(definitions, (definition) => bestLineOf(all, definition)));
  const frames = view.issue.frames.filter(({ path }) => placePath(index, path).files.includes(file));
  const titleKeys = new Set(view.title.map(({ key }) => key));
  const allKeys = new Map(view.all.map(({ key, value }) => [key, value]));
  const most = Math.max(1e-9, ...allKeys.values());
  return definitions.map((definition, at) => {
    const parts = partsOf(definition.name);
    const parent = definition.qualified.split(".").at(-2) ?? "";
    const isFrame = frames.some(
      ({ line, inside }) => inside === definition.name || (definition.line <= line && line <= definition.endLine),
    );
    const isResolved = view.issue.dotted.some((names) => names.at(-1) === definition.name && names.at(-2) === parent);
    return {
      definition,
      features: {
        text: shares.all[at] ?? 0,
        titleText: shares.title[at] ?? 0,
        codeText: shares.code[at] ?? 0,
        line: sentences[at] ?? 0,
        named: Number(view.issue.names.has(definition.name)),
        titleNamed: Number(view.issue.titleNames.has(definition.name)),
        parentNamed: Number(parent !== "" && view.issue.names.has(parent)),
        frame: Number(isFrame),
        resolved: Number(isResolved),
        nameCover: parts.reduce((sum, part) => sum + (allKeys.get(part) ?? 0), 0) / most / Math.max(1, parts.length),
        titleCover: parts.filter((part) => titleKeys.has(part)).length / Math.max(1, parts.length),
        type: Number(definition.kind === "type"),
        length: Math.min(1, Math.log1p(definition.endLine - definition.line) / 6),
        special: Number(/^__\w+__$/.test(definition.name)),
        nested: Number(definition.qualified.includes(".")),
      },
    };
  });
}

/** The best score of two adjacent lines of a definition. */
function bestLineOf(found: readonly TermLines[], { line, endLine }: IndexedDefinition): number {
  const inside: TermLines[] = [];
  for (const { key, value, lines } of found) {
    const from = lowerBound(lines, line);
    const to = lowerBound(lines, endLine + 1);
    if (to === from) continue;
    const own = new Uint32Array(to - from);
    for (let at = from; at < to; at++) own[at - from] = (lines[at] ?? 0) - line + 1;
    inside.push({ key, value, lines: own });
  }
  return scoreSentence(inside, endLine - line + 1);
}
