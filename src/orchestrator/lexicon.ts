import type { Intent } from "../contract/tool.ts";

// Plain word lists, not regular expressions: those would cost several milliseconds to compile on every prompt.

/** Words that speak for one intent. */
interface WordGroup {
  readonly intent: Intent;
  readonly weight: number;
  readonly words: WordList;
}

/** Whole words, beginnings of words, phrases and Chinese words. */
interface WordList {
  readonly whole: ReadonlySet<string>;
  readonly stems: readonly string[];
  readonly phrases: readonly string[];
}

/** `fix debug* "who calls" 修复`: a star ends a stem, an underscore stands for the blank of a phrase. */
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
 * Words that ask for work on code, by intent. The English stems are the floor that the founding documents name: such a
 * prompt is about code unless something speaks against it. Order decides between intents.
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

/** Nouns of programming: one alone is a hint, with a task word it is certain. */
export const CODE_NOUNS = words(
  "code codebase function functions method methods class classes module modules component components api apis endpoint endpoints route " +
    "routes handler handlers middleware controller controllers schema schemas database db sql query queries cache config* parser parsers " +
    "compiler repo repository package packages dependency dependencies import imports variable variables type types interface interfaces " +
    "thread threads async request requests response responses server servers client clients backend frontend ui hook hooks worker workers " +
    "queue queues job jobs socket sockets token tokens session sessions auth authentication login logins logging log logs pipeline* ci " +
    "docker* kubernetes helm migration migrations table tables index indexes flag flags cli button buttons page pages retry retries " +
    "timeout timeouts pull_request pr diff lint* webhook webhooks cron " +
    "代码 代碼 函数 函數 方法 模块 模塊 组件 組件 接口 路由 中间件 数据库 資料庫 缓存 快取 配置 字段 变量 參數 参数 日志 日誌 线程 執行緒 " +
    "请求 請求 响应 服务 前端 后端 後端 后台 後台 页面 頁面 按钮 登录 登入 鉴权 权限 队列 任务 重试 退避 超时 编译 部署 脚本 仓库 文件 事务 " +
    "列表 弹窗 跨域 索引 流水线",
);

/** Which words of a list a text has. Contract: in the order of the list's kinds; each once; at most `most`. */
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
    // "where do" is not in "where does"; Chinese words have no such ends.
    if (at >= 0 && !(phrase < "\u2e80" && /[a-z]/.test(lower[at + phrase.length] ?? ""))) found.add(phrase);
  }
  return [...found];
}

/** Openings that are talk, chores or machine-made. */
const TALK =
  /^\s{0,9}(?:weather|translate|email|chat|hello|hi|hey|thanks?|ok|okay|yes|no|sure|continue|proceed|next|done|stop|perfect|great|lgtm|nice|go on|go ahead|keep going|looks? good)(?=[\s,.!，。！、]|$)/i;
const TALK_ZH =
  /^\s{0,9}(?:天气|天氣|翻译|翻譯|写邮件|寫郵件|写封|寫封|闲聊|閒聊|你好|谢谢|謝謝|辛苦|早上好|晚安|(?:好的?|行|可以|继续|繼續|下一个|不对|嗯|对|對|是的|没问题|沒問題)(?=[\s,.!，。！、吧]|$))/;
const MACHINE =
  /^\s{0,9}(?:<(?:bash-|local-command|command-|system-reminder|task-notification)|\[(?:request interrupted|image)|\/[a-z][\w-]{0,30}(?:\s|$))/i;
const CHORE =
  /^\s{0,9}(?:git\s+)?(?:commit|push|pull|merge|rebase|checkout|stash|tag|squash)\b(?! (?:handler|logic|hook|code|function))/i;
const CHORE_ZH =
  /(?:提交|推送|切到|切换到|合并|打个?标签|拉取).{0,12}(?:分支|代码|一下|吧|标签|仓库|主干|上去)|推上去|提交吧/;

/** Subjects of another trade. */
const OTHER_SUBJECTS = words(
  "recipe recipes dinner cooking poem haiku birthday wedding marriage girlfriend boyfriend vacation itinerary horoscope workout essay " +
    "speech retirement mortgage loan airline landlord bedtime_story cover_letter my_wife my_husband my_kid my_dog my_cat my_boss my_mother " +
    "my_father my_life my_resume in_spanish in_french in_german in_japanese " +
    "人生 婚姻 女朋友 男朋友 老婆 老公 室友 父母 孩子 晚饭 早餐 菜谱 红烧 旅游 旅行 减肥 失眠 作文 情书 睡前故事 诗 祝福 房贷 房东 房東 天气 " +
    "天氣 朝代 考研 简历 英文怎么说 怎么说 啥意思 什么意思 翻译 翻譯",
);

/** True where a prompt reads like talk, a chore, another subject, or is made of marks alone. */
export function speaksAgainst(text: string): boolean {
  if (TALK.test(text) || TALK_ZH.test(text) || MACHINE.test(text) || CHORE.test(text) || CHORE_ZH.test(text))
    return true;
  return findWords(text, OTHER_SUBJECTS, 1).length > 0 || !/[A-Za-z0-9\u00c0-\u2fff\u3040-\uffef]/.test(text);
}

/** Wishes that only tier-2 tools meet. */
const TIER2_WISHES = words("impact* bug bugs call_chain 调用链 調用鏈 影响 影響");

/** True where a prompt asks for what only tier-2 tools answer. */
export function wishesTier2(text: string): boolean {
  return findWords(text, TIER2_WISHES, 1).length > 0;
}

/** Words of four and more letters that name nothing in code. */
export const PLAIN_WORDS = words(
  "this that what when where which with from have does should would could there about please explain show code call chain impact " +
    "error issue function file class method into then than them they analyze analyse trace find make need want some more very like " +
    "just only also after before",
).whole;
