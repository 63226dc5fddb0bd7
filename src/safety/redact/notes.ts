import { ALGORITHM, isChosen, isChosenBare, isLabelled, isMarkedArgument } from "./chosen.ts";
import { isStandIn, VERSION } from "./judge.ts";
import { type RedactionRule, rule, SPEAKS } from "./rules.ts";

/** Secrets that people tell each other: sentences, notes, pairs of a login and its password, door codes. */

const PASSWORD =
  "(?:pass ?w(?:or)?ds?|pass ?phrase|pass ?code|pwd|pw|passwort|kennwort|mot de passe|contrase[nñ]a|senha)";
/** What a numeric code opens: doors, alarms, phones, cards. */
const OPENED =
  "(?:door|gate|alarm|entry|entrance|access|unlock|safe|vault|lock ?box|lock|key ?pad|disarm|arming|garage|building|office|server room|elevator|voice ?mail|sim|card|screen|tablet|phone|kiosk|parental|user|admin|master|duress|pairing)";
const CODE = `${OPENED}[ _-](?:door[ _-])?(?:code|combo|combination|pin)`;
const PIN = "(?:pin(?:[ _-]?(?:code|number))?|puk)";
/**
 * From the label to the value: a few words without a full stop, then a separator. A separator directly after the label
 * is left to the rules for names.
 */
const BETWEEN = "[^\\n:=.;,\"'`(){}<>|]";
const TOLD = `(?:[ \\t](?![:=!<>+*/?&-])${BETWEEN}{0,60}?(?:\\b(?:is|was|were|now|still|to|be)\\b(?: (?:now|still|just|always|set to|currently|again))?:?|[:=]|->)|[ \\t]?(?:→|->|\\())[ \\t]{0,3}["'\`“*]{0,2}`;

/** The shortest form of a code with its label and a separator. */
const OPENS = /(?:code|comb\w{1,9}|pin|puk|number)\b[^\n\d]{0,50}\d{3}/i;

/** A word of a sentence that can only be a password: letters with digits or symbols, or words joined by hyphens. */
function isTold(written: string): boolean {
  const value = written.replace(/[.,;:!?)*]{1,3}$/, "");
  if (value.length < 6 || isStandIn(value) || VERSION.test(value) || ALGORITHM.test(value)) return false;
  if (/^[~./]|:\/\/|^[\w.+-]+@[\w-]+\.|[(){}<>[\]\\]|^\w+[.:]\w*[a-z]\w*(?:[.:/]|$)/i.test(value)) return false;
  if (/^(?:\d[\d.,:%-]*[a-z]{0,3}|\d+(?:st|nd|rd|th))$/i.test(value) || /^[A-Z]{1,5}-?\d+$/.test(value)) return false;
  if (/\.[a-z]{2,5}$|(?:^|-)(?:least|characters?|chars|reset|policy|field)(?:-|$)/i.test(value)) return false;
  if (/^[a-z]+(?:-[a-z]+){3,}$/i.test(value)) return isChosen(value);
  if (/\d/.test(value)) return /[A-Za-z]/.test(value) && isChosenBare(`${value}!`);
  return /[@#$%^&*+!]\w/.test(value) && isChosenBare(value);
}

const isCode = (value: string) => !/^(\d)\1*[#*]?$/.test(value) && !/^(?:19|20)\d\d$/.test(value);

/** Sentences, notes and codes, one entry per convention. Contract: every pattern is linear. */
export const NOTES: readonly RedactionRule[] = [
  {
    ...rule(
      "told-password",
      ["assw", "ass w", "assph", "ass ph", "assc", "pwd", "pw", "PW", "Pw", "PASS", "ennwort", "ontrase", "enha"],
      `((?<![\\w.$-])${PASSWORD}(?![\\w(.-])${TOLD})[^\\s"'\`”,;]{6,80}`,
      "gi",
    ),
    accepts: isTold,
  },
  {
    ...rule(
      "told-password",
      ["assphrase"],
      `(\\bpass ?phrases? ${BETWEEN}{2,60}?[:=]\\s{0,3}["'\`]?)[a-z]{3,12}(?:[- ][a-z]{3,12}){2,11}(?=["'\`.]?\\s{0,2}$)`,
      "gim",
    ),
    accepts: isChosen,
  },
  // "use VALUE as the password", "VALUE is the root password"
  {
    ...rule(
      "told-password",
      [" as the ", " as our ", " as my ", " as your ", " as pass", " is the ", " is our ", " was the "],
      `((?:\\b(?:use|try|enter|type|with|took|chose|picked)\\s{1,2}|^|[.:,;] )["'\`“]?)[^\\s"'\`”,;]{6,80}(?=["'\`”]? (?:is|was|as|for|=) (?:the |our |my |your )?(?:[\\w-]{1,20} ){0,3}${PASSWORD}\\b)`,
      "gim",
    ),
    needs: SPEAKS,
    accepts: isTold,
  },
  // the same in Chinese, Japanese and Korean, where words may come between the label and the value
  {
    ...rule(
      "told-password",
      ["密", "口令", "パスワード", "暗証", "비밀번호", "码"],
      "((?:密码|密碼|口令|密钥|密鑰|パスワード|暗証番号|비밀번호|门禁码|开门码|PIN码|pin码)[^\\n:：=＝，。,;；\"'\\x21-\\x7e]{0,14}(?:是|为|為|成|用|叫|填|写|输入|默认|初始|统一|还是|は|는|은|[:：=＝→])[ \\t]{0,3}[\"'“「『`]?)[\\x21-\\x7e]{4,60}",
      "g",
    ),
    accepts: (value) => isLabelled(value.replace(/["'`,;.]{1,3}$/, ""), { linked: false }),
  },
  // a login and its password, as written in notes
  {
    ...rule(
      "pair",
      [" / ", " | ", "`/`"],
      '(\\b(?:(?:log|sign)[ -]?in|credentials?|creds|accounts?|wi-?fi|wlan|ssid|vpn|ftp|ssh|admin|user(?:name)?s?(?: ?/ ?(?:pass\\w{0,5}|pw|pwd))?|demo|guest)\\b(?!-)[^\\n/|]{0,50}?[ :`"\'*][\\w.@+-]{2,50}(?:[`"\'*]{0,2} [/|] [`"\'*]{0,2}|[`"*]{1,2}/[`"*]{1,2}))[^\\s/"\'`|,;*][^\\s/"\'`|,;]{3,60}(?![\\w/])',
      "gi",
    ),
    accepts: (value) => isTold(value) && isMarkedArgument(value) && !/\.[a-z]{2,4}$/i.test(value),
  },
  {
    ...rule(
      "pair",
      ["cred", "Cred", "og in ", "ogin ", "user:pass", "asic auth"],
      "(\\b(?:creds?|credentials?|log ?in (?:with|as|using)|user:pass\\w{0,5}|default login|basic auth)\\b[^\\n:]{0,20}[ :`\"'(]{1,3}[\\w.@-]{2,40}:)[^\\s/\"'`|,;:)][^\\s\"'`|,;)]{3,60}",
      "gi",
    ),
    accepts: isTold,
  },
  // numeric codes that open something
  {
    ...rule(
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
      ],
      `((?<![\\w.$-])(?:${CODE}(?![\\w(.-])["']?(?:${BETWEEN}{0,40}?(?:\\bis\\b|\\bwas\\b|\\bto\\b|[:=])|[ ]\\()?|${PIN}(?![\\w(.-])["']?${BETWEEN}{0,40}?(?:\\bis\\b|\\bwas\\b|[:=]))\\s{0,2}["'\`*]{0,2})\\d(?:[\\d -]{2,8})\\d[#*]?(?![\\w.-])`,
      "gi",
    ),
    needs: OPENS,
    accepts: (value) => isCode(value.replace(/[ -]/g, "")),
  },
  {
    ...rule(
      "code",
      ["alarm", "arming", "keypad", "ALARM"],
      "(\\bcode[\"']?\\s{0,2}[:=]\\s{0,2}[\"'])\\d{4,8}(?=[\"'])(?=[^]{0,160}(?:arming|alarm|keypad|trigger_time)|(?<=(?:arming|alarm|keypad)[^]{0,200}))",
      "g",
    ),
    accepts: isCode,
  },
  {
    ...rule(
      "code",
      ["门禁", "开门", "PIN码", "pin码", "支付密码", "取件码", "提取码", "密码锁", "保险"],
      "((?:门禁|开门|PIN|pin|取件|提取|支付|保险[柜箱])?(?:密码锁?|码锁?)(?<=(?:门禁|开门|PIN|pin|取件|提取|支付|保险[柜箱])(?:密码|码)|密码锁)[^\\n\\d]{0,8})\\d{4,8}(?!\\d)",
    ),
    accepts: isCode,
  },
  rule("code", ["CPIN", "CLCK", "CPWD"], "(\\+(?:CPIN|CLCK|CPWD)=[^\\n]{0,16}?\\\\?[\"']?)\\d{4,8}(?!\\d)"),
  { ...rule("code", ["=>"], "(^\\d{2,6}\\s{0,2}=>\\s{0,2})\\d{4,10}(?=,[^\\n,]{1,60},)", "gm"), accepts: isCode },
  // a network in the text of a QR code
  rule("wifi-code", ["WIFI:"], '(WIFI:[^\\n]{0,120}?[:;]P:)(?:\\\\.|[^;\\\\\\n"]){4,80}(?=;)'),
];
