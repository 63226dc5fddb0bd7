import { CARRIERS } from "../base/question-frame.ts";
import type { PromptClues } from "./clues.ts";
import { PHATIC, RELATIONS, segmentChinese } from "./follow-up-words.ts";
import type { Judgement } from "./judge.ts";

/** A prompt that refers to the previous one. */
export interface FollowUp {
  /** True if it refers to several things ("them", "它们"). */
  readonly plural: boolean;
  /** True if it also names something itself ("does it call parseConfig?"). */
  readonly namesOwn: boolean;
  /** True if it is a question about code provided that the previous one was, although its own words do not show it. */
  readonly asks: boolean;
  /** True if it has no content words, so that it cannot be about anything else. */
  readonly plain: boolean;
}

/** A piece of a prompt: a word, or a run of characters that is on no list. */
type Piece = ReturnType<typeof segmentChinese>[number];

/** Maximum length of a follow-up; a longer prompt has a subject of its own. */
const MAX_FOLLOW_UP_CHARS = 300;
/**
 * Below this confidence the words indicate small talk or another subject, rather than merely failing to indicate code.
 */
const UNDECIDED = 0.3;

/** Courtesies before the question: "ok, and who calls it?". */
const OPENING =
  /^[\s,.!，。！、]*(?:(?:ok(?:ay)?|yes|yeah|no|sure|thanks?|thank you|great|perfect|nice|cool|good|right|got it|i see|hm+|and|so|but|also)\b|好的?|可以|行|嗯+|[谢謝]{2}|是的|[对對]|明白了?|知道了)[\s,.!，。！、]*/;
/** Expletive "it", which refers to nothing: "it would be nice", "is it possible". */
const EMPTY_IT =
  /\b(?:it(?:'s| is| was| would be| will be| might be)?|is it|was it|would it be) (?:possible|nice|great|better|best|good|time|seems?|worth|likely|easy|hard|helpful|useful|ok|okay|fine)\b/;
/** Expletive "there", which refers to nothing: "there is a bug", "is there a test". */
const EMPTY_THERE = /\bthere(?:'s| is| are| was| were)\b|\b(?:is|are|was|were|isn't|aren't) there\b/g;
/** Nouns after "this" or "that" that make it refer to something other than the last answer. */
const ELSEWHERE =
  /^(?:repo|repository|project|codebase|app|application|branch|commit|pr|release|machine|computer|system|package|library|folder|directory|week|month|year|morning|time|way|session|conversation|prompt|message|tool|model)s?$/;
const POINTING = /^(?:it|its|itself|that|this|these|those|they|them|their|theirs|there)$/;
const PLURAL = /\b(?:them|they|their|theirs|these|those)\b|它们|它們|他们|他們|这些|這些|那些/;
/** After one of these words, "that" joins two clauses and refers to nothing. */
const JOINS =
  /^(?:function|method|class|code|file|files|place|places|part|one|ones|thing|things|test|tests|something|anything|everything|all|sure|so|say|says|know|see|mean|means|think|such)$/;
const QUESTION_EN = /^(?:who|whose|what|which|where|why|how|when|whats|whos|hows|wheres)$/;
/** Openings of yes-or-no questions whose subject is the pronoun: "does it handle …", "could that throw". */
const YES_OR_NO = /^(?:does|do|is|are|can|could|should|would|has|have|might)$/;
const QUESTION_ZH =
  /[谁誰哪啥吗嗎]|[怎什甚][么麼样樣]|[为為][何什啥]|如何|([能会會是])不\1|有[没沒]有|[能是]否|[还還]是/;
const WHY = /\bwhy\b(?! not)|[为為](?:什么|什麼|何|啥)/;
const MORE =
  /\b(?:show|tell|give|see|explain)\b.{0,20}\b(?:more|details?|rest)\b|(?:更|再)?(?:详细|詳細|具体|具體).{0,4}[说說讲講看]|[说說讲講看]得?(?:详细|詳細|具体|具體|更多)/;
const WHAT_ABOUT =
  /^(?:(?:and|so|but) )?(?:what|how) about\b|^(?:(?:and|do) )?(?:the )?same (?:thing )?(?:for|in|with)\b|\bthe (?:(?:other|first|second|third|last) ones?|former|latter)\b|^那.{1,30}呢[\s?？。！!]*$/;
/** "And in the tests?" */
const AND_THERE = /^and (?:in|on|for|with|from) [^?]{1,40}\?$/;
/** Start of another clause. */
const CLAUSE =
  /^(?:[?.!,;]|when|if|because|since|while|but|and|or|so|until|after|before|which|that|although|as|to|by|than)$/;
const THING = /^(?:function|method|class|module|file|code|type|interface|struct|one)s?$/;
// No property class such as \p{Script=Han}: compiling one takes several milliseconds in the hook.
const HAN = /[\u3400-\u9fff]/;

/**
 * True if a prompt that is not about code by its own words becomes a question about code because the previous one was.
 * Contract: depends on its arguments only; false for consent, thanks and other subjects.
 */
export function mayBecomeCode(text: string, { clues, analysis }: Judgement): boolean {
  if (analysis.intent !== null) return false;
  const followUp = readFollowUp(text, clues);
  return followUp?.asks === true && (followUp.plain || analysis.confidence >= UNDECIDED);
}

/**
 * Returns how a prompt refers back: by a pronoun whose meaning is not in the prompt itself, by "what about …", or by a
 * question about callers, tests and the like that does not name its object. Contract: depends on its arguments only;
 * null for a prompt with its own subject, error or code, and for thanks, consent and orders to continue.
 */
export function readFollowUp(text: string, clues: PromptClues): FollowUp | null {
  if (text.length > MAX_FOLLOW_UP_CHARS || clues.error !== "" || clues.hasTrace || clues.hasCode) return null;
  const said = text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
  const rest = withoutOpening(said);
  if (rest === "" || PHATIC.test(rest)) return null;
  const pieces = HAN.test(rest) ? toChinesePieces(rest) : toEnglishPieces(rest);
  const at = pieces.findIndex(({ kind }) => kind === "anaphor");
  const pointsBack = at >= 0 && meansEarlier(pieces, at);
  const plural = PLURAL.test(rest);
  const own = [...clues.symbols, ...clues.paths].map((name) => rest.indexOf(name.toLowerCase()));
  if (own.length > 0) {
    const before = pieces.slice(0, at).reduce((length, piece) => length + piece.text.length, 0);
    return pointsBack && before <= Math.min(...own) ? { plural, namesOwn: true, asks: false, plain: false } : null;
  }
  const pure = isEmpty(pieces);
  const asksRelation = RELATIONS.test(rest) || WHY.test(rest) || MORE.test(rest);
  const another = WHAT_ABOUT.test(rest) || AND_THERE.test(said);
  if (!pointsBack && !another && !(pure && asksRelation)) return null;
  const asks = (pure && (asksRelation || another)) || (pointsBack && asksOf(pieces, at));
  return { plural, namesOwn: false, asks, plain: pure };
}

/** True if a question word asks about the pronoun: before it in English, at any position in Chinese. */
function asksOf(pieces: readonly Piece[], at: number): boolean {
  const text = pieces.map((piece) => piece.text).join(" ");
  if (HAN.test(text)) return QUESTION_ZH.test(text.replaceAll(" ", ""));
  const [first = { text: "" }] = pieces;
  return (at === 1 && YES_OR_NO.test(first.text)) || pieces.slice(0, at).some((piece) => QUESTION_EN.test(piece.text));
}

function withoutOpening(text: string): string {
  let rest = text;
  // "ok, thanks, and who calls it" has three courtesies; longer chains are not treated as an opening.
  for (let turn = 0; turn < 3; turn++) rest = rest.replace(OPENING, "");
  return rest;
}

/**
 * True if nothing before the pronoun could be its antecedent. In English one content word may precede it, because a
 * pronoun does not refer to something in its own clause ("how would I mock it", "what is inside that class").
 */
function meansEarlier(pieces: readonly Piece[], at: number): boolean {
  const before = pieces.slice(0, at);
  if (isEmpty(before)) return true;
  const next = pieces[at + 1]?.text ?? "";
  const isOwnClause = !before.some((piece, index) => index > 0 && CLAUSE.test(piece.text));
  const isPlain = /^(?:it|them)$/.test(pieces[at]?.text ?? "") || THING.test(next);
  return isOwnClause && isPlain && before.filter(({ kind }) => kind === "content").length === 1;
}

function isEmpty(pieces: readonly Piece[]): boolean {
  return pieces.every(({ kind }) => kind !== "content");
}

function toEnglishPieces(text: string): Piece[] {
  const plain = text.replace(EMPTY_THERE, (found) => found.replace("there", "")).replace(EMPTY_IT, "");
  const words = plain.match(/[a-z0-9_$./#:-]*[a-z0-9_$]|[\u00aa-\uffff]+|[?.!,;]/g) ?? [];
  return words.map((word, at) => {
    if (/^[?.!,;]$/.test(word)) return { text: word, kind: "carrier" };
    if (POINTING.test(word) && pointsAtAnswer(word, words[at - 1] ?? "", words[at + 1] ?? "")) {
      return { text: word, kind: "anaphor" };
    }
    return { text: word, kind: CARRIERS.has(word) ? "carrier" : "content" };
  });
}

function pointsAtAnswer(word: string, before: string, after: string): boolean {
  if (word === "there") return after === "" || /^[?.!,]$/.test(after) || before === "in" || before === "from";
  if (word === "this" || word === "that" || word === "these" || word === "those") {
    if (ELSEWHERE.test(after)) return false;
    return word !== "that" || !JOINS.test(before);
  }
  return true;
}

function toChinesePieces(text: string): Piece[] {
  const pieces: Piece[] = segmentChinese(text)
    .filter((piece) => piece.text.trim() !== "")
    .map(({ text: piece, kind }) => ({
      text: piece,
      kind: kind === "content" && CARRIERS.has(piece) ? "carrier" : kind,
    }));
  // "这个登录页面" refers to a page that it names itself.
  return pieces.map((piece, at) =>
    piece.kind === "anaphor" && /[这那這个個]$/.test(piece.text) && pieces[at + 1]?.kind === "content"
      ? { ...piece, kind: "content" }
      : piece,
  );
}
