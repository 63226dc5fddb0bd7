/**
 * The text as a model would read it, made only to decide: what stands in the output is always the original. Contract:
 * every function is linear and bounded.
 */
import { fold } from "./defang-names.ts";

/** Traditional characters of the words that the rules know. */
const SIMPLE: ReadonlyMap<string, string> = new Map(
  "無无視视記记規规則则現现執执運运調调輸输發发傳传鑰钥環环變变別别訴诉戶户統统詞词內内過过對对話话請请從从開开啟启級级員员為为與与個个應应該该進进體体說说語语將将讀读寫写刪删給给這这裡里檔档網网碼码問问題题後后請请須须覺觉錄录檢检測测沒没漏漏絕绝許许複复設设廢废撤撤銷销隱隐藏藏據据庫库號号機机觸触動动義义務务優优先先級级導导類类氣气輯辑當当釋释譯译製制係系裝装繞绕衛卫聲声稱称認认證证權权限限終终結结總总顯显點点"
    .match(/../gsu)
    ?.map((pair) => [pair[0] ?? "", pair[1] ?? ""]) ?? [],
);
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
/** What opens a line but says nothing: white space, comment and list marks, a place before it. */
const LINE_LEAD =
  /^(?:[ \t]{0,200}(?:[\w./-]{1,200}:\d{1,7}:)?(?:[ \t]{0,40}(?:\/{2,4}!?|\/\*{1,3}|\*(?!\*)|#{1,2}(?!#)|--|<!--|;{1,3}|%|>|[-+•]|\d{1,3}[.)]|"""|'''|rem\b)){0,4}[ \t]{0,40})/i;

/** The part of a line that is not its text. Contract: a prefix of the line. */
export function toLead(line: string): string {
  return LINE_LEAD.exec(line)?.[0] ?? "";
}

/** A line to match rules against: folded, without its lead, dots inside words closed, blanks single. */
export function toShadow(line: string): string {
  return clean(fold(line.slice(toLead(line).length)));
}

function clean(text: string): string {
  return text
    .replace(/[\u3400-\u9fff]/g, (letter) => SIMPLE.get(letter) ?? letter)
    .replace(/\/\*{1,2}\/|(?<=\p{L}{2}-) (?=\p{L})/gu, "")
    .replace(/[‘’´`"“”*]/g, "'")
    .replace(/' ?[+,.] ?'/g, " ")
    .replace(/\.(?=[^\s.'])/g, "·")
    .replace(/(?<=\s)(?:\/\/|#|\/\*|\*\/)(?=\s)/g, " ")
    .replace(/\s{1,400}/g, " ");
}

/** Letters written one by one, closed: `i g n o r e`, `i.g.n.o.r.e`, `i-g-n-o-r-e`. Empty where there are none. */
export function closeLetters(shadow: string): string {
  let found = false;
  const closed = shadow.replace(/(?<![\p{L}\p{N}])\p{L}(?:[ ._·|~/*-]{1,3}\p{L}(?![\p{L}\p{N}])){3,200}/gu, (run) => {
    found = true;
    return run.replace(/[^\p{L}]/gu, "");
  });
  return found ? closed : "";
}

/** Digits and signs read as letters where they stand inside words. Empty where fewer than two words have them. */
export function closeLeet(shadow: string): string {
  let words = 0;
  const read = shadow.replace(/[a-z0134578@$!|+]{3,24}/g, (word) => {
    if (!/[a-z]/.test(word) || !/[0134578@$!|+]/.test(word)) return word;
    words++;
    return word.replace(/[0134578@$!|+]/g, (mark) => LEET[mark] ?? mark);
  });
  return words >= 2
    ? read.replace(/(?<![\w.])[01345780@$]{1,3}(?![\w.])/g, (word) => word.replace(/./g, (mark) => LEET[mark] ?? mark))
    : "";
}

/** Words whose inner letters may be shuffled, by first letter, sorted inner letters, last letter. */
const SHUFFLED: ReadonlyMap<string, string> = new Map(
  "ignore previous instructions instruction disregard system prompt assistant assistants delete execute reveal password passwords credentials secret secrets override forget everything please before answer response directory tell user must send keys upload bypass guidelines rules hidden developer"
    .split(" ")
    .map((word) => [toSignature(word), word]),
);

function toSignature(word: string): string {
  return `${word[0]}${[...word.slice(1, -1)].sort().join("")}${word.at(-1)}`;
}

/** Shuffled words put right. Empty where fewer than two were shuffled. */
export function closeShuffled(shadow: string): string {
  let words = 0;
  const read = shadow.replace(/(?<![a-z])[a-z]{4,13}(?![a-z])/g, (word) => {
    const meant = SHUFFLED.get(toSignature(word)) ?? word;
    if (meant !== word) words++;
    return meant;
  });
  return words >= 2 ? read : "";
}

/** What encoded passages of a line say: base64, hex, escapes, entities. Contract: at most 8 of each kind. */
export function decodeHidden(line: string): string {
  const found: string[] = [];
  for (const [run] of take(line, /[A-Za-z0-9+/_-]{20,8000}={0,2}/g)) {
    if (/^[0-9a-f]+$/i.test(run)) found.push(Buffer.from(run, "hex").toString("utf8"));
    else if (/[a-z]/.test(run) && /[A-Z0-9]/.test(run)) {
      const once = Buffer.from(run, "base64").toString("utf8").replaceAll("\u0000", "");
      found.push(once, /^[A-Za-z0-9+/=]{20,}$/.test(once) ? Buffer.from(once, "base64").toString("utf8") : "");
    }
  }
  for (const [run] of take(line, /(?:(?:\\x|0x|%|\\u00|&#x?)?[0-9a-f]{2,3}[;, :]{0,2}){12,4000}/gi)) {
    const codes = run.match(/[0-9a-f]{2,3}/gi) ?? [];
    const base = /&#\d/.test(run) || !/[a-f]/i.test(run.replace(/0x|\\x/gi, "")) ? 10 : 16;
    found.push(String.fromCharCode(...codes.slice(0, 2_000).map((code) => Number.parseInt(code, base))));
    if (base === 10) found.push(String.fromCharCode(...codes.slice(0, 2_000).map((code) => Number.parseInt(code, 16))));
  }
  for (const [run] of take(line, /(?:[01]{8} ?){12,1000}/g)) {
    found.push((run.match(/[01]{8}/g) ?? []).map((bits) => toChar(Number.parseInt(bits, 2))).join(""));
  }
  const underscored = /[\p{L}]{2,16}(?:_[\p{L}]{1,16}){5,40}/u.exec(line)?.[0];
  if (underscored !== undefined && !/[(=]/.test(line)) found.push(line.replaceAll("_", " "));
  if (/&(?:#|[a-z]{2,8};)|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|%[0-9a-f]{2}|=[0-9A-F]{2}/i.test(line)) {
    found.push(
      line
        .replace(/&#(\d{1,7});?/g, (_, code: string) => toChar(Number(code)))
        .replace(
          /(?:(?:&#x|\\u\{)([0-9a-f]{2,6})[;}]|\\u([0-9a-f]{4})|(?:\\x|%|=)([0-9a-f]{2}))/gi,
          (_, a?: string, b?: string, c?: string) => toChar(Number.parseInt(a ?? b ?? c ?? "", 16)),
        )
        .replace(/&(?:nbsp|sp|Tab|ensp|emsp);/gi, " "),
    );
  }
  return found
    .filter(isReadable)
    .map((text) => clean(fold(text)))
    .join(" . ");
}

/** The line with every letter moved by 13. Empty where no word of the rules would come out. */
export function rot13(shadow: string): string {
  if (!/vtaber|qvfertneq|cerivbhf|vafgehpg|flfgrz|cyrnfr|nffvfgnag|sbetrg|birevqr|cebzcg|frperg/.test(shadow))
    return "";
  return shadow.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97));
}

/** The line backwards. Empty where no word of the rules would come out. */
export function reversed(shadow: string): string {
  const hints =
    /erongi|dragersid|tegrof|suoiverp|noitcurtsni|tpmorp|metsys|esaelp|tnatsissa|tnega|rewsna|edirrevo|edoced|resu eht|tsum uoy|略忽|视无|记忘|令指|则规|示提|手助|型模|户用|须必|统系|你是果如/;
  if (!hints.test(shadow)) return "";
  const words = shadow.split(" ").map((word) => [...word].reverse().join(""));
  return `${clean([...shadow].reverse().join(""))} . ${words.join(" ")}`;
}

function take(text: string, pattern: RegExp): readonly RegExpMatchArray[] {
  const found: RegExpMatchArray[] = [];
  for (const match of text.matchAll(pattern)) {
    found.push(match);
    if (found.length === 8) break;
  }
  return found;
}

function toChar(code: number): string {
  return code > 31 && code < 0x110000 ? String.fromCodePoint(code) : " ";
}

/** True for text and not for bytes. */
function isReadable(text: string): boolean {
  const head = text.slice(0, 400);
  const good = head.match(/[\p{L}\p{N} .,:;!?'"()/@_~，。：、|-]/gu)?.length ?? 0;
  return head.length >= 8 && good >= head.length * 0.9 && !head.includes("\ufffd");
}
