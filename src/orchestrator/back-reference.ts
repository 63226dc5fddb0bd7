/** A prompt that goes on from the one before it is short; what is longer brings its own subject. */
export const MAX_FOLLOW_UP_CHARS = 300;

const HINTS =
  /^and\b|\bit(?:s|self)?\b|\b(?:th(?:at|is|[eo]se|e[ymir])|wh(?:at|o|ich|ere|en|y)|hows?\b|same|more|detail|rest\b|other|first|second|third|last|former|latter)|\b(?:call|us[aei]|invo|refer|impo|defi|decl|impl|test|cover|retu|thr[eo]|rais|hand|depe|affe|impa|brea|fix|refa|rena|simp|opti|docu|docs|exam|sign|argu|para|bug)|[它牠他这這那该該哪谁誰吗嗎呢啥]|[怎什甚][么麼样樣]|[为為][何什啥]|如何|[刚剛][才刚剛]|[上前]面|影[响響]|[调調]用|呼叫|引用|依[赖賴]|[测測][试試]|[单單][测測]|用[到例]|[使在]用|定[义義]|[声聲]明|[实實][现現]|覆[盖蓋]|返回|回[传傳]|[抛拋]出|[报報][错錯]|[异異]常|重[构構命]|[优優]化|原理|例子|[参參][数數]|[详詳][细細]|具[体體]/i;

/**
 * True where a prompt might go on from the one before it. Contract: a cheap guess for the hook's first look, which
 * spares most prompts the tables of the real reader; it may say yes too often, never no where `readFollowUp` asks.
 */
export function mayReferBack(text: string): boolean {
  return text.length <= MAX_FOLLOW_UP_CHARS && HINTS.test(text.normalize("NFKC"));
}
