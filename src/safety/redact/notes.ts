import { ALGORITHM, isChosen, isChosenBare, isLabelled, isMarkedArgument } from "./chosen.ts";
import { isStandIn, VERSION_TEXT } from "./judge.ts";
import { type RedactionRule, rule, SPEAKS } from "./rules.ts";
import { POSSIBLE, toStrength } from "./strength.ts";

/** Secrets that people tell each other: sentences, notes, pairs of a login and its password, door codes. */

const PASSWORD =
  "(?:pass ?w(?:or)?ds?|pass ?phrase|pass ?code|pwd|pw|passwort|kennwort|mot de passe|contrase[nñ]a|senha)";
/** What a numeric code opens: doors, alarms, phones, cards. */
const OPENED =
  "(?:door|gate|alarm|entry|entrance|access|unlock|safe|vault|lock ?box|lock|key ?pad|disarm|arming|garage|building|office|server room|elevator|voice ?mail|sim|card|screen|tablet|phone|kiosk|parental|user|admin|master|duress|pairing)";
const CODE = `${OPENED}[ _-](?:door[ _-])?(?:code|combo|combination|pin)`;
const PIN = "(?:pin(?:[ _-]?(?:code|number))?|puk|pass ?code|combination|combo)";
/**
 * From the label to the value: a few words without a full stop, then a separator. A separator directly after the label
 * is left to the rules for names.
 */
const BETWEEN = "[^\\n:=.;,\"'`(){}<>|]";
const TOLD = `(?:[ \\t](?![:=!<>+*/?&-])${BETWEEN}{0,60}?(?:\\b(?:is|was|were|now|still|to|be)\\b(?: (?:now|still|just|always|set to|currently|again))?:?|[:=]|->)|[ \\t]?(?:→|->|\\())[ \\t]{0,3}["'\`“*]{0,2}`;

/** Cheap test: a label for a code, then two digits on the same line. */
const OPENS = /(?:code|comb\w{1,9}|pin|puk|number)\b[^\n]{0,60}\d\d/i;

/** A word of a sentence that can only be a password: letters with digits or symbols, or words joined by hyphens. */
function isTold(written: string): boolean {
  const value = written.replace(/&(?:quot|apos|amp|lt|gt|#\d{2,3});?.{0,40}$/, "").replace(/[.,;:!?)*]{1,3}$/, "");
  if (value.length < 6 || isStandIn(value) || VERSION_TEXT.test(value) || ALGORITHM.test(value)) return false;
  if (/^[~./]|:\/\/|^[\w.+-]+@[\w-]+\.|[(){}<>[\]\\]|^\w+[.:]\w*[a-z]\w*(?:[.:/]|$)/i.test(value)) return false;
  if (/^(?:\d[\d.,:%-]*[a-z]{0,3}|\d+(?:st|nd|rd|th))$/i.test(value) || /^[A-Z]{1,5}-?\d+$/.test(value)) return false;
  if (/\.[a-z]{2,5}$|(?:^|-)(?:least|characters?|chars|reset|policy|field)(?:-|$)/i.test(value)) return false;
  if (/^[a-z]+(?:-[a-z]+){3,}$/i.test(value)) return isChosen(value);
  if (/\d/.test(value)) return /[A-Za-z]/.test(value) && isChosenBare(`${value}!`);
  return /[@#$%^&*+!]\w/.test(value) && isChosenBare(value);
}

/** Words that are common in sentences but do not occur in phrases of random words. */
const SENTENCE =
  /(?:^|[ -])(?:the|a|an|and|or|for|of|to|in|on|at|by|as|if|it|be|this|that|these|from|with|when|while|only|also|then|than|will|may|has|have|been|was|were|does|used|using|via|any|all|each|every|some|must|set|its|you|we|they|but|please|same|unknown|supported|encrypted|protected|hashed|through|before|after|during|without)(?:[ -]|$)/;

/** True for a phrase of words chosen at random; the pattern of its rule requires at least three words. */
function isPhrase(value: string): boolean {
  return isChosen(value) && !SENTENCE.test(value);
}

const isCode = (value: string) => !/^(\d)\1*[#*]?$/.test(value) && !/^(?:19|20)\d\d$/.test(value);

/** Sentences, notes and codes, one entry per convention. Contract: every pattern is linear. */
export const NOTES: readonly RedactionRule[] = [
  rule(
    "told-password",
    ["assw", "ass w", "assph", "ass ph", "assc", "pwd", "pw", "PW", "Pw", "PASS", "ennwort", "ontrase", "enha"],
    `((?<![\\w.$-])${PASSWORD}(?![\\w(.-])${TOLD})[^\\s"'\`”,;]{6,80}`,
    { flags: "gi", accepts: isTold },
  ),
  rule(
    "told-password",
    ["assphrase", "ASSPHRASE", " phrase", "ass phrase", "assword", "短语", "短語", "口令"],
    `((?:(?:[\\w.-]{0,40}|\\b)pass ?phrases?|\\b(?:secret|recovery|unlock|key) phrase|\\bpasswords?|(?:密钥|密码|口令|助记)短[语語]|口令)["']?(?:[:：=] ?| (?:=|[^\\n:=.;,"'\`{}<>|]{0,60}?(?:[:=]|\\bis:?|\\bwas)))\\s{0,3}["'\`“]?)[a-z]{3,12}(?:[- ][a-z]{3,12}){2,11}(?=["'\`”.,;]{0,3}\\s{0,2}$)`,
    { flags: "gim", accepts: isPhrase },
  ),
  // "use VALUE as the password", "VALUE is the root password"
  rule(
    "told-password",
    [" as the ", " as our ", " as my ", " as your ", " as pass", " is the ", " is our ", " was the "],
    `((?:\\b(?:use|try|enter|type|with|took|chose|picked)\\s{1,2}|^|[.:,;] )["'\`“]?)[^\\s"'\`”,;]{6,80}(?=["'\`”]? (?:is|was|as|for|=) (?:the |our |my |your )?(?:[\\w-]{1,20} ){0,3}${PASSWORD}\\b)`,
    { flags: "gim", needs: SPEAKS, accepts: isTold },
  ),
  // the same in Chinese, Japanese and Korean, where words may come between the label and the value
  rule(
    "told-password",
    ["密", "口令", "パスワード", "暗証", "비밀번호", "码"],
    "((?:密码|密碼|口令|密钥|密鑰|パスワード|暗証番号|비밀번호|门禁码|开门码|PIN码|pin码)[^\\n:：=＝，。,;；\"'\\x21-\\x7e]{0,14}(?:是|为|為|成|用|叫|填|写|输入|默认|初始|统一|还是|は|는|은|[:：=＝→])[ \\t]{0,3}[\"'“「『`]?)[\\x21-\\x7e]{4,60}",
    { accepts: (value) => isLabelled(value.replace(/["'`,;.]{1,3}$/, ""), { linked: false }) },
  ),
  // a login and its password, as written in notes
  rule(
    "pair",
    [" / ", " | ", "`/`"],
    '(\\b(?:(?:log|sign)[ -]?in|credentials?|creds|accounts?|wi-?fi|wlan|ssid|vpn|ftp|ssh|admin|user(?:name)?s?(?: ?/ ?(?:pass\\w{0,5}|pw|pwd))?|demo|guest)\\b(?!-)[^\\n/|]{0,50}?[ :`"\'*][\\w.@+-]{2,50}(?:[`"\'*]{0,2} [/|] [`"\'*]{0,2}|[`"*]{1,2}/[`"*]{1,2}))[^\\s/"\'`|,;*][^\\s/"\'`|,;]{3,60}(?![\\w/])',
    { flags: "gi", accepts: (value) => isTold(value) && isMarkedArgument(value) && !/\.[a-z]{2,4}$/i.test(value) },
  ),
  rule(
    "pair",
    ["cred", "Cred", "og in ", "ogin ", "user:pass", "asic auth"],
    "(\\b(?:creds?|credentials?|log ?in (?:with|as|using)|user:pass\\w{0,5}|default login|basic auth)\\b[^\\n:]{0,20}[ :`\"'(]{1,3}[\\w.@-]{2,40}:)[^\\s/\"'`|,;:)][^\\s\"'`|,;)]{3,60}",
    { flags: "gi", accepts: isTold },
  ),
  // a number directly after PIN, PUK or passcode
  rule(
    "code",
    ["PIN", "PUK", "asscode", "ass code"],
    "((?<![\\w.$-])(?:(?:PIN|PUK)(?:[ -](?:code|number))?|[Pp]ass ?code)\\??[ \\t]{1,3}[\"'`*(]{0,2}|PIN ?码[^\\n\\d]{0,6})\\d{4,8}(?![\\w-]|\\.\\d)",
    { accepts: isCode },
  ),
  // the code that opens a lock
  rule(
    "code",
    ["lock", "eypad", "door", "gate", "safe", "arage", "alarm", "Lock", "Door", "Gate", "Safe", "Alarm"],
    "(\\b(?:key ?pad|(?:lock|strong)box|padlock|lock|safe|gate|door|garage|alarm)s?\\b(?:[^\\n\\d.;:=]{0,40}?\\b(?:is set to|set to|opens? with|unlocks? with|(?:dis)?arms? with|(?:dis)?arm it with)|(?<=pad|box|padlock)\\s?[:=])\\s{0,2}[\"'`]?)\\d{4,8}[#*]?(?![\\w-]|\\.\\d)",
    { flags: "gi", accepts: isCode },
  ),
  // a user and a password as one value: `basic_auth: "eva:…"`, `[smtp.example.org]:587 eva:…`
  rule(
    "pair",
    [
      "auth",
      "Auth",
      "AUTH",
      "basic",
      "Basic",
      "]:",
      "b64",
      "btoa(",
      "userpwd",
      "USERPWD",
      "list:",
      "secrets",
      "connect ",
    ],
    "((?:\\b(?:\\w{0,20}(?:basic|auth|userpwd|credentials?|login|secrets))[\"']?\\s{0,2}[:=,]\\s{0,2}[\"']?|\\]:\\d{2,5}[ \\t]{1,8}|\\\\connect |b64encode\\(b?[\"']|btoa\\([\"'`]|\\blist:(?: \\|)?\\n[ \\t]{0,12}(?:- )?[\"']?)[\\w.@+-]{2,50}:)[^\\s\"'`,;:/]{6,60}(?=[\"'`\\s,;)]|$)",
    { accepts: (value) => toStrength(value) >= POSSIBLE && /\d/.test(value) },
  ),
  // one letter for the user, one for the password; the password of an account in a list of accounts
  rule(
    "pair",
    ["p:", "P:", "p=", "l/p", "u/p", "pw:", ":/"],
    "((?:\\bu(?:ser)?[:=] ?\\S{1,40}?[\\s,;&]{1,3}p(?:w|ass)?[:=] ?|\\b[lu]/p:? [\\w.@-]{1,40}[ /])[\"'`]?|^[a-z][\\w-]{0,30}:(?=[^\\s:]{6,60}:\\d{1,6}:\\d{1,6}:))[^\\s\"'`,;&:]{6,60}",
    { flags: "gim", accepts: (value) => toStrength(value) >= POSSIBLE },
  ),
  // numeric codes that open something
  rule(
    "code",
    [
      " code",
      "_code",
      "-code",
      " Code",
      "_CODE",
      " pin",
      "_pin",
      "PIN",
      "Pin",
      "pin:",
      "pin =",
      "puk",
      "PUK",
      " comb",
      "asscode",
      "ass code",
    ],
    `((?<![\\w.$-])(?:${CODE}(?![\\w(.-])["']?(?:${BETWEEN}{0,40}?(?:\\bis\\b|\\bwas\\b|\\bto\\b|[:=])|[ ]\\()?|${PIN}(?![\\w(.-])["']?[^\\n:=.;,"(){}<>|]{0,40}?(?:\\bis\\b|\\bwas\\b|[:=]))\\s{0,2}["'\`*]{0,2})\\d(?:[\\d -]{2,8})\\d[#*]?(?![\\w-]|\\.\\d)`,
    { flags: "gi", needs: OPENS, accepts: (value) => isCode(value.replace(/[ -]/g, "")) },
  ),
  rule(
    "code",
    ["alarm", "arming", "keypad", "ALARM"],
    "(\\bcode[\"']?\\s{0,2}[:=]\\s{0,2}[\"'])\\d{4,8}(?=[\"'])(?=[^]{0,160}(?:arming|alarm|keypad|trigger_time)|(?<=(?:arming|alarm|keypad)[^]{0,200}))",
    { accepts: isCode },
  ),
  rule(
    "code",
    ["密码", "密碼", "PIN码", "pin码", "门禁码", "开门码", "取件码", "提取码"],
    "((?:密[码碼]锁?|(?:门禁|开门|PIN|pin|取件|提取)码)(?:[ \\t:：=＝「“\"'（(]|是|为|為|就|还|已?改[成为]|换成|设[成为]|重置为){0,5})\\d{1,2}-?\\d{1,2}-?\\d{2,4}(?![\\d\\w.:-]|\\s?[位个次天年月日时分秒条字元项多章])",
    { accepts: isCode },
  ),
  rule("code", ["CPIN", "CLCK", "CPWD"], "(\\+(?:CPIN|CLCK|CPWD)=[^\\n]{0,16}?\\\\?[\"']?)\\d{4,8}(?!\\d)"),
  rule(
    "code",
    ["oorCode", "ateCode", "larmCode", "ccessCode", "nlockCode", "ntryCode", "pin"],
    "((?:(?:door|gate|alarm|access|unlock|entry)Code[\"']?\\s{0,2}[:=]\\s{0,2}[\"']?|\\b(?:fill|type|sendKeys)\\([^\\n,()]{0,30}\\bpin\\b[^\\n,()]{0,12},\\s{0,2}[\"'`]))\\d{4,8}(?!\\w)",
    { flags: "gi", accepts: isCode },
  ),
  rule("code", ["=>"], "(^\\d{2,6}\\s{0,2}=>\\s{0,2})\\d{4,10}(?=,[^\\n,]{1,60},)", { flags: "gm", accepts: isCode }),
  // a network in the text of a QR code
  rule("wifi-code", ["WIFI:"], '(WIFI:[^\\n]{0,120}?[:;]P:)(?:\\\\.|[^;\\\\\\n"]){4,80}(?=;)'),
];
