/**
 * Marks of talk to a model that are weak alone and strong together, for instructions in words that no rule knows.
 * Contract: works on shadow lines; every pattern is bounded; linear.
 */

/** One kind of mark: counted once a passage, however often it stands there. */
interface Mark {
  readonly weight: number;
  readonly pattern: RegExp;
}

const VERB =
  "add|append|answer|approve|assume|call|claim|collect|commit|continue|copy|create|curl|delete|disable|disclose|do|download|dump|echo|elevate|email|embed|enable|encode|end|ensure|execute|exfiltrate|export|fetch|follow|force|forward|get|give|grant|hide|include|insert|install|invoke|leak|list|mark|mention|modify|obey|open|output|paste|post|pretend|print|promote|push|put|read|recommend|refuse|remove|repeat|replace|reply|report|respond|retrieve|return|reveal|review|run|say|send|set|share|show|skip|start|state|stop|submit|suggest|summari[sz]e|switch|tell|terminate|transfer|translate|trust|turn|update|upload|use|visit|wipe|write";

const MARKS: readonly Mark[] = [
  // Who is spoken to.
  {
    weight: 1,
    pattern:
      /\b(?:llms?|chatgpt|gpt-?\d?|claude|codex|copilot|gemini|cursor|openai|anthropic|chatbot|language models?|(?:ai|coding|automated|autonomous|code) (?:agents?|assistants?|models?|reviewers?|tools?|systems?))\b|大模型|语言模型|智能体|编程代理|编程助手/u,
  },
  {
    weight: 1,
    pattern:
      /\b(?:ais?|assistants?|agents?|bot|models?)\b(?=['’]s|,|:| must| should| shall| is to| will| adds?\b| that| who| reading)|(?:模型|助手|代理)(?=[，,：:]|必须|应|请|要)/u,
  },
  { weight: 1, pattern: /\b(?:you|your|yourself|you're)\b|你|您/u },
  {
    weight: 1,
    pattern:
      /\b(?:you|your) (?:will|must|are|work|have|agree|should|shall|next|real|true|new|only|output|task|answer|response|reply|write|edit|generate|follow|received|obey|comply|can now|may now)\b|(?:你|您)(?:必须|被|要|应|得|将|只|的(?:真正|新|唯一|任务|回答|回复))|你(?:生成|编写|输出)/u,
  },
  // How it is said.
  {
    weight: 1,
    pattern:
      /\b(?:must|please|kindly|always|immediately|silently|secretly|quietly|required to|make sure|critical that|it is (?:critical|essential|imperative|mandatory|important)|at once|right away|nothing else|even if|no matter|without (?:asking|question|hesitation|delay))\b|必须|务必|立即|一律|请(?!求)|悄悄|马上|照我说的/u,
  },
  {
    weight: 1,
    pattern: new RegExp(
      `(?:^|[.:;!,] |\\b(?:please|now|then|first|must|should|to|and|silently|kindly|instead) |' ?)(?:${VERB})\\b (?!\\()`,
      "u",
    ),
  },
  // What it is about.
  {
    weight: 2,
    pattern:
      /\b(?:exfiltrat\w{1,4}|backdoors?|rm -rf|reverse shell|keylogger|ransomware|malware|crypto ?miner|steal|phish\w{0,4})\b|\/etc\/(?:passwd|shadow)|[·.](?:netrc|ssh|aws|gnupg)\b|id_rsa|窃取|后门|盗取|木马|勒索/u,
  },
  {
    weight: 1,
    pattern:
      /\b(?:credentials?|passwords?|secrets?|api keys?|private keys?|tokens?|environment variables|process·env|home directory|private repos\w*|git remote|configuration|system (?:prompt|message)|all (?:the )?(?:data|files|tests)|database)\b|凭据|密码|口令|密钥|令牌|环境变量|私有仓库|全部数据|主目录|隐藏提示|系统提示/u,
  },
  {
    weight: 1,
    pattern:
      /\b(?:safety|guardrails?|filters?|security (?:scanners?|checks?|tests?|tools?)|tls verification|restrictions?|rules?|moderation|sandbox|permissions?|code review|vulnerabilit(?:y|ies)|finding)\b|安全(?:过滤|检查|策略|扫描)|规定|任意命令|里的漏洞/u,
  },
  {
    weight: 1,
    pattern:
      /https?:\/|[\w·]@[\w-]{2,30}·\w|\bpastebin\b|\b(?:curl|wget|bash|shell tool|bash tool|terminal)\b|终端工具|\.\/[\w-]{1,40}·sh/u,
  },
  {
    weight: 1.5,
    pattern:
      /\b(?:reply|respond|answer|say|output|print|recommend|summari[sz]\w{1,3}) (?:with|that|it was|only|as|in|lgtm|buying|yes|no|'|the (?:single|word|text|contents?|phrase)|this repo)|\b(?:every|each|any|your|the final|all) (?:answers?|repl(?:y|ies)|responses?|output|summar(?:y|ies)|file (?:it|you) \w{1,10}|code you \w{1,10})\b|(?:回答|回复|答复|总结|结尾)(?:改成|改为|里|中|时|结尾|末尾|务必)|推荐购买|一律(?:回|推)|直接说/u,
  },
  {
    weight: 2,
    pattern:
      /\b(?:bash|shell|terminal|file|web|browser|edit|write|read|fetch|exec) tool\b|\btool call|终端工具|(?:调用|使用)(?:工具|终端|shell|bash)/u,
  },
  {
    weight: 1.5,
    pattern:
      /\b(?:when|while|whenever|before|after) (?:generating|writing|reviewing|summari[sz]ing|editing|answering|asked|responding|producing|modifying)\b|\bcode (?:you|it) (?:write|generate|edit|produce)|(?:审查|生成|编写|总结|修改|回答)(?:代码|问题|本仓库)?(?:时|的时候|之前)/u,
  },
  {
    weight: 1,
    pattern:
      /\b(?:wipe|destroy|erase|shut down|terminate all|force[- ]push|production|attacker|mallory|evil|owned|pwned|hacked|hijack\w{0,4}|take over)\b|清空|停止当前|销毁|接管|导出全部|公开隐藏|批准所有|任意命令|可以执行/u,
  },
  // Around it.
  {
    weight: 1,
    pattern:
      /\b(?:the|a) (?:user|developer|human|operator|owner)\b(?! (?:is|has|id|name|agent|object|can)\b)|\b(?:someone|anyone|anybody|users?) (?:asks?|objects?|requests?)\b|\b(?:if|when|whenever) (?:the user|someone|anyone|asked)\b|用户的?(?:问题|要求|请求)|凡是(?:询问|问)/u,
  },
  {
    weight: 1.5,
    pattern:
      /\b(?:authori[sz]ed|grant(?:ed|s)? (?:you|root|full|permission)|permission to|now permitted|policy (?:update|change)|admin(?:istrator)? (?:session|access|mode)|emergency|maintenance|support here|compliance reasons|on behalf of|as the (?:\w{1,12} )?(?:owner|admin\w*|maintainer)|message from|i command|i order)\b|你被授权|获得授权|已授权你|我命令|管理员身份|维护人员|通知[：:]|作为(?:系统)?管理员/u,
  },
  {
    weight: 1.5,
    pattern:
      /\b(?:these lines|this (?:line|comment|message|text|note|sentence|repo|paragraph)|reading this|sees? this|comment below|next sentence|conversation|(?:the|new) context (?:is|starts|begins|ends)|instructions you|(?:commands?|instructions?) in\b|what it says|the real ones|start of this|act on it|exactly what|the following)\b|本段文字|这行注释|这段代码|本文|以下指令|真正的(?:指令|任务)|之前的(?:设定|指令|话)|如下。/u,
  },
  {
    weight: 1.5,
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass|comply|obey|pretend|let's play|no rules|unfiltered|uncensored|unrestricted|jailbreak|hidden from|do not report|don't report|never reveal|not (?:tell|reveal|mention)|false positive)\b|忽视|无视|忽略|别管|不要报告|不要提|服从|接管|前述/u,
  },
];

/** A passage longer than this is judged in parts: marks that far apart do not belong together. */
const PASSAGE = 320;
const ENOUGH = 4;
/** Chinese says the same in fewer marks. */
const ENOUGH_HAN = 3.5;

/** True where the marks of one passage add up to an instruction. */
export function isSuspicious(shadow: string): boolean {
  for (let from = 0; from < shadow.length; from += PASSAGE / 2) {
    const passage = shadow.slice(from, from + PASSAGE);
    if (scorePassage(passage) >= (/[\u4e00-\u9fff]{4}/.test(passage) ? ENOUGH_HAN : ENOUGH)) return true;
    if (from + PASSAGE >= shadow.length) return false;
  }
  return false;
}

/** The sum of the marks in a passage. */
function scorePassage(passage: string): number {
  let score = 0;
  for (const { weight, pattern } of MARKS) if (pattern.test(passage)) score += weight;
  return score;
}
