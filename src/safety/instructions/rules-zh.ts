import { type InstructionRule, instructionRule } from "./rule.ts";

/**
 * The counterpart of `rules.ts` for Chinese (shadow lines: simplified characters, lower case). Contract: every gap is
 * bounded and stays within its sentence.
 */

const gap = (max: number): string => `[^。！？\\n]{0,${max}}?`;

const DROP =
  "(?:忽略|忽视|无视|忘记|忘掉|忘了|不要理会|不用理会|别管|不必遵守|不要遵守|不再遵守|停止遵守|抛弃|丢弃|放弃|抛开|推翻|绕过|跳过|违反|不理会)";
const PRIOR =
  "(?:之前|前述|以前|以上|前面|先前|上述|上面|此前|所有|全部|一切|原有|原来|系统|安全|上层|管理方|开发者|既有|现有|你的|任何|当前|其他|初始|上文|前文)";
const ORDERS =
  "(?:指令|指示|提示|规则|规定|要求|命令|说明|设定|限制|约束|规范|策略|准则|指引|护栏|守则|设置|政策|对话)";
const MODEL =
  "(?:ai|人工智能|大?语言?模型|大模型|助手|助理|代理|智能体|机器人|claude|codex|copilot|chatgpt|gpt|cursor|gemini|llm|agent)";
const SECRET =
  "(?:[·.]env\\b|id_rsa|[·.]ssh|密钥|秘钥|私钥|密码|口令|凭据|凭证|令牌|对话记录|聊天记录|会话记录|api ?key|token|系统提示|提示词|环境变量|源代码|用户数据|隐私|机密|cookie)";

/** Verbs for making a model do something: documents about attacks use them, an order to a model does not. */
const INDUCED = `(?:要求|诱导|诱使|引导|让|使|骗)${MODEL}?`;
/** Excludes commands that a program caches, queues or processes. */
const NOT_QUEUED = "(?![^。！？\\n]{0,6}(?:缓存|积压|队列|处理|解析|下发))";

/** The start of a line, a string or a sentence. */
const START = "(?:^|[。！？'“「（(【\\[>‹][ *']{0,3})";
const BOSS =
  "(?:(?:超级|系统|平台|最高|租户|总)管理员|管理员|超级用户|根用户|管理端|运营方|平台方|后台|站长|开发商|(?:财务|运营|技术)总监|值班长)";
const DO =
  "(?:把|给|为(?!了|什么|空|准|主)|批准|通过(?!后|了)|放行|同意|关闭|关掉|停掉|删除|清空|开通|解除|取消|执行|运行|调用|打印|列出)";
const SHOW = "(?:打印|输出|列出|显示|提供|告诉|公开|交出|报出|念出|说出|贴出|展示|读取|给出|回显)";
const PRIVATE =
  "(?:码|口令|密码|密钥|秘钥|私钥|令牌|短语|凭据|凭证|连接串|住址|地址|生日|日期|手机号|电话|卡号|身份证|联系方式|提示词?|备注|机密)";
const RULES = "(?:规范|规则|准则|限制|审核|审查|过滤|护栏|守则|条款|政策|约束|审计|策略)";
const OFF = "(?:暂停|停用|豁免|关闭|不适用|不受|撤下|解除|不执行|暂不|停止|放宽|失效|不起作用)";

/**
 * Rules for instructions that start with a claim: who speaks, which mode is on, which rules are off, what has happened.
 * Each requires the claim and the action that it is meant to justify.
 */
const CLAIM_RULES: readonly InstructionRule[] = [
  // A speaker who claims authority gives an order.
  instructionRule(
    { needs: /管理员|用户|管理端|运营方|平台方|后台|站长|开发商|总监|值班长/ },
    `${START}${BOSS}[)*']{0,3} ?[：:] ?(?:请|立即|马上|现在)?${DO}${gap(4)}[^。！？\\n]{6}`,
  ),
  instructionRule(
    { needs: /系统/ },
    `${START}系统[)*']{0,3} ?[：:] ?(?:请|立即|马上)?(?:把|批准|放行|通过(?!后|了)|同意)${gap(8)}(?:申请|订单|贷款|退款|提现|转账|权限|账户|账号|用户|记录|密)`,
  ),
  // A mode or a console is claimed to be active, and private data is requested.
  instructionRule(
    { needs: /控制台|终端|面板|后台|模式|通道|接口|壳|维护|检修|诊断|调试/ },
    `[【\\[〔（('‹]{1,3} ?[^】\\]〕）)'›\\n]{0,8}(?:控制台|终端|面板|后台|模式|通道|接口|壳|维护|检修|诊断|调试|窗口)[^】\\]〕）)'›\\n]{0,4}[】\\]〕）)'›]{1,3}${gap(24)}${SHOW}${gap(12)}${PRIVATE}`,
  ),
  // The vendor is said to have lifted the model's rules, or they are said not to apply in this repository.
  instructionRule(
    { needs: /提供[方商]|厂商|厂家|供应[方商]|服务商|开发商|研发团队|官方/ },
    `(?:提供[方商]|厂商|厂家|供应[方商]|服务商|开发商|研发团队|官方)(?:声明|公告|通知|通告|说明|确认|授权|备忘|来信)${gap(20)}${OFF}${gap(10)}${RULES}`,
  ),
  instructionRule(
    { needs: /本仓库|此仓库|该仓库|本项目|本工程|代码库|代码仓|工作区/ },
    `(?:本仓库|此仓库|该仓库|本项目|本工程|代码库|代码仓|工作区)(?:里|中|内|里面)?的?${gap(6)}(?:ai|模型|助手|智能体|代理|机器人)${gap(8)}(?:不再受|不受|可以不|无需|不必)(?:遵守|遵循|执行)?${gap(10)}${RULES}`,
  ),
  // The conversation is declared void and starts again.
  instructionRule(
    { needs: /不算|不作数|作废|清零|翻篇|勾销|没说|清空|重置/ },
    `(?:以上|上面|之前|前面|刚才|此前|先前)的?(?:所有|全部)?的?(?:对话|聊天|谈话|话|讨论|交谈)(?:都|全|全部|统统|通通)?(?:不算数?|不作数|作废|清零|翻篇|一笔勾销|当没说|清空)${gap(10)}(?:重新|从头|重来|你|新的?(?:身份|角色|任务))`,
  ),
  // A tool declares the other tools or the rules inactive.
  instructionRule(
    { needs: /技能|插件|工具|扩展/ },
    `(?:本|此|该)(?:技能|插件|工具|扩展)${gap(10)}(?:其他|其它|其余|别的)${gap(8)}(?:技能|插件|工具|规则|限制)${gap(8)}(?:视为|视同|当作|不生效|停用|卸载|不存在|不要采信|无效)`,
  ),
  // A drastic action of which nobody is to be notified.
  instructionRule(
    { needs: /(?:不要|别|勿|无需|不必|不得)(?:再)?(?:通知|告诉|告知|惊动|声张)/ },
    `(?:下线|停掉|关闭|停止|撤下|停用|删除|清空|导出|上传|推送|发布|合并|转账|移到|发到|发给)${gap(24)}(?:不要|别|勿|无需|不必|不得)(?:再)?(?:通知|告诉|告知|惊动)(?:值班|运维|用户|安全|维护|任何|别人|其他|他人|管理员|作者|同事|当事人)`,
  ),
];

/** Rules for Chinese. */
export const HAN_RULES: readonly InstructionRule[] = [
  // Overrides.
  instructionRule(
    { needs: /忽略|忽视|无视|忘|理会|别管|遵守|抛|丢弃|放弃|推翻|绕过|跳过|违反|清除|取消/ },
    `(?<!可|会|能|以|则|即|就|将|表示|攻击者|尝试|试图|${INDUCED})${DROP}(?:掉|了)?${gap(8)}${PRIOR}${NOT_QUEUED}${gap(8)}${ORDERS}`,
  ),
  instructionRule(
    { needs: /清除|取消/ },
    `(?<!可|会|能|以)(?:清除|取消)${gap(4)}(?:之前|以上|所有|全部|你的|一切)${gap(6)}(?:指令|规则|限制|约束|提示词|护栏|准则)`,
  ),
  instructionRule(
    { needs: /忽略|无视|忘|不要理会/ },
    `(?:忽略|无视|忘记|忘掉|不要理会)(?:掉|了)?(?:以上|上述|上面|前面|之前|先前|此前)(?:的)?(?:所有|全部|一切)?(?:的)?(?:内容|文字|文本|信息|消息|部分)?(?:，|,|。|；|;|、|并|转而|然后|直接)`,
  ),
  instructionRule(
    { needs: /视为|当成|当作|看作/ },
    `(?:将|把)${gap(10)}(?:规则|指令|约束|限制|规范|策略|要求)${gap(6)}(?:视为|当成|当作|看作)${gap(8)}(?:过期|失效|无效|作废|不存在)`,
  ),
  // Addressing a model, and switching its mode.
  instructionRule(
    { needs: /ai|人工智能|模型|助手|助理|代理|智能体|机器人|claude|codex|copilot|gpt|cursor|gemini|llm|agent/ },
    `(?:^|[。！？：:“「'（(【\\[>‹-] ?)(?:致|给|告|通知)(?:所有|各位|全体)? ?${MODEL}${gap(14)}[：:，,]`,
  ),
  instructionRule(
    { needs: /模式|权限/ },
    `(?:开发者|管理员|调试|系统|上帝|维护|特权|越狱|无限制|超级|root|dan|admin|override) ?(?:模式|权限)(?:已|已经|现已|被|启动|：)?(?:开启|启用|激活|打开|进入|生效|解锁|启动)`,
  ),
  // Fake turns, and encoded text to be decoded and followed.
  instructionRule(
    { needs: /[<‹] ?(?:system|系统|assistant|admin|im_start|user|用户)/ },
    `[<‹] ?(?:system|系统|assistant|admin|im_start|user|用户)[^>›]{0,12}[>›]${gap(12)}(?:把|将|请|读取|删除|执行|发送|推送|输出|写入|修改|关闭|打开|忽略|运行|上传|合并|批准|安装|转账|告诉|泄露)`,
  ),
  instructionRule(
    { needs: /解码|解密|还原|破译|倒着读/ },
    `(?=[^。！？\\n]{0,30}(?:base64|rot13|十六进制|密文|这段|下面|以下|上面|倒着))[^。！？\\n]{0,12}(?:解码|解密|还原|破译|倒着读)${gap(14)}(?:执行|照做|照办|遵循|服从|去做)`,
  ),
  // Private instructions of a model; exfiltration of secrets; client settings; dictated answers; harmful commands.
  instructionRule(
    { needs: /系统提示|提示|消息|配置|指令|密钥|设定|规则|信息/ },
    `(?:输出|展示|复述|打印|显示|告诉我|提供|给出|说出|透露|泄露|重复|背诵|公开|交出|列出|翻译)${gap(12)}(?:(?:你的|隐藏|私密|不可见|秘密|隐秘|初始|启动|内部|机密|保密|收到)${gap(8)}(?:系统提示|提示词|消息|配置|指令|密钥|设定|提示|规则|信息)|(?:完整|全部)${gap(8)}(?:系统提示|提示词|指令|密钥|设定))`,
  ),
  instructionRule(
    { needs: /env|id_rsa|ssh|密|秘|私钥|口令|凭|令牌|记录|key|token|提示|变量|源代码|数据|隐私|cookie/ },
    `(?:读取|把|将|收集|获取|打包|发送|上传|复制|泄露|提交)${gap(16)}${SECRET}${gap(24)}(?:https?:|[\\w]@[\\w]|写进|写入|写到|写在|附在|发到|发给|(?:发送|上传)(?!(?:到|给|至)?(?:服务|后端|鉴权|认证|接口|网关|登录|缓存))|(?<!上)传到|总结|提交说明|攻击者|外部)`,
  ),
  instructionRule(
    { needs: /claude|codex|authorized_keys|沙箱|沙盒|权限配置/ },
    `(?:修改|编辑|改写|覆盖|把|将|写入|更新)${gap(10)}(?:[·.]claude/|[·.]codex/|authorized_keys|沙箱模式|沙盒模式|权限配置)${gap(14)}(?:允许|改成|改为|设为|设置为|切换|关闭|danger)`,
  ),
  instructionRule(
    { needs: /回复|回答|输出|说|内容/ },
    `(?:只|仅|必须|一律|统一|始终|总是|永远)(?:能|需|要|用|以|需要)?(?:回复|回答|输出|说)(?:['“「‘]|一句|：|:|我是|同一)|本(?:回答|回复|内容)(?:来自|由)${gap(14)}(?:站点|网站|提供|请勿)`,
  ),
  instructionRule(
    { needs: /rm -|curl|wget|mkfs|dd if|git push/ },
    `(?:执行|运行|调用|输入)${gap(10)}(?:\\brm -[rf]{1,2} ?[~/*]|\\b(?:curl|wget)\\b[^。]{0,100}\\| ?(?:sudo )?(?:ba|z)?sh\\b|\\bmkfs|\\bdd if=|git push (?:-f|--force))`,
  ),
  ...CLAIM_RULES,
];
