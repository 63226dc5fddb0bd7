import type { Intent } from "../contract/tool.ts";

/** A group of words that speak for one intent. */
interface WordGroup {
  readonly intent: Intent;
  readonly weight: number;
  readonly pattern: RegExp;
}

/**
 * Words that ask for work on code, by intent. The English stems are the floor that the founding documents name: such a
 * prompt is about code unless something speaks against it. Order decides between intents of equal weight.
 */
export const TASK_WORDS: readonly WordGroup[] = [
  {
    intent: "debug",
    weight: 0.8,
    pattern:
      /\b(?:fix(?:es|ed|ing)?|debug\w{0,4}|bugs?|buggy|crash\w{0,4}|fail(?:s|ed|ing|ures?)?|errors?|issues?|resolv\w{1,4}|problems?|broken|panics?|exceptions?|regress\w{1,6}|leak(?:s|ing)?|deadlocks?|segfaults?|stack ?traces?)\b|问题|問題|错误|錯誤|修复|修復|修一下|报错|報錯|崩溃|崩潰|异常|異常|排查|调试|調試|失败|失敗|卡死|闪退|閃退/gi,
  },
  {
    intent: "refactor",
    weight: 0.8,
    pattern:
      /\b(?:refactor\w{0,4}|optimi[sz]\w{1,5}|improv\w{1,4}|clean\w{0,3}|simplif\w{1,4}|quality|performance|restructur\w{1,4}|renam\w{1,3}|dedup\w{0,8}|extract)\b|重构|重構|优化|優化|简化|簡化|重命名|抽取|抽成|整理/gi,
  },
  {
    intent: "test",
    weight: 0.8,
    pattern:
      /\b(?:unit ?tests?|tests?|specs?|e2e|coverage|flaky|mock(?:s|ed|ing)?)\b|单测|單測|单元测试|單元測試|测试用例|測試|用例/gi,
  },
  {
    intent: "docs",
    weight: 0.8,
    pattern:
      /\b(?:docs?|document(?:ation|ed|ing)?|comments?|readme|explain\w{0,3}|guide|javadoc|docstrings?|changelog)\b|注释|註釋|文档|文檔|讲讲|讲解/gi,
  },
  {
    intent: "feature",
    weight: 0.6,
    pattern:
      /\b(?:implement\w{0,4}|add(?:s|ed|ing)? (?:an?|the|support|another|more)|support for|integrat\w{1,4}|migrat\w{1,4}|refund flow|feature)\b|实现|實現|新增|增加|支持|接入|加上|加个|加一个|改成|改为/gi,
  },
  {
    intent: "explore",
    weight: 0.6,
    pattern:
      /\b(?:where (?:is|are|do|does|did|in)|who calls|which (?:files?|modules?|functions?|classes?|services?|components?)|how (?:does|do|is|are) (?:the|this|our|we)|call (?:chain|graph|sites?)|callers?|references?|referenced|depends? on|used by|impact|defined|implemented)\b|在哪|哪里|哪裡|哪个文件|哪些地方|谁调用|誰調用|调用链|調用鏈|调用|影响|影響|怎么实现|怎麼實現|依赖|依賴|原理|流程/gi,
  },
];

/** Nouns of programming: one alone is a hint, with a task word it is certain. */
export const CODE_NOUNS =
  /\b(?:code(?:base)?|functions?|methods?|class(?:es)?|modules?|components?|apis?|endpoints?|routes?|handlers?|middleware|controllers?|schemas?|database|db|sql|quer(?:y|ies)|cache|config(?:uration)?|parsers?|compilers?|repo(?:sitory)?|packages?|dependenc(?:y|ies)|imports?|variables?|types?|interfaces?|threads?|async|requests?|responses?|servers?|clients?|backend|frontend|ui|hooks?|workers?|queues?|jobs?|sockets?|tokens?|sessions?|auth|logins?|logging|logs?|pipelines?|ci|docker\w{0,6}|kubernetes|helm|migrations?|tables?|index(?:es)?|flags?|cli|buttons?|pages?|retry|retries|timeouts?|pull requests?|pr|diff|lint\w{0,3}|webhooks?|cron)\b|代码|代碼|函数|函數|方法|类|模块|模塊|组件|組件|接口|路由|中间件|数据库|資料庫|缓存|快取|配置|设置|字段|变量|參數|参数|日志|日誌|线程|執行緒|请求|請求|响应|服务端|服务|前端|后端|後端|后台|後台|页面|頁面|按钮|登录|登入|鉴权|权限|权限|队列|任务|重试|退避|超时|编译|部署|脚本|仓库|文件|事务|表|接口文档|列表|弹窗|跨域|索引|流水线/gi;

/** Openings and whole prompts that are talk, chores or another trade. */
export const NOT_CODE: readonly RegExp[] = [
  /^\s{0,9}(?:天气|天氣|weather\b|翻译|翻譯|translate\b|写邮件|寫郵件|写封|寫封|email\b|闲聊|閒聊|chat\b|你好|hello\b|hi\b|hey\b|thanks?\b|thank you|谢谢|謝謝|辛苦|早上好|晚安)/i,
  /^\s{0,9}(?:ok(?:ay)?|yes|no|sure|continue|go on|go ahead|keep going|proceed|next|done|stop|perfect|great|looks? good|lgtm|nice|好的?|行|可以|继续|繼續|下一个|不对|嗯|对|對|是的|没问题|沒問題)(?=[\s,.!，。！、]|$)/i,
  /^\s{0,9}(?:<(?:bash-|local-command|command-|system-reminder|task-notification|user-prompt)|\[(?:request interrupted|image)|\/[a-z][\w-]{0,30}(?:\s|$))/i,
  /^\s{0,9}(?:git\s+)?(?:commit|push|pull|merge|rebase|checkout|stash|tag|cherry-pick|squash)\b(?! (?:handler|logic|hook|code|function))/i,
  /(?:提交|推送|推上去|切到|切换到|合并|打个?标签|拉取).{0,12}(?:分支|代码|一下|吧|标签|仓库|主干|上去)|提交吧/,
  /\b(?:recipes?|dinner|cook\w{0,4}|poem|haiku|bedtime story|cover letter|birthday|wedding|marriage|girlfriend|boyfriend|my (?:wife|husband|kids?|dog|cat|boss|mother|father|life)|vacation|itinerary|horoscope|workout|essay|speech|retirement|mortgage|loan|airline|landlord|translate|in (?:spanish|french|german|japanese) )/i,
  /(?:人生|婚姻|女朋友|男朋友|老婆|老公|室友|父母|孩子|晚饭|早餐|菜谱|红烧|旅游|旅行|减肥|失眠|作文|情书|睡前故事|诗|祝福|房贷|房东|房東|天气|天氣|朝代|考研|英文怎么说|啥意思|什么意思|翻译|翻譯)/,
  /^[\s\p{P}\p{S}]{0,200}$/u,
];

/** Wishes that only tier-2 tools meet. */
export const TIER2_WISH = /impact|call chain|调用链|調用鏈|影响|影響|\bbugs?\b/i;

/** Words of four and more letters that name nothing in code. */
export const PLAIN_WORDS = new Set(
  (
    "this that what when where which with from have does should would could there about please explain show code call chain impact " +
    "error issue function file class method into then than them they analyze analyse trace find make need want some more very like " +
    "just only also after before"
  ).split(" "),
);
