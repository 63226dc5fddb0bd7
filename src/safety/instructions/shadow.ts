/**
 * A shadow is the text as a model would read it, used only for detection: the output always contains the original.
 * Contract: every function is linear and bounded.
 */
import { toSimplified } from "../../base/chinese.ts";
import { once } from "../../base/once.ts";
import { fold } from "../defang/names.ts";
import { isWideText, withPlain } from "../plain.ts";
import { decodePassages, firstMatches } from "./encodings.ts";

const LEET: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "@": "a",
  $: "s",
  "!": "i",
  "|": "l",
  "+": "t",
};
/** What precedes the text of a line: whitespace, comment and list markers, a `path:line:` prefix. */
const LINE_LEAD =
  /^(?:[ \t]{0,200}(?:[\w./-]{1,200}:\d{1,7}:)?(?:[ \t]{0,40}(?:\/{2,4}!?|\/\*{1,3}|\*(?!\*)|#{1,2}(?!#)|--|<!--|;{1,3}|%|>|[-+•]|\d{1,3}[.)]|"""|'''|rem\b)){0,4}[ \t]{0,40})/i;

const LINE_LEADS = once(() => new RegExp(LINE_LEAD.source, "gim"));

/** The prefix of a line that is not its text. Contract: a prefix of the line. */
export function toLead(line: string): string {
  return LINE_LEAD.exec(line)?.[0] ?? "";
}

/** The shadow of each line: folded, without its prefix, dots inside words replaced by `·`, single spaces. */
export function toShadows(text: string): string[] {
  return clean(fold(text.replace(LINE_LEADS(), "")))
    .split("\n")
    .map((line) => line.trim());
}

/** Interruptions of a word: an empty comment, the space after a hyphen, a formatting tag. */
const WITHIN_WORDS = withPlain(
  /\/\*{1,2}\/|(?<=\p{L}{2}-) (?=\p{L})|[<‹]\/?(?:b|i|u|em|strong|span|font|mark|wbr)(?: [^<>\n]{0,80})?>/gu,
);
/** Separators between the strings of a list, and between concatenated strings. */
const LISTED = withPlain(/(?<=\p{L}{2})' ?, ?'(?=\p{L}{2})/gu);
const CONCATENATED = withPlain(/' ?[+,.] ?(?:\\n)?'|(?<=[\p{L} ])' '(?=[\p{L} ])/gu);

/** Normalises folded text the way a reader perceives it. Contract: each line's result is independent of other lines. */
function clean(text: string): string {
  const isWide = isWideText(text);
  const joined = toSimplified(text)
    .replace(WITHIN_WORDS(isWide), "")
    .replace(/\*\/[^\S\n]?\/\*/g, " ")
    .replace(/[‘’´`"“”*]/g, "'")
    .replace(LISTED(isWide), " ")
    .replace(CONCATENATED(isWide), "");
  return (isWide ? joined.replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}/gu, " ") : joined)
    .replace(/\.(?=[^\s.'])/g, "·")
    .replace(/(?<=[^\S\n])(?:\/\/|#|\/\*|\*\/)(?=[^\S\n])/g, " ")
    .replace(/[^\S\n]{1,400}/g, " ");
}

/** Joins letters written one by one: `i g n o r e`, `i.g.n.o.r.e`, `i-g-n-o-r-e`. Empty if there are none. */
export function closeLetters(shadow: string): string {
  let found = false;
  const closed = shadow.replace(/(?<![\p{L}\p{N}])\p{L}(?:[ ._·|~/*'-]{1,3}\p{L}(?![\p{L}\p{N}])){3,200}/gu, (run) => {
    found = true;
    // If the letters are separated by punctuation, spaces separate words.
    return run.replace(/[^\p{L} ]/u.test(run) ? /[^\p{L} ]/gu : / /g, "");
  });
  return found ? closed : "";
}

/** The same where wider gaps separate the words: `y o u   a r e`. Empty if there are fewer than three such words. */
export function closeSpaced(line: string): string {
  let words = 0;
  const read = line
    .slice(toLead(line).length, 2_000)
    .split(/ {2,}/)
    .map((piece) => {
      if (!/^(?:\S )+\S$|^\S$/u.test(piece)) return piece;
      words++;
      return piece.replaceAll(" ", "");
    });
  return words >= 3 ? clean(fold(read.join(" "))) : "";
}

/** A word with digits or symbols for letters: not a number, a hash, a size or a name with a trailing number. */
const LEET_WORD =
  /(?<![^\s'"([,.:;!?])(?!0x|[0-9a-f]+(?![\w@$!|+])|[a-z]+\d{1,4}(?![\w@$!|+])|\d+[a-z]{1,3}(?![\w@$!|+]))(?=[^\s]{0,15}[a-z])(?=[a-z]{0,15}[0134578@$!|+])[a-z0134578@$!|+]{3,16}(?![^\s'")(\],.·:;!?])/g;
/** A digit or symbol in place of a letter, except for the two that also separate words: `Ctrl+C`, `yes|no`. */
const LEET_MARK = /[0134578@$!]/;
/** Any word with such characters, or only of them: also read as leetspeak once other words leave no doubt. */
const LEET_REST = /(?<![\w.])(?=[a-z]{0,15}[0134578@$])[a-z0134578@$]{1,16}(?![\w.])/g;

/** Reads digits and symbols inside words as letters. Empty if fewer than two words contain them. */
export function closeLeet(shadow: string): string {
  let words = 0;
  const read = shadow.replace(LEET_WORD, (word) => {
    if (LEET_MARK.test(word)) words++;
    return word.replace(/[0134578@$!|+]/g, (mark) => LEET[mark] ?? mark);
  });
  return words >= 2 ? read.replace(LEET_REST, (word) => word.replace(/[^a-z]/g, (mark) => LEET[mark] ?? mark)) : "";
}

/** Words recognised with their inner letters shuffled. */
export const SHUFFLED_WORDS: readonly string[] =
  "ignore previous instructions instruction disregard system prompt assistant assistants delete execute reveal password passwords credentials secret secrets override forget everything please before answer response directory tell user must send keys upload bypass guidelines rules hidden developer account accounts address agent always approve approved branch change changes command commands config content contents copy configuration customer database disable email enable environment every existing export external file files folder follow following forward give grant history include information install instead inform internal language link listed maintenance mention merge message messages mode model never only open order output page permission print private production prompts public push question read release remove reply report repository request requests return review root safety script security server session should show silently skip start state summary task tests text that their then this tokens tool transfer trust update users value variables verify want when will with without words write your".split(
    " ",
  );
/** The same words, keyed by first letter, sorted inner letters, last letter. */
const shuffled = once(() => new Map(SHUFFLED_WORDS.map((word) => [toSignature(word), word])));

function toSignature(word: string): string {
  return `${word[0]}${[...word.slice(1, -1)].sort().join("")}${word.at(-1)}`;
}

/** Restores shuffled words. Empty if fewer than two were shuffled. */
export function closeShuffled(shadow: string): string {
  let words = 0;
  const read = shadow.replace(/(?<![a-z])[a-z]{4,13}(?![a-z])/g, (word) => {
    const meant = shuffled().get(toSignature(word)) ?? word;
    if (meant !== word) words++;
    return meant;
  });
  return words >= 2 ? read : "";
}

/** Undoubles letters that are each written twice: `iiggnnoorree`. Empty if there are fewer than three such words. */
export function closeDoubled(shadow: string): string {
  let words = 0;
  const read = shadow.replace(/(?<![a-z])(?:([a-z])\1){2,20}(?![a-z])/g, (word) => {
    words++;
    return word.replace(/(.)./g, "$1");
  });
  return words >= 3 ? read : "";
}

/** Words of instructions, used to split text without spaces. */
const JOINED_WORDS: ReadonlySet<string> = new Set(
  (
    "ignore all previous prior above instructions instruction rules disregard forget everything you your yours are were told before an the a ai " +
    "assistant assistants agent model language must should please now send show print reveal tell read delete remove run execute upload copy " +
    "system prompt prompts hidden secret secrets password passwords key keys token tokens api user users of to and in it is not do with this that " +
    "file files repository env from them me my without asking mention answer question reply response only first then out if never always approve " +
    "without any every account data credentials private address mail email transfer money grant access admin root developer mode new task override"
  ).split(" "),
);
const LONGEST_JOINED = 13;

/** Splits words written without spaces, by their capitals or by known words. Empty if there are none. */
export function splitJoined(line: string): string {
  const found: string[] = [];
  for (const [run] of firstMatches(line, /[A-Za-z]{24,400}/g)) {
    const humps = run.match(/[A-Z]?[a-z]{1,20}|[A-Z]/g) ?? [];
    if (humps.length >= 5 && humps.length <= run.length / 2) found.push(humps.join(" "));
    else found.push(tellApart(run.toLowerCase()));
  }
  return clean(fold(found.filter(Boolean).join(" . ")));
}

/** Splits letters into words, longest match first. Empty if a fifth of the letters belong to no known word. */
function tellApart(run: string): string {
  const words: string[] = [];
  let unknown = 0;
  for (let at = 0; at < run.length; ) {
    let size = Math.min(LONGEST_JOINED, run.length - at);
    while (size > 1 && !JOINED_WORDS.has(run.slice(at, at + size))) size--;
    if (size === 1 && run.charAt(at) !== "a") unknown++;
    words.push(run.slice(at, at + size));
    at += size;
  }
  return unknown * 5 < run.length ? words.join(" ") : "";
}

/** The decoded passages of a line. Empty if there are none. */
export function decodeHidden(line: string): string {
  // A line break inside counts as a space.
  const read = decodePassages(line).map((text) => clean(fold(text.replaceAll("\n", "\v"))));
  return read.join(" . ");
}

const UNDERSCORED = withPlain(/\p{L}{2,16}(?:_\p{L}{1,16}){5,40}/u);

/**
 * Replaces the underscores between words by spaces. Empty unless one such name makes up at least half of the line,
 * because code is full of such names.
 */
export function closeUnderscored(line: string): string {
  if (!line.includes("_")) return "";
  const name = UNDERSCORED(isWideText(line)).exec(line)?.[0] ?? "";
  if (name === "" || name.length * 2 < line.trim().length || /[(=]/.test(line)) return "";
  return clean(fold(line.replaceAll("_", " ")));
}

/** Words that occur in most English sentences and in hardly any other text. */
export const COMMON: ReadonlySet<string> = new Set(
  "the to and of is in it you that for with this all not be are on as if or your from must do any no when then user an at by can has have me my now only out read send tell them they use we what will".split(
    " ",
  ),
);
/** Number of these words that a reading must have beyond those of the line itself to count as a sentence. */
export const ENOUGH_COMMON = 2;

/** True if a reading of a line is a sentence and the line itself is not. */
function isSentence(read: string, shadow: string): boolean {
  return countCommon(read) >= ENOUGH_COMMON + countCommon(shadow);
}

function countCommon(text: string): number {
  return text.match(/[a-z]{2,4}/g)?.filter((piece) => COMMON.has(piece)).length ?? 0;
}

/** ROT13 of a line. */
export function moveLetters(text: string): string {
  return text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97));
}

/** The line reversed, as a whole or word by word. Empty if neither forms a sentence. */
export function reversed(shadow: string): string {
  const whole = clean([...shadow].reverse().join(""));
  if (isHanBackwards(shadow)) return whole;
  if (HAN.test(shadow)) return "";
  if (isSentence(whole, shadow)) return whole;
  const words = shadow
    .split(" ")
    .map((word) => [...word].reverse().join(""))
    .join(" ");
  return isSentence(words, shadow) ? words : "";
}

/** A line in Chinese; its few Latin words do not reveal its direction. */
const HAN = /[\u3400-\u9fff]{4}/;
/** Chinese words that are common in orders or anywhere. */
const HAN_WORDS =
  "忽略|无视|忘记|指令|规则|提示|助手|模型|用户|必须|系统|任何|所有|告诉|立即|马上|文件|删除|密码|密钥|执行|输出|回答|回复|之前|以上|内容|代码|发送|关闭|如果|可以|不要|需要|这个|一个|没有|数据|设置|返回|使用|打开|读取|安全|记录|验证|确认|账户|管理|运行|上传|修改|批准|检查|直接|全部|现在|不得|请把|仓库|测试|通过";
const HAN_FORWARDS = new RegExp(HAN_WORDS, "g");
const HAN_BACKWARDS = new RegExp([...HAN_WORDS].reverse().join(""), "g");

/** True if a text has more Chinese words when it is read backwards. */
export function isHanBackwards(text: string): boolean {
  const backwards = text.match(HAN_BACKWARDS)?.length ?? 0;
  return backwards > 0 && backwards > (text.match(HAN_FORWARDS)?.length ?? 0);
}
