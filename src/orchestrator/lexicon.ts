import type { Intent } from "../contract/tool.ts";

// Plain word lists instead of regular expressions, which would take several milliseconds to compile on every prompt.

interface WordGroup {
  readonly intent: Intent;
  readonly weight: number;
  readonly words: WordList;
}

interface WordList {
  readonly whole: ReadonlySet<string>;
  readonly stems: readonly string[];
  readonly phrases: readonly string[];
}

/** Parses `fix debug* who_calls 修复`: a star ends a stem, an underscore stands for the space in a phrase. */
function words(text: string): WordList {
  const whole = new Set<string>();
  const stems: string[] = [];
  const phrases: string[] = [];
  for (const word of text.split(" ")) {
    if (word.endsWith("*")) stems.push(word.slice(0, -1));
    else if (word.includes("_") || word > "\u2e80") phrases.push(word.replaceAll("_", " "));
    else whole.add(word);
  }
  return { whole, stems, phrases };
}

/**
 * Words that ask for work on code, by intent. The English stems are the minimum set by the founding documents: such a
 * prompt is about code unless there is evidence against it. The first intent with a match wins.
 */
export const TASK_WORDS: readonly WordGroup[] = [
  {
    intent: "debug",
    weight: 0.8,
    words: words(
      "fix fixes fixed fixing debug* bug bugs buggy crash* fail fails failed failing failure failures error errors issue issues resolv* " +
        "problem problems broken panic panics exception exceptions regress* leak leaks leaking deadlock* segfault* stack_trace stacktrace* " +
        "问题 問題 错误 錯誤 修复 修復 修一下 报错 報錯 崩溃 崩潰 异常 異常 排查 调试 調試 失败 失敗 卡死 闪退 閃退",
    ),
  },
  {
    intent: "refactor",
    weight: 0.8,
    words: words(
      "refactor* optimi* improv* clean cleanup cleaner simplif* quality performance restructur* renam* dedup* extract " +
        "重构 重構 优化 優化 简化 簡化 重命名 抽取 抽成 整理",
    ),
  },
  {
    intent: "test",
    weight: 0.8,
    words: words(
      "test tests spec specs e2e coverage flaky mock mocks mocked 单测 單測 单元测试 單元測試 测试 測試 用例",
    ),
  },
  {
    intent: "docs",
    weight: 0.8,
    words: words(
      "doc docs document documentation documented comment comments readme explain* guide javadoc docstring* changelog 注释 註釋 文档 文檔 讲讲 讲解",
    ),
  },
  {
    intent: "feature",
    weight: 0.6,
    words: words(
      "implement* add_a add_an add_the add_support add_another support_for integrat* migrat* feature 实现 實現 新增 增加 支持 接入 加上 加个 加一个 改成 改为",
    ),
  },
  {
    intent: "explore",
    weight: 0.6,
    words: words(
      "where_is where_are where_do where_does where_in who_calls which_file which_files which_module which_modules which_function which_functions which_class which_classes which_service which_services " +
        "which_component which_components how_does_the how_do_we how_is_the how_are how_does_our how_does_this call_chain call_graph call_site caller* " +
        "reference* depend* used_by impact defined implemented " +
        "在哪 哪里 哪裡 哪个文件 哪些地方 谁调用 誰調用 调用 調用 影响 影響 怎么实现 怎麼實現 依赖 依賴 原理 流程",
    ),
  },
];

/**
 * Returns the words of a list that occur in a text. Contract: words and stems first, then phrases; no duplicates; at
 * most `most`.
 */
export function findWords(text: string, list: WordList, most: number): string[] {
  const lower = text.toLowerCase();
  const found = new Set<string>();
  for (const word of lower.match(/[a-z][a-z0-9]{1,30}/g) ?? []) {
    if (list.whole.has(word) || list.stems.some((stem) => word.startsWith(stem))) found.add(word);
    if (found.size >= most) return [...found];
  }
  for (const phrase of list.phrases) {
    if (found.size >= most) break;
    const at = lower.indexOf(phrase);
    // "where do" must not match "where does"; Chinese words have no such endings.
    if (at >= 0 && !(phrase < "\u2e80" && /[a-z]/.test(lower[at + phrase.length] ?? ""))) found.add(phrase);
  }
  return [...found];
}

/**
 * Frames of texts that clients send in place of a prompt and that nobody types: a command, a notice in brackets, a
 * heading.
 */
const NOTICE =
  /^\s{0,9}(?:\/[a-z][\w:-]{0,40}(?:\s|$)|\[(?:request interrupted|image)|this session is being continued from a previous|caveat: the messages below were generated|(?:\w{1,20}[ -]){0,3}hook (?:feedback|output|error|success|result|blocked|message)\b|\w{0,20}\s?钩子(?:反馈|輸出|输出|提示|结果)|(?:(?:system|background|task|agent|tool|command|session|user|environment|file|context)[ -]){1,3}(?:notification|notice|reminder|interrupted|aborted|completed|finished|exited|update|compacted|output|result)s?\b[^?\n]{0,80}(?:[:.\]]|$))/i;
/** A text that consists of one sentence in brackets. */
const IN_BRACKETS =
  /^\s{0,9}\[(?:[A-Z][\w' ,.:-]{0,120} [\w' ,.:-]{1,120}|[^\]\n"'=;{}()]{0,60}[\u4e00-\u9fff][^\]\n"'=;{}()]{0,120})\]\s{0,9}$/;
/** Elements that people paste; any other element that encloses a whole prompt was written by a program. */
const MARKUP =
  /^(?:a|abbr|article|aside|audio|b|body|button|canvas|code|details|div|dl|em|fieldset|footer|form|h[1-6]|head|header|html|i|iframe|img|input|label|li|link|main|meta|nav|ol|option|p|path|pre|script|section|select|slot|small|span|strong|style|summary|svg|table|tbody|td|template|textarea|tfoot|th|thead|title|tr|ul|video|xml|project|dependency|dependencies|plugin|configuration|manifest|resources|string|item|key|dict|plist|array|feed|rss|url|view|text|route|routes|bean|beans)$/;
const ENCLOSED =
  /^\s{0,9}<([a-z][a-z0-9]*(?:[_:-][a-z0-9]+)*)(?:\s[^>\n]{0,300})?>[\s\S]*<\/[a-z][\w:-]{0,60}>\s{0,9}$/i;
/** Elements with which programs open a prompt and that are not followed by text of the user. */
const OPENED =
  /^\s{0,9}<(?:bash-|local-command|command-|system-reminder|task-notification|user-prompt-submit-hook)[\w-]{0,60}[\s>]/i;

/** Number of characters at either end of a text in which a frame is searched. */
const MAX_FRAME_CHARS = 2_000;

/**
 * Characters and words, one of which is in the opening of every such frame. Compiling the patterns costs more than
 * running them, so this check runs first.
 */
const SIGNS = "/[<";
const NOTICE_WORDS =
  "hook 钩子 continued caveat notification notice reminder interrupted aborted completed finished exited update compacted output result".split(
    " ",
  );
const MAX_OPENING_CHARS = 160;

function mayBeFrame(text: string): boolean {
  const opening = text.slice(0, MAX_OPENING_CHARS).trimStart().toLowerCase();
  return (opening !== "" && SIGNS.includes(opening.charAt(0))) || NOTICE_WORDS.some((word) => opening.includes(word));
}

/** True for a text that was written by a program or is a command to the client. */
export function isMachineMade(text: string): boolean {
  if (!mayBeFrame(text)) return false;
  const head = text.slice(0, MAX_FRAME_CHARS);
  if (NOTICE.test(head) || IN_BRACKETS.test(head)) return true;
  if (!/^\s{0,9}</.test(head)) return false;
  const ends = text.length > MAX_FRAME_CHARS ? `${head}${text.slice(-MAX_FRAME_CHARS)}` : text;
  const name = ENCLOSED.exec(ends)?.[1];
  return OPENED.test(head) || (name !== undefined && name === name.toLowerCase() && !MARKUP.test(name));
}

/** Opening words of small talk and other subjects, as listed by the founding documents. */
const ELSEWHERE = words("weather translate email chat hello hi 天气 天氣 翻译 翻譯 写邮件 寫郵件 闲聊 閒聊 你好");

/** True for a prompt that opens like small talk or another subject. */
export function beginsElsewhere(text: string): boolean {
  const opening = text.slice(0, MAX_OPENING_CHARS).trimStart().toLowerCase();
  const [first = ""] = opening.split(/[^a-z]/, 1);
  return ELSEWHERE.whole.has(first) || ELSEWHERE.phrases.some((phrase) => opening.startsWith(phrase));
}

/** Words for requests that only tier-2 tools can serve. */
const TIER2_WISHES = words("impact* bug bugs call_chain 调用链 調用鏈 影响 影響");

/** True if a prompt asks for something that only tier-2 tools can answer. */
export function wishesTier2(text: string): boolean {
  return findWords(text, TIER2_WISHES, 1).length > 0;
}
