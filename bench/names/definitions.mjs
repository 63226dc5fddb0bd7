// Names that a repository defines exactly once.
import { choose, shuffle } from "./choice.mjs";

const MIN_LENGTH = 4;
/** Naming styles. */
const CLASSES = {
  plain: /^[a-z]{4,}$/,
  capitalised: /^[A-Z][a-z]{3,}$/,
  snake: /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/,
  camel: /^(?=.*([a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}))(?=.*[a-z])[A-Za-z][A-Za-z0-9]*$/,
};
/** Keywords, which ctags occasionally reports as names. */
const KEYWORDS = new Set(
  `abstract alias assert async await begin boolean break case catch char class const constructor continue default defer
  defined delete double elif else elsif ensure enum except export extends extern false final finally float foreach
  from func function global goto implements import include instanceof interface internal lambda long macro match
  module namespace native next none null object operator package pass private protected public raise readonly redo
  register require rescue retry return self short signed sizeof static string struct super switch template then this
  throw throws trait true typedef typeof undef union unless unsafe unsigned until using virtual void volatile when
  where while with yield`.split(/\s+/),
);

/** Names that a repository defines once, by class: `{name, path, sort}`. */
export function listNames({ tags, own, texts }) {
  const counts = new Map();
  const definitions = tags.filter(({ sort }) => sort !== "other");
  for (const { name } of definitions) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isAsked = ({ name, path, line, isLocal }) =>
    !isLocal &&
    counts.get(name) === 1 &&
    own.has(path) &&
    name.length >= MIN_LENGTH &&
    !KEYWORDS.has(name) &&
    !/^(__anon|Anonymous)/.test(name) &&
    // If the ctags parser lost track, the line does not contain the name.
    texts.get(path).split("\n", line)[line - 1]?.match(/\w+/g)?.includes(name);
  const asked = definitions.filter(isAsked);
  return mapClasses((pattern) => asked.filter(({ name }) => pattern.test(name)));
}

const mapClasses = (work) =>
  Object.fromEntries(Object.entries(CLASSES).map(([title, pattern]) => [title, work(pattern, title)]));
const pick = (names, count, seed) =>
  choose(
    shuffle(names, seed, ({ name }) => name),
    count,
  );

/** At most `count` names of each class. */
export function chooseNames({ names }, count, seed) {
  return mapClasses((_, title) => pick(names[title], count, `${seed} ${title}`));
}

/**
 * At most `count` names of each class that other repositories define and that no tracked file of this one contains as a
 * word, in any letter case.
 */
export function chooseForeign({ words }, others, count, seed) {
  return mapClasses((_, title) => {
    const theirs = others.flatMap((other) => other.names[title].map((found) => ({ ...found, path: other.name })));
    const strange = theirs.filter(({ name }) => !words.has(name.toLowerCase()));
    return pick(strange, count, `${seed} ${title}`);
  });
}
