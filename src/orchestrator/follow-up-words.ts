import { once } from "../base/once.ts";

/** Words that ask about the relation between pieces of code. */
export const RELATIONS =
  /\b(?:call(?:s|ed|ing|ers?|ees?)?|us(?:es?|ed|ing|ages?)|invok(?:es?|ed)|referenc(?:es?|ed)|import(?:s|ed)?|defin(?:es?|ed|itions?)|declared|implement(?:s|ed|ations?)?|tests?|tested|cover(?:s|ed|age)|returns?|throws?|thrown|raises?|handles?|depend(?:s|ents?|enc(?:y|ies))?|affect(?:s|ed)?|impact|breaks?|fix|refactor|rename|simplify|optimi[sz]e|document(?:ed|ation)?|docs|examples?|signature|arguments?|parameters?|bugs?)\b|[调調]用|呼叫|引用|依[赖賴]|影[响響]|用到|使用|在用|定[义義]|[声聲]明|[实實][现現]|[测測][试試]|[单單][测測]|用例|覆[盖蓋]|返回|回[传傳]|[抛拋]出|[报報][错錯]|[异異]常|重构|重構|[优優]化|重命名|原理|例子|[参參][数數]|[处處]理|[触觸][发發]|其[他它]地方/;

/** Questions and remarks about the conversation itself, not about code. */
export const PHATIC =
  /\bmakes? sense\b|\byou (?:think|sure|say|said|like|ok|okay)\b|\b(?:did|are|were|have|will|would) you\b|\bdo you (?!know|see)|\b(?:feels?|costs?|a break)\b|\bi (?:asked|said|meant|told|wanted)\b|你(?:[为為]|怎|在|[刚剛])|\b(?:is|was|are) (?:that|it|this|they) (?:ok|okay|all|right|correct|clear|fine|it|done|ready|true|good|enough|finished|due|late|worth)\b|\b(?:how|what)(?:'s| is| are| was) (?:it|things|that|this|you) (?:going|doing|looking|like)\b|^(?:do|did|does|will) (?:it|that|this) (?:work|help)\b|^(?:please )?(?:just )?(?:do|try|run|use|keep|leave|take|apply|undo|revert|skip|ignore|forget|drop) (?:it|that|this|them|those|these)\b|^why not\b|\b(?:time is|long (?:will|does|did)) (?:it|this|that)\b|^it depends\b|(?:可以|可不可以|行|[对對]|好|是|[懂明]白?|[够夠])(?:了)?[吗嗎不][\s?？!！。]*$|[对對]不[对對]|行不行|好不好|怎[么麼][样樣]了|(?:完成|搞定|好|完)了[吗嗎没沒]|下一步|[还還]在|多久/;

/** Words that refer to something said before. Of words with a common start, the longer ones come first. */
const POINTING_ZH =
  "它们 它們 他们 他們 它 牠 他 该 該 " +
  "这些 這些 那些 这个 這個 那个 那個 这段 這段 那段 这里 這裡 这里面 那里 那裡 这儿 那儿 这块 那块 此处 此處 上述 " +
  "刚才 剛才 刚刚 剛剛 上面 前面";

const CARRIERS_ZH =
  "这 這 那 这样 這樣 那样 那樣 这么 這麼 那么 那麼 一样 一樣 同样 同樣 其他 其它 其中 别的 別的 提到 说的 說的 之前 " +
  "谁 誰 哪里 哪裡 哪儿 哪个 哪個 哪些 哪几个 哪 什么 什麼 甚麼 啥 为什么 為什麼 为何 為何 为啥 怎么 怎麼 怎样 怎樣 如何 吗 嗎 呢 么 麼 " +
  "是不是 有没有 有沒有 会不会 會不會 能不能 几 幾 多少 何时 何時 " +
  "的 了 在 是 有 会 會 能 可以 要 被 把 给 給 对 對 和 与 與 跟 及 就 也 还 還 还有 還有 都 又 再 到 去 来 來 里 裡 裏 里面 裡面 中 上 下 后 後 时 時 " +
  "啊 呀 嘛 吧 请 請 请问 請問 帮我 幫我 帮忙 幫忙 看 看看 看一下 一下 我 我们 我們 你 您 说 說 说说 說說 讲 講 讲讲 講講 解释 解釋 告诉 告訴 " +
  "知道 想 具体 具體 详细 詳細 更多 更 多 得 地方 东西 東西 原因 作用 做 干嘛 用 用到 用来 用來 使用 在用 调用 調用 呼叫 引用 依赖 依賴 影响 影響 " +
  "定义 定義 声明 聲明 实现 實現 测试 測試 单测 單測 单元 單元 用例 覆盖 覆蓋 文件 檔案 函数 函數 函式 方法 类 類 类型 類型 模块 模塊 模組 接口 介面 " +
  "代码 代碼 程式碼 程式 逻辑 邏輯 参数 參數 返回 返回值 调用方 調用方 调用者 調用者 回傳 报错 報錯 抛出 拋出 异常 異常 错误 錯誤 错 錯 问题 問題 修 修复 修復 改 修改 改动 改動 " +
  "重构 重構 优化 優化 重命名 文档 文檔 注释 註釋 位置 行 关系 關係 流程 原理 例子 处 處 些 个 個 所有 全部 直接 间接 間接 另外 所以 但是 然后 然後 " +
  "而且 出现 出現 存在 需要 应该 應該 加 写 寫 删 删除 刪除 相关 相關 写的 工作 处理 處理 触发 觸發 支持 拆 拆开 拆開 删掉 刪掉 去掉 如果 要是 传 傳 传入 傳入 空 空值 能否 是否 可不可以 掉 时候 時候 情况 情況";

/** Whitespace and punctuation: ASCII, Chinese and full-width. */
const MARKS = "\\s!-/:-@[-^`{-~\\u2010-\\u2027\\u3000-\\u303f\\uff00-\\uff0f\\uff1a-\\uff20";

/** Built on first use: most prompts never need it. */
const chinese = once(() => {
  const kinds = new Map<string, "anaphor" | "carrier">([
    ...CARRIERS_ZH.split(" ").map((word) => [word, "carrier"] as const),
    ...POINTING_ZH.split(" ").map((word) => [word, "anaphor"] as const),
  ]);
  const known = [...kinds.keys()].toSorted((a, b) => b.length - a.length).join("|");
  const isMark = (piece: string) => new RegExp(`^[${MARKS}]+$`).test(piece);
  return { kinds, isMark, segments: new RegExp(`${known}|[a-z0-9_$.]+|[${MARKS}]+|[^]`, "g") };
});

/**
 * Splits a Chinese sentence into known words and the rest; longer words take precedence. Contract: linear; keeps the
 * order.
 */
export function segmentChinese(text: string): { text: string; kind: "anaphor" | "carrier" | "content" }[] {
  const { kinds, isMark, segments } = chinese();
  return Array.from(text.matchAll(segments), ([piece]) => ({
    text: piece,
    kind: kinds.get(piece) ?? (isMark(piece) ? "carrier" : "content"),
  }));
}
