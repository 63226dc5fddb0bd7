import type { Field } from "./source.ts";

/** BM25 parameters per field: how quickly repetition saturates (`k1`) and how much length is penalised (`b`). */
export const SATURATION = {
  body: { k1: 1.2, b: 0.6 },
  name: { k1: 0.8, b: 0.4 },
  path: { k1: 0.6, b: 0.3 },
  doc: { k1: 1.2, b: 0.6 },
  passage: { k1: 1.2 },
  definition: { k1: 1.2, lines: 40 },
} as const satisfies Record<Field | "passage" | "definition", object>;

/** Maximum bonus for recent changes: enough to decide between near ties. */
export const RECENCY = 4;

/** Maximum bonus for files that are often changed together with a file that the text names. */
export const TOGETHER = 0.3;

/** Bonus for functions one call away from what the text names, and penalty for functions found only that way. */
export const CALLS = { gain: 0.3, alone: 3 };

/** Weights for choosing the files to examine closely. */
export const FIRST_LOOK = { body: 1, name: 0.5, path: 0.7, doc: 0.3, cover: 0.7, aside: 0.4 };

/** The same for issues. */
export const FIRST_ISSUE_LOOK = {
  rare: 1,
  cover: 1,
  path: 1.5,
  titleCover: 0.5,
  titleName: 0.7,
  titleDoc: 0.5,
  said: 1,
  lastFrame: 0.6,
  dotted: 0.6,
  resolved: 0.7,
} as const;

/** Maximum number of files examined closely. */
export const CANDIDATES = { question: 60, issue: 120 };

/** Feature weights for a question in words. */
export const QUESTION_WEIGHTS = {
  name: 0.65,
  path: 0.7,
  doc: 1.34,
  passage: 1.13,
  passages: 1.66,
  passageCover: 0.54,
  sentence: 0.29,
  definition: 1.11,
  nameCover: 0.18,
  stemSaid: 0.74,
  stemCover: 0.92,
  folderCover: 1.57,
  head: 0.53,
  depth: 1.97,
  twin: -0.62,
  pairName: 0.76,
  stemExact: 0.97,
  stemAll: 1,
  namedType: 0.09,
  namedFunction: 0.47,
  namedStem: 0.27,
  size: 1.85,
  // Not fitted: the benchmark has too few tests among the candidates to tell.
  test: -2.5,
  aside: -0.64,
  reexport: 1.24,
} as const;
/** Ranking features of a file that may answer a question. */
export type QuestionFeature = keyof typeof QUESTION_WEIGHTS;

/** Feature weights for a query that is a bare name. */
export const SYMBOL_WEIGHTS: Readonly<Record<QuestionFeature, number>> = {
  name: 0.48,
  path: 0.63,
  doc: 0.77,
  passage: 0.59,
  passages: 0.78,
  passageCover: 0.34,
  sentence: 0.35,
  definition: 0.7,
  nameCover: 1.23,
  stemSaid: 0.25,
  stemCover: 0.63,
  folderCover: 0.78,
  head: 0.05,
  depth: 0.85,
  twin: 0.46,
  pairName: 0.39,
  stemExact: 0.62,
  stemAll: 1.41,
  namedType: 2.1,
  namedFunction: 0.94,
  namedStem: 1.22,
  size: 1.1,
  // Not fitted: the benchmark has too few tests among the candidates to tell.
  test: -1.8,
  aside: -0.25,
  reexport: 1.27,
};

/** Feature weights for files, given an issue. */
export const ISSUE_WEIGHTS = {
  path: 2.07,
  cover: 1.03,
  titleName: 1.37,
  titleDoc: 1.22,
  titleCover: 1.26,
  titleSentence: 1.1,
  passage: 1.35,
  definition: 2.65,
  said: 0.73,
  lastFrame: 0.14,
  dotted: 0.34,
  resolved: 0.91,
  folderValue: 0.87,
  size: 1.38,
  // Not fitted: the training data excludes tests, and a fix belongs in a test only if little else matches.
  test: -5,
  aside: -1.06,
  prose: -1.03,
  reexport: 0.41,
} as const;
/** Ranking features of a file that a fix may have to touch. */
export type IssueFeature = keyof typeof ISSUE_WEIGHTS;

/** Feature weights for definitions in such a file. */
export const DEFINITION_WEIGHTS = {
  text: 2,
  titleText: 1.58,
  codeText: 0.04,
  line: 0.87,
  named: 0.47,
  titleNamed: 0,
  parentNamed: 1.89,
  frame: 1.83,
  resolved: 1.23,
  nameCover: 0.94,
  titleCover: 1.4,
  type: -1.96,
  length: 1.34,
  special: 0.45,
  nested: 0.25,
} as const;
/** Ranking features of a definition in such a file. */
export type DefinitionFeature = keyof typeof DEFINITION_WEIGHTS;

/** How functions are chosen: number of files, maximum per file, and the weight of the file's score. */
export const FUNCTIONS = { files: 20, perFile: 8, fileShare: 1 };

/** Weights of a logistic model: questions about the repository versus questions about others. */
export const CONFIDENCE_WEIGHTS = {
  score: 8.09,
  rare: -3.19,
  chinese: 1.61,
  passageCover: 1.68,
  sentence: 5.1,
  terms: 3.97,
  pathWords: 4.56,
  files: -1.97,
  strangeName: -4.32,
} as const;
/** Features that distinguish questions that the repository answers from those that it does not. */
export type ConfidenceFeature = keyof typeof CONFIDENCE_WEIGHTS;
/** Intercept of the logistic model: the log-odds that there is an answer if all features are 0. */
export const CONFIDENCE_BIAS = -8.26;

/**
 * Lower bounds of the confidence if a question names something in the repository: a definition, a file, a text that few
 * files contain, a name that is used, a word that occurs. `similar` is the upper bound if only something similar is
 * there. Not fitted.
 */
export const KNOWN = { defined: 0.95, file: 0.9, exact: 0.9, used: 0.6, stands: 0.2, similar: 0.3 };

/** Number of files beyond which a literal match does not help to tell them apart. */
export const FEW_FILES = 8;

/**
 * Bonuses of a file that defines what is asked about, in the same or a different case, or that contains a text
 * literally. The other values are factors: for tests and examples, and for queries that say more than a name (a report,
 * a long Chinese question). Not fitted.
 */
export const LEADS = { defined: 10, otherCase: 3, exact: 12, aside: 0.4, asideExact: 0.8, report: 0.3 };

/** Minimum confidence of a sure answer, and of a guess. */
export const GRADES = { sure: 0.4, guess: 0.14 };

/** Weight of the user's embedding model: the closest hit gains this share of the score range. Not fitted. */
export const MEANING = 0.4;
