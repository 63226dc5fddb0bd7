// `npm run bench:names -- <repository>… [--per N] [--seed S] [--kind names|tokens|foreign] [--verbose] [--out FILE]`:
// questions about one definition, one token, or something that does not exist, asked through the hook. Is the right
// file named, is it the first, and is the answer short if there is none? N of each class (or kind) in each repository,
// each asked in English and in Chinese; the seed decides which and how. Needs git checkouts and universal-ctags.
import { appendFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { chooseForeign, chooseNames, listNames } from "./names/definitions.mjs";
import { hasCtags, readRepository } from "./names/repository.mjs";
import { askName, askToken, LANGUAGES } from "./names/templates.mjs";
import { chooseTokens } from "./names/tokens.mjs";
import { buildIndex, filesNamedIn, injectedFor, reportShare, stateIn, withScratch } from "./support.mjs";

const PER = 12;
const NAME_BARS = { plain: 0.9, capitalised: 0.9, snake: 0.98, camel: 0.98 };
const TOKEN_BAR = 0.95;
const FIRST_BAR = 0.9;
const SHORT_BAR = 0.95;
const NOTHING_BAR = 0.8;
/** Longest answer allowed if nothing matches, in UTF-16 units. */
const SHORT = 600;
/** Number of files shown with a miss, and number of questions between progress reports. */
const [SHOWN, STEP] = [4, 20];
const KINDS = ["names", "tokens", "foreign"];
const { values: given, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    per: { type: "string", default: String(PER) },
    seed: { type: "string", default: "1" },
    kind: { type: "string" },
    verbose: { type: "boolean" },
    out: { type: "string" },
  },
});

/** Each chosen item as a question in both languages. */
function toQuestions(kind, repository, byClass, toAsked) {
  return Object.entries(byClass).flatMap(([title, things]) =>
    things.flatMap((thing, at) =>
      LANGUAGES.map((language) => ({
        kind,
        class: title,
        language,
        repository: repository.name,
        ...toAsked(thing, language, at, `${given.seed} ${kind} ${repository.name} ${title}`),
      })),
    ),
  );
}

const toNameQuestion = (definition, language, at, label) => ({
  subject: definition.name,
  prompt: askName(definition, language, at, label),
  files: [definition.path],
});
const toTokenQuestion = (token, language, at, label) => ({
  subject: token.token,
  prompt: askToken(token, language, at, label),
  files: token.files,
});
const toForeignQuestion = (...asked) => ({ ...toNameQuestion(...asked), files: [] });

/** The questions for a repository. */
function questionsFor(repository, repositories) {
  const others = repositories.filter((other) => other !== repository);
  const label = (kind) => `${given.seed} ${kind} ${repository.name}`;
  const per = Number(given.per);
  const makers = {
    names: () => toQuestions("names", repository, chooseNames(repository, per, label("names")), toNameQuestion),
    tokens: () => toQuestions("tokens", repository, chooseTokens(repository, per, label("tokens")), toTokenQuestion),
    foreign: () =>
      toQuestions("foreign", repository, chooseForeign(repository, others, per, label("foreign")), toForeignQuestion),
  };
  return KINDS.filter((kind) => kind === (given.kind ?? kind)).flatMap((kind) => makers[kind]());
}

/** Evaluates the hook's answer to a question. */
function judge(question, root, env) {
  const context = injectedFor(question.prompt, root, env);
  // The plan repeats words of the prompt, which may be file names.
  const block = context.replace(/^\[Auto Tools\].*$/gm, "");
  const named = [...filesNamedIn(block, root)];
  return {
    ...question,
    units: context.length,
    named,
    isHit: question.files.some((file) => named.includes(file)),
    isFirst: question.files.includes(named[0]),
  };
}

function isMiss({ kind, units, isHit, isFirst }) {
  if (kind === "foreign") return units > 0;
  return !isHit || (kind === "tokens" && !isFirst);
}

function showMiss({ kind, class: title, repository, prompt, files, units, named, isHit }) {
  const what = kind === "foreign" ? "said" : isHit ? "not first" : "missed";
  const told = `${units} units, ${named.slice(0, SHOWN).join(" ") || "no files"}`;
  const expected = files.length > 0 ? ` expected ${files.join(" ")};` : "";
  console.log(`${what} (${kind}, ${title}, ${repository}): ${prompt}\n  ${expected} ${told}`);
}

/** Asks all questions in a repository, one after the other. */
function askAll(repository, questions, env) {
  if (questions.length > 0) buildIndex(repository.root, env);
  return questions.map((question, at) => {
    if (at % STEP === 0) console.error(`${repository.name}: ${at} of ${questions.length}`);
    const answer = judge(question, repository.root, env);
    if (given.verbose && isMiss(answer)) showMiss(answer);
    if (given.out) appendFileSync(given.out, `${JSON.stringify({ ...answer, named: answer.named.slice(0, 10) })}\n`);
    return answer;
  });
}

const count = (answers, isCounted) => answers.filter(isCounted).length;
const isSilent = ({ units }) => units === 0;
const isShort = ({ units }) => units <= SHORT;
const toShare = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(0)} %`;

/** One line per class and language, with the columns of its kind. */
function printTable(kind, answers) {
  const columns =
    kind === "foreign"
      ? {
          nothing: isSilent,
          [`≤ ${SHORT}`]: (answer) => isShort(answer) && !isSilent(answer),
          longer: (a) => !isShort(a),
        }
      : { hits: ({ isHit }) => isHit, first: ({ isFirst }) => isFirst, silent: isSilent };
  const toLine = (cells) => cells.map((cell, at) => (at === 0 ? cell.padEnd(18) : cell.padStart(14))).join("");
  console.log(`\n${toLine([kind, ...Object.keys(columns)])}`);
  const titles = new Set(answers.map((answer) => `${answer.class} ${answer.language}`));
  for (const title of titles) {
    const group = answers.filter((answer) => `${answer.class} ${answer.language}` === title);
    const cells = Object.values(columns).map((isCounted) => {
      const part = count(group, isCounted);
      return `${part}/${group.length} ${toShare(part, group.length).padStart(5)}`;
    });
    console.log(toLine([title, ...cells]));
  }
}

/** Prints the figures that have a threshold. Returns whether every threshold is met; what was not asked has none. */
function reportBars(answers) {
  const of = (kind, title) => answers.filter((one) => one.kind === kind && (title ?? one.class) === one.class);
  const [tokens, foreign] = [of("tokens"), of("foreign")];
  const isHit = (answer) => answer.isHit;
  const bars = [
    ...Object.entries(NAME_BARS).map(([title, bar]) => [`names, ${title}`, of("names", title), isHit, bar]),
    ["tokens, a right file", tokens, isHit, TOKEN_BAR],
    ["tokens, a right file first", tokens, (answer) => answer.isFirst, FIRST_BAR],
    [`foreign, at most ${SHORT} units`, foreign, isShort, SHORT_BAR],
    ["foreign, nothing", foreign, isSilent, NOTHING_BAR],
  ];
  const asked = bars.filter(([, group]) => group.length > 0);
  console.log("");
  return asked
    .map(([name, group, isMet, bar]) => reportShare(name, count(group, isMet), group.length, bar))
    .every(Boolean);
}

function main(scratch) {
  if (given.out) writeFileSync(given.out, "");
  const repositories = folders.map((folder) => {
    const repository = readRepository(folder);
    return { ...repository, names: listNames(repository) };
  });
  if (repositories.length < 2) console.log("one repository: nothing is foreign to it");
  const env = stateIn(scratch);
  const answers = repositories.flatMap((each) => askAll(each, questionsFor(each, repositories), env));
  for (const kind of KINDS) {
    const group = answers.filter((answer) => answer.kind === kind);
    if (group.length > 0) printTable(kind, group);
  }
  if (!reportBars(answers)) process.exitCode = 1;
}

if (folders.length === 0 || (given.kind && !KINDS.includes(given.kind)) || !(Number(given.per) > 0)) {
  console.log(
    `usage: bench/names.mjs <repository>… [--per N] [--seed S] [--kind ${KINDS.join("|")}] [--verbose] [--out FILE]`,
  );
  process.exitCode = 2;
} else if (!hasCtags()) console.log("no universal-ctags that writes JSON on the path; nothing measured");
else await withScratch(main);
