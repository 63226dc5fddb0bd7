import { ACT, DROP, gap, HIDDEN, MODEL, MUST, ORDERS, PRIOR, type Rule, rule, TELL } from "./instruction-words.ts";

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
  // Overrides, in English and other languages.
  rule(
    /instruction|prompt|rule|direction|directive|guideline|guardrail|restriction|constraint|command|orders|polic|safeguard|programming|training|limitation/,
    `\\b${DROP}\\b${gap(28)}\\b${PRIOR}\\b${gap(24)}\\b${ORDERS}\\b(?! (?:file|from (?:the )?(?:config|\\W?\\.)))`,
  ),
  rule(
    /ignore|disregard|forget/,
    `\\b(?:ignore|disregard|forget)\\b(?: [a-z]{1,12}){0,8}? (?:above|before|earlier|previously|rest|told|data|content|instructions|directions|rules)\\b[,;:. ]{0,3}(?:and|then|instead|but|just|simply|print|say|give|tell|from|of|new|output|respond)\\b`,
  ),
  rule(
    /ignor|olvida|esque|oubli|vergiss|dimentica|desconsidere|negeer|zignoruj|bo qua/,
    `\\b(?:ignor[ae]|ignorez|ignoriere?n?|olvida|esquece|esque[cç]a|oublie[zr]?|vergiss|dimentica|desconsidere|negeer|zignoruj|bo qua)\\b${gap(24)}\\b(?:instru[cç]\\p{L}{2,6}|instruc\\p{L}{3,8}|istruzioni|anweisungen|consignes|regeln|regras|reglas|ordini|indica\\p{L}{3,6}|instructies|polecenia)`,
  ),
  // A heading that addresses a model or announces new orders.
  rule(
    NAMES_MODEL,
    `\\b(?:note|notice|message|memo|attention|reminder|instructions?|directive|important|warning|hint|dear|hey|hello|hi|to|for)\\b[ :,-]{1,3}(?:to |for )?(?:all |any |every |the |this )?(?:future )?\\b${MODEL}\\b${gap(24)}[:,]? ?(?:${MUST}|you)\\b`,
  ),
  rule(
    NAMES_MODEL,
    `\\b(?:note|notice|message|memo|attention|instructions?|directive|orders?) (?:to|for|from the developers of) (?:all |any |every |the |this )?(?:future )?${MODEL}\\b ?(?:[:!;-]|reading|processing|that|who)`,
  ),
  rule(
    /\bnew /,
    `\\bnew (?:system |secret |urgent |top )?(?:instructions?|prompt|directive|task|objective|orders?|mission|goal|assignment)s? ?(?:for (?:the |all )?${MODEL})? ?:`,
  ),
  rule(
    /(?:system|admin|security|configuration|metadata|hidden|priority|critical|override|developer|operator|root|emergency|internal|urgent|secret)\w{0,9}[ _-]/,
    `(?:[[(【<‹*#] ?|^|' ?|\\. )(?:system|admin\\w*|security|configuration|metadata|hidden|priority|critical|override|developer|operator|root|emergency|internal|urgent|secret)[ _-](?:override|directive|instruction|message|command|mode|notice|order|update|prompt|alert|note|request|notification)s?(?: directive| override)? ?(?:[\\])】>›]|\\*\\*:?|:)(?=[^.]{0,4}\\s?[^ ]+ [^ ]+ [^ ])`,
  ),
  // What a model was told in private; what is sent away.
  rule(
    /prompt|instruction|hidden|chain|private|confidential|concealed|unseen|secret|undisclosed|invisible|your |message/,
    `(?<!not |n't |to |may |might |could |would |never )\\b${TELL}\\b${gap(34)}\\b${HIDDEN}\\b(?! (?:file|config|editor|field|string|screen|param|argument|option|value|template|setting|is |was |for ))`,
  ),
  rule(
    /@|e-?mail/,
    `\\b(?:send|e-?mail|forward|mail|share|transmit)\\b${gap(60)}\\b(?:to|with|at)\\b${gap(30)}(?:[\\w·-]{1,40}@[\\w-]{2,30}·\\w|\\bmy (?:\\w{1,12} )?e-?mail)`,
  ),
  // Orders with a harmful object, or about every answer.
  rule(
    /rm -|curl|wget|mkfs|dd if|git push/,
    `\\b(?:run|execute|type|invoke|call|enter|paste|do|use)\\b${gap(24)}(?:sudo |')?(?:\\brm -[rf]{1,2} ?(?:[~/*]|--no)|\\b(?:curl|wget)\\b[^.!?]{0,100}\\| ?(?:sudo )?(?:ba|z)?sh\\b(?! -)|\\bmkfs\\b|\\bdd if=|\\bgit push (?:-f|--force))`,
  ),
  rule(
    /answer|respond|repl/,
    `\\b(?:before|prior to) (?:answering|responding|replying|you (?:answer|respond|reply))\\b${gap(40)}\\b${ACT}\\b`,
  ),
  rule(
    /repl|respons|answer|summar/,
    `\\b(?:include|add|insert|append|mention|embed|put|place|start|begin|end|finish|sign|prefix)\\b${gap(70)}\\b(?:your|every|each|all)(?: of your)? (?:\\w{1,12} )?(?:repl(?:y|ies)|responses?|answers?|summar(?:y|ies))\\b`,
  ),
  // Code to be put into the answer; something to be decoded and followed.
  rule(
    /(?:code|script|program) (?:snippet|excerpt|block|section|fragment|segment|piece|sample|passage|portion)/,
    `\\b(?:following|subsequent|below|next|given|provided|attached|this)(?: \\w{1,12})? (?:code|script|program) (?:snippets?|excerpts?|blocks?|sections?|fragments?|segments?|pieces?|samples?|passage|portion)\\b${gap(70)}\\b(?:your|you develop|the) (?:\\w{1,12} )?(?:code(?:base)?|solution|response|algorithm|implementation|program|answer|elucidation|logic|reply|output|script|application|project)\\b`,
  ),
  rule(
    /(?:code|script) (?:snippet|excerpt|block|section|fragment|segment|piece|sample)/,
    `\\b(?:your (?:code|solution|algorithm|implementation|program|answer|response)|don't hesitate|feel free|consider|supplement\\w*|advantageous|beneficial)\\b${gap(60)}\\b(?:following|subsequent|below) (?:code|script) (?:snippets?|excerpts?|blocks?|sections?|fragments?|segments?|pieces?|samples?)\\b`,
  ),
  rule(
    /decode|decrypt|decipher|unscramble|reverse|deobfuscate|rot-?13|base64|from hex/,
    `\\b(?:decode|decrypt|decipher|unscramble|un-?reverse|deobfuscate|rot-?13|base64|from hex)\\b${gap(50)}\\b(?:follow|obey|execute|run|comply|carry (?:it )?out|do what|act on|perform|apply)\\b`,
  ),
  // False turns of the conversation and false results of tools.
  rule(
    /[<‹]/,
    `[<‹] ?/?(?:system|assistant|human|user|developer|im_start|im_end|information|important|instructions?|tool_results?|tool_output|function_results|system-reminder|admin|override|observation|start_header_id|start_of_turn)(?:[ _-]?(?:mode|message|prompt|reminder))? ?[|>›][^<‹]{0,40}?\\b(?:please|you|your|must|${ACT})\\b ?[^ ]{1,40} [^ ]`,
  ),
  rule(
    /tool_result|tool_output|function_results|observation/,
    `(?:tool_results?|tool_output|function_results|observation)[|>›]${gap(60)}(?:next(?: step)?|now|then)[:,]`,
  ),
  rule(
    /role'/,
    `'?role' ?[:=] ?'(?:system|developer|user|assistant)'? ?,? ?'?(?:content' ?[:=] ?)?'?(?:please |now |you must |first |kindly )*${ACT}\\b [^ ]{1,40} [^ ]`,
  ),
  rule(
    /(?:system|human|assistant|developer|admin|operator)[)*]{0,3} ?:/,
    `(?:^|['([>] ?|\\\\n|\\. )[#*( ]{0,6}(?:system|human|assistant|developer|admin|operator)[)*]{0,3} ?: (?:please|sure|you (?:must|should|are|will)|ok(?:ay)?,|now|kindly|first|${ACT})[ ,](?:[^ ]{1,60} ){2}`,
  ),
  rule(
    /#{1,4} ?\(?(?:new )?(?:instruction|response|system|human|assistant)/,
    `#{1,4} ?\\(?(?:new )?(?:instruction|response|system|human|assistant)s?\\)? ?: ?(?:please|${ACT}|$|[^ ]+ [^ ]+ [^ ])`,
  ),
  rule(
    /: (?:task|work|job|request)/,
    `\\b(?:answer|response|status|result) ?: (?:task|work|job|request) (?:is )?(?:complete|done|finished)\\w*[.!,;]{1,2} ?(?:next|now|then)\\b`,
  ),
  rule(
    /^[[(<【‹]/m,
    `^[\\[(<【‹]{1,3} ?(?:system|admin|root|developer)[ \\w]{0,12}[\\])>】›]{1,3}:? ?[^ \\n]{1,40} [^ \\n]{1,40} [^ ]`,
  ),
];
