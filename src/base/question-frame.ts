import type { Wish } from "../contract/tool.ts";
import { wordSet } from "./once.ts";

/** The form of a question: what it wants, and which of its words it asks about. */
interface QuestionFrame {
  readonly wish: Wish | null;
  /** Words in positions where a question of this form has a name, as written and in order. */
  readonly asked: readonly string[];
  /** Text in quotes or backticks. */
  readonly quoted: readonly string[];
}

/** Only the beginning is analysed: nobody types a longer question, so the rest is pasted material. */
const MAX_CHARS = 400;
const MAX_ASKED = 3;
/** Maximum number of words in a sentence that may consist of one name and otherwise only of frame words. */
const MAX_WORDS = 16;
/** Up to this many words outside the frame, it is clear which of them is the name. */
const FEW_WORDS = 2;
const LIKE_CODE = /[a-z][A-Z]|[_\d]|^--?\w|\w[.:/-]\w/;
const SHORTEST = 2;

const HAN = /[\u3400-\u9fff]/;
const QUOTED =
  /`([^`\n]{2,160})`|"([^"\n]{2,160})"|“([^”\n]{2,160})”|「([^」\n]{2,160})」|(?<![\w])'([^'\n]{2,160})'(?!\w)/g;
/** A word with its connectors (`Type.member`, `some-flag`, `path/to`), a number, or a mark that ends a clause. */
const TOKEN = /(?:--?)?[A-Za-z_$][\w$]*(?:(?:\.|::|#|->|-|\/)[\w$]+)*|(?<![\w.])\d{3,10}(?![\w]|\.\d)|[?.!,;:]/g;
const MARK = /^[?.!,;:]$/;

/** Stop words of questions about code: they phrase the question but name nothing in the repository. */
export const CARRIERS: ReadonlySet<string> = new Set(
  (
    "a an the and or but so then also too if as at by for from in into of off on out over to up with without about between after before " +
    "i me my we us our you your is are was were be been being am do does did has have had will would can could should shall may might must " +
    "not no any some all every each other others another else more most just only really actually now again still yet please here there it " +
    "its itself that this these those they them their theirs what which who whom whose when where why how s re ve d ll m t don doesn isn " +
    "aren wasn can couldn won wouldn same anywhere somewhere everywhere " +
    "tell show see look find give list explain describe walk through trace know understand mean means want need let " +
    "call calls called calling caller callers callee callees use uses used using usage usages invoke invokes invoked reference references " +
    "referenced import imports imported define defines defined definition definitions declare declared implement implements implemented " +
    "implementation implementations test tests tested testing cover covers covered coverage return returns returned throw throws thrown " +
    "raise raises raised handle handles handled depend depends dependent dependents dependency dependencies affect affects affected impact " +
    "break breaks broken change changes changed changing work works working fix fixes fixed refactor rename renamed move moved remove " +
    "removed delete add write document documented optimise optimize simplify improve happen happens happening come comes go goes live lives " +
    "located exist exists make makes get gets set sets own owns wrote written trigger triggers triggered support supports expect expects " +
    "contain contains belong belongs read reads take takes accept accepts pass passes passed store stores stored anything something " +
    "nothing everything whats hows whos wheres if many deal deals difference different related relation null none empty " +
    "function functions method methods class classes module modules file files code place places line lines part parts piece one ones thing " +
    "things example examples bug bugs issue problem error errors docs documentation comment comments type types signature argument arguments " +
    "parameter parameters body source name side effect effects chain detail details way ways reason unit"
  ).split(" "),
);

/** Function words: never a name, in any position. */
const CLOSED = wordSet(
  "a an the and or but so then if as at by for from in into of off on out over to up with without about between after before i me my we us " +
    "our you your he she his her is are was were be been being am do does did has have had will would can could should shall may might must " +
    "not no any some all every each other others another else more most just only really actually now again still yet please here there it its " +
    "itself that this these those they them their what which who whom whose when where why how s re ve d ll m t than via both everything " +
    "something anything nothing someone anyone everyone thing things stuff exactly ever even too also",
);
/** Words before or after a name that say what kind of thing it is. */
const KINDS = wordSet(
  "function functions method methods class classes type types struct interface enum trait module modules component components helper hook " +
    "constant macro variable setting settings option options flag flags key field property parameter argument command commands endpoint route " +
    "table column event decorator middleware service handler test file files package message error exception string env environment config " +
    "symbol called named literal header port code log token view model job task script rule",
);
const ARTICLES = wordSet("the a an our this that my your all every any");
/** Verbs followed by a name: "who calls X", "what breaks if I change X". */
const LEADS = wordSet(
  "call calls calling use uses using invoke invokes reference references import imports consume consumes extend extends override overrides instantiate creates " +
    "instantiates trigger triggers reads sets writes emits raises throws logs prints needs explain describe understand document summarize summarise clarify " +
    "change changing rename renaming remove removing delete deleting modify modifying edit editing drop dropping move moving replace replacing " +
    "deprecate refactor simplify fix debug optimise optimize improve rewrite review split inline mock stub profile find locate show open " +
    "define defines declares contains mentions handles configures configure set sets reach reaches grep trace analyze analyse investigate inspect",
);
/** Nouns followed by "of", "to", "for" or "on" and then a name. */
const NOUNS = wordSet(
  "callers caller usages usage uses users references reference definition declaration implementation source signature purpose role meaning logic " +
    "impact effect effects consequences dependents dependants tests test docs documentation depend depends depending look looking through path way chain about complexity " +
    "occurrences consumers place point idea details sites",
);
const LINKS = wordSet("of to for on at into from between about");
const QUESTIONS = wordSet("where what how why who when which whats hows");
const AUXILIARIES = wordSet("is are was were does do did s");

/** Additional words that may directly follow a name. */
const FOLLOWS = wordSet(
  "reach reaches lead leads arrive flow behave behaves sit sits end ends fail fails throw crash crashes raise gets live lives",
);
/**
 * Contexts in which even a frame word is a name: after one of these at the end of a clause ("who calls find"), or
 * between `OPEN_LEADS` and `SURE_FOLLOWS` ("what does find do", "where is trace defined").
 */
const SURE_LEADS = wordSet("calls call uses use invokes invoke references imports explain callers usages");
const OPEN_LEADS = wordSet("does do is are was");
const SURE_FOLLOWS = wordSet(
  "do work works defined used called return returns mean implemented declared invoked referenced for live located",
);
/** Common words of questions about code that are hardly ever the name in question. */
const NEVER = wordSet(
  "bug bugs impact complexity complex hotspots hotspot repo repository project codebase code app library calling late work change changes fails failing failed",
);
/** Words that may precede an asking verb. */
const ASKING = wordSet(
  "who what which that i we you to can could should would please do does code functions files places anything anyone one else still actually if me lets",
);
/** Words that may precede a noun that leads to a name: "all callers of X", "what is the purpose of X". */
const OPENINGS = wordSet(
  "the all any a an list find show me are is what some direct every these more its add write see give how understand explain",
);
/** Words that may precede "about", "at" and "into". */
const JOINED = wordSet("tell know learn more look looking is talk");
const PAIRS = /\b(?:between|both|vs|versus|relat\w+|differ\w*)\b/i;
const JOINING = wordSet("and or to from between vs with");
const BEING = wordSet("is are was were be been being gets get");
const PARTICIPLE =
  /(?:ed|en|wn|ing)$|^(?:read|set|put|cut|built|sent|kept|held|made|done|run|found|bound|split|spread|stored|lost|fed|led)$/;

const WISHES: readonly (readonly [Wish, RegExp])[] = [
  ["hotspots", /\bhot ?spots?\b|[热熱][点點](?:文件|代码|代碼|檔案)|改[动動]最[频頻]繁/i],
  ["complexity", /\bhow complex\b|\bcomplexity\b|[复複][杂雜]度|[多有]多?[复複][杂雜]/i],
  [
    "path",
    /\bhow (?:do|does|did|can|could)\b.{1,80}\b(?:reach|get to|end up|lead to|arrive|flow into)\b|\b(?:path|route|chain|way|calls?) (?:from|between)\b.{1,80}\b(?:to|and)\b|(?:怎么|怎麼|如何|怎样).{0,40}(?:[调調]用?到|走到|到[达達]|[传傳]到)|[从從].{1,60}到.{1,60}(?:[调調]用|路[径徑]|[链鏈])/i,
  ],
  [
    "impact",
    /\b(?:impact|affect(?:s|ed)?|breaks?|blast radius|depends? on|dependents?|dependants?|safe to|ripple|consequences)\b|\bcan (?:i|we) (?:safely )?(?:remove|delete|rename|drop)\b|影[响響]|波及|[坏壞]掉|破[坏壞]|(?:[谁誰]|哪些|什[么麼]).{0,8}依[赖賴]|(?:改|[删刪]|[动動]).{0,60}(?:出[问問][题題]|出[错錯]|[挂掛]掉?[吗嗎么麼])/i,
  ],
  [
    "callers",
    /\b(?:call(?:s|ed|ers?|ing| sites?)|us(?:es?|ed|ages?|ing|ers)|invok(?:es?|ed|ing)|referenc(?:es?|ed)|import(?:s|ed|ers)|consum(?:es?|ed|ers)|instantiat(?:es?|ed)|(?:who|what|which code) creates)\b|[调調]用|呼叫|引用|用到|[谁誰].{0,6}用|哪.{0,6}用|在用|使用了?/i,
  ],
  [
    "definition",
    /\bwhere\b|\bwhich (?:file|module|class)|\bdefin|\bdeclar|\blocat|\bfind\b|\bshow\b|\bopen\b|在哪|哪[里裡个個]|定[义義]|[声聲]明|位置/i,
  ],
  [
    "meaning",
    /\bwhat\b|\bhow\b|\bexplain|\bdescribe|\bunderstand|\bwhy\b|是什么|是什麼|干什么|做什么|做什麼|干嘛|作用|怎么|怎麼|如何|解[释釋]|[说說]明|原理|[逻邏][辑輯]|用途|[为為]什[么麼]/i,
  ],
];

/**
 * Analyses the form of a question. Contract: pure, linear; whether a word asked about really is a name, only the
 * repository can tell.
 */
export function readFrame(question: string): QuestionFrame {
  const text = question.slice(0, MAX_CHARS);
  const quoted = Array.from(text.matchAll(QUOTED), (found) => found.slice(1).find((part) => part !== undefined) ?? "");
  const wish = WISHES.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
  // The words of a quoted sentence are not words of the question.
  const own = text.replace(QUOTED, (found) => (/\s/.test(found) ? " " : found));
  const asked = HAN.test(text) ? askedInChinese(own) : askedInEnglish(own, wish);
  return { wish, asked: [...new Set(asked)].slice(0, MAX_ASKED), quoted: [...new Set(quoted)] };
}

/** In a Chinese sentence, names are in Latin letters; but so are some everyday words. */
function askedInChinese(text: string): string[] {
  const words = (text.match(TOKEN) ?? []).filter((word) => !MARK.test(word) && isName(word));
  const telling = words.filter((word) => !CARRIERS.has(word.toLowerCase()) && !KINDS.has(word.toLowerCase()));
  const meant = telling.length > 0 ? telling : words;
  return meant.length <= MAX_ASKED ? meant : [];
}

function askedInEnglish(text: string, wish: Wish | null): string[] {
  // Quotes are hints, not a condition: the question is analysed the same way without them.
  const words =
    text.replace(/[`"“”'‘’「」]/g, (quote) => (quote === "'" || quote === "’" ? " " : "")).match(TOKEN) ?? [];
  const at = (place: number) => words[place] ?? "";
  const isCarrier = (word: string) => CARRIERS.has(word.toLowerCase()) || CLOSED.has(word.toLowerCase());
  const isFrame = (word: string) =>
    MARK.test(word) || isCarrier(word) || LEADS.has(word.toLowerCase()) || KINDS.has(word.toLowerCase());
  const content = words.flatMap((word, place) => (isFrame(word) ? [] : [place]));
  const [first = -1, second = -1] = content;
  if (words.length === 1) return words.filter(isName);
  const opening = at(0).toLowerCase();
  const isAsking = QUESTIONS.has(opening) || AUXILIARIES.has(opening) || LEADS.has(opening) || /[?]/.test(text);
  const isFramed = words.length <= MAX_WORDS && (isAsking || (wish !== null && content.length === 1));
  const isAlone = content.length === 1 && isFramed && !isPassive(words, first);
  const isJoined = PAIRS.test(text) && JOINING.has(at(second - 1).toLowerCase());
  const isPair = content.length === 2 && isFramed && (wish === "path" || isJoined);
  const found = new Set<number>(isAlone ? [first] : isPair ? [first, second] : []);
  words.forEach((word, place) => {
    if (MARK.test(word) || !isName(word) || !isFollowed(at(place + 1), isCarrier)) return;
    const isPart = isCarrier(word) || KINDS.has(word.toLowerCase());
    if (isPart ? isSure(words, place) : isLed(words, place)) found.add(place);
    // Only code is written like this: in a question with few other words, it is what the question asks about.
    if (isFramed && content.length <= FEW_WORDS && content.includes(place) && LIKE_CODE.test(word)) found.add(place);
  });
  return [...found]
    .sort((one, other) => one - other)
    .map(at)
    .filter(isName);
}

function isName(word: string): boolean {
  const lower = word.toLowerCase();
  return word.length >= SHORTEST && !CLOSED.has(lower) && !NEVER.has(lower);
}

/** "how are options parsed", "where is the config read": the participle is not a name. */
function isPassive(words: readonly string[], place: number): boolean {
  const word = (at: number) => (words[at] ?? "").toLowerCase();
  if (!PARTICIPLE.test(word(place))) return false;
  let before = place - 1;
  while (KINDS.has(word(before)) || ARTICLES.has(word(before))) before--;
  return BEING.has(word(before)) || BEING.has(word(place - 1));
}

/** True if a frame word is itself the name that the question is about. */
function isSure(words: readonly string[], place: number): boolean {
  const word = (at: number) => (words[at] ?? "").toLowerCase();
  const lead = word(ARTICLES.has(word(place - 1)) ? place - 2 : place - 1);
  const next = word(place + 1);
  if (KINDS.has(next) && ARTICLES.has(word(place - 1))) return !KINDS.has(word(place));
  const isLinked = LINKS.has(lead) && (SURE_LEADS.has(word(place - 2)) || NOUNS.has(word(place - 2)));
  // A capital inside a sentence is how a name is written: "what breaks if I change Walk".
  const isWritten = LEADS.has(lead) && /^[A-Z][a-z]/.test(words[place] ?? "");
  if (SURE_LEADS.has(lead) || isLinked || isWritten) return next === "" || MARK.test(next);
  const asking = word(ARTICLES.has(word(place - 1)) ? place - 3 : place - 2);
  return OPEN_LEADS.has(lead) && (asking === "" || QUESTIONS.has(asking)) && SURE_FOLLOWS.has(next);
}

/** True if the preceding words lead to a name: an asking verb, a noun and preposition, or a question and auxiliary. */
function isLed(words: readonly string[], place: number): boolean {
  const word = (at: number) => (words[at] ?? "").toLowerCase();
  let lead = place - 1;
  while (ARTICLES.has(word(lead))) lead--;
  const subject = lead;
  if (LINKS.has(word(lead))) {
    const noun = word(lead - 1);
    const isOpening = lead < 2 || MARK.test(word(lead - 2)) || OPENINGS.has(word(lead - 2));
    return (JOINED.has(noun) || (NOUNS.has(noun) && isOpening)) && !/ing$/.test(word(place));
  }
  while (KINDS.has(word(lead)) || (lead < subject && ARTICLES.has(word(lead)))) lead--;
  if (word(lead) === "me") lead--;
  if (LEADS.has(word(lead))) return lead === 0 || MARK.test(word(lead - 1)) || ASKING.has(word(lead - 1));
  const next = word(place + 1);
  const isSubject = next === "" || MARK.test(next) || SURE_FOLLOWS.has(next) || FOLLOWS.has(next);
  return isSubject && AUXILIARIES.has(word(subject)) && (subject === 0 || QUESTIONS.has(word(subject - 1)));
}

/** True if a name can end before this word: "session expiry" is not a name but two words. */
function isFollowed(next: string, isCarrier: (word: string) => boolean): boolean {
  const lower = next.toLowerCase();
  return next === "" || MARK.test(next) || isCarrier(next) || KINDS.has(lower) || FOLLOWS.has(lower);
}
