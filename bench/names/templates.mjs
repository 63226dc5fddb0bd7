// Questions about one name or one token. X is replaced by it, W by the word next to a number.
import { numberOf } from "./choice.mjs";

/** Questions about a definition: of any sort, of a function, of a class, of another type. */
const NAMES = {
  en: {
    any: [
      "where is X defined",
      "Where is `X` defined?",
      "what does X do",
      "What does `X` do?",
      "explain X",
      "how does X work?",
      "How does `X` work",
      "what breaks if I change X",
      "find usages of X",
      "Find all the places that use X.",
      "where do we use `X`",
      "is X still used anywhere",
      "refactor X to be simpler",
      "I'm looking for X, which file is it in?",
      "can you write a test for X?",
    ],
    function: [
      "who calls X?",
      "Who calls X()?",
      "show me the X function",
      "Explain the X function to me please",
      "I want to understand X()",
      "why does X return nothing",
      "what arguments does `X()` take?",
    ],
    class: ["what is the X class for", "show me the class X", "who creates an X?", "What is X for?"],
    type: ["what is the X type for", "Show me the type `X`", "which code uses the type X?"],
  },
  zh: {
    any: [
      "X 在哪里定义",
      "X在哪里定义的？",
      "X 是做什么的",
      "`X` 是干什么用的？",
      "改 X 会影响哪些地方",
      "修改X会有什么影响？",
      "解释一下 X",
      "请解释一下 `X`。",
      "X 的实现在哪",
      "`X` 怎么用",
      "X 被哪些地方引用",
      "帮我看看 X 的逻辑",
      "X 还有人用吗？",
      "重构一下 X，让它更简单",
    ],
    function: ["谁调用了 X", "谁调用了X()？", "X 这个函数有什么作用", "X() 为什么没有返回值？"],
    class: ["X 这个类是干嘛的？", "哪里创建了 X", "X类在哪个文件里"],
    type: ["X 这个类型在哪个文件里", "为什么需要 X 这个类型？"],
  },
};

/** Questions about a token, by its kind. */
const TOKENS = {
  setting: {
    en: ["where is `X` set?", "which file sets X", "what does the setting X do", "where do we configure X?"],
    zh: ["X 在哪里配置", "`X` 这个配置项是干什么的？", "哪个文件里设置了 X", "X 配置在哪"],
  },
  variable: {
    en: [
      "which file reads X",
      "where is X read?",
      "what does the environment variable `X` do",
      "Where do we use the X env var?",
    ],
    zh: ["哪里读取了 X", "环境变量 X 有什么用？", "`X` 在哪里用到", "X 这个环境变量在哪读的"],
  },
  flag: {
    en: ["what uses the flag X", "what does X do?", "where is the `X` option handled", "Where do we pass X?"],
    zh: ["X 参数是在哪里处理的", "`X` 这个选项是做什么的？", "哪里用到了 X", "X 在哪里解析"],
  },
  literal: {
    en: ['where is "X" used', "where does `X` come from?", "what handles X", "Which file has 'X'?"],
    zh: ["X 在哪里用到", "哪里用了 `X`？", "“X”是在哪里处理的", "哪个文件里有 X"],
  },
  message: {
    en: [
      'where does the message "X" come from',
      'I get "X", why?',
      'what raises "X"?',
      'which code prints "X"',
      'Why do I see the error "X"',
    ],
    zh: ["报错“X”是哪里抛出的", "“X” 这个错误是什么原因？", '提示 "X"，是哪段代码', '为什么会出现 "X"'],
  },
  style: {
    en: ["where is the class X styled", "which file uses the CSS class `X`?", "where is .X defined", "what styles X?"],
    zh: [".X 的样式在哪里", "哪里用到了 `X` 这个样式类", "X 样式在哪个文件", "CSS 类 X 在哪里定义？"],
  },
  route: {
    en: ["what handles X", "where is the route `X` defined?", "Which file has the path X", "where do we use X?"],
    zh: ["X 这个路径在哪里处理", "`X` 路由在哪里定义？", "哪里用到了 X", "哪个文件里有 X 这个地址"],
  },
  number: {
    en: ["where is the W X set?", "where does X come from", "which file has the W X", "what does the W X mean?"],
    zh: ["X 这个数字在哪里设置的", "W X 在哪里定义？", "哪里用到了 X", "W X 是什么意思"],
  },
  word: {
    en: ["where is X used?", "what is X", "which file mentions `X`", "where does X come from?"],
    zh: ["X 在哪里用到", "`X` 是什么？", "哪里用到了 X", "哪个文件里有 X"],
  },
};

export const LANGUAGES = ["en", "zh"];
const fill = (template, subject, beside = "") =>
  template.replace(/\b[XW]\b/g, (slot) => (slot === "X" ? subject : beside));
/** Steps by seven, which visits all templates but not adjacent ones in a row, which are similar. */
const rotate = (templates, at, ...labels) => templates[(7 * at + numberOf(...labels)) % templates.length];

/** The question about the name at this position of its class. */
export function askName({ name, sort }, language, at, label) {
  const { any, [sort]: special } = NAMES[language];
  return fill(rotate([...any, ...special], at, label, language), name);
}

/** The question about the token at this position of its kind. */
export function askToken({ kind, token, beside }, language, at, label) {
  return fill(rotate(TOKENS[kind][language], at, label, language), token, beside);
}
