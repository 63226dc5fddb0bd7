import { isArgument, isLabelWords } from "./chosen.ts";
import { toLiteral } from "./judge.ts";
import { hideSpans, type Span } from "./spans.ts";
import { CERTAIN, LIKELY, POSSIBLE, toStrength, toWord, WORDS } from "./strength.ts";

/**
 * Detects chosen passwords anywhere on a line that mentions one. The shape of the word and the way in which the line
 * announces it decide together: the stronger the one, the weaker the other may be. Contract: linear; lines are bounded,
 * and each word is checked once.
 */

const MAX_LINE = 400;
/** Maximum number of characters between a label and its word, in either direction. */
const REACH = 70;
/** A strength that no word reaches. */
const NEVER = 9;

/** Cheap test: a line without any of these words is skipped. */
const MENTIONS =
  /pass|pwd|\bpw\b|cred|auth|connect\(|log(?:ged)?[ -]?in|sign[ -]?in|\buser|\badmin|\broot\b|\baccount|ssid|wi-?fi|psk|shared.key|unlocks? with|key (?:for|to) |["']-{1,2}[pPwW]["'],|radius|tacacs|option key|ssh-add|vault|setuser|secret|[密码碼令]|暗号|堡垒|服务器|远程|后台|路由|\bvpn\b|\bssh\b|\brdp\b|[账帐帳]|登[录錄陆]|passwort|ennwort|contrase|senha|パス/i;
/** A word for a password, in prose. */
const LABEL =
  /(?<![\w.$/@-])(?:pass ?w(?:or)?ds?|pass ?phrases?|pass ?codes?|pwds?|pws?|pass|passwort|kennwort|mot de passe|contrase[nñ]a|senha|creds|credentials?|unlocks? with|key(?= (?:for|to) (?:the|our|my) )|(?:pre-?)?shared key|psk|pass ?key|(?:secret|safe|pass) ?(?:word|phrase))(?![\w(/@-]|\.\w)|暗号|密码|密碼|口令|パスワード|暗証番号|비밀번호/gi;
/** The same, as part of a name in code. */
const IN_CODE =
  /passw|passphrase|passcode|pwd|(?:^|[^A-Za-z]|[a-z_](?=P))(?:pass|Pass|PASS|pw|PW|Pw)(?![a-z])|密码|密碼|口令/i;
/** Words for a user or a login, which has a password. */
const OWNER =
  /\blog(?:ged)?[ -]?in\b|\bsign(?:ed)?[ -]?in\b|\busers?(?:name)?\b|\badmin(?:istrator)?\b|\broot\b|\baccounts?\b|\bssid\b|\bwi-?fi\b|[账帐帳][号號户戶]|登[录錄陆]|用户名/i;
/** Signs of code, in which an unquoted word is a name. */
const CODE =
  /[;{]\s*$|=>|::|\w\(|^\s*(?:import|from|const|let|var|val|def|return|if|for|while|public|private|protected|func|fn|export|class|type|interface|case|self|this)\b|[\w\])]\s?[=!]==?\s|\w\s=\s|^\s*[\w.$-]+\s?=/;
const REMARK = /(?:^|\s)(?:#|\/\/|--|\/\*|<!--|;|%|REM\b)\s?(?=\S)/g;

const LITERAL = /(["'`“])([^"'`“”\n]{0,120})["'`”]/g;
const WORD = /[!*]?[A-Za-z0-9][\x21-\x7e]{4,64}/g;
/** Text that may directly precede a bare word (`OPENS`) or follow it (`CLOSES`). */
const OPENS = /(?:^|[\s("'`“”「『【（:：，、,*]|[\u3400-\u9fff]|->|→)$/;
const CLOSES = /^(?:$|[\s)"'`“”」』】）.,;:!?，。、；！*]|[\u3400-\u9fff])/;

/** Hides chosen passwords on lines that mention a password or a login. Contract: keeps the number of lines. */
export function hideSpoken(text: string, hit: (kind: string) => void): string {
  if (!MENTIONS.test(text)) return text;
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    if (line.length < 10 || line.length > MAX_LINE || !MENTIONS.test(line)) continue;
    lines[at] = hideLine(line, hit);
  }
  for (let at = 1; at < lines.length; at++) hideReturned(lines, at, hit);
  return lines.join("\n");
}

function hideLine(line: string, hit: (kind: string) => void): string {
  const spans: Span[] = [];
  const isSpoken = IN_CODE.test(line);
  if (isSpoken || PAIRED.test(line)) {
    for (const { index, 0: whole, 2: value = "" } of line.matchAll(LITERAL)) {
      const before = line.slice(Math.max(0, index - 60), index);
      const next = line.slice(index + whole.length, index + whole.length + 4);
      if ((isSpoken || SECOND.test(before)) && isLiteralSecret(value, before, next))
        spans.push({ at: index + 1, value });
    }
  }
  spans.push(...findPairs(line), ...findLast(line));
  const from = toProseStart(line);
  if (from >= 0) spans.push(...findBare(line, from).filter(({ at }) => spans.every((span) => span.at !== at)));
  spans.sort((a, b) => a.at - b.at);
  return hideSpans(line, spans, () => hit("spoken-password"));
}

/** True for a literal on a line of code that is a password, not a map key, an index or part of a concatenation. */
function isLiteralSecret(value: string, before: string, next: string): boolean {
  if (/^(?:\s?:(?!:)|\s?=>|\s?\+)/.test(next) || (next.startsWith("]") && /\w\[$/.test(before))) return false;
  if ((COMPARED.test(before) || RETURNED.test(before)) && value.length >= 6 && isPlainWord(value)) return true;
  const need = COMPARED.test(before) || DEFAULTED.test(before) ? WORDS : POSSIBLE;
  return toStrength(toLiteral(value)) >= need;
}

/** True for a lower-case word, or two joined by a hyphen, that is not a label, a type or a word of a form. */
function isPlainWord(value: string): boolean {
  return /^[a-z]+(?:-[a-z]+)?$/.test(value) && isArgument(value) && !isLabelWords(value);
}

/** Code before a literal that is compared with a password, or is its default: an ordinary name is unlikely there. */
const COMPARED =
  /(?:passw(?:or)?d|passphrase|pwd|pw|pass|密码|密碼|口令)["')\]]{0,3}\s?(?:\.\s?(?:equals\w{0,12}|eq|compareTo|is_?equal\w{0,4})\s?\(|[!=]==?\s?)\s?[bruL@]?$|(?:cmp|compare\w{0,12}|equals?\w{0,8})\s?\(\s?[\w.$>-]{0,30}(?:passw(?:or)?d|pwd|pass|pw)\w{0,4},\s?$/i;
/** Code before a literal returned by a function whose name ends with a word for a password. */
const RETURNED = /(?:[pP]assw(?:or)?d|[pP]assphrase|[pP]wd|Pass)\s?\([^()]{0,40}\)[^"'`;]{0,30}(?:\breturn|=>)\s{0,2}$/;
const DEFAULTED = /(?:\?\?|\?:|\|\||\/\/|\bor|\bdefault\s?[=:]|unwrap_or\w{0,8}\([^"']{0,8})\s?$/i;

/** Signs of calls and tables of users, in which the literal after another one is the password. */
const PAIRED =
  /user|admin|ssid|wi-?fi|["']-{1,2}[pPwW]["'],|log.?in|sign.?in|command|cred|auth|account|connect|secret/i;
const SECOND =
  /\bkey\s?=\s?$|["'`]\s?(?:,|:|=>|and|和)\s{0,4}[bru]?$|secret\w{0,12}["']?\s{0,2}[:=]\s{0,2}$|(?:users|accounts|logins|creds|credentials|passwords)\[[^\]\n]{1,40}\]\s?=\s?$/i;

/** Common account names, and email addresses. */
const ACCOUNT =
  /^(?:admin\w{0,10}|root|guest|demo|test\w{0,8}|user\w{0,4}|operator|manager|superuser|sysadmin|sysop|sa|postgres|mysql|oracle|deploy\w{0,4}|service|svc[\w-]{0,12}|ubuntu|ec2-user|pi|tomcat|jenkins|ftp\w{0,6}|backup|support|dev|qa[\w-]{0,8}|ops|monitor|readonly|[\w.+-]{1,40}@[\w-]{1,30}\.[\w.-]{2,20})$/i;
/** Systems that one logs in to. */
const HOSTED =
  /\b(?:vpn|ssh|s?ftp|rdp|ipmi|idrac|ilo|router|switch|nas|jenkins|grafana|database|server)\b|堡垒机|服务器|数据库|远程|后台|路由/i;
const PAIR =
  /(?<![\w./@:$=-])([A-Za-z][\w.+@-]{1,50}|\d{6,15})["'`*]{0,2}( ?[/:：|=–—-] ?|[ \t]{1,4}|\s?[和与及，,]\s?)["'`*]{0,2}([!*]?[A-Za-z0-9][\x21-\x7e]{5,60})/g;

/**
 * True if a name and its separator announce a password: a common account name, or on a line that mentions a login, any
 * name before a spaced slash, bar or dash. A space or a comma is a separator only on such a line.
 */
function isPair(name: string, link: string, isOwned: boolean): boolean {
  if (/^ [/|–—] $/.test(link) && isOwned) return true;
  return ACCOUNT.test(name) && (isOwned || !/^[\s,，和与及-]+$/.test(link));
}

/** Finds passwords next to a name: `admin / …`, `root:…`. */
function findPairs(line: string): Span[] {
  const isOwned = OWNER.test(line) || HOSTED.test(line) || line.search(LABEL) >= 0;
  const found: Span[] = [];
  PAIR.lastIndex = 0;
  for (let pair = PAIR.exec(line); pair !== null; pair = PAIR.exec(line)) {
    const [whole, name = "", link = "", written = ""] = pair;
    const value = toBare(written);
    const at = pair.index + whole.length - written.length;
    const isClosed = value !== "" && CLOSES.test(line.slice(at + value.length, at + value.length + 1));
    if (isClosed && isPair(name, link, isOwned) && toStrength(value) >= POSSIBLE) found.push({ at, value });
    // Continues after the name, because the word may be the name of the next pair.
    else PAIR.lastIndex = pair.index + name.length;
  }
  return found;
}

/** The last word of a line of settings, after a keyword for a secret: `ppp chap password 0 …`, `wpa-psk …`. */
const KEYWORD =
  /^([ \t]{0,20}(?:[\w./:*-]{1,40}[ \t]{1,8}){0,7}?(?:[\w-]{0,30}(?:password(?:-value)?|passwd|passphrase|(?<=[_-]|^[ \t]{0,20})pass|requirepass|pwd|_pw|rootpw|secret|psk|pre-shared-key)|(?:radius|tacacs)[\w-]{0,16}(?: \S{1,40}){0,2} key|option key)[ \t]{1,8}(?:\d{1,2}[ \t]{1,4})?["']?)([^\s"']{6,64})["']?[ \t;]{0,4}$/i;
const OPTION = /(\s-{1,2}[\w-]{0,24}(?:pass(?:wd|word|phrase)?|pwd|pw|psk)(?:[ \t]{1,4}|=)["']?)([^\s"']{6,64})/gi;
/** A value that a command stores or passes on, on a line that mentions a secret (`STORES`). */
const GIVEN =
  /((?:\s--?(?:value|body|literal|w|b|k)[ =]|<<<\s?|\becho\s|\bSETUSER\s\S{1,40}\s\w{2,3}\s>)["']?)([^\s"']{6,64})/g;
const STORES = /passw|secret|[_-]pass\b|ssh-add|\bgpg\b|cryptsetup|vault|\bpass\s|SETUSER|credential/i;
const PROSE = /\b(?:the|an?|your|my|our|is|are|to|for|of|and|or|in|with|must|should|this|that|via|by|if|no|not)\b/i;

function findLast(line: string): Span[] {
  const found: Span[] = [];
  const [, head = "", value = ""] = KEYWORD.exec(line) ?? [];
  if (value !== "" && !PROSE.test(head) && toStrength(value) >= POSSIBLE) found.push({ at: head.length, value });
  const given = STORES.test(line) ? [...line.matchAll(GIVEN)] : [];
  for (const { index, 1: option = "", 2: word = "" } of [...line.matchAll(OPTION), ...given]) {
    if (toStrength(word) >= POSSIBLE && /\d/.test(word)) found.push({ at: index + option.length, value: word });
  }
  return found;
}

/** Position where the prose of a line starts: 0 without code, the start of the comment in code, or -1. */
function toProseStart(line: string): number {
  if (!CODE.test(line)) return 0;
  REMARK.lastIndex = 0;
  const remark = REMARK.exec(line);
  if (remark === null) return -1;
  const from = remark.index + remark[0].length;
  return CODE.test(line.slice(from)) ? -1 : from;
}

/** Finds the bare words that the labels of a line, or its words for a user, announce. */
function findBare(line: string, from: number): Span[] {
  const labels = [...line.matchAll(LABEL)].map(({ index, 0: label }) => ({ at: index, to: index + label.length }));
  const isOwned = OWNER.test(line);
  if (labels.length === 0 && !isOwned) return [];
  const found: Span[] = [];
  for (const { index, 0: written } of line.matchAll(WORD)) {
    if (index < from || !OPENS.test(line.slice(Math.max(0, index - 2), index))) continue;
    const value = toBare(written);
    if (value === "" || !CLOSES.test(line.slice(index + value.length, index + value.length + 1))) continue;
    const strength = toStrength(value);
    if (strength === 0) continue;
    const end = index + value.length;
    const before = labels.findLast((label) => label.to <= index && index - label.to <= REACH);
    // "Pass" alone is also the outcome of a test or a step of a renderer.
    const isVague =
      before !== undefined &&
      line.slice(before.at, before.to).toLowerCase() === "pass" &&
      !isOwned &&
      !/\b(?:is|was)\b|:/.test(line.slice(before.to, index));
    const after = labels.find((label) => label.at >= end && label.at - end <= REACH);
    const need = Math.min(
      before === undefined ? NEVER : toNeed(line.slice(before.to, index)),
      after === undefined ? NEVER : toNeedBefore(line.slice(0, index), line.slice(end, after.at)),
      isOwned && labels.length === 0 ? toNeedOwned(line.slice(0, index)) : NEVER,
    );
    if (strength >= (isVague ? Math.max(need, CERTAIN) : need)) found.push({ at: index, value });
  }
  return found;
}

/** The word without closing punctuation and quotes. */
function toBare(written: string): string {
  return toWord(/^[^"'`()<>[\]{},;]*/.exec(written)?.[0] ?? "").replace(/[*_]{2}$/, "");
}

const LINKING =
  /^(?:[\s"'`“「『（(【：:=*→,，-]|\b(?:is|was|are|remains?|stays?|be|to|now|still|set|changed|reset|the|old|new|just|always|again|it's|its|equals?|as|like|use|using|with|here|there|same|currently|temporarily)\b|[\u3400-\u9fff])*$/i;

const TELLING =
  /(?:\b(?:is|was|are|remains?|stays?|be|to|now|still|uses?|with|takes?|gets?|has|have|lautet|ist|est|es|war|é)|[:：])\s?["'`“]?$/i;

/** Minimum strength of a word after a label, by the text between them. */
function toNeed(between: string): number {
  if (/[={}<>[\]\\|;]|\w\(|:\/\//.test(between)) return NEVER;
  if (/^[ \t]*["'`“「『（(【：:?]{0,2}[ \t]*$/.test(between)) return POSSIBLE;
  if (LINKING.test(between) || TELLING.test(between)) return POSSIBLE;
  return /["'`“「『(]$/.test(between) ? POSSIBLE : CERTAIN;
}

/** Text before a word that is given on request. */
const ASKED =
  /(?:["'`“「]|\b(?:type|enter|use|uses|using|try|with|rotate|if|put|send|say|set|chose|choose|picked))\s?$/i;

/** The same for a word before a label: `type … when it asks for a password`. */
function toNeedBefore(before: string, between: string): number {
  if (/^\s*(?:#|\/\/|--)\s*(?:the )?$/.test(between)) return LIKELY;
  if (/[={}<>[\]\\|;]|\w\(|:\/\//.test(between)) return NEVER;
  return ASKED.test(before) ? POSSIBLE : CERTAIN;
}

/** Text before a word that is typed after a user name. */
const ENTERED =
  /\b(?:(?:as|user)\s\S{2,40}\s(?:with|using)|enter|type)\s["'`“]?$|(?:输入|使用|用)\s?$|\bwi-?fi[^\n]{0,40}[，,]\s?$/i;
/** Text before a word that something is used with. */
const GIVEN_WITH =
  /\b(?:with|using|use|takes?|und|key|it's|it is)\s["'`“]?$|[/:：]\s?["'`“]?$|(?:输入|使用|用)\s?$|(?:wi-?fi|ssid|wlan)[^\n]{0,40}[，,]\s?$/i;

/** The same on a line that mentions a user but has no label. */
function toNeedOwned(before: string): number {
  if (ENTERED.test(before)) return POSSIBLE;
  return GIVEN_WITH.test(before) ? LIKELY : CERTAIN;
}

const RETURNS = /^(\s{0,20}(?:return|yield|=>)?\s{0,4}["'`])([^"'`\s]{6,64})["'`];?\s{0,4}$/;
const ACCESSOR =
  /^\s{0,20}[^\n"'`=]{0,60}?(?:passw(?:or)?d|passphrase|pwd|pass|Pass|pw)\w{0,12}\s?\([^()\n]{0,60}\)[^\n"'`;]{0,40}[:{]\s{0,4}$/;

/** Hides a literal that is returned by a function named after a password. */
function hideReturned(lines: string[], at: number, hit: (kind: string) => void): void {
  const line = lines[at] ?? "";
  if (line.length > MAX_LINE) return;
  const found = RETURNS.exec(line);
  if (found === null || (lines[at - 1] ?? "").length > MAX_LINE || !ACCESSOR.test(lines[at - 1] ?? "")) return;
  const [, head = "", value = ""] = found;
  if (toStrength(value) < WORDS) return;
  lines[at] = hideSpans(line, [{ at: head.length, value }], () => hit("spoken-password"));
}
