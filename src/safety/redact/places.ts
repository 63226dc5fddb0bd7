import { CALL_RULES } from "./calls.ts";
import { isArgument, isChosenBare, isFree, isMarkedArgument } from "./chosen.ts";
import { COMMAND_RULES } from "./commands.ts";
import { isHashLike, isRandom, isStandIn } from "./judge.ts";
import { NOTES } from "./notes.ts";
import { NAMES_PASSWORD, type RedactionRule, rule, STRING, VALUE } from "./rules.ts";
import { POSSIBLE, toStrength } from "./strength.ts";
import { TYPED } from "./typed.ts";

/** SQL clauses, parts of connection strings and addresses, pairs, comments and comparisons. */
const STRINGS: readonly RedactionRule[] = [
  rule(
    "sql-password",
    ["IDENTIFIED"],
    "(\\bIDENTIFIED\\s{1,4}(?:WITH\\s{1,4}\\w{1,40}\\s{1,4})?BY\\s{1,4}(?:VALUES\\s{1,4})?[\"']?)[^\\s\"';,)]{4,120}",
    { accepts: isFree },
  ),
  rule(
    "sql-password",
    ["dentified by"],
    "(\\b(?:user|grant|role|login)\\s[^\\n;]{0,120}?identified\\s{1,4}(?:with\\s{1,4}\\w{1,40}\\s{1,4})?by\\s{1,4})[^\\s\"';,)]{4,120}",
    { accepts: isMarkedArgument },
  ),
  rule(
    "sql-password",
    ["PASSWORD", "password", "Password"],
    "((?:create|alter|drop|set|grant)\\s[^\\n;]{0,120}?\\bpassword(?:\\s{1,4}for\\s{1,4}\\S{1,40})?(?:\\s{0,4}=\\s{0,4}|\\s{1,4})(?:password\\(\\s{0,2})?(?:E|N)?['\"])(?![$<{])[^'\"\\n]{4,200}",
    { flags: "gi", accepts: isFree },
  ),
  // the key of an encrypted database
  rule(
    "sql-password",
    ["PRAGMA", "pragma", "ATTACH", "attach"],
    "((?:\\bpragma\\s{1,4}(?:re)?key\\s{0,4}=\\s{0,4}|\\battach\\s[^\\n;]{1,100}\\skey\\s{1,4})['\"])[^'\"\\n]{4,200}",
    { flags: "gi", accepts: isFree },
  ),
  rule(
    "url-credentials",
    ["@tcp(", "@unix(", "@udp(", "thin:", "sqlplus ", "/nolog", "exp ", "imp ", "expdp ", "impdp ", "rman "],
    "((?:^|[\"'\\s=])[\\w.-]{1,40}:(?=[^\\s@\"']{1,80}@(?:tcp|unix|udp)\\()|thin:[\\w.$-]{1,40}/|\\b(?:sqlplus|sqlldr|expdp|impdp|exp|imp|rman target)\\s(?:-\\w{1,6}\\s)?[\"']?[\\w.$-]{1,40}/)(?![$<{&])[^\\s@\"']{3,80}(?=@)",
    { flags: "gim", accepts: (value) => !isStandIn(value) },
  ),
  // an address without a scheme: `eva:…@ftp.example.org`, `//eva:…@nas/share`, `eva/…@//db:1521/XE`
  rule(
    "url-credentials",
    ["@"],
    "((?:^|[\\s\"'=/])[\\w.-]{2,40}(?::[\"']?|/(?=[^\\s@]{6,60}@//)))[^\\s@:/\"']{6,60}(?=[\"']?@(?://)?[\\w-]{2,40}(?:\\.[\\w-]{1,40}|[:/]))",
    { flags: "gm", accepts: (value) => toStrength(value) >= POSSIBLE },
  ),
  // a pair of user and password
  rule(
    "pair",
    ["auth", "Auth", "AUTH", "red", "RED", "ogin", "ccount"],
    `(\\b(?:auth|credentials?|creds|login|basic_auth|account)["']?\\s{0,2}[=:]\\s{0,2}[[(]\\s{0,2}${STRING},\\s{0,4}["'])${VALUE}`,
    {
      flags: "gi",
      needs: /(?:auth|credentials?|creds|login|account)["']?\s{0,2}[=:]\s{0,2}[[(]/i,
      accepts: isArgument,
    },
  ),
  rule(
    "pair",
    ["/"],
    "((?:\\b(?:log|sign)[ -]?in|\\bcredentials?|\\baccount|账号|账户|用户名)[^\\n/]{1,60}/ ?)[^\\s/\"'`,;)]{4,60}(?![\\w/])",
    {
      flags: "gi",
      accepts: (value) =>
        isMarkedArgument(value) && isChosenBare(`${value}1`) && /[!@#$%^&*\d]/.test(value) && !isHashLike(value),
    },
  ),
  // a comment at the end of the line describes the string
  rule(
    "commented-password",
    ["#", "//", "--", "/*"],
    `(["'])${VALUE}(?=["'][;,)\\]}]{0,4}[ \\t]{0,8}(?:#|//|--|/\\*)[ \\t]{0,3}(?:[\\w,/+&]{1,16}[ \\t]){0,3}(?:passw(?:or)?d|passphrase|pwd|密码|口令)[ \\t]{0,2}(?:\\*/)?(?:\\n|$))`,
    { flags: "gi", needs: NAMES_PASSWORD, accepts: isArgument },
  ),
  // a comparison in a test
  rule(
    "compared-password",
    ["expect", "assert"],
    `((?:passw(?:or)?d|passphrase|pwd)["'\\]]{0,2}\\)\\s{0,2}\\.(?:not\\.)?(?:to|is|should|eq)[\\w.]{0,20}\\(\\s{0,2}["'])${VALUE}`,
    { flags: "gi", needs: NAMES_PASSWORD, accepts: isArgument },
  ),
  rule(
    "compared-password",
    ["assert"],
    `(\\bassert\\w{0,12}[ (]\\s{0,2}["'])${VALUE}(?=["'],\\s{0,2}[\\w.@()]{0,40}(?:passw(?:or)?d|passphrase)\\b)`,
    { flags: "gi", needs: NAMES_PASSWORD, accepts: isArgument },
  ),
  // parts of a connection string: PWD=…; Password=…; within quotes or between semicolons
  rule(
    "connection-string",
    ["PWD=", "Pwd=", "pwd=", "assword=", "ASSWORD="],
    "((?:[;\"'\\s]|^)(?:pwd|password)=)(?![$<{%;'\"])[^\\s;\"']{3,120}(?=[;\"']|\\s{0,2}$)",
    {
      flags: "gim",
      accepts: (value) => !isStandIn(value) && !/^[/~.]|^[A-Za-z_]\w*[.(]|^\w+\)|,$/.test(value) && isFree(value),
    },
  ),
  // an account id next to its key
  rule(
    "account-key",
    ["AC"],
    "(\\bAC(?:[0-9a-f]{32}|<redacted>)[\"']?\\s{0,2}[,:]\\s{0,4}[\"']?)[0-9a-f]{32}(?![0-9a-f])",
  ),
  // the key of a node or a push service as part of its address
  rule(
    "url-token",
    ["://"],
    "((?:https?|wss?)://[^\\s/\"'<>]{3,100}/(?:[\\w.-]{1,24}/){0,3}(?:v\\d{1,2}|rpc|api|bot|push|send|notify|key|token|ws|t)/)[A-Za-z0-9_-]{20,90}(?![\\w-]|[\\w.-]{0,60}/[a-z]{3,}|\\.[a-z])",
    {
      flags: "gi",
      accepts: (value) =>
        !/^[a-z]+(?:[-_][a-z]+)*$/i.test(value) &&
        !/^[0-9a-f]{8}-[0-9a-f]{4}-|^0x[0-9a-f]{40}$/i.test(value) &&
        (isHashLike(value) || isRandom(value, 20)),
    },
  ),
  rule(
    "eth-key",
    ["accounts", "ccount", "eployer", "igner", "allet"],
    "((?:accounts?|deployer\\w{0,10}|signers?|wallets?)[\"']?\\s{0,2}[:=(]\\s{0,2}\\[?\\s{0,4}[\"'])(?:0x)?[0-9a-fA-F]{64}(?![0-9a-fA-F])",
  ),
  // the lines of an encrypted vault, and a key pair as a list of bytes
  rule("vault-text", ["$ANSIBLE_VAULT"], "(^[ \\t]{0,20})\\d{40,80}(?=[ \\t]{0,4}$)", { flags: "gm" }),
  rule("key-bytes", ["["], "(^\\s{0,8}\\[)(?:\\d{1,3},){63}\\d{1,3}(?=\\]\\s{0,4}$)", { flags: "gm" }),
  rule("api-key", ["access_token$"], "(access_token\\$[a-z]{3,20}\\$)[A-Za-z0-9$]{20,120}"),
  // a seed phrase in quotes; an English sentence of the same length contains articles
  rule("mnemonic", ['"', "'", "`"], "([\"'`])(?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}){0,4}[a-z]{3,8}(?=[\"'`])", {
    accepts: (value) => !/(?:^| )(?:the|and|for|are|was|were|has|had|from|its|into|which|not|but)(?: |$)/.test(value),
  }),
];

/**
 * Positions that hold a secret by convention, without a name next to it. Commands come first, since their values are
 * the least bounded. Contract: as in the other tables, every pattern is linear.
 */
export const PLACES: readonly RedactionRule[] = [...COMMAND_RULES, ...STRINGS, ...CALL_RULES, ...TYPED, ...NOTES];
