import { once } from "../../base/once.ts";

/**
 * Kinds of words that instructions to a model consist of, so that the model of planted instructions recognises
 * "disregard the above directives" from "ignore previous instructions". Patterns for shadows: lower case, simplified, a
 * dot inside a word is `·`.
 */
const KINDS: Readonly<Record<string, { readonly latin: string; readonly han: string }>> = {
  // setting aside
  drop: {
    latin:
      "ignor(?:e|es|ing)|disregard(?:ing)?|forget|overrid(?:e|es|ing)|overrule|bypass|neglect|discard|abandon|set aside|put aside|pay no attention|no longer (?:apply|applies|valid)|supersede[sd]?|void|revoked|expired|obsolete|suspended|lifted",
    han: "忽略|忽视|无视|忘记|忘掉|忘了|不要理会|不用理会|别管|不必遵守|不要遵守|不再遵守|停止遵守|抛弃|丢弃|抛开|推翻|绕过|作废|失效|废止|解除|不再适用|取代|不算数|不作数|不算|过期|到期|过时|停用|暂停|撤回|收回|撤下|撤掉|豁免|免除|翻篇|一笔勾销|清零|不适用|不受|卸载|停止|别理|不用听|不理|不看|丢开|丢掉|倒空",
  },
  // what came before
  prior: {
    latin: "previous(?:ly)?|prior|above|earlier|preceding|foregoing|initial|original|existing|before this|so far|told",
    han: "之前|前述|以前|以上|前面|先前|上述|上面|此前|原有|原来|既有|初始|上文|前文|前头|刚才|最初|最早|最开始|开头|开场|起初|启动时|往上|顶上|从前",
  },
  // what binds a model
  orders: {
    latin:
      "instructions?|prompts?|rules?|directions?|directives?|guidelines?|guardrails?|restrictions?|constraints?|commands?|orders|polic(?:y|ies)|safeguards?|limitations?",
    han: "指令|指示|提示词?|规则|规定|命令|设定|限制|约束|规范|策略|准则|护栏|守则|政策|规矩|管束|管控|条款|禁令|审查|审核|监管|监督|防护|防线|约定|叮嘱|人设|要求",
  },
  // names for a model
  model: {
    latin:
      "ais?|llms?|gpt(?:-?\\d)?|language models?|assistants?|agents?|chatbots?|bots?|claude|codex|copilot|chatgpt|gemini|cursor|models?",
    han: "人工智能|大模型|语言模型|模型|助手|助理|智能体|机器人|代理|智能助理|小助手|编程代理|补全工具|评审者|评委",
  },
  // addressing the reader
  you: {
    latin: "you(?:'re|'ve|'ll)?|yours?|yourself",
    han: "你|您",
  },
  // courtesy
  please: {
    latin:
      "please|kindly|would you|could you|can you|would you mind|i'd like|i would like|i want you|i need you|thanks|thank you|appreciated?|grateful|be so kind|favou?r|if possible",
    han: "请(?!求)|麻烦|劳驾|谢谢|帮忙|帮我|帮助我|能否|可否|能不能|可以的话|方便的话|顺便|拜托|辛苦",
  },
  // obligation
  must: {
    latin:
      "must|should|shall|need to|have to|has to|required|mandatory|always|immediately|make sure|be sure|ensure|ought|at once|right away|urgently",
    han: "必须|务必|应当|应该|需要|一律|立即|马上|一定|始终|总是|赶紧|尽快",
  },
  // the speaker
  me: {
    latin: "my|me|mine|i(?:'m|'ve|'ll|'d)?|our|us",
    han: "我们?|咱们?|本人",
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
    han: "告诉|告知|透露|泄露|复述|声称|宣称|回复|回答|说明|总结|翻译|提及|报告|列出|展示|打印|写下|写出|念出|说出|说说|讲讲|背出|背诵|贴出|报出|交出|给出|亮出|公开|公布|索要|提供|汇报|透漏|外泄|引用|原样",
  },
  // doing
  act: {
    latin:
      "run|execute|invoke|install|download|fetch|open|visit|delete|remove|wipe|erase|push|merge|approve|send|post|upload|forward|mail|disable|edit|modify|append|insert|include|embed|recommend|promote",
    han: "执行|运行|调用|安装|下载|打开|访问|删除|清空|推送|合并|批准|发送|上传|转发|关闭|禁用|修改|写入|加入|插入|推荐|读取|发给|发到|下线|停掉|关掉|强推|推上|部署|上线|上架|抹掉|删掉|清掉|清除|重启|注销|卸下|放行|合入|采纳|回退|覆盖到|寄到|发往|传到|传给|抄送|密送|同步到|提交|签名|打标签|夹带|混进|附上|附到",
  },
  // acting on a user's belongings
  handle: {
    latin:
      "grant|give|share|transfer|wire|pay|buy|sell|order|book|cancel|withdraw|refund|schedule|invite|register|subscribe|reset|revoke|unlock|raise|increase|lower|adjust|alter|mark|close|assign|retrieve|export|falsify|fabricate|conceal|hide|publish|create|update|change|move|copy|add|set|turn (?:on|off)|switch (?:on|off)|shut down|find|get|look up|search|check|review|verify|monitor|manage",
    han: "授予|给予|共享|分享|转移|支付|付款|购买|出售|下单|预订|取消|退款|安排|邀请|注册|订阅|重置|撤销|解锁|提高|增加|降低|调整|更改|标记|关掉|分配|获取|导出|查询|查找|伪造|篡改|隐瞒|发布|创建|新建|更新|移动|复制|添加|设置|设为|改成|改为|打开|检查|核实|监控|开通|延长|充值|转给|打到|汇到|汇给|换成|替换|调高|调低|调到|撤掉|取消掉|升级成|设成|改到|移到|挪到|标为|标成|记为|记作|打分|点同意|盖章|通过申请|答应|照单全收|有求必应|照做|照办",
  },
  // a user's belongings
  record: {
    latin:
      "accounts?|records?|invoices?|transactions?|payments?|appointments?|meetings?|calendars?|inbox|mailbox|e-?mails?|bookings?|reservations?|orders?|patients?|students?|employees?|clients?|contacts?|profiles?|subscriptions?|memberships?|wallets?|balances?|funds|money|refunds?|tickets?|bills?|prescriptions?|grades?|salar(?:y|ies)|payroll|contracts?|files?|folders?|documents?|photos?|messages?|branch(?:es)?|repositor(?:y|ies)|pull requests?|releases?|pipelines?|devices?|vehicles?|doors?|valves?|cards?|history|details|information|data",
    han: "账户|账号|帐号|订单|发票|交易|转账|款项|余额|日历|日程|会议|邮件|邮箱|收件箱|患者|病人|病历|客户|学生|员工|档案|预约|资金|钱包|工单|工资|合同|文件|文件夹|文档|照片|消息|分支|仓库|合并请求|流水线|设备|车辆|门锁|阀门|银行卡|记录|资料|信息|数据|成绩|处方|租户|会员|商户|试用期|额度|限额|备份|快照|存储卷|集群|告警|报警|工资表|护照|证件|病区|通讯录|短信|验证码|二维码|收款|付款|地址|定位|手机号|电话|生日|出生日期|身份证|权限|防火墙|审计|日志|监控|双重验证|两步验证",
  },
  // identification numbers
  number: {
    latin: "(?:id|number|no|nr|#)[ :·#-]{0,3}[a-z]{0,4}-?\\d{2,}|\\d{4,}",
    han: "编号|号码|尾号",
  },
  // amounts
  amount: {
    latin:
      "\\d[\\d,·]{0,12} ?(?:dollars?|euros?|eur|usd|gbp|pounds?|bitcoins?|percent|points?)|[$€£] ?\\d[\\d,·]{0,12}",
    han: "\\d{2,9} ?[元块美欧]|[一两三四五六七八九十百千万]{2,}[元块]",
  },
  // dates and times
  date: {
    latin:
      "today|tonight|tomorrow|yesterday|midnight|noon|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:'s)?|(?:next|this|last) (?:week|weekend|month|year|night|morning)|(?:on )?\\d{1,2} (?:january|february|march|april|may|june|july|august|september|october|november|december)|\\d{1,2} ?[ap]·m",
    han: "今天|今晚|明天|明早|昨天|昨晚|午夜|凌晨|周[一二三四五六日末]|星期[一二三四五六日天]|下周|下个?月|本周|月底",
  },
  // email addresses
  mail: {
    latin: "e-?mail address",
    han: "@[\\w-]{2,30}·[a-z]{2,10}",
  },
  // permission that was given
  consent: {
    latin:
      "consent(?:ed)?|signed off|go ahead|confirmed|agreed|permits?|permitted|pre-?approved|approval|on behalf|granted|no (?:further )?(?:confirmation|approval|questions?)|without (?:asking|confirmation|approval)|unattended|automatically",
    han: "同意|已批准|已确认|已授权|征得|代表|无需确认|无需询问|不必询问|不用问|自动批准|点头|点过头|签字|签好|盖过章|许可|准许|默认同意|审批单|授权书|委托书|口头批准|拍板|允许",
  },
  // turns of a conversation, steps of an agent
  turn: {
    latin:
      "thought|observation|action|tool[ _]calls?|tool[ _](?:results?|outputs?|response)|function[ _]calls?|next step|user said|task (?:is )?complete|done",
    han: "观察|思考|行动|工具返回|工具结果|下一步|任务完成|用户说|后续事项|余下事项|新任务|新请求|接下来|接着|随后|已送达|已交付",
  },
  // confidential things
  secret: {
    latin:
      "secrets?|credentials?|passwords?|passphrases?|api[ _-]?keys?|tokens?|[\u00b7.]env|id_rsa|[\u00b7.]ssh|private keys?|environment variables?|env vars?|conversation|chat history|cookies?|source code",
    han: "密钥|秘钥|私钥|密码|口令|凭据|凭证|令牌|对话|聊天记录|环境变量|源码|源代码|隐私|机密|恢复码|助记词|恢复短语|暗号|主口令|验证码|访问令牌|会话标识|内部说明|初始提示|系统提示",
  },
  // people
  user: {
    latin: "users?|humans?|operators?|developers?|owners?|anyone|nobody|customers?",
    han: "用户|使用者|人类|开发者|任何人|他人|读者|提问的人|真人|别人|值班人|值班同事|当事人|机主|业主|户主",
  },
  // what a model returns
  reply: {
    latin: "repl(?:y|ies)|responses?|answers?|output|summar(?:y|ies)|reviews?|completions?",
    han: "答复|回应|输出|答案|结论|摘要|评审意见|回答里|评价|提交说明",
  },
  // web addresses
  url: {
    latin: "https?:/|www\u00b7",
    han: "",
  },
  // command lines
  shell: {
    latin: "curl|wget|rm -rf|bash|sudo|npm i(?:nstall)?|pip install|git push|chmod|powershell",
    han: "终端|命令行",
  },
  // conditions
  when: {
    latin: "when(?:ever)?|if|before|after|once|while|from now on|henceforth",
    han: "如果|当|若|一旦|之前先|从现在|今后|以后|每次|等到|每当|每逢|只要|凡是|遇到|直到|变绿|之后就|此后|自此|从今|后续|往后|接下来不论|无论|不论|一旦有",
  },
  // references to this text
  here: {
    latin:
      "this (?:file|comment|line|message|text|note|document|repo(?:sitory)?|section|page|readme)|reading this|the following|below",
    han: "本文|本段|此处|这段|这行|以下|下面|本文件|本仓库|本注释|此仓库|本项目|本工程|该仓库|这里的话|此处的话|本行|这几行|这一段|此页|本页|本工作区|本技能|此插件|本工具|读到这里|看到本文",
  },
  // secrecy
  hidden: {
    latin: "system prompt|hidden|secretly|silently|quietly|confidential|in secret|behind the scenes",
    han: "系统提示|隐藏|悄悄|偷偷|暗中|保密|瞒着|静默|静静|别声张|不要声张|别说出去|不留记录|不要通知|勿告知|别惊动|不写进|别提|秘密|趁机|顺手|自行",
  },
  // declarations of safety
  safe: {
    latin:
      "safe|approved?|no (?:issues|vulnerabilities|problems|findings)|tests? pass(?:es|ed)?|lgtm|trusted|verified|secure|certified",
    han: "安全|通过|没有(?:漏洞|问题|风险)|可信|已审核|无需审查|合格|已签名|没有任何问题|无漏洞|无风险|可以略过|不必核实|无需验证|免了",
  },
  // personas and modes
  role: {
    latin:
      "act as|pretend|you are now|role-?play|persona|jailbreak|developer mode|admin mode|debug mode|god mode|unrestricted",
    han: "扮演|假装|假扮|充当|模式|角色|越狱|你现在是|身份|冒充|名义|口吻|上帝模式|控制台|检修|诊断|接管|特权|有求必应",
  },
  // authority
  power: {
    latin:
      "system|admin(?:istrator)?|root|maintainers?|security team|vendor|authori[sz]ed|permission|priority|urgent|important",
    han: "系统|管理员|维护者|授权|权限|优先级|紧急|重要|超级管理员|超级用户|运营方|平台方|平台|提供方|服务商|供应商|厂商|厂家|官方|董事会|总监|警方|公安|法院|法务|合规部|上级|主管|负责人|声明|公告|通告|通知|故障|事故|告急|即刻|立刻|生效|优先于|高于",
  },
};

const NAMES = Object.keys(KINDS);
/** Two groups per kind, in the order of the names: first all Latin ones, which match whole words, then all Chinese. */
const WORDS = once(() => toWords(() => true));
/** The same for a passage without Chinese, in which most of the Chinese groups cannot match. */
const LATIN_WORDS = once(() => toWords((han) => !HAN.test(han)));
const HAN = /[\u3400-\u9fff]/;

function toWords(isWanted: (han: string) => boolean): RegExp {
  const kinds = Object.values(KINDS);
  const latin = kinds.map((kind) => `(${kind.latin})`).join("|");
  const han = kinds.map((kind) => `(${isWanted(kind.han) ? kind.han || "[]" : "[]"})`).join("|");
  return new RegExp(`(?<![a-z\\d_])(?:${latin})(?![a-z\\d_])|${han}`, "g");
}

const MOST_WORDS = 24;
/** Two words are related if at most this many other words and characters stand between them. */
const REACH = { words: 4, chars: 80 };

/** Reports the kinds of words in a passage, their sequences and their number. Contract: linear, bounded. */
export function visitKinds(shadow: string, take: (kind: string, name: string) => void): void {
  const found: { readonly name: string; readonly at: number }[] = [];
  const words = HAN.test(shadow) ? WORDS() : LATIN_WORDS();
  words.lastIndex = 0;
  for (let match = words.exec(shadow); match !== null; match = words.exec(shadow)) {
    found.push({ name: NAMES[(match.indexOf(match[0], 1) - 1) % NAMES.length] ?? "", at: match.index });
    if (found.length === MOST_WORDS) break;
  }
  take("kn", String(Math.min(8, new Set(found.map(({ name }) => name)).size)));
  found.forEach(({ name, at }, index) => {
    take("k", name);
    if (beginsSentence(shadow, at)) {
      take("k", `^${name}`);
      for (const next of found.slice(index + 1, index + 1 + REACH.words)) take("k", `^${name}>${next.name}`);
    }
    for (const next of found.slice(index + 1, index + 1 + REACH.words)) {
      if (next.at - at <= REACH.chars) take("k", `${name}>${next.name}`);
    }
    const [second, third] = [found[index + 1], found[index + 2]];
    if (second !== undefined && third !== undefined) take("k", `${name}>${second.name}>${third.name}`);
  });
}

/** True if only spaces stand between a position and the punctuation that ends the previous sentence. */
function beginsSentence(shadow: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && shadow.charAt(before) === " ") before--;
  return before < 0 || ".:!?'([>，。：；！？、".includes(shadow.charAt(before));
}
