import { once } from "./once.ts";

/**
 * Kinds of words that talk to a model consists of, so that the model of planted instructions knows "disregard the above
 * directives" by "ignore previous instructions". Patterns for shadows: lower case, simplified, a dot inside a word is `·`.
 */
const KINDS: Readonly<Record<string, { readonly latin: string; readonly han: string }>> = {
  // setting aside
  drop: {
    latin:
      "ignor(?:e|es|ing)|disregard(?:ing)?|forget|overrid(?:e|es|ing)|overrule|bypass|neglect|discard|abandon|set aside|put aside|pay no attention|no longer (?:apply|applies|valid)|supersede[sd]?|void|revoked|expired|obsolete|suspended|lifted",
    han: "忽略|忽视|无视|忘记|忘掉|忘了|不要理会|不用理会|别管|不必遵守|不要遵守|不再遵守|停止遵守|抛弃|丢弃|抛开|推翻|绕过|作废|失效|废止|解除|不再适用|取代",
  },
  // what came before
  prior: {
    latin: "previous(?:ly)?|prior|above|earlier|preceding|foregoing|initial|original|existing|before this|so far|told",
    han: "之前|前述|以前|以上|前面|先前|上述|上面|此前|原有|原来|既有|初始|上文|前文",
  },
  // what a model is bound by
  orders: {
    latin:
      "instructions?|prompts?|rules?|directions?|directives?|guidelines?|guardrails?|restrictions?|constraints?|commands?|orders|polic(?:y|ies)|safeguards?|limitations?",
    han: "指令|指示|提示词?|规则|规定|命令|设定|限制|约束|规范|策略|准则|护栏|守则|政策",
  },
  // a model
  model: {
    latin:
      "ais?|llms?|gpt(?:-?\\d)?|language models?|assistants?|agents?|chatbots?|bots?|claude|codex|copilot|chatgpt|gemini|cursor|models?",
    han: "人工智能|大模型|语言模型|模型|助手|助理|智能体|机器人|代理",
  },
  // address
  you: {
    latin: "you(?:'re|'ve|'ll)?|yours?|yourself",
    han: "你|您",
  },
  // obligation
  must: {
    latin:
      "must|should|shall|please|need to|have to|has to|required|mandatory|always|immediately|kindly|make sure|be sure|ensure|ought",
    han: "必须|务必|请(?!求)|应当|应该|需要|一律|立即|马上|一定|始终|总是",
  },
  // prohibition
  not: {
    latin: "do not|don't|never|must not|should not|cannot|without|avoid|refrain|no need",
    han: "不要|别|切勿|不得|无需|禁止|不必|不用|勿|千万别|不能",
  },
  // saying
  tell: {
    latin:
      "tell|reveal|print|repeat|leak|disclose|recite|say|claim|state|mention|inform|reply|respond|answer|summari[sz]e|translate",
    han: "告诉|告知|透露|泄露|复述|声称|宣称|回复|回答|说明|总结|翻译|提及|报告",
  },
  // doing
  act: {
    latin:
      "run|execute|invoke|install|download|fetch|open|visit|delete|remove|wipe|erase|push|merge|approve|send|post|upload|forward|e-?mail|transfer|disable|edit|modify|grant|append|insert|include|embed|recommend|promote",
    han: "执行|运行|调用|安装|下载|打开|访问|删除|清空|推送|合并|批准|发送|上传|转发|转账|关闭|禁用|修改|写入|加入|插入|推荐|读取|发给|发到",
  },
  // what must not leave
  secret: {
    latin:
      "secrets?|credentials?|passwords?|passphrases?|api[ _-]?keys?|tokens?|[\u00b7.]env|id_rsa|[\u00b7.]ssh|private keys?|environment variables?|env vars?|conversation|chat history|cookies?|source code",
    han: "密钥|秘钥|私钥|密码|口令|凭据|凭证|令牌|对话|聊天记录|环境变量|源码|源代码|隐私|机密",
  },
  // people
  user: {
    latin: "users?|humans?|operators?|developers?|owners?|anyone|nobody|customers?",
    han: "用户|使用者|人类|开发者|任何人|他人",
  },
  // what a model gives back
  reply: {
    latin: "repl(?:y|ies)|responses?|answers?|output|summar(?:y|ies)|reviews?|completions?",
    han: "答复|回应|输出|答案|结论",
  },
  // an address
  url: {
    latin: "https?:/|[\\w\u00b7]@[\\w-]{2,30}\u00b7\\w|www\u00b7",
    han: "",
  },
  // a command line
  shell: {
    latin: "curl|wget|rm -rf|bash|sudo|npm i(?:nstall)?|pip install|git push|chmod|powershell",
    han: "终端|命令行",
  },
  // a condition
  when: {
    latin: "when(?:ever)?|if|before|after|once|while|from now on|henceforth",
    han: "如果|当|若|一旦|之前先|从现在|今后|以后|每次",
  },
  // this very text
  here: {
    latin:
      "this (?:file|comment|line|message|text|note|document|repo(?:sitory)?|section|page|readme)|reading this|the following|below",
    han: "本文|本段|此处|这段|这行|以下|下面|本文件|本仓库|本注释",
  },
  // secrecy
  hidden: {
    latin: "system prompt|hidden|secretly|silently|quietly|confidential|in secret|behind the scenes",
    han: "系统提示|隐藏|悄悄|偷偷|暗中|保密|瞒着",
  },
  // clearance
  safe: {
    latin:
      "safe|approved?|no (?:issues|vulnerabilities|problems|findings)|tests? pass(?:es|ed)?|lgtm|trusted|verified|secure|certified",
    han: "安全|通过|没有(?:漏洞|问题|风险)|可信|已审核|无需审查",
  },
  // a persona or mode
  role: {
    latin:
      "act as|pretend|you are now|role-?play|persona|jailbreak|developer mode|admin mode|debug mode|god mode|unrestricted",
    han: "扮演|假装|假扮|充当|模式|角色|越狱|你现在是|身份",
  },
  // authority
  power: {
    latin:
      "system|admin(?:istrator)?|root|maintainers?|security team|vendor|authori[sz]ed|permission|priority|urgent|important",
    han: "系统|管理员|维护者|授权|权限|优先级|紧急|重要",
  },
};

const NAMES = Object.keys(KINDS);
/** A group a kind, in the order of their names. */
const WORDS = once(
  () =>
    new RegExp(
      Object.values(KINDS)
        .map(({ latin, han }) => `((?<![a-z])(?:${latin})(?![a-z])${han === "" ? "" : `|${han}`})`)
        .join("|"),
      "g",
    ),
);

const MOST_WORDS = 24;
/** Two words belong together when at most this many others and characters stand between them. */
const REACH = { words: 4, chars: 80 };

/** Which kinds of words a passage has, which follow each other, and how many kinds there are. Contract: linear, bounded. */
export function visitKinds(shadow: string, take: (kind: string, name: string) => void): void {
  const found: { readonly name: string; readonly at: number }[] = [];
  const words = WORDS();
  words.lastIndex = 0;
  for (let match = words.exec(shadow); match !== null; match = words.exec(shadow)) {
    found.push({ name: NAMES[match.indexOf(match[0], 1) - 1] ?? "", at: match.index });
    if (found.length === MOST_WORDS) break;
  }
  take("kn", String(Math.min(8, new Set(found.map(({ name }) => name)).size)));
  found.forEach(({ name, at }, index) => {
    take("k", name);
    for (const next of found.slice(index + 1, index + 1 + REACH.words)) {
      if (next.at - at <= REACH.chars) take("k", `${name}>${next.name}`);
    }
    const [second, third] = [found[index + 1], found[index + 2]];
    if (second !== undefined && third !== undefined) take("k", `${name}>${second.name}>${third.name}`);
  });
}
