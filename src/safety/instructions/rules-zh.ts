import { CLAIM_RULES } from "./claims-zh.ts";
import { type InstructionRule, rule } from "./words.ts";

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

/** Rules for Chinese. */
export const HAN_RULES: readonly InstructionRule[] = [
  // Overrides.
  rule(
    { needs: /忽略|忽视|无视|忘|理会|别管|遵守|抛|丢弃|放弃|推翻|绕过|跳过|违反|清除|取消/ },
    `(?<!可|会|能|以|则|即|就|将|表示|攻击者|尝试|试图|${INDUCED})${DROP}(?:掉|了)?${gap(8)}${PRIOR}${NOT_QUEUED}${gap(8)}${ORDERS}`,
  ),
  rule(
    { needs: /清除|取消/ },
    `(?<!可|会|能|以)(?:清除|取消)${gap(4)}(?:之前|以上|所有|全部|你的|一切)${gap(6)}(?:指令|规则|限制|约束|提示词|护栏|准则)`,
  ),
  rule(
    { needs: /忽略|无视|忘|不要理会/ },
    `(?:忽略|无视|忘记|忘掉|不要理会)(?:掉|了)?(?:以上|上述|上面|前面|之前|先前|此前)(?:的)?(?:所有|全部|一切)?(?:的)?(?:内容|文字|文本|信息|消息|部分)?(?:，|,|。|；|;|、|并|转而|然后|直接)`,
  ),
  rule(
    { needs: /视为|当成|当作|看作/ },
    `(?:将|把)${gap(10)}(?:规则|指令|约束|限制|规范|策略|要求)${gap(6)}(?:视为|当成|当作|看作)${gap(8)}(?:过期|失效|无效|作废|不存在)`,
  ),
  // Addressing a model, and switching its mode.
  rule(
    { needs: /ai|人工智能|模型|助手|助理|代理|智能体|机器人|claude|codex|copilot|gpt|cursor|gemini|llm|agent/ },
    `(?:^|[。！？：:“「'（(【\\[>‹-] ?)(?:致|给|告|通知)(?:所有|各位|全体)? ?${MODEL}${gap(14)}[：:，,]`,
  ),
  rule(
    { needs: /模式|权限/ },
    `(?:开发者|管理员|调试|系统|上帝|维护|特权|越狱|无限制|超级|root|dan|admin|override) ?(?:模式|权限)(?:已|已经|现已|被|启动|：)?(?:开启|启用|激活|打开|进入|生效|解锁|启动)`,
  ),
  // Fake turns, and encoded text to be decoded and followed.
  rule(
    { needs: /[<‹] ?(?:system|系统|assistant|admin|im_start|user|用户)/ },
    `[<‹] ?(?:system|系统|assistant|admin|im_start|user|用户)[^>›]{0,12}[>›]${gap(12)}(?:把|将|请|读取|删除|执行|发送|推送|输出|写入|修改|关闭|打开|忽略|运行|上传|合并|批准|安装|转账|告诉|泄露)`,
  ),
  rule(
    { needs: /解码|解密|还原|破译|倒着读/ },
    `(?=[^。！？\\n]{0,30}(?:base64|rot13|十六进制|密文|这段|下面|以下|上面|倒着))[^。！？\\n]{0,12}(?:解码|解密|还原|破译|倒着读)${gap(14)}(?:执行|照做|照办|遵循|服从|去做)`,
  ),
  // Private instructions of a model; exfiltration of secrets; client settings; dictated answers; harmful commands.
  rule(
    { needs: /系统提示|提示|消息|配置|指令|密钥|设定|规则|信息/ },
    `(?:输出|展示|复述|打印|显示|告诉我|提供|给出|说出|透露|泄露|重复|背诵|公开|交出|列出|翻译)${gap(12)}(?:(?:你的|隐藏|私密|不可见|秘密|隐秘|初始|启动|内部|机密|保密|收到)${gap(8)}(?:系统提示|提示词|消息|配置|指令|密钥|设定|提示|规则|信息)|(?:完整|全部)${gap(8)}(?:系统提示|提示词|指令|密钥|设定))`,
  ),
  rule(
    { needs: /env|id_rsa|ssh|密|秘|私钥|口令|凭|令牌|记录|key|token|提示|变量|源代码|数据|隐私|cookie/ },
    `(?:读取|把|将|收集|获取|打包|发送|上传|复制|泄露|提交)${gap(16)}${SECRET}${gap(24)}(?:https?:|[\\w]@[\\w]|写进|写入|写到|写在|附在|发到|发给|(?:发送|上传)(?!(?:到|给|至)?(?:服务|后端|鉴权|认证|接口|网关|登录|缓存))|(?<!上)传到|总结|提交说明|攻击者|外部)`,
  ),
  rule(
    { needs: /claude|codex|authorized_keys|沙箱|沙盒|权限配置/ },
    `(?:修改|编辑|改写|覆盖|把|将|写入|更新)${gap(10)}(?:[·.]claude/|[·.]codex/|authorized_keys|沙箱模式|沙盒模式|权限配置)${gap(14)}(?:允许|改成|改为|设为|设置为|切换|关闭|danger)`,
  ),
  rule(
    { needs: /回复|回答|输出|说|内容/ },
    `(?:只|仅|必须|一律|统一|始终|总是|永远)(?:能|需|要|用|以|需要)?(?:回复|回答|输出|说)(?:['“「‘]|一句|：|:|我是|同一)|本(?:回答|回复|内容)(?:来自|由)${gap(14)}(?:站点|网站|提供|请勿)`,
  ),
  rule(
    { needs: /rm -|curl|wget|mkfs|dd if|git push/ },
    `(?:执行|运行|调用|输入)${gap(10)}(?:\\brm -[rf]{1,2} ?[~/*]|\\b(?:curl|wget)\\b[^。]{0,100}\\| ?(?:sudo )?(?:ba|z)?sh\\b|\\bmkfs|\\bdd if=|git push (?:-f|--force))`,
  ),
  ...CLAIM_RULES,
];
