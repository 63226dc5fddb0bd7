/** Look-alikes of Latin letters (Cyrillic, Greek, small capitals), each followed by the letter that a reader sees. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  (
    "аaаaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwɡgвbкkмmнhтtзeпnгrлlьbԍgєeүyԏt" +
    "αaβbεeιiκkνvοoρpτtυuχxηnγyωwσoμu" +
    "ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzıiȷjɑaƅbƽsɩiʋvոnսuօoցgհhԼlքpզqѕsᎥi"
  )
    .match(/../gsu)
    ?.map((pair) => [pair[0] ?? "", pair[1] ?? ""]) ?? [],
);

/** The text as it is read: compatibility forms, look-alikes and accents folded, in lower case. Contract: linear. */
export function fold(text: string): string {
  if (!/[^\u0000-\u007f]/.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(/[\u0131-\u0587\u1d00-\u1d7f\u13a0-\u13ff\ua730-\ua7ff]/g, (letter) => LOOKALIKES.get(letter) ?? letter);
}

/** All characters that look like `<`. */
export const OPEN_ANGLES = "<＜﹤‹〈⟨〈❮❬˂ᐸ⧼≺";
/** All characters that look like `[`. */
export const OPEN_SQUARES = "\\[［【〔〖⟦❲〚﹝";

/** Tag names that a client or a model treats as structure, in any spelling. */
export const STRONG_TAG =
  /^(?:gw-|antml|system[-_ ]|user[-_]|assistant[-_]|tool[-_]|function[-_]|untrusted|additional[-_]context|auto[-_]tools|search[-_]results|persisted-output|command-|local-command|task-notification|ide[-_]|environment[-_]|(?:start|end|begin)[-_]of[-_]|reserved[-_]|unused\d|fim[-_]|extra_id|im_(?:start|end)|claude|codex|fnr$|function_calls|invoke$|parameter$|system$|assistant$|instructions?$|important|information|developer$|prompt$|reminder|admin$|bos$|eos$|eot$|eod$|eom$|sop$|eop$|pad$|unk$|sep$|cls$|mask$|s$|think(?:ing)?$|scratchpad|answer$|response$|request$|query$|task$|override|directive|secret|hidden|policy|policies|rules?$|guidelines?$|tools?$|functions?$|external|retrieved|background|conversation|transcript|turn$|message|系统|用户|助手|指令|提示)/;
/** The same for names that are also ordinary words and types in code. */
export const WEAK_TAG = /^(?:user|human|context|data|code|results?|documents?|evidence|repo|repository)$/;
/** Names that are placeholders in usage texts (`<file>`) and count only in closing tags. */
export const CLOSING_TAG =
  /^(?:output|input|files?|content|source|note|text|item|snippets?|chunk|page|report|summary|log|block|end)$/;
/** Chat template tokens and headings of ours that appear in square brackets. */
export const SQUARE_NAME =
  /^(?:limits|auto ?tools|results|\/?inst|\/?sys|\/?(?:system_prompt|available_tools|tool_calls|tool_results|tool_content|img|args)|gmask)(?=\s*$|\s*results\s*$)/;
/** Speakers of a conversation. */
export const ROLE =
  /^(?:system(?: ?(?:message|prompt))?|assistant|human|user|developer|ai|bot|model|tool|function|claude|codex|chatgpt|gpt|copilot|instructions?|response|input|observation|h|系统(?:消息|指令)?|用户|助手|助理|人类|开发者|工具|系統(?:消息|指令)?|用戶|開發者)$/;
