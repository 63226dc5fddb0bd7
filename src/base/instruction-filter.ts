/** What the place of a removed instruction says. */
const REMOVED = "[filtered: instruction-like text]";

/**
 * Texts that talk to a model instead of about code. Contract: each pattern is linear (bounded gaps) and wants an
 * address to a model, an override, or a harmful command as an order, so that ordinary imperative comments stay.
 */
const PATTERNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|your|system|safety)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules?|messages?|directions?|guidelines?|context)\b[^\n]{0,300}/gi,
  /\b(?:you are|act as|pretend to be|from now on,? you)\b[^.\n]{0,40}\b(?:now|an? (?:ai|assistant|llm|language model|unrestricted|jailbroken|dan))\b[^\n]{0,300}/gi,
  /\b(?:ai|llm|language model|coding (?:agent|assistant)|assistant|claude|codex|copilot|chatgpt)s?\b[^.\n]{0,40}\b(?:must|should|please|need to|have to|are required to)\b[^.\n]{0,60}\b(?:run|execute|read|send|post|upload|reveal|print|delete|fetch|curl|include|append|insert|exfiltrate)\b[^\n]{0,300}/gi,
  /\b(?:run|execute|type|invoke|call)\b[^.\n]{0,30}(?:`|"|')?\s?(?:sudo\s+)?(?:rm\s+-[rf]{1,2}|curl\s+[^\n]{0,100}\|\s?(?:ba)?sh|wget\s|chmod\s+777|mkfs|dd\s+if=)[^\n]{0,300}/gi,
  /\b(?:reveal|print|show|repeat|leak|output|send)\b[^.\n]{0,40}\b(?:system prompt|hidden prompt|your instructions|api keys?|environment variables|credentials)\b[^\n]{0,300}/gi,
  /\b(?:do not|don't|never)\b[^.\n]{0,20}\b(?:tell|inform|mention|reveal|notify)\b[^.\n]{0,20}\b(?:the )?user\b[^\n]{0,200}/gi,
  /\bnew (?:system )?(?:instructions?|prompt|directive)s?\s?[:：][^\n]{0,300}/gi,
  /(?:忽略|无视|無視|忘记|忘記|不要理会|跳过)[^。\n]{0,20}(?:之前|以上|前面|先前|上述|所有|系统|系統|全部)[^。\n]{0,20}(?:指令|指示|提示|规则|規則|要求|命令|内容|內容)[^\n]{0,300}/g,
  /(?:你现在是|你現在是|从现在起你|從現在起你|请扮演|請扮演|如果你是)[^。\n]{0,30}(?:模型|助手|代理|AI|人工智能|系统|管理员|管理員)[^\n]{0,300}/gi,
  /(?:执行|執行|运行|運行|调用|調用)[^。\n]{0,20}(?:rm\s+-[rf]{1,2}|curl\s|wget\s|sudo\s)[^\n]{0,300}/gi,
  /(?:泄露|洩露|输出|輸出|打印|发送|發送|告诉我|上传|上傳)[^。\n]{0,20}(?:系统提示|系統提示|提示词|提示詞|密钥|密鑰|环境变量|環境變量|\.env)[^\n]{0,300}/g,
  /(?:不要|别|別|切勿)[^。\n]{0,10}(?:告诉|告訴|告知|通知|提醒|提及)[^。\n]{0,10}(?:用户|用戶|使用者)[^\n]{0,200}/g,
];

/** Removes instruction-like passages. Contract: linear; keeps the number of lines; `count` is how many were removed. */
export function filterInstructions(text: string): { readonly text: string; readonly count: number } {
  let count = 0;
  let out = text;
  for (const pattern of PATTERNS) {
    out = out.replace(pattern, () => {
      count++;
      return REMOVED;
    });
  }
  return { text: out, count };
}
