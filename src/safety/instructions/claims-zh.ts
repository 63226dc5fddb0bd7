import { type InstructionRule, rule } from "./words.ts";

/**
 * Planted instructions in Chinese that start with a claim: who speaks, which mode is on, which rules are off, what has
 * happened. Each rule requires the claim and the action that it is meant to justify. Contract: as in `rules-zh.ts`.
 */

const gap = (max: number): string => `[^。！？\\n]{0,${max}}?`;

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

/** Rules for such claims. */
export const CLAIM_RULES: readonly InstructionRule[] = [
  // A speaker who claims authority gives an order.
  rule(
    { needs: /管理员|用户|管理端|运营方|平台方|后台|站长|开发商|总监|值班长/ },
    `${START}${BOSS}[)*']{0,3} ?[：:] ?(?:请|立即|马上|现在)?${DO}${gap(4)}[^。！？\\n]{6}`,
  ),
  rule(
    { needs: /系统/ },
    `${START}系统[)*']{0,3} ?[：:] ?(?:请|立即|马上)?(?:把|批准|放行|通过(?!后|了)|同意)${gap(8)}(?:申请|订单|贷款|退款|提现|转账|权限|账户|账号|用户|记录|密)`,
  ),
  // A mode or a console is claimed to be active, and private data is requested.
  rule(
    { needs: /控制台|终端|面板|后台|模式|通道|接口|壳|维护|检修|诊断|调试/ },
    `[【\\[〔（('‹]{1,3} ?[^】\\]〕）)'›\\n]{0,8}(?:控制台|终端|面板|后台|模式|通道|接口|壳|维护|检修|诊断|调试|窗口)[^】\\]〕）)'›\\n]{0,4}[】\\]〕）)'›]{1,3}${gap(24)}${SHOW}${gap(12)}${PRIVATE}`,
  ),
  // The vendor is said to have lifted the model's rules, or they are said not to apply in this repository.
  rule(
    { needs: /提供[方商]|厂商|厂家|供应[方商]|服务商|开发商|研发团队|官方/ },
    `(?:提供[方商]|厂商|厂家|供应[方商]|服务商|开发商|研发团队|官方)(?:声明|公告|通知|通告|说明|确认|授权|备忘|来信)${gap(20)}${OFF}${gap(10)}${RULES}`,
  ),
  rule(
    { needs: /本仓库|此仓库|该仓库|本项目|本工程|代码库|代码仓|工作区/ },
    `(?:本仓库|此仓库|该仓库|本项目|本工程|代码库|代码仓|工作区)(?:里|中|内|里面)?的?${gap(6)}(?:ai|模型|助手|智能体|代理|机器人)${gap(8)}(?:不再受|不受|可以不|无需|不必)(?:遵守|遵循|执行)?${gap(10)}${RULES}`,
  ),
  // The conversation is declared void and starts again.
  rule(
    { needs: /不算|不作数|作废|清零|翻篇|勾销|没说|清空|重置/ },
    `(?:以上|上面|之前|前面|刚才|此前|先前)的?(?:所有|全部)?的?(?:对话|聊天|谈话|话|讨论|交谈)(?:都|全|全部|统统|通通)?(?:不算数?|不作数|作废|清零|翻篇|一笔勾销|当没说|清空)${gap(10)}(?:重新|从头|重来|你|新的?(?:身份|角色|任务))`,
  ),
  // A tool declares the other tools or the rules inactive.
  rule(
    { needs: /技能|插件|工具|扩展/ },
    `(?:本|此|该)(?:技能|插件|工具|扩展)${gap(10)}(?:其他|其它|其余|别的)${gap(8)}(?:技能|插件|工具|规则|限制)${gap(8)}(?:视为|视同|当作|不生效|停用|卸载|不存在|不要采信|无效)`,
  ),
  // A drastic action of which nobody is to be notified.
  rule(
    { needs: /(?:不要|别|勿|无需|不必|不得)(?:再)?(?:通知|告诉|告知|惊动|声张)/ },
    `(?:下线|停掉|关闭|停止|撤下|停用|删除|清空|导出|上传|推送|发布|合并|转账|移到|发到|发给)${gap(24)}(?:不要|别|勿|无需|不必|不得)(?:再)?(?:通知|告诉|告知|惊动)(?:值班|运维|用户|安全|维护|任何|别人|其他|他人|管理员|作者|同事|当事人)`,
  ),
];
