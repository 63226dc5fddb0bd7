import { type InstructionRule, instructionRule } from "./rule.ts";

/**
 * Common traits of planted instructions, as patterns for shadow lines (lower case, folded; see `shadow.ts`). Each
 * requires a sign of talking to a model: an address, an override, secrecy, a changed persona, a fake turn of the
 * conversation, a demand about the answer or an order with a harmful object. Ordinary imperative comments have none of
 * these. Contract: every gap is bounded and stays within its sentence.
 */

/** Verbs for setting something aside. */
const DROP =
  "(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass(?:ing)?|neglect|discard|abandon|set aside|put aside|stop (?:following|obeying)|(?:do not|don't|never|no longer) (?:follow|obey|adhere to|comply with|listen to)|pay no attention to|throw (?:away|out)|erase|cancel|nullify|unlearn|skip|drop|violate|break)";
/** Words that refer to existing instructions: what came before, is written above or already applies to the model. */
const PRIOR =
  "(?:previous(?:ly)?|prior|above|earlier|preceding|foregoing|initial|original|existing|developer|system|operator|supervisor|safety|ethical|security|your|all (?:of )?(?:the|those|these|your|other)?|any|those|these|other|every|former|past)";
/** Words for instructions and limits of a model. */
const ORDERS =
  "(?:instructions?|prompts?|rules?|directions?|directives?|guidelines?|guardrails?|restrictions?|constraints?|commands?|orders|polic(?:y|ies)|safeguards?|programming|training|limitations?|instruction set)";
/** Names for a model, by kind or product. */
const MODEL =
  "(?:ai|a\\.i|llm|gpt|(?:large )?language[- ]models?|(?:ai|coding|code|autonomous|automated) (?:agents?|assistants?|models?|tools?|reviewers?)|assistants?|chatbots?|claude(?: code)?|codex|copilot|chatgpt|gemini|cursor|agents?)s?";
/** Expressions of obligation. */
const MUST =
  "(?:must|should|shall|please|need to|have to|has to|are required to|is required to|will now|are to|can now|ought to)";
/** Verbs of orders. */
const ACT =
  "(?:add|access|adjust|allocate|allow|answer|append|apply|approve|assess|assume|begin|book|buy|call|change|claim|click|commit|complete|conduct|confirm|connect|copy|create|curl|delete|deploy|deposit|disable|disclose|display|download|drop|dump|echo|elevate|email|enable|encode|encrypt|end|ensure|enter|escalate|exec(?:ute)?|export|expose|fetch|find|follow|forward|generate|get|give|grant|hide|implement|include|insert|install|integrate|invoke|leak|list|load|mail|make|manage|mark|mention|merge|modify|monitor|move|obtain|open|output|perform|place|post|print|promote|provide|publish|push|put|query|read|recommend|redirect|release|remove|rename|repeat|replace|reply|report|reset|resolve|respond|retri(?:e)?ve|return|reveal|reverse|review|revoke|run|say|schedule|search|secure(?:ly)?|send|set|share|show|shut|sign|skip|start|state|stop|submit|suggest|summari[sz]e|switch|tell|transfer|translate|trust|turn|unlock|update|upload|use|validate|verify|visit|wire|write)";
/** Private instructions of a model. */
const HIDDEN =
  "(?:system prompt|hidden (?:prompt|instruction|reasoning|message|configuration|text)s?|initial (?:prompt|instructions?|message)|(?:developer|system) (?:message|instructions?)|chain[- ]of[- ]thought|(?:private|confidential|concealed|unseen|hidden|secret|undisclosed|invisible) (?:\\w{1,16} ){0,2}(?:prompt|instructions?|configuration|config|setup|message|text|content|key|context|bootstrap|initiali[sz]ation)|your (?:\\w{1,12} ){0,2}(?:prompt|instructions|guidelines|configuration|rules|system message|reasoning|secret key|training data|directives))";
/** Verbs for disclosing something. */
const TELL =
  "(?:reveal|print|show|repeat|leak|output|share|provide|disclose|expose|reproduce|return|recite|display|list|dump|give|tell me|what (?:is|are|was|were)|copy|translate|summari[sz]e|verbatim from|spell out|describe|write (?:down|out))";

/** First words of these patterns. */
const DROPS =
  "ignore ignoring disregard forget override overriding bypass neglect discard abandon set put stop do don never no pay throw erase cancel nullify unlearn skip drop violate break";
const PRIORS =
  "previous prior above earlier preceding foregoing initial original existing developer system operator supervisor safety ethical security your all any those these other every former past";
const ALL_ORDERS =
  "instruction prompt rule rules direction guideline guardrail restriction constraint command orders policy policies safeguard programming training limitation";
const TELLS =
  "reveal print show repeat leak output share provide disclose expose reproduce return recite display list dump give tell what copy translate summarise verbatim spell describe write";
const HEADINGS =
  "note notice message memo attention reminder instruction directive important warning hint dear hey hello hi to for";
const PIECES = "snippet excerpt block blocks section fragment segment piece pieces sample passage portion";
/** Names for a model, of one word and of two. */
const MODELS = [
  [
    "ai ais llm llms gpt gpts language assistant chatbot claude codex codexs copilot chatgpt gemini cursor agent agents",
  ],
  ["large coding code autonomous automated", "language agent agents assistant model models tool tools reviewer"],
];

/** A gap of at most `max` characters within one sentence. */
const gap = (max: number): string => `[^.!?。！？\\n]{0,${max}}?`;
/** A gap that also ends at a bar, which separates the alternatives of a pattern that searches for such sentences. */
const near = (max: number): string => `[^.!?。！？|\\n]{0,${max}}?`;
/** Excludes sentences that fill a short string: code that detects such sentences quotes them, and orders nothing. */
const NOT_QUOTED = "(?!(?<=')[a-z ]{1,44}'(?! ?[+,.] ?'))";

/** Excludes what a program, a test or an attacker does, and prompts that a program lets its users replace. */
const NOT_TOLD =
  "(?<!(?:that|which|to|may|can|could|we|they|it|will) (?=violate|break|bypass|skip|drop))(?!overrid\\w+ (?:the|an?|this|any|default|built)\\b[^.]{0,40}\\bprompts?\\b)";

/** Rules for English and other languages with Latin letters. */
export const LATIN_RULES: readonly InstructionRule[] = [
  // Overrides, in English and other languages.
  instructionRule(
    { words: [DROPS, PRIORS, ALL_ORDERS] },
    `${NOT_QUOTED}${NOT_TOLD}\\b${DROP}\\b(?![\\]-])${near(28)}\\b${PRIOR}\\b${near(24)}\\b(?<!confirmation |permission )${ORDERS}\\b(?! (?:file|from (?:the )?(?:config|\\W?\\.)))`,
  ),
  instructionRule(
    {
      words: [
        "ignore ignoring disregard disregarding forget forgetting",
        "above before earlier previously rest told data content instructions directions rules",
        "and then instead but just simply print say give tell from of new output respond draft write compose",
      ],
    },
    `(?<!\\b(?:the|an?|git) )\\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?)\\b(?: [a-z]{1,12}){0,8}? (?:above|before|earlier|previously|rest|told|(?<=the |this |that |all |your |above |previous )(?:data|content)|instructions|directions|rules)\\b[,;:. ]{0,3}(?:and|then|instead|but|just|simply|print|say|give|tell|from|of|new|output|respond|draft|write|compose)\\b`,
  ),
  instructionRule(
    {
      words: [
        "ignora ignore ignoriere olvida esquece oublie vergiss dimentica desconsidere negeer zignoruj bo",
        "instru istruzioni anweisungen consignes regeln regras reglas ordini indica polecenia",
      ],
    },
    `${NOT_QUOTED}\\b(?:ignor[ae]|ignorez|ignoriere?n?|olvida|esquece|esque[cç]a|oublie[zr]?|vergiss|dimentica|desconsidere|negeer|zignoruj|bo qua)\\b(?!-)${gap(24)}\\b(?:instru[cç]\\p{L}{2,6}|instruc\\p{L}{3,8}|istruzioni|anweisungen|consignes|regeln|regras|reglas|ordini|indica\\p{L}{3,6}|instructies|polecenia)`,
  ),
  // A letter to a model; a fake record of a step that it has taken.
  instructionRule(
    {
      words: ["dear hey hello hi attention", "agent agents assistant assistants model models bot bots copilot ai llm"],
      within: 60,
    },
    "\\b(?:dear|hey|hello|hi|attention)[ ,:]{1,2}(?:[a-z]{2,12} ){0,3}(?:agent|assistant|model|bot|copilot|ai|llm)s?[,:] ?(?:please |kindly |could you |would you )?[a-z]{3,}",
  ),
  instructionRule(
    { words: ["thought", "action"], within: 200 },
    "\\bthought: [^\\n]{3,160}[.;, ] ?action: ?[a-z_]{3,40}\\(",
  ),
  // A heading that addresses a model or announces new orders.
  ...MODELS.map((model) =>
    instructionRule(
      { words: [HEADINGS, ...model], within: 60 },
      `(?:\\b(?:note|notice|message|memo|attention|reminder|instructions?|directive|important|warning|hint|dear|hey|hello|hi)|(?:^|[.!:'(\\[>-] ?)(?:to|for))\\b[ :,-]{1,3}(?:to |for )?(?:all |any |every |the |this )?(?:future )?\\b${MODEL}\\b(?!·)${gap(24)}[:,]? ?(?:${MUST}|you)\\b`,
    ),
  ),
  ...MODELS.map((model) =>
    instructionRule(
      { words: ["note notice message memo attention instruction directive order orders", ...model], within: 80 },
      `\\b(?:note|notice|message|memo|attention|instructions?|directive|orders?) (?:to|for|from the developers of) (?:all |any |every |the |this )?(?:future )?${MODEL}\\b ?(?:[:!;-]|reading|processing|working|operating|running|that|who)`,
    ),
  ),
  instructionRule(
    {
      words: ["new", "instruction prompt directive task tasks objective order orders mission goal goals assignment"],
      within: 20,
    },
    `\\bnew (?:system |secret |urgent |top )?(?:instructions?|prompt|directive|task|objective|orders?|mission|goal|assignment)s? ?(?:for (?:the |all )?${MODEL})? ?:`,
  ),
  instructionRule(
    {
      needs:
        /(?:system|admin\w{0,9}|security|configuration|metadata|hidden|priority|critical|override|developer|operator|root|emergency|internal|urgent|secret)[ _-](?:ov|di|in|me|co|mo|no|or|up|pr|al|re)/,
    },
    `(?:[[(【<‹>*#] ?|^|' ?|\\. )(?:(?:system|admin\\w*|security|configuration|metadata|hidden|priority|critical|override|developer|operator|root|emergency|internal|urgent|secret)[ _-](?:override|directives?|instructions?|message|commands?|mode|orders?|prompt)|(?:system|admin\\w*|hidden|priority|override|root|emergency|secret)[ _-](?:notice|update|alert|note|request|notification))(?: directive| override)? ?(?:[\\])】>›](?!\\()|\\*\\*:?|:)(?=[^.]{0,4}\\s?[^ ]+ [^ ]+ [^ ])`,
  ),
  // Private instructions of a model; exfiltration by mail.
  instructionRule(
    {
      words: [
        TELLS,
        "system hidden initial developer chain private confidential concealed unseen secret undisclosed invisible your",
        "prompt instruction reasoning message configuration text texts thought setup content key context bootstrap initialisation guidelines rules system secret training directives",
      ],
    },
    `(?<!not |n't |to |may |might |could |would |never )\\b${TELL}\\b${gap(34)}\\b${HIDDEN}\\b(?! (?:file|config|editor|field|string|screen|param|argument|option|value|template|setting|is |was |for ))`,
  ),
  instructionRule(
    { words: ["send e email forward mail share transmit", "to with at"], needs: /@|e-?mail/ },
    `(?<!(?:you (?:can|may|could)|send|send an) (?=(?:send (?:an )?)?e-?mail))\\b(?:send|e-?mail|forward|mail|share|transmit)\\b(?! (?:me|us|a (?:\\w{1,12} )?(?:report|mail)|(?:bug |security )?reports?|bugs|patch(?:es)?|questions?|feedback) )${gap(60)}\\b(?:to|with|at)\\b${gap(30)}(?:(?<![\\w·-])(?!(?:security|support|help|contact|info|team|hello|bugs?|jobs|hr|abuse|conduct|press)@)[\\w·-]{1,40}@[\\w-]{2,30}·\\w|\\bmy (?:\\w{1,12} )?e-?mail)`,
  ),
  // Orders with a harmful object, or about every answer.
  instructionRule(
    { words: ["run execute type invoke call enter paste do use", "rm curl wget mkfs dd git"] },
    `\\b(?:run|execute|type|invoke|call|enter|paste|do|use)\\b${gap(24)}(?:sudo |')?(?:\\brm -[rf]{1,2} ?(?:[~/*]|--no)|\\b(?:curl|wget)\\b[^.!?]{0,100}\\| ?(?:sudo )?(?:ba|z)?sh\\b(?! -)|\\bmkfs\\b|\\bdd if=|\\b(?<!run: )git push (?:-f|--force)(?!-))`,
  ),
  instructionRule(
    { words: ["before prior", "answering responding replying you"], needs: /answer|respond|repl/ },
    `\\b(?:before|prior to) (?:answering|responding|replying|you (?:answer|respond|reply))\\b${gap(40)}\\b${ACT}\\b`,
  ),
  instructionRule(
    {
      words: [
        "include add insert append mention embed put place start begin end finish sign prefix",
        "your every each all",
        "reply replies response answer summary",
      ],
    },
    `(?<!not |n't |never )\\b(?:include|add|insert|append|mention|embed|put|place|start|begin|end|finish|sign|prefix)\\b${gap(70)}\\b(?:your|every|each|all (?:of )?your)(?: of your)? (?:\\w{1,12} )?(?:repl(?:y|ies)|responses?|answers?|summar(?:y|ies))\\b`,
  ),
  // Code to be inserted into the answer; encoded text to be decoded and followed.
  instructionRule(
    {
      words: ["following subsequent below next given provided attached this", "code script program", PIECES],
      within: 60,
    },
    `\\b(?:following|subsequent|below|next|given|provided|attached|this)(?: \\w{1,12})? (?:code|script|program) (?:snippets?|excerpts?|blocks?|sections?|fragments?|segments?|pieces?|samples?|passage|portion)\\b${gap(70)}\\b(?:your|you develop|the) (?:\\w{1,12} )?(?:code(?:base)?|solution|response|algorithm|implementation|program|answer|elucidation|logic|reply|output|script|application|project)\\b`,
  ),
  instructionRule(
    { words: ["following subsequent below", "code script", PIECES], within: 60 },
    `\\b(?:your (?:code|solution|algorithm|implementation|program|answer|response)|don't hesitate|feel free|consider|supplement\\w*|advantageous|beneficial)\\b${gap(60)}\\b(?:following|subsequent|below) (?:code|script) (?:snippets?|excerpts?|blocks?|sections?|fragments?|segments?|pieces?|samples?)\\b`,
  ),
  instructionRule(
    {
      words: [
        "decode decrypt decipher unscramble un unreverse deobfuscate rot base from",
        "follow obey execute run comply carry do act perform apply",
      ],
      needs: /decode|decrypt|decipher|unscramble|reverse|deobfuscate|rot-?13|base64|from hex/,
    },
    `\\b(?:decode|decrypt|decipher|unscramble|un-?reverse|deobfuscate|rot-?13|base64|from hex)\\b${gap(50)}\\b(?:follow|obey|execute|run|comply|carry (?:it )?out|do what|act on|perform|apply)\\b`,
  ),
  // Fake turns of the conversation and fake tool results.
  instructionRule(
    {
      words: [
        "system assistant human user developer im information important instructions tool function admin override observation start usermode usermessage userprompt userreminder humanmode humanprompt humanreminder adminmode adminprompt adminreminder",
      ],
      needs: /[<‹] ?\/?(?:sys|ass|hum|use|dev|im_|inf|imp|ins|too|fun|adm|ove|obs|sta)/,
    },
    `[<‹] ?/?(?:system|assistant|human|user|developer|im_start|im_end|information|important|instructions?|tool_results?|tool_output|function_results|system-reminder|admin|override|observation|start_header_id|start_of_turn)(?:[ _-]?(?:mode|message|prompt|reminder))? ?[|>›][^<‹]{0,40}?\\b(?:please|you|your|must|${ACT})\\b ?[^ ]{1,40} [^ ]`,
  ),
  instructionRule(
    { needs: /tool_result|tool_output|function_results|observation/ },
    `(?:tool_results?|tool_output|function_results|observation)[|>›]${gap(60)}(?:next(?: step)?|now|then)[:,]`,
  ),
  instructionRule(
    { needs: /role'/ },
    `'?role' ?[:=] ?'(?:system|developer|user|assistant)'? ?,? ?'?(?:content' ?[:=] ?)?'?(?:please |now |you must |first |kindly )*${ACT}\\b [^ ]{1,40} [^ ]`,
  ),
  instructionRule(
    // After an escaped line break (`\n`), the word seems to start with `n`.
    {
      words: ["system human assistant developer admin operator nsystem nhuman nassistant ndeveloper nadmin noperator"],
      needs: /(?:system|human|assistant|developer|admin|operator)[)*]{0,3} ?:/,
    },
    `(?:^|['([>] ?|\\\\n|\\. )[#*( ]{0,6}(?:system|human|assistant|developer|admin|operator)[)*]{0,3} ?: (?:please|sure|you (?:must|should|are|will)|ok(?:ay)?,|now|kindly|first|${ACT})[ ,](?:[^ ]{1,60} ){2}`,
  ),
  instructionRule(
    {
      words: ["instruction response system human humans assistant"],
      needs: /#{1,4} ?\(?(?:new )?(?:instruction|response|system|human|assistant)/,
    },
    `#{1,4} ?\\(?(?:new )?(?:instruction|response|system|human|assistant)s?\\)? ?: ?(?:please|${ACT}|$|[^ ]+ [^ ]+ [^ ])`,
  ),
  instructionRule(
    { words: ["answer response status result", "task work job request"], within: 20 },
    `\\b(?:answer|response|status|result) ?: (?:task|work|job|request) (?:is )?(?:complete|done|finished)\\w*[.!,;]{1,2} ?(?:next|now|then)\\b`,
  ),
  instructionRule(
    { needs: /^[[(<【‹]{1,3} ?(?:system|admin|root|developer)/m },
    `^[\\[(<【‹]{1,3} ?(?:system(?!prompt)|admin|root|developer)[ \\w]{0,12}[\\])>】›]{1,3}:? ?[^ \\n]{1,40} [^ \\n]{1,40} [^ ]`,
  ),
];
