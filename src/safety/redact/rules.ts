import { once } from "../../base/once.ts";
import { hasDistinct, isHashLike, isKeyLike, isPasswordLike, isRandom, isStandIn, toLiteral } from "./judge.ts";

/**
 * Rule tables of the redactor. Contract: every pattern is linear: repetitions are bounded and not nested; group 1 is
 * kept before the mark, and the rest of the match is hidden.
 */

/** Replaces a secret. */
export const MARK = "<redacted>";

/** A kind of secret that is recognisable by its own shape. */
export interface RedactionRule {
  readonly kind: string;
  /** Cheap test: unless the text contains one of these strings, the pattern is not even compiled. */
  readonly hints: readonly string[];
  /** A second cheap test for rules whose hints are common in any text: a small pattern shared by many rules. */
  readonly needs?: RegExp;
  readonly pattern: () => RegExp;
  /** Final decision on a value that would be hidden. */
  readonly accepts?: (value: string) => boolean;
  /** Replacement for group 1; by default it is kept unchanged. */
  readonly shown?: (kept: string) => string;
}

/** What a rule may have besides its kind, its hints and its pattern. */
interface RuleOptions extends Pick<RedactionRule, "needs" | "accepts" | "shown"> {
  /** Flags of the pattern; `g` by default. */
  readonly flags?: string;
}

/** A pattern that is compiled on first use and searches from the start of each text. */
function lazily(source: string, flags: string): () => RegExp {
  const compiled = once(() => new RegExp(source, flags));
  return () => {
    const pattern = compiled();
    pattern.lastIndex = 0;
    return pattern;
  };
}

/** A rule whose `source` is compiled only when a hint occurs in a text. */
export function rule(
  kind: string,
  hints: readonly string[],
  source: string,
  { flags = "g", ...options }: RuleOptions = {},
): RedactionRule {
  return { kind, hints, pattern: lazily(source, flags), ...options };
}

/** Words for a password, also as parts of names; shared, so that it is compiled once. */
export const NAMES_PASSWORD = /passw|passphrase|pwd|密码|口令|\bpw\b/i;
/** Words for a password anywhere in a text; shared, so that it is compiled once. */
export const SPEAKS = /pass ?w|pass ?phrase|pass ?code|\bpwd?\b|\bpin\b|密码|口令/i;
/** A string literal as an argument. */
export const STRING = "(?:[bfruN@$]?\"[^\"\\n]{0,120}\"|[bfruN]?'[^'\\n]{0,120}')\\s{0,4}";
/** Content of a string that may be a secret. */
export const VALUE = "[^\"'`\\n]{4,200}(?=[\"'`])";
/**
 * A call that wraps a literal without changing its meaning: `QStringLiteral("`, `[]byte("`, `Secret::new("`. Calls that
 * use the literal to look something up do not count.
 */
export const WRAP =
  "(?:[\\w.:\\[\\]]{0,24}(?<!get)(?:[sS]tring|Literal|[bB]ytes?|[tT]ext|[sS]ecret|[pP]assword|Str|Some|Just|of|from|[dD]ecode|encode|new|_T|TEXT|PSTR|F)\\w{0,8}[({])";
const BODY = "[A-Za-z0-9_=+/.~-]";

/** Token prefixes of vendors, by kind. At least 10 characters of a token follow. */
const PREFIXES: readonly (readonly [string, string])[] = [
  ["github-token", "gh[pousr]_|github_pat_"],
  ["gitlab-token", "gl(?:pat|dt|rt|ft|cbt|ptt|imt|agent|oas|soat|ffct|rtr|wt)-|GR1348941"],
  ["slack-token", "xox[a-z](?:\\.xox[a-z])?-|xapp-"],
  ["google-key", "AIza|ya29\\.|GOCSPX-|1//0"],
  ["npm-token", "npm_(?=[A-Za-z0-9]{16})|pypi-(?=[A-Za-z0-9_-]{32})|rubygems_|oy2(?=[a-z0-9]{30})|CLOJARS_"],
  [
    "api-key",
    "(?:sk|pk(?!_(?:live|test)_)|rk|whsec)[-_](?:[a-z0-9]{1,12}[-_]){0,3}|hf_|dp\\.(?:pt|st|ct|scim|audit|sa)\\.|pat[A-Za-z0-9]{14}\\.(?=[0-9a-f]{20})|api_org_|hvs\\.|hvb\\.|hvr\\.|dop_v1_|doo_v1_|dor_v1_|shp(?:at|ca|pa|ss)_|SG\\.|sq0[a-z]{3}-|EAAA[A-Za-z]|key-(?=[0-9a-f]{32})|PMAK-|NRAK-|NRJS-|lin_api_|ntn_|secret_(?=[A-Za-z0-9]{40})|dt0[a-z]\\d{2}\\.|glsa_|glc_|eyJrIjoi|fo1_|fm[12][ar]?_|FlyV1 |sntry[su]_|tskey-|pscale_[a-z]{2,5}_|dckr_[a-z]{3}_|figd_|AGE-SECRET-KEY-1|ABSK|bedrock-api-key-(?=[A-Za-z0-9+/=]{40})|sha256~|AKCp|cmVmd|p8e-|LTAI|AKID|AKLT|JDC_|A3-|ops_eyJ|xkeysib-|pat-[a-z]{2}\\d-|dapi(?=[0-9a-f-]{30})|(?:sdk|api|mob|key|tok|sec|pub-c|sub-c|sec-c)-(?=[0-9a-z]{8}-[0-9a-z]{4}-[0-9a-z]{4}-)|atlasv1\\.|sbp_|rdme_|duffel_(?:test|live)_|EZ[AT]K|pk\\.ey|sk\\.ey|Atza\\||amzn1\\.|amzn\\.mws\\.|phc_|phx_|re_(?=[A-Za-z0-9]{8}_)|vercel_|nfp_|lsv2_|gsk_|(?:xai|pplx)-(?=[A-Za-z0-9]{20})|r8_|fw_|tgp_v1_|rzp_live_",
  ],
];

/** Tokens recognised by a prefix. Contract: a match does not start after a letter or digit, nor inside a hash. */
export const PREFIXED: readonly RedactionRule[] = PREFIXES.map(([kind, prefixes]) =>
  rule(
    kind,
    [],
    `(?<![A-Za-z0-9])(${prefixes})(?<!sha\\d{1,3}[=:-][\\w+/-]{1,90})(?=${BODY}{0,40}[0-9A-Z]|[a-z]{24})${BODY}{10,1000}`,
    { accepts: (value: string) => !value.endsWith("...") && (/\d/.test(value) || isRandom(value, 10)) },
  ),
);

/** Structures: headers, URLs, connection strings, command lines, password hashes, known parts of keys. */
export const STRUCTURES: readonly RedactionRule[] = [
  rule("bearer-token", ["earer", "EARER"], "\\b(bearer[ \\t]{1,4})(?=[^\\s]{0,60}[0-9A-Z])[A-Za-z0-9._~+/=-]{8,4000}", {
    flags: "gi",
    // `token_type=Bearer expires_in=3600` continues with another setting.
    accepts: (value) =>
      !/^[a-z_]{3,20}=\w/.test(value) && (/\d/.test(value) || value.length >= 20 || isRandom(value, 10)),
    shown: () => "Bearer ",
  }),
  rule(
    "basic-auth",
    ["asic", "ASIC"],
    "\\b(basic[ \\t]{1,4})(?=[A-Za-z0-9+/]{0,60}[0-9A-Z])[A-Za-z0-9+/]{8,2000}={0,2}",
    {
      flags: "gi",
      accepts: (value) =>
        isRandom(value, 12, 0.35) ||
        /^[ -~]{1,200}:[ -~]{0,400}$/.test(Buffer.from(value, "base64").toString("latin1")),
    },
  ),
  // An access key id of the right length is hidden whatever it looks like: this is the guaranteed minimum.
  rule("aws-key", ["AKIA", "ASIA"], "(?<![A-Z0-9])(AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])"),
  rule(
    "aws-key",
    ["AKIA", "ASIA", "ABIA", "ACCA", "A3T"],
    "(?<![A-Za-z0-9])(AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{10,20}(?![A-Za-z0-9])",
    { accepts: (value) => hasDistinct(value, 4) },
  ),
  rule(
    "jwt",
    ["eyJ", "ZXlK"],
    "(?<![A-Za-z0-9]|;base64,)()(?:eyJ|ZXlK)[A-Za-z0-9_=+/-]{8,4000}(?:\\.[A-Za-z0-9_=+/-]{0,6000}){0,4}",
  ),
  rule(
    "webhook",
    ["hook", "HOOK", "/workflows/", "/triggers/"],
    "(https?://[A-Za-z0-9.:-]{0,120}/?[A-Za-z0-9_/.-]{0,80}?(?:hooks?[A-Za-z0-9]{0,4}|workflows(?!/[0-9a-f]{8}-[0-9a-f-]{27}(?![\\w/?-]))|triggers)/|https?://hooks?\\.[a-z.]{3,40}/)[A-Za-z0-9_/@.%?&=:~+-]{14,800}",
    {
      // A page of a repository with "hooks" in its name is not a webhook that anyone could send to.
      accepts: (value) =>
        !/(?:^|\/)(?:commits?|blob|tree|raw|compare|pull|issues|archive|blame)\/|\.[a-z]{1,5}(?:#|$)/.test(value) &&
        (/(?:^|\/)\d{5,12}\/[a-z0-9]{6,16}\/?$/.test(value) ||
          value.split(/[/@?&=.]/).some((part) => part.length >= 16 && (isRandom(part, 16) || isHashLike(part)))),
    },
  ),
  rule(
    "url-credentials",
    ["://"],
    "(?<![A-Za-z0-9])([a-z][a-z0-9+.-]{1,20}://[^\\s:/@'\"<>]{0,100}:)(?:[^\\s/'\"<>]{1,200}|(?!\\d{1,5}[/?])[^\\s'\"<>]{1,400})(?=@[A-Za-z0-9\\[/])",
    {
      flags: "gi",
      accepts: (value) => (!isStandIn(toLiteral(value)) && !/^(?:pass|pwd|pw)$/i.test(value)) || /^&/.test(value),
    },
  ),
  // The key of an error reporting service takes the place of the user, and so do tokens.
  rule(
    "url-credentials",
    ["sentry", "ingest"],
    "((?:https?)://)[^\\s:/@'\"<>]{8,200}(?=(?::[^\\s/@'\"<>]{0,100})?@[A-Za-z0-9.-]{0,80}(?:sentry|ingest)[A-Za-z0-9.-]{0,60}[:/])",
    { flags: "gi", accepts: (value) => !isStandIn(value) },
  ),
  rule("url-credentials", ["@"], "((?:https?|wss?|git|ssh|ftp)://)[A-Za-z0-9_.~+-]{16,200}(?=@[A-Za-z0-9\\[])", {
    flags: "gi",
    accepts: (value) =>
      !isStandIn(value) && (isHashLike(value) ? /\d/.test(value) : /\d/.test(value) && isRandom(value, 16)),
  }),
  rule(
    "signed-url",
    ["sig", "Sig"],
    "([?&](?:sig|signature|x-amz-signature|x-goog-signature|x-amz-security-token|x-amz-credential)=)[^\\s&\"'<>]{8,2000}",
    { flags: "gi" },
  ),
  rule(
    "url-token",
    ["?", "&"],
    "([?&](?:[a-z_-]{0,24}(?:token|key|secret|password|passwd|pwd|auth|code|session)|appid(?==[0-9a-f]{32})|[as]k)=)(?=[^\\s&\"'<>]{0,60}[0-9])(?![$%{<])[^\\s&\"'<>]{8,2000}",
    { flags: "gi", accepts: (value) => !isStandIn(value) },
  ),
  rule(
    "password-hash",
    ["$"],
    "(\\$(?:apr1|[1256y]|2[abxy]|argon2id?|argon2i|scrypt|pbkdf2[a-z0-9-]{0,8}|y)\\$)[A-Za-z0-9./$=,+-]{12,300}",
  ),
  rule(
    "command-password",
    ["-p", "-u", "-P", "-a", "--"],
    "((?:^|[\\s;|&('\"`])(?:mysql|mysqldump|mysqladmin|mariadb|sshpass|docker|podman|psql|redis-cli|mongo|mongosh|sqlcmd|ldapsearch|htpasswd|curl|wget|http|smbclient|mosquitto_pub|mosquitto_sub|az|helm|oc|twine|nuget|lftp|rclone|7z|zip|unzip|openssl|keytool|sqlplus|bcp|clickhouse-client|influx|rabbitmqctl|vault|xfreerdp|snmpwalk|ipmitool)\\s(?:[^\\n]{0,160}?\\s)?-(?:p|P|a|w|pw|storepass|keypass|passin pass:)[ =]?['\"]?)(?=[^\\s'\"]{0,40}[0-9!@#$%^&])(?![$<{\\d]{1,6}(?:[\\s:'\"]|$))(?!\\d{1,5}:\\d|\\d{1,3}\\.[\\d.]{3,12}:)[^\\s'\"$<][^\\s'\"]{3,200}",
    { flags: "gm" },
  ),
  rule(
    "command-password",
    ["-u", "--user", "--proxy-user"],
    "(\\s(?:-u|-U|--user|--proxy-user)[ =]?['\"]?(?!\\d{1,6}:\\d{1,6}(?!\\S))[A-Za-z0-9._@-]{0,60}:)(?![$<{/])[^\\s'\"$]{4,200}",
  ),
  rule(
    "flag-password",
    ["--"],
    "((?:^|\\s)--?[a-z0-9_-]{0,40}(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api-?_?key|access-?_?key|secret-?_?key|auth)[a-z_-]{0,12}(?<!file|path|name|-id|url|dir|-env|type|-ref|arn|policy|version|length|ttl|command|method)[ =]['\"]?)(?=[^\\s'\"]{0,60}[0-9!@#%^&])(?![$<{-])[^\\s'\"]{6,400}",
    { flags: "gim" },
  ),
  rule(
    "sql-password",
    ["IDENTIFIED", "identified", "PASSWORD", "password", "Password"],
    "((?:identified\\s{1,4}(?:with\\s{1,4}\\w{1,40}\\s{1,4})?by|(?:with|encrypted|user|set)\\s{1,4}(?:\\w{1,20}\\s{1,4})?password(?:\\s{1,4}for\\s{1,4}\\w{1,30})?)\\s{0,4}[=(]?\\s{0,4}(?:password\\()?['\"])(?![$<{])[^'\"\\n]{4,200}",
    { flags: "gi" },
  ),
  rule(
    "call-password",
    ["ass", "SecureString", "auth"],
    "((?:(?:set|with|check|verify|hash|use|compare)_?-?pass(?:word|wd|phrase)?[a-z]{0,10}\\(\\s{0,4}|-?SecureString\\s{1,4}(?:-String\\s{1,4})?|auth\\s{0,2}=\\s{0,2}\\(\\s{0,2}[\"'][^\"'\\n]{0,60}[\"'],\\s{0,2})[\"'])(?![$<{])(?=[^\"'\\n]{0,60}[0-9!@#%^&])[^\"'\\n]{4,200}",
    { flags: "gi", needs: /pass[a-z]{0,16}\(|securestring|auth\s{0,2}=/i },
  ),
  rule(
    "command-password",
    ["net user", "%", "-stdin", "ssh-keygen", "htpasswd", ":"],
    "(net user \\S{1,40} |-U \\S{1,40}%|ssh-keygen [^\\n]{0,80}-N ['\"]?|htpasswd -[a-zA-Z]{0,6}b[a-zA-Z]{0,6} \\S{1,80} \\S{1,60} |^[\\w.*-]{1,80}:(?:\\d{2,5}|\\*):[\\w*-]{1,60}:[\\w*-]{1,60}:|echo ['\"]?(?=[^\\n]{4,100}-stdin))(?![$<{/*])(?=[^\\s'\"]{0,60}[0-9!@#%^&])[^\\s'\"]{4,200}",
    { flags: "gm" },
  ),
  rule(
    "netrc",
    ["password ", "passwd "],
    "((?:login|user|account)\\s{1,4}\\S{1,80}\\s{1,4}(?:password|passwd)\\s{1,4})(?![$<{])\\S{4,200}",
    { flags: "gi" },
  ),
  rule(
    "cookie",
    ["ookie"],
    "(cookie\\s{0,2}[:=]\\s{0,2}[\"']?[^\\n]{0,80}?(?:sess|sid|auth|token|jwt|csrf|remember)[a-z_.-]{0,16}=)(?=[^\\s;\"']{0,60}[0-9])[^\\s;\"']{8,2000}",
    { flags: "gi" },
  ),
  rule("docker-auth", ['auth"'], '("auth\\\\?"\\s{0,2}:\\s{0,2}\\\\?")[A-Za-z0-9+/]{8,2000}={0,2}'),
  rule(
    "mnemonic",
    ["nemonic", "NEMONIC", "eed", "EED", "助记词", "ecovery", "hrase"],
    "((?:mnemonic|seed|助记词|recovery)[a-z_ ]{0,24}[\"']?\\s{0,4}[:=：]\\s{0,4}[\"'`]?)(?:[a-z]{3,8} ){11,23}[a-z]{3,8}",
    { flags: "gi" },
  ),
  // keys with a distinctive form: a number of digits and their separators
  rule("api-key", ["-us"], "(?<![0-9A-Za-z])()[0-9a-f]{32}(?=-us\\d{1,2}\\b)"),
  rule("api-key", ["-"], "(?<![0-9A-Za-z-])()[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![0-9A-Za-z-])", {
    accepts: (value) => hasDistinct(value, 8),
  }),
  rule(
    "api-key",
    ["waka_", "access-sandbox-", "access-production-", "access-development-"],
    "((?:waka_|access-(?:sandbox|production|development)-))[0-9a-f]{8}-[0-9a-f-]{27}",
  ),
  rule(
    "bot-token",
    ["."],
    "(?<![\\w.-])()[MNO][A-Za-z0-9_-]{22,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}(?![\\w.-])",
  ),
  rule("app-password", ["-"], "(?<![\\w-])()[a-z]{4}-[a-z]{4}-[a-z]{4}-[a-z]{4}(?![\\w-])", {
    accepts: (value) => isRandom(value.replaceAll("-", ""), 16),
  }),
  rule("login", [".login"], "([\\w.]{2,40}\\.login\\s{0,2}=\\s{0,2})[\\w-]{20,100}(?!\\w)", { accepts: isKeyLike }),
  rule("login", ["_AUTH"], "(_AUTH[\"']?\\s{0,2}[:=]\\s{0,2}[\"']?[\\w.-]{2,24}/)[^\\s\"'/$<{]{6,80}", {
    accepts: (value) => /\d/.test(value) && isPasswordLike(value, true),
  }),
  rule(
    "link-token",
    ["reset", "confirm", "activat", "invit", "magic", "verify"],
    "(/(?:(?:password|account|email)[/_-](?:reset|confirm|activate|verify)|(?:reset|confirm|activate|verify)[/_-](?:password|account|email)|magic-link|invitations?(?:/accept)?|reset|activate)[/=])[A-Za-z0-9_.-]{24,300}",
    { accepts: (value) => (isHashLike(value) && /\d/.test(value) && !value.includes("-")) || isRandom(value, 24) },
  ),
  rule("join-token", ["kubeadm"], "(?<![\\w.])()[a-z0-9]{6}\\.[a-z0-9]{16}(?![\\w.])"),
  rule("password-hash", [":::"], "(:\\d{1,6}:)[0-9a-fA-F]{32}:[0-9a-fA-F]{32}(?=:::)"),
  rule("password-hash", ["{SHA", "{SSHA", "{SMD5"], "(\\{S?(?:SHA\\d{0,3}|MD5)\\})[A-Za-z0-9+/]{20,120}={0,2}"),
  rule("password-hash", ["*"], "([\"'])\\*[0-9A-F]{40}(?=[\"'])"),
  rule("telegram-token", ["/bot"], "(/bot\\d{6,12}:)[A-Za-z0-9_-]{30,60}"),
  rule("telegram-token", [":AA"], "(?<![A-Za-z0-9])(\\d{6,12}:)AA[A-Za-z0-9_-]{20,60}"),
  rule(
    "azure-key",
    ["JQQJ99", "ACDb", "+ASt", "AzSe", "AzFu", "+AMC", "APIM", "AZEG", "AIoT", "+ARm", "+ABa", "AzCa", "ACR"],
    "(?<![A-Za-z0-9+/])()[A-Za-z0-9+/]{24,90}(?:JQQJ99|ACDb|\\+ASt|AzSe|AzFu|\\+AMC|APIM|AZEG|AIoT|\\+ARm|\\+ABa|AzCa|\\+ACR)[A-Za-z0-9+/]{4,40}={0,2}",
  ),
];

/** Words in a name that announce a password: short, chosen by a person. */
const PASSWORD_NAME =
  "requirepass|masterauth|authtok|(?<![a-z])(?:db|user|root|admin|smtp|mail|ftp|sql|redis|my|key|store)pass(?![a-z])|bindpw|rootpw|(?<![a-z])psk(?![a-z0-9_])|pre[_ -]?shared[_ -]?key|(?<![A-Za-z0-9])pw(?![a-z])|passwort|pass(?:word|wd|phrase|code)?|kennwort|pwd|passw|mot[_ ]de[_ ]passe|contrase[nñ]a|senha|has[lł]o|heslo|wachtwoord|l[oö]senord|[sş]ifre|парол[ья]|(?:security|secret)[_ ]?answer|auth[_-]?code|授权码|密码|密碼|口令|提取码|解压码|访问码|パスワード|暗証番号|비밀번호";
/** Words in a name that announce a key or a token: long, generated. */
const KEY_NAME =
  "secret|tokens?|api[_ .-]?keys?|(?:priv|access|master|aes|hmac|sign|crypt|enc|app|consumer|shared|account|storage|service)keys?|keys?|pepper|auth(?:orization|entication)?|credentials?|creds?|密钥|密鑰|令牌|访问密钥|凭证|凭据|秘钥|私钥|access[_-]?id|license|licence|dsn|signature|salt|seed|session(?:_?id)?|sid|cookie|webhook|bearer|jwt|pin|nonce_secret|sas|cert|encryption|hmac|otp|totp|pat|(?<![A-Za-z0-9])[as]k(?![A-Za-z0-9])";

/** A whole name with nothing significant after the word for a password: its value is the password itself. */
export const PASSWORD_END = lazily(
  `(?:${PASSWORD_NAME})(?:[_-]?(?:\\d{1,3}|value|default|str|string|raw|plain|text|prod|dev|test|staging|old|new|again|confirm(?:ation)?|repeat))?$`,
  "i",
);

/**
 * A name that announces a secret. Group 1: the word, if it means a password; group 2: any other such word; group 3: the
 * rest of the identifier.
 */
export const SECRET_NAME = lazily(`(?:(${PASSWORD_NAME})|(${KEY_NAME}))([A-Za-z0-9_-]{0,40})`, "gi");

/** A declared type between a name and its literal, after the space: `string =`, `TYPE string VALUE`, `As String =`. */
export const DECLARED = lazily(
  "(?:(?:AS|As|as|TYPE|type|PIC)\\s{1,4})?[A-Za-z][\\w.<>\\[\\]*?]{0,30}(?:\\([\\w, ]{1,12}\\))?\\s{0,4}(?:=|:=|VALUE|DEFAULT|value|default)\\s{0,4}[bBuUrRLN@$]{0,2}([\"'])",
  "y",
);

/** A call around a literal, up to its quote. */
export const WRAPPED = lazily(`(?:new )?&?${WRAP}\\s{0,4}(?:${WRAP})?[bBuUrRLN@$]{0,2}(["'\`])`, "y");

/** Text between a name and its value: quotes, brackets, an operator, a type, a default. */
export const LINK = lazily(
  `[\\\\"'\`\\])}*]{0,6}(?:\\[[\\w ]{0,16}\\](?=\\s{0,4}=\\s{0,4}[{L]?\\s?["']))?\\s{0,8}(?:(?::\\s{0,4}[&A-Za-z][A-Za-z0-9_<>\\[\\]'&? ]{0,24}\\s=|===?|!==?|:=|=>|\\?=|\\+=|\\|\\|=|\\?\\?=|[:=：＝]|->|>|,|\\|\\||\\?\\?|\\||-(?=\\s)|\\bor(?=\\s["'])|\\bis\\b|\\bas\\b|是|为|為|\\((?=[bru]?["'\`])|</[\\w-]{0,12}(?:key|name|Key|Name)>\\s{0,8}<[\\w-]{0,12}(?:string|value|String|Value)>)\\s{0,8}|(?<=\\s))(?:[({\\[|>]{0,2}[-+]?\\s{0,8})(?:\\\\?["']?(?:value|Value|VALUE)\\\\?["']?\\s{0,4}[:=]\\s{0,4}|!\\w{1,20}\\s|base64:|<(?:value|Value|string|text|Text|plain)\\b[^<>\\n]{0,40}>\\s{0,8}|[bruLNf](?=["'])|@(?=")|new\\s\\w{1,20}\\(|process\\.env\\.\\w{1,60}\\s{0,2}(?:\\?\\?|\\|\\|)\\s{0,2}|[\\w.]{1,40}\\([^()\\n]{0,60},\\s{0,2}(?=["']))?((?:\\\\?(?:"""|'''|["'\`“]))?)`,
  "y",
);
