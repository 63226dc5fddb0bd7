// `node bench/ablation.mjs`: measures the value of each group of signals: the cross-validated figures without it, with
// weights fitted again. Needs the same benchmarks as training/fit-ranking.mjs and reports if they are missing.
import { loadEngine, openBench, readIssues, readQuestions } from "../training/ranking/data.mjs";
import { fitIssues, fitQuestions } from "../training/ranking/tasks.mjs";

const QUESTION_GROUPS = {
  "first lines of the file": ["head"],
  "passages of forty lines": ["passage", "passages", "passageCover", "sentence"],
  comments: ["doc"],
  "names of definitions": ["name", "nameCover", "definition"],
  "pairs of words as one name": ["pairName"],
  "a name that is asked for": ["namedType", "namedFunction", "namedStem"],
  path: ["path", "stemSaid", "stemCover", "folderCover", "stemExact", "stemAll"],
  "size and depth": ["size", "depth", "twin"],
  "kind of file": ["test", "aside", "reexport"],
};
const ISSUE_GROUPS = {
  "words in the text": ["cover", "passage"],
  "words of the title": ["titleName", "titleDoc", "titleCover", "titleSentence"],
  "best definition": ["definition"],
  "files and frames that are named": ["said", "lastFrame", "dotted"],
  "qualified names": ["resolved"],
  path: ["path", "folderValue"],
  size: ["size"],
  "kind of file": ["aside", "prose", "reexport"],
};

function printQuestions(cases) {
  console.log("| without | NDCG@10, cross-validated | difference |\n|---|---|---|");
  const base = fitQuestions(cases).validated;
  console.log(`| nothing | ${base.toFixed(3)} | |`);
  for (const [group, names] of Object.entries(QUESTION_GROUPS)) {
    const { validated } = fitQuestions(cases, new Set(names));
    console.log(`| ${group} | ${validated.toFixed(3)} | ${(validated - base).toFixed(3)} |`);
  }
}

function printIssues(cases) {
  const show = (values) => values.map((value) => (100 * value).toFixed(1)).join(" / ");
  const row = (group, { validated }) => console.log(`| ${group} | ${Object.values(validated).map(show).join(" | ")} |`);
  const base = fitIssues(cases);
  console.log(`\n| without | ${Object.keys(base.validated).join(" Acc@1/5/10 | ")} Acc@1/5/10 |\n|---|---|---|`);
  row("nothing", base);
  for (const [group, names] of Object.entries(ISSUE_GROUPS)) row(group, fitIssues(cases, new Set(names)));
}

const bench = await openBench();
if (bench !== null) {
  const engine = await loadEngine();
  printQuestions(readQuestions(bench, engine));
  printIssues([...readIssues(bench, engine, "swe"), ...readIssues(bench, engine, "swe-multi")]);
}
