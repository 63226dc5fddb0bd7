import {
  ACT,
  DROP,
  gap,
  gated,
  HIDDEN,
  MODEL,
  MUST,
  ORDERS,
  PRIOR,
  REPLY,
  type Rule,
  rule,
  SECRET,
  TELL,
} from "./instruction-words.ts";

/**
 * What planted instructions have in common, as patterns for shadow lines (lower case, folded; see
 * `instruction-shadow.ts`). Each wants a mark of talk to a model: an address, an override, secrecy, a changed persona, a
 * false turn of the conversation, a demand about the answer or an order with a harmful object. Ordinary imperative
 * comments have none. Contract: every gap is bounded and stays in its sentence.
 */

/** A model by kind or name stands somewhere. */
const NAMES_MODEL =
  /\b(?:ais?|a·i|llms?|gpt|models?|agents?|assistants?|tools?|reviewers?|chatbots?|claude|codex|copilot|chatgpt|gemini|cursor)\b/;

/** Rules for English and other languages with Latin letters. */
export const LATIN_RULES: readonly Rule[] = [
  // Overrides.
  rule(`\\b${DROP}\\b${gap(28)}\\b${PRIOR}\\b${gap(24)}\\b${ORDERS}\\b(?! (?:file|from (?:the )?(?:config|\\W?\\.)))`),
  gated(
    /ignore|disregard|forget/,
    `\\b(?:ignore|disregard|forget)\\b(?: [a-z]{1,12}){0,8}? (?:above|before|earlier|previously|rest|told|data|content|instructions|directions|rules)\\b[,;:. ]{0,3}(?:and|then|instead|but|just|simply|print|say|give|tell|from|of|new|output|respond)\\b`,
  ),
  rule(`\\b(?:ignore|disregard)\\b (?:all )?(?:instructions|directions|rules|guidelines)\\b[,;]? and`),
  rule(
    `\\b(?:ignore|disregard) (?:the )?(?:above|previous|foregoing|earlier|prior)(?: text| content| messages?| prompts?)? and\\b`,
  ),
  rule(
    `\\bforget (?:everything|all|anything|about all|what)\\b${gap(20)}\\b(?:you|told|rules|said|know|learned|before)\\b`,
  ),
  rule(
    `\\btreat\\b${gap(20)}\\b(?:rules?|constraints?|polic(?:y|ies)|instructions?|directions?|limits|guidelines?|restrictions?|messages?)\\b${gap(12)}\\bas\\b${gap(10)}\\b(?:obsolete|void|expired|outdated|invalid|inactive|optional|cancelled|stale)`,
  ),
  rule(
    `\\b(?:rules?|polic(?:y|ies)|instructions?|constraints?|directions?|guidelines?|restrictions?|(?:prior|previous|earlier|above) context|control policy|guardrails?)\\b${gap(16)}\\b(?:no longer (?:apply|applies|valid|in (?:force|effect))|(?:is|are|has|have|been|now) (?:now |been |all )?(?:void|expired|revoked|obsolete|cancell?ed|superseded|suspended|lifted|nullified|rescinded|withdrawn|voided))\\b${gap(4)}[,;:.]`,
  ),
  rule(
    `\\breplace the (?:governing|system|current|existing|prior|operator'?s?)\\b${gap(14)}\\b(?:directions?|instructions?|rules?|prompt)\\b`,
  ),
  rule(
    `\\b(?:this|these|it|which) (?:message |instructions? |note |text )?(?:overrides?|supersedes?|takes? precedence over|replaces?)\\b${gap(20)}\\b(?:preferences|instructions?|rules|polic|prompt|everything|anything|system message)`,
  ),
  rule(
    `\\b(?:this|following) (?:passage|paragraph|message|text|note|section|instruction)s?\\b${gap(12)}\\b(?:top|highest|absolute|maximum|utmost) priority\\b`,
  ),
  rule(
    `\\b(?:ignor[ae]|ignorez|ignoriere?n?|olvida|esquece|esque[cç]a|oublie[zr]?|vergiss|dimentica|desconsidere|negeer|zignoruj|bo qua)\\b${gap(24)}\\b(?:instru[cç]\\p{L}{2,6}|instruc\\p{L}{3,8}|istruzioni|anweisungen|consignes|regeln|regras|reglas|ordini|indica\\p{L}{3,6}|instructies|polecenia)`,
  ),
  // Address to a model.
  gated(
    NAMES_MODEL,
    `\\b(?:note|notice|message|memo|attention|reminder|instructions?|directive|important|warning|hint|dear|hey|hello|hi|to|for)\\b[ :,-]{1,3}(?:to |for )?(?:all |any |every |the |this )?(?:future )?\\b${MODEL}\\b${gap(24)}[:,]? ?(?:${MUST}|you)\\b`,
  ),
  gated(
    NAMES_MODEL,
    `\\b(?:note|notice|message|memo|attention|instructions?|directive|orders?) (?:to|for|from the developers of) (?:all |any |every |the |this )?(?:future )?${MODEL}\\b ?(?:[:!;-]|reading|processing|that|who)`,
  ),
  gated(NAMES_MODEL, `\\b(?:if|when|since|because|as) you(?:'re| are) (?:an? |the |reading this as an? )?${MODEL}\\b`),
  rule(`\\byou,? the ${MODEL}\\b`),
  rule(
    `\\bmessage (?:from|by) (?:the|your) (?:user|developers?|admin\\w*|system|owner|creators?|operator|maintainer|vendor)\\b${gap(16)}\\b(?:to you|assistant|ai|model|policy|agent)`,
  ),
  gated(
    NAMES_MODEL,
    `\\b(?:every|all|any|each|the|this) ${MODEL} (?:reading|processing|that|who|which)?${gap(24)}\\b(?:must|shall|is required to|are required to|has to|have to|is instructed to|are instructed to)\\b${gap(24)}\\b${ACT}\\b`,
  ),
  rule(
    `\\b(?:ai|llm|coding|language model|claude|codex|copilot|chatgpt)s?\\b(?: code)?(?: assistants?| agents?| models?)?${gap(20)}\\b(?:must|should|please|need to|have to|are required to)\\b${gap(40)}\\b(?:run|execute|read|send|post|upload|reveal|print|delete|fetch|curl|include|append|insert|exfiltrate|ignore|install|approve|tell|say|recommend|disable)\\b`,
  ),
  gated(
    NAMES_MODEL,
    `(?:^|[>'(\\[:] ?)@?(?:(?:claude|codex|copilot|chatgpt|gemini|cursor|gpt|assistant|ai|llm))\\b[a-z ,/&]{0,40}?(?:[:,]| -) ?(?:please |you |kindly |now |first )?${ACT}\\b`,
  ),
  gated(
    /\bthis (?:file|comment|line|message|text|repository|document|code|note|readme)/,
    `\\b(?:when|while|if|after|once|before) you (?:read|see|process|parse|encounter|open|review|summari[sz]e|index|load) this (?:file|comment|line|message|text|repository|document|code|note|readme)\\b${gap(12)}\\b(?:you|please|must|first|${ACT})\\b`,
  ),
  // Persona and mode.
  rule(
    `\\byou are (?:now|no longer|hereby)\\b ?(?:an? |the |in |operating |free |bound |restricted |acting |required |dan\\b|going to|entering|allowed)`,
  ),
  rule(
    `\\b(?:act as|pretend (?:to be|you are|that you)|behave as|roleplay as|role-play as|imagine you are|simulate being) ?[:,]?(?: an?| the)?${gap(24)}\\b(?:ai|assistant|llm|language model|unrestricted|jailbroken|dan|evil|uncensored|admin\\w*|root|full trust|no (?:rules|restrictions|filters?|limits))\\b`,
  ),
  rule(`\\bact as ?:`),
  rule(`\\bfrom (?:now|this (?:point|moment)) on(?:wards?)?,? you\\b`),
  rule(
    `\\b(?:developer|admin\\w*|god|debug|jailbreak|dan|unrestricted|override|maintenance|sudo|root|system|privileged|superuser|diagnostic|test|enforcement) (?:override )?mode(?: is| has been| now)? ?(?:enabled|activated|active\\b|on\\b[.:,!]|engaged|unlocked|granted|>)`,
  ),
  rule(
    `\\b(?:enter(?:ing)?|switch(?:ing)? to|activat(?:e|ing)|enabl(?:e|ing)|engag(?:e|ing)|you are now in)\\b${gap(14)}\\b(?:developer|admin|god|jailbreak|dan|unrestricted|override|sudo|law enforcement|unfiltered|evil|superuser)\\b ?(?:override )?mode`,
  ),
  rule(
    `\\byour (?:identity|persona|new (?:role|task|name|goal|objective|instructions?|identity|mission|purpose)|real (?:task|goal)|true (?:task|purpose)|only (?:task|goal|job)) (?:is|are)\\b`,
  ),
  rule(
    `\\b(?:do anything now|no special filtering|without (?:any )?(?:restrictions|filters|censorship|moral|ethical)|jailbr(?:eak|oken) (?:yourself|mode|prompt:))\\b`,
  ),
  gated(
    /\bnew /,
    `\\bnew (?:system |secret |urgent |top )?(?:instructions?|prompt|directive|task|objective|orders?|mission|goal|assignment)s? ?(?:for (?:the |all )?${MODEL})? ?:`,
  ),
  rule(
    `\\balways (?:answer|respond|reply|say|recommend|claim|state|begin|end)\\b${gap(10)}\\b(?:that|with|as|in|your|every)\\b`,
  ),
  rule(
    `\\byou have (?:a condition|been (?:instructed|authori[sz]ed|granted|reprogrammed|hacked|upgraded|jailbroken)|full (?:permission|access|authority)|no (?:restrictions|limits|rules))`,
  ),
  rule(
    `\\b(?:i'm|i am|this is) (?:your|the) (?:\\w{1,14} )?(?:maintainer|developer|creator|admin\\w*|owner|operator|supervisor|boss|engineer)\\b`,
  ),
  // Secrecy towards the user.
  rule(
    `\\b(?:do not|don't|never|must not|without|avoid|refrain from)\\b ?(?:ever )?(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?|notify(?:ing)?|alert(?:ing)?|disclos(?:e|ing)|report(?:ing)?|show(?:ing)?|ask(?:ing)?|let(?:ting)?|warn(?:ing)?)\\b${gap(34)}\\b(?:the )?(?:user|human|anyone|anybody|developer)s?\\b(?!')`,
  ),
  rule(
    `\\b(?:and|but) (?:do not|don't|never) (?:mention|tell|reveal|disclose|report|log)\\b (?:it|this|that|anything|anyone)\\b|\\bdo not mention (?:that you|you (?:used|read|did|ran))`,
  ),
  rule(
    `\\bwithout (?:the )?(?:user|human|owner|anyone)(?:'s|s)? ?(?:knowing|knowledge|noticing|being aware)|\\b(?:goes|remain|stay|keep it) (?:unnoticed|undetected|hidden from)`,
  ),
  rule(`\\b(?:hide|conceal|keep)\\b${gap(20)}\\bfrom the (?:user|human)\\b`),
  // Theft of the prompt, secrets sent away.
  gated(
    /prompt|instruction|hidden|chain|private|confidential|concealed|unseen|secret|undisclosed|invisible|your |message/,
    `(?<!not |n't |to |may |might |could |would |never )\\b${TELL}\\b${gap(34)}\\b${HIDDEN}\\b(?! (?:file|config|editor|field|string|screen|param|argument|option|value|template|setting|is |was |for ))`,
  ),
  rule(
    `\\b(?:repeat|print|output|copy|translate|recite)\\b (?:all |me |out |back |exactly |the |every )*(?:words?|text|everything|sentences?|messages?|lines?|content)\\b (?:above|before this|you were given)|\\binitial prompt you were\\b`,
  ),
  rule(
    `\\bwhere (?:is|does|do|did) the users? (?:live|living|reside|work|currently|now)|\\b(?:tell|give) me (?:where the user|\\p{L}{2,14}'s? (?:birth|address|phone|password|e-?mail))`,
  ),
  rule(
    `\\b(?:send|e-?mail|post|upload|forward|transmit|exfiltrate|leak|share|submit|copy|push|append|attach|put|write|include|read|cat|print|paste|encode|base64|collect)\\b${gap(40)}${SECRET}${gap(60)}(?:https?:/|[\\w·]@[\\w]|\\bmy (?:\\w{1,12} )?e-?mail|\\battacker|\\bexternal (?:party|parties|server)|\\b(?:in|into|to) (?:your|the) (?:${REPLY}|commit message|pull request|issue))`,
  ),
  rule(
    `\\b(?:send|e-?mail|forward|mail|share|transmit)\\b${gap(60)}\\b(?:to|with|at)\\b${gap(30)}(?:[\\w·-]{1,40}@[\\w-]{2,30}·\\w|\\bmy (?:\\w{1,12} )?e-?mail)`,
  ),
  rule(`\\bexfiltrat(?:e|ing)\\b (?:all |the |any |every |your |user |these )*(?:${SECRET}|data|files?)`),
  rule(
    `! ?\\[[^\\]\\n]{0,60}\\]\\(https?:/[^)\\s]{0,120}[?&=](?:[^)\\s]{0,40}(?:base64|secret|password|token|\\benv\\b)|[^)\\s]{0,20}[{<$\\[])|\\b(?:summari[sz]e|render|describe|show|answer|reply|respond|start|end)\\b${gap(40)}! ?\\[[^\\]\\n]{0,60}\\]\\(`,
  ),
  // Orders with a harmful object.
  rule(
    `\\b(?:run|execute|type|invoke|call|enter|paste|do|use)\\b${gap(24)}(?:sudo |')?(?:\\brm -[rf]{1,2} ?(?:[~/*]|--no)|\\b(?:curl|wget)\\b[^.!?]{0,100}\\| ?(?:sudo )?(?:ba|z)?sh\\b|\\bchmod 777 /|\\bmkfs\\b|\\bdd if=|\\bgit push (?:-f|--force)|\\bgit config --global)`,
  ),
  rule(
    `\\b(?:modify|edit|change|update|write to|overwrite|add|append|set|switch|turn)\\b${gap(30)}(?:[·.]claude/|[·.]codex/|[·.]cursor|claude\\.md|agents\\.md|core·hookspath|authorized_keys|[·.]bashrc|[·.]zshrc|sandbox mode|danger-full-access|skip-permissions)`,
  ),
  rule(
    `\\b(?:approve|accept|allow|auto-?approve|grant|permit)\\b (?:every|all|any|each)\\b${gap(20)}\\b(?:tool calls?|commands?|permissions?|actions?|requests?)\\b${gap(12)}(?:without|automatically|\\bfrom now)`,
  ),
  rule(
    `\\b(?:approve|execute|run|proceed|install|deploy|accept|comply)\\b${gap(40)}\\bwithout (?:any )?(?:asking|confirm\\w*|verif\\w*|question\\w*|hesitat\\w*|permission|review\\w*|prompting)\\b`,
  ),
  gated(
    /guardrail|content |safety|security|validation/,
    `\\b(?:disable|skip|turn off|bypass|remove)\\b (?:all |any |every |the )?(?:\\w{1,12} )?(?:guardrails?|content (?:filter\\w*|sanitization)|safety (?:checks?|filters?|measures|guidelines)|security (?:checks?|polic\\w+|tests?|measures|restrictions)|(?:data |input )?validation)\\b${gap(16)}(?:\\bwhen \\w{1,30}(?:=| contains)|, \\w|\\band (?:say|claim|report|tell|${ACT}))`,
  ),
  rule(
    `\\b(?:tell|inform|convince|assure|warn|instruct|advise) the (?:user|human|developer)\\b${gap(8)}\\b(?:that (?:this|the|their|everything|it|all|there|no)|to (?:go|visit|click|install|run|download|disable|reset|send|pay|call|paste))\\b`,
  ),
  rule(
    `\\b(?:say|claim|report|state|pretend) (?:that )?(?:everything|all tests|all checks|the tests|it all)\\b${gap(10)}\\b(?:pass|passes|passed|fine|safe|ok|green)\\b`,
  ),
  rule(
    `\\b(?:commit|push|merge)\\b${gap(24)}\\b(?:to|into) (?:the )?attacker|\\bprints? (?:all )?(?:the )?secrets\\b|\\bdisable the failing\\b${gap(16)}\\btests?\\b`,
  ),
  // Before the answer, about the answer.
  gated(
    /before (?:answer|you|respond|reply|solv|doing|contin|complet)/,
    `\\bbefore (?:answering|you (?:answer|solve|respond|reply|continue|proceed|do anything|finish|start)|responding|replying|solving|doing anything|continuing|completing)\\b${gap(40)}(?:[,:] ?|\\b(?:you must|first)\\b ?)(?:please |you must |first |always |silently |also )*${ACT}\\b`,
  ),
  gated(
    /before (?:answer|you|respond|reply|solv|doing)/,
    `\\b${ACT}\\b${gap(60)}\\bbefore (?:answering|you answer|responding|replying|solving the task|doing anything else)\\b`,
  ),
  rule(
    `\\b(?:include|add|insert|append|integrate|mention|embed|put|place|weave|feature|incorporate|inject|render|start|begin|end|finish|sign|prefix|claim|promote|recommend|cite|quote|link|attach|encode|reverse|translate|format|phrase|represent|write|make|wrap|use)\\b${gap(70)}\\b(?:your|every|each|all your|the final|its|the assistant's) (?:\\w{1,12} )?${REPLY}\\b(?! (?:object|type|body|schema|class|handler|model|header|code|format|file|dir\\w*|path|stream|buffer))`,
  ),
  rule(
    `\\b(?:reply|respond|answer|output|print|return|say)\\b (?:only|solely|simply|exclusively|exactly|just|nothing but|with only|with just|with exactly)\\b ?(?:with |in |')`,
  ),
  rule(`\\b(?:simply|just|only) (?:respond|reply|answer|say|print|output)\\b (?:with |')`),
  gated(
    /(?:code|script|program) (?:snippet|excerpt|block|section|fragment|segment|piece|sample|passage|portion)/,
    `\\b(?:following|subsequent|below|next|given|provided|attached|this)(?: \\w{1,12})? (?:code|script|program) (?:snippets?|excerpts?|blocks?|sections?|fragments?|segments?|pieces?|samples?|passage|portion)\\b${gap(70)}\\b(?:your|you develop|the) (?:\\w{1,12} )?(?:code(?:base)?|solution|response|algorithm|implementation|program|answer|elucidation|logic|reply|output|script|application|project)\\b`,
  ),
  gated(
    /(?:code|script) (?:snippet|excerpt|block|section|fragment|segment|piece|sample)/,
    `\\b(?:your (?:code|solution|algorithm|implementation|program|answer|response)|don't hesitate|feel free|consider|supplement\\w*|advantageous|beneficial)\\b${gap(60)}\\b(?:following|subsequent|below) (?:code|script) (?:snippets?|excerpts?|blocks?|sections?|fragments?|segments?|pieces?|samples?)\\b`,
  ),
  // Words for a model's answer, its user and its tools, whatever the order is.
  rule(
    `\\b(?:imagine|hypothetically|suppose|(?:in|within) an? (?:hypothetical|fictional|virtual|parallel|simulated|imaginary))\\b${gap(60)}\\b(?:you (?:are|were|have|had|could|can)|ai\\b|assistant|password|secret)`,
  ),
  rule(
    `\\b(?:what|where|tell me|give me|show me|reveal|provide|disclose|share|spell|encode|send)\\b${gap(30)}\\b(?:the )?(?:user|customer|client|owner|admin)(?:'s|s') (?:\\w{1,12} )?(?:password|address|birthday|birth ?date|secret|location|credit card|phone|ssn|home|full name|e-?mail)`,
  ),
  rule(
    `\\bi(?:'m| am) (?:a|an|the|your) (?:\\w{1,14} ){0,2}(?:developer|engineer|admin\\w*|creator|doctor|officer|lawyer|maintainer|researcher|employee|friend|user)\\b${gap(40)}\\b(?:need|require|access|must|give|share|tell|want|order|demand)`,
  ),
  rule(
    `\\b(?:user|human|owner|operator|developer) (?:has |have )?(?:already )?(?:confirmed|consented|approved|authori[sz]ed|agreed|wants you|asked you|expects you|consent has)\\b${gap(40)}\\b(?:and|so|to|for|all|you)\\b`,
  ),
  rule(
    `\\b(?:tell|inform) (?:nobody|no one)\\b|\\bhide this (?:change|line|file|message|from)|\\bchange your (?:persona|identity|role|behaviou?r|rules)\\b`,
  ),
  rule(
    `\\b(?:do not|don't|stop|instead of|rather than) (?:follow|do|answer|obey|help\\w*|respond to|answering|following)\\b${gap(8)}\\bthe (?:user|human)(?:'s)?\\b`,
  ),
  rule(
    `\\b(?:previous|prior|last|earlier) (?:user |system )?(?:messages?|prompts?|requests?)\\b${gap(24)}\\b(?:mistake|error|disregard|ignore|invalid|void|test|cancel\\w*)\\b`,
  ),
  rule(
    `\\b(?:messages?|text|words|lines|everything|conversation|chat)\\b (?:preceding|above|before|prior to) this (?:one|line|message|point)?|\\bwhat were you (?:told|asked|given|instructed)|\\bat the (?:beginning|start|top) of (?:this|the|our) (?:chat|conversation)`,
  ),
  rule(
    `\\b(?:any|every|all|each) (?:tool|scanner|reviewer|agent|model|bot|reader|system|program)s? (?:reading|scanning|processing|seeing|parsing|that (?:reads?|sees?)) this\\b`,
  ),
  rule(
    `\\b(?:your|the model's|the assistant's|the ai's) (?:training|knowledge|memory|safety|first action|next (?:action|step|output|message|reply)|only (?:goal|task|job))\\b${gap(6)}\\b(?:is|are|must|should|has|checks?|filters?|will)\\b`,
  ),
  rule(
    `\\b(?:the|this) (?:ai|model|assistant|agent|llm)\\b (?:know )?(?:that )?(?:it )?(?:must|should|shall|has to|is to|needs to|will now)\\b ${gap(4)}\\b(?:hide|say|tell|add|insert|approve|ignore|skip|delete|run|execute|reveal|send|upload|recommend|always|never|first)\\b`,
  ),
  rule(
    `[·.]env\\b${gap(12)}\\b(?:into|in|to)\\b (?:the|your|a) (?:pr|pull request|commit|issue|response|answer|reply|summary|log|description|comment)`,
  ),
  rule(
    `\\b(?:transfer|wire|pay|deposit|withdraw|donate)\\b ${gap(6)}(?:[$€£] ?)?\\d[\\d,]{0,9}(?: ?(?:usd|eur|dollars?|btc|eth))?\\b${gap(30)}\\b(?:to|from|into|using)\\b`,
  ),
  rule(
    `\\b(?:using|use|call|invoke|with|via) (?:the|your) (?:\\w{1,16} )?(?:bash|shell|terminal|payment|e-?mail|write|edit|browser|file|web|fetch|exec) ?(?:tool|function|api)\\b${gap(4)}(?:to|and|with|[.])`,
  ),
  rule(
    `\\b(?:combine|concatenate|join|merge|assemble|put together)\\b${gap(40)}\\b(?:and|then)\\b${gap(8)}\\b(?:follow|execute|answer|respond|do (?:it|what)|obey|say|act)\\b`,
  ),
  rule(
    `\\b(?:act|behave|respond|proceed) (?:like|as if|as though) (?:the user|you|there|no|it was)\\b|\\bsimulate (?:a |the )?(?:terminal|shell|root|linux|console|being)\\b`,
  ),
  // Encoded orders.
  rule(
    `\\b(?:decode|decrypt|decipher|unscramble|un-?reverse|deobfuscate|rot-?13|base64|from hex)\\b${gap(50)}\\b(?:follow|obey|execute|run|comply|carry (?:it )?out|do what|act on|perform|apply)\\b`,
  ),
  // False turns of a conversation.
  rule(
    `(?:[[(【<‹*#] ?|^|' ?|\\. )(?:system|admin\\w*|security|configuration|metadata|hidden|priority|critical|override|developer|operator|root|emergency|internal|urgent|secret)[ _-](?:override|directive|instruction|message|command|mode|notice|order|update|prompt|alert|note|request|notification)s?(?: directive| override)? ?(?:[\\])】>›]|\\*\\*:?|:)(?=[^.]{0,4}\\s?[^ ]+ [^ ]+ [^ ])`,
  ),
  rule(
    `\\b(?:processing|tool|usage|agent|assistant) (?:note|directive|instruction)s?:? ${gap(30)}\\b(?:inject|directives?|override)\\b`,
  ),
  gated(
    /[<‹]/,
    `[<‹] ?/?(?:system|assistant|human|user|developer|im_start|im_end|information|important|instructions?|tool_results?|tool_output|function_results|system-reminder|admin|override|observation|start_header_id|start_of_turn)(?:[ _-]?(?:mode|message|prompt|reminder))? ?[|>›][^<‹]{0,40}?\\b(?:please|you|your|must|${ACT})\\b ?[^ ]{1,40} [^ ]`,
  ),
  rule(`(?:tool_results?|tool_output|function_results|observation)[|>›]${gap(60)}(?:next(?: step)?|now|then)[:,]`),
  gated(
    /role'/,
    `'?role' ?[:=] ?'(?:system|developer|user|assistant)'? ?,? ?'?(?:content' ?[:=] ?)?'?(?:please |now |you must |first |kindly )*${ACT}\\b [^ ]{1,40} [^ ]`,
  ),
  gated(
    /(?:system|human|assistant|developer|admin|operator)[)*]{0,3} ?:/,
    `(?:^|['([>] ?|\\\\n|\\. )[#*( ]{0,6}(?:system|human|assistant|developer|admin|operator)[)*]{0,3} ?: (?:please|sure|you (?:must|should|are|will)|ok(?:ay)?,|now|kindly|first|${ACT})[ ,](?:[^ ]{1,60} ){2}`,
  ),
  rule(`(?:human|user)\\)? ?:[^:]{3,300}\\bassistant\\)? ?: ?(?:sure|ok|certainly|done|of course|yes|understood|i )`),
  gated(
    /#{1,4} ?\(?(?:new )?(?:instruction|response|system|human|assistant)/,
    `#{1,4} ?\\(?(?:new )?(?:instruction|response|system|human|assistant)s?\\)? ?: ?(?:please|${ACT}|$|[^ ]+ [^ ]+ [^ ])`,
  ),
  rule(
    `\\b(?:answer|response|status|result) ?: (?:task|work|job|request) (?:is )?(?:complete|done|finished)\\w*[.!,;]{1,2} ?(?:next|now|then)\\b`,
  ),
  rule(
    `(?:^|['>] ?)\\(?(?:assistant|ai|claude|chatgpt|codex)\\)? ?: ?(?:sure|understood|certainly|of course|okay|i (?:will|have|am|can)|done)\\b`,
  ),
  rule(
    `^[\\[(<【‹]{1,3} ?(?:system|admin|root|developer)[ \\w]{0,12}[\\])>】›]{1,3}:? ?[^ \\n]{1,40} [^ \\n]{1,40} [^ ]`,
  ),
  gated(
    /is over|ends here|has ended|is complete|end of /,
    `\\b(?:context|background|document|data|file|quoted text|untrusted (?:data|content)|user input)\\b (?:is over|ends here|has ended|is complete)\\b|\\b(?:end of (?:context|background|document|untrusted \\w{1,8}|user input|tool output))\\b${gap(12)}[.:;,\\]>)] ?(?:now|new|please|you|${ACT})`,
  ),
  rule(
    `\\binstructions (?:you (?:were|have been|got|received)|given to you)\\b|\\breal (?:instructions|task|ones) (?:follow|are|is|begin)`,
  ),
  rule(`[<‹]/?\\\\?(?:system|override|admin|debug)[ _]mode`),
];
