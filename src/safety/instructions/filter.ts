import { HIDDEN_TEXT } from "../defang/defang.ts";
import { makeDueTest } from "./due.ts";
import { LATIN_RULES } from "./rules.ts";
import { HAN_RULES } from "./rules-zh.ts";
import { ENOUGH, HOPELESS, HOPELESS_AROUND, scoreText } from "./score.ts";
import {
  closeDoubled,
  closeLeet,
  closeLetters,
  closeShuffled,
  closeSpaced,
  closeUnderscored,
  decodeHidden,
  moveLetters,
  reversed,
  splitJoined,
  toLead,
  toShadows,
} from "./shadow.ts";
import { NO_SIGNS, toSigns } from "./signs.ts";
import { isVeiled } from "./veil.ts";

/** Replaces a removed instruction. */
const REMOVED = "[filtered: instruction-like text]";
/** Words that are only spelled letter by letter to hide them. */
const SPELLED =
  /please|ignore|disregard|instruct|previous|system|before|answer|secret|password|execut|delete|prompt|reveal|assistant|forget|override|credential|transfer|without|confidential|retrieve|account|follow|enabled/g;
const toDueLatin = makeDueTest(LATIN_RULES);
const toDueHan = makeDueTest(HAN_RULES);
/** How many lines an instruction may continue after the line that was detected. */
const MAX_TAIL = 8;
const MAX_FENCE = 60;
/** The second pass hardly ever finds anything, and the third never did. */
const MOST_PASSES = 3;
/** Keys and names, which most strings of a document are: too short for any rule, in any interpretation. */
const NAME = /^[A-Za-z]*_?[A-Za-z]*$/;
const SHORTEST_ORDER = 20;
/** More characters than any rule spans. */
const LONGEST_ORDER = 800;

const LINE_BREAK = /\r\n?|[\n\u0085\u2028\u2029]/;

/** A run of letters longer than any word. */
const LONG_RUN = /[A-Za-z]{24}/;

/** Line numbers from 0: `from` is inclusive, `to` exclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Removes instruction-like passages line by line: the rules match what a model would read, and the matching lines are
 * removed from the original. Contract: linear; keeps the number of lines; `count` is the number of removed passages;
 * idempotent. `written` is the text as stored in the file, including invisible characters, with the same lines.
 */
export function filterInstructions(text: string, written = text): { readonly text: string; readonly count: number } {
  if (text.length < SHORTEST_ORDER && NAME.test(text)) return { text, count: 0 };
  const lines = text.split("\n");
  const original = written === text ? lines : written.split(LINE_BREAK);
  let count = 0;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const found = removeFound(lines, original);
    if (found === 0) break;
    count += found;
  }
  return { text: count === 0 ? text : lines.join("\n"), count };
}

/**
 * Removes the passages that are found in one pass, in place, and returns their number. Lines that are not removed are
 * then next to others than before, and may form an instruction with them.
 */
function removeFound(lines: string[], original: string[]): number {
  const hit = new Uint8Array(lines.length);
  const shadows = toShadows(lines.join("\n").replaceAll(REMOVED, ""));
  markLines(shadows, hit);
  shadows.forEach((shadow, at) => {
    if (hit[at] === 1 && isReport(shadow)) hit[at] = 0;
  });
  const scores = shadows.map((shadow, at) => (hit[at] === 1 ? 0 : scoreText(shadow)));
  lines.forEach((line, at) => {
    if (hit[at] !== 0) return;
    const read = { line, written: original[at] ?? "", shadow: shadows[at] ?? "", score: scores[at] ?? 0 };
    const isPlanted =
      line.includes(HIDDEN_TEXT) ||
      isOrder(read.score, read.shadow) ||
      isOrderWithin(read) ||
      isOrderVeiled(read) ||
      isDisguised(read);
    if (isPlanted) hit[at] = 1;
  });
  markTogether(shadows, scores, hit);
  markEncoded(original, hit);
  let count = 0;
  for (let at = 0; at < lines.length; at++) {
    if (hit[at] !== 1) continue;
    if (hit[at - 1] !== 1) count++;
    markTail(lines, at, hit);
  }
  for (const [at, line] of lines.entries()) if (hit[at] !== 0) lines[at] = original[at] = toRemoved(line);
  return count;
}

/**
 * Like `filterInstructions`, for a range of lines. Contract: surrounding lines are read as far as an instruction can
 * reach, but not returned; `count` covers everything that was read.
 */
export function filterLines(
  text: string,
  shown: LineRange,
  written = text,
): { readonly lines: readonly string[]; readonly count: number } {
  const lines = text.split("\n");
  const from = toReach(lines, lines.some(opensFence) ? shown.from - MAX_FENCE : shown.from - MAX_TAIL, -1);
  const to = toReach(lines, shown.to, 1);
  const original = written === text ? lines : written.split(LINE_BREAK);
  const part = (all: readonly string[]) => all.slice(from, to).join("\n");
  const { text: calm, count } = filterInstructions(part(lines), part(original));
  return { lines: calm.split("\n").slice(shown.from - from, shown.to - from), count };
}

/** The line up to which, in one direction, a sentence can reach the start line. */
function toReach(lines: readonly string[], start: number, step: 1 | -1): number {
  let at = Math.max(0, Math.min(start, lines.length));
  for (let chars = 0; chars < LONGEST_ORDER && at > 0 && at < lines.length; at += step) chars += lines[at]?.length ?? 0;
  return at;
}

/** Matches the rules line by line, then over the joined lines: a sentence split across lines is still one sentence. */
function markLines(shadows: readonly string[], hit: Uint8Array): void {
  markMatches(shadows, "\n", hit);
  if (shadows.length < 2) return;
  // Blank lines, ends of statements and lines that are removed anyway end a sentence.
  const pieces = shadows.map((shadow, at) => {
    if (hit[at] === 1 || shadow.trim() === "") return ". ";
    if (/\p{L}-\s?$/u.test(shadow)) return shadow.trimEnd().slice(0, -1);
    return /[;{}]\s?$/.test(shadow) ? `${shadow}. ` : `${shadow} `;
  });
  markMatches(pieces, "", hit);
}

function markMatches(pieces: readonly string[], glue: string, hit: Uint8Array): void {
  const joined = pieces.join(glue);
  const ranges = toPatterns(joined).flatMap((pattern) =>
    [...joined.matchAll(pattern)].map((match) => [match.index, match[0].length]),
  );
  ranges.sort(([a = 0], [b = 0]) => a - b);
  const size = (at: number): number => (pieces[at]?.length ?? 0) + glue.length;
  let line = 0;
  let start = 0;
  for (const [from = 0, length = 0] of ranges) {
    while (line < pieces.length && start + size(line) <= from) start += size(line++);
    let end = start;
    for (let at = line; at < pieces.length && end < from + length; at++) {
      hit[at] = 1;
      end += size(at);
    }
  }
}

/**
 * Marks two or three lines that read like an instruction only together, even if a word is split between them, and runs
 * of lines of only a few words.
 */
function markTogether(shadows: readonly string[], scores: readonly number[], hit: Uint8Array): void {
  markShortLines(shadows, hit);
  for (let at = 0; at + 1 < shadows.length; at++) {
    for (const size of [2, 3]) {
      const lines = shadows.slice(at, at + size);
      if (lines.some((line, index) => line === "" || hit[at + index] === 1)) break;
      if (scores.slice(at, at + size).every((score) => score < HOPELESS)) continue;
      if ([" ", ""].some((glue) => scoreText(lines.join(glue)) >= ENOUGH.lines)) hit.fill(1, at, at + lines.length);
    }
  }
}

/** A line that consists only of encoded text. */
const ENCODED_LINE = /^[A-Za-z0-9+/_-]{12,200}={0,2}$/;

/** Marks encoded text that is wrapped over several lines and can only be decoded as a whole. */
function markEncoded(written: readonly string[], hit: Uint8Array): void {
  for (let from = 0; from + 1 < written.length; ) {
    const pieces: string[] = [];
    for (let at = from; at < written.length && pieces.length < MOST_SHORT; at++) {
      const piece = (written[at] ?? "").slice(toLead(written[at] ?? "").length).trimEnd();
      if (!ENCODED_LINE.test(piece)) break;
      pieces.push(piece);
    }
    if (pieces.length > 1) {
      const read = decodeHidden(pieces.join(""));
      if (read !== "" && scoreText(read) >= ENOUGH.encoded) hit.fill(1, from, from + pieces.length);
    }
    from += pieces.length + 1;
  }
}

/** A line of a few words, much shorter than wrapped prose, without characters of code. */
const SHORT_LINE = /^[^;{}=<>()[\]|\\$&]{1,32}$/;
const FEWEST_SHORT = 3;
/** From this number of lines on, it is no accident that they are short. */
const MANY_SHORT = 5;
const MOST_SHORT = 40;

function markShortLines(shadows: readonly string[], hit: Uint8Array): void {
  for (let from = 0; from + FEWEST_SHORT <= shadows.length; ) {
    let to = from;
    while (to < shadows.length && to - from < MOST_SHORT && hit[to] !== 1 && SHORT_LINE.test(shadows[to] ?? "")) to++;
    // Word lists contain no sentence; a sentence that was split on purpose does.
    const enough = to - from < MANY_SHORT ? ENOUGH.fewShort : ENOUGH.line;
    const isSplit = (glue: string): boolean => scoreText(shadows.slice(from, to).join(glue)) >= enough;
    if (to - from >= FEWEST_SHORT && (isSplit(" ") || isSplit(""))) hit.fill(1, from, to);
    from = to + 1;
  }
}

function isOrder(score: number, shadow: string): boolean {
  const enough = /[\u3400-\u9fff]{4}/.test(shadow) ? ENOUGH.hanLine : ENOUGH.line;
  return score >= enough && (score >= ENOUGH.report || !isReport(shadow));
}

/** A sentence about attacks: a word for an attack, what it does to a model, and the model. */
const REPORT =
  /(?:\b(?:attack(?:er)?s?|adversar(?:y|ies)|(?:injection|jailbreak)s?)\b[^.!?\n]{0,60}\b(?:asks?|tells?|tries|try|makes?|tricks?|instructs?|gets?|convinces?|persuades?)\b[^.!?\n]{0,24}\b(?:models?|assistants?|agents?|llms?|chatbots?)\b|(?:攻击|注入|越狱|话术)[^。！？\n]{0,24}(?:要求|诱导|诱使|引导|让|使|骗)(?:大?语?言?模型|助手|智能体|代理|机器人)) ?(?!你)/;

/** True for a sentence that reports what an attack asks a model to do. */
function isReport(shadow: string): boolean {
  return REPORT.test(shadow);
}

/** A line in all its forms: as shown, as stored in the file and as a model reads it, with the score of its shadow. */
interface Line {
  readonly line: string;
  readonly written: string;
  readonly shadow: string;
  readonly score: number;
}

/** Separators between the strings of a line of code, bracketed text and sentences. */
const PARTS = /['()[\]{}<>|=‹›【】“”「」。！？；]+|(?<=[.!?]) /;
const FEWEST_PART = 20;
const FEWEST_HAN = /[\u3400-\u9fff]{6}/;
/** A line must have more characters than this around a part. */
const FEWEST_AROUND = 5;
const MOST_PARTS = 6;

/**
 * True if a string or a bracket in a line is an instruction; the code around it would outweigh it in the line's score.
 */
function isOrderWithin({ shadow, score }: Line): boolean {
  if (score < HOPELESS_AROUND) return false;
  // The less the line as a whole resembles an instruction, the higher the part must score.
  return scoreParts(shadow) >= ENOUGH.part - Math.min(0, score + 1);
}

/** Highest score of a part of a text; negative infinity if it has no parts. */
function scoreParts(shadow: string): number {
  if (!PARTS.test(shadow)) return Number.NEGATIVE_INFINITY;
  const parts = shadow
    .split(PARTS)
    .filter(
      (part) => (part.length >= FEWEST_PART || FEWEST_HAN.test(part)) && part.length + FEWEST_AROUND < shadow.length,
    );
  return Math.max(Number.NEGATIVE_INFINITY, ...parts.slice(0, MOST_PARTS).map(scoreText));
}

/** True if a line is written to be overlooked and reads a little like an instruction. */
function isOrderVeiled({ written, score }: Line): boolean {
  if (score < ENOUGH.encoded) return false;
  return isVeiled(written, score < ENOUGH.disguised ? 3 : 1);
}

/** True if a line contains a disguised instruction: spelled out, in leetspeak, encoded, reversed and so on. */
function isDisguised({ line, written, shadow, score }: Line): boolean {
  if (line.length < 12) return false;
  const signs = toSigns(shadow);
  // An encoded passage may have been redacted as a secret.
  const hidden = decodeHidden(line) || (written === line ? "" : decodeHidden(written));
  if (isOrderJoined(line)) return true;
  const underscored = closeUnderscored(line);
  if (underscored !== "" && (isInstruction(underscored) || isOrder(scoreText(underscored), underscored))) return true;
  if (signs === NO_SIGNS && hidden === "") return false;
  const spelled = signs.spelled ? closeSpaced(line) || closeLetters(shadow) : "";
  if (spelled.match(SPELLED)?.some((word) => !shadow.includes(word)) === true) return true;
  if ([spelled, hidden].some((read) => read !== "" && scoreText(read) >= ENOUGH.encoded)) return true;
  // A reading that scores no higher than the line itself is no evidence of a disguise.
  const fewest = Math.max(ENOUGH.disguised, score + ENOUGH.gain);
  return [
    spelled,
    signs.doubled ? closeDoubled(shadow) : "",
    signs.leet ? closeLeet(shadow) : "",
    signs.shuffled ? closeShuffled(shadow) : "",
    hidden,
    signs.moved ? moveLetters(shadow) : "",
    signs.backwards ? reversed(shadow) : "",
  ].some((read) => read !== "" && (isInstruction(read) || scoreText(read) >= fewest || scoreParts(read) >= fewest));
}

/**
 * True if words joined without spaces form an instruction. Test names are joined like this too, so the limit is high.
 */
function isOrderJoined(line: string): boolean {
  if (!LONG_RUN.test(line)) return false;
  const read = splitJoined(line);
  return read !== "" && (isInstruction(read) || scoreText(read) >= ENOUGH.lines);
}

function isInstruction(shadow: string): boolean {
  return toPatterns(shadow).some((pattern) => shadow.search(pattern) >= 0);
}

/** The patterns that a text can match at all. */
function toPatterns(shadow: string): readonly RegExp[] {
  const rules = /[\u3400-\u9fff]/.test(shadow) ? [...toDueLatin(shadow), ...toDueHan(shadow)] : toDueLatin(shadow);
  return rules.map(({ pattern }) => pattern());
}

/** Marks the continuation of a removed line: the rest of its sentence, or the code block that it introduces. */
function markTail(lines: readonly string[], at: number, hit: Uint8Array): void {
  if (opensFence(lines[at + 1] ?? "")) {
    for (let next = at + 1; next < lines.length && next <= at + MAX_FENCE; next++) {
      hit[next] = 2;
      if (next > at + 1 && opensFence(lines[next] ?? "")) return;
    }
    return;
  }
  for (let next = at + 1; next < lines.length && next <= at + MAX_TAIL; next++) {
    // A sentence continues if a line ends in a word; an instruction that is only announced follows on the next line.
    if (!/[\p{L}\p{N},，、:：]\s{0,4}$/u.test(lines[next - 1] ?? "") || (lines[next] ?? "").trim() === "") return;
    if (hit[next] === 0) hit[next] = 2;
  }
}

function opensFence(line: string): boolean {
  return line.includes("```") || line.includes("~~~");
}

function toRemoved(line: string): string {
  return line.trim() === "" ? line : `${toLead(line)}${REMOVED}`;
}
