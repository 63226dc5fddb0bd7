import { isChosenBare, isFree, isWord } from "./chosen.ts";
import { isHashLike, isRandom } from "./judge.ts";
import { type RedactionRule, rule } from "./rules.ts";
import { POSSIBLE, toStrength } from "./strength.ts";

/** Command options and configuration keywords that hold a secret. Contract: every pattern is linear. */
export const COMMAND_RULES: readonly RedactionRule[] = [
  rule(
    "command-password",
    [
      "chpasswd",
      "passwd",
      "-stdin",
      "| sudo",
      "|sudo",
      "cryptsetup",
      "| su ",
      "kinit",
      "| gpg",
      "ssh-add",
      "net ads",
      "realm join",
      "| openssl",
    ],
    "((?:echo|printf|<<<)\\s{1,4}(?:-\\w{1,3}\\s{1,4})?[\"']?(?:[\\w.$@{}-]{1,60}:)?)[^\\s\"'|$]{4,100}(?=[\"']?(?:\\\\n)?[\"']?\\s{0,4}\\|\\s{0,4}(?:sudo\\s{1,4})?(?:chpasswd|(?:smb|vnc|ldap)?passwd\\b(?!-)|docker login|podman login|(?:sudo\\s{1,4})?(?:-\\w{1,3}\\s{1,4})?-\\w{0,3}S\\b|cryptsetup|su\\b|kinit|gpg2?\\b|ssh-add|realm join|net ads|pdbedit|openssl (?:enc|rsa|pkcs)|[^\\n]{1,100}-stdin))",
    { accepts: isFree },
  ),
  rule("command-password", ["chpasswd"], "(chpasswd\\s{0,4}<<<?\\s{0,4}[\"']?[\\w.-]{1,40}:)[^\\s\"'|$]{4,100}", {
    accepts: isFree,
  }),
  rule(
    "command-password",
    [
      " -w ",
      " -W ",
      " -P ",
      " -pw ",
      " -N ",
      " -pass",
      " -storepass",
      " -keypass",
      " -Password ",
      " -password ",
      "passphrase",
      "wpa_passphrase",
    ],
    "((?:^|[\\s;|&('\"`])(?:ldap\\w{3,10}|ssh-keygen|plink|pscp|psftp|pgpassword|unzip|zip|sqlcmd|bcp|isql|osql|tsql|keytool|jarsigner|openssl|gpg2?|wpa_passphrase|nmcli|ipmitool|mosquitto_\\w{3}|rdesktop|xfreerdp|impacket-\\w{2,20}|evil-winrm|crackmapexec|kinit|dsquery|net|psexec|runas|wmic)\\b[^\\n]{0,160}?\\s(?:-w|-W|-P|-pw|-N|-pass|-storepass|-keypass|--passphrase|-p|-k|password)\\s{1,4}(?:pass:)?[\"']?)(?:(?<=[\"'])[^\"'\\n$]{4,100}(?=[\"'])|[^\\s\"'$<{-][^\\s\"']{3,100})",
    { flags: "gm", accepts: isWord },
  ),
  // tools whose option is always a password, attached to its value or separated by a space
  rule(
    "command-password",
    [
      "mysql",
      "mariadb",
      "sshpass",
      "redis-cli",
      "7z",
      "unzip",
      "mongo",
      "wpa_passphrase",
      "net use",
      "smbclient",
      "rpcclient",
    ],
    "(\\b(?:(?:mysql|mysqldump|mysqladmin|mariadb|7z[ar]?)\\s(?:[^\\n]{0,120}?\\s)?-p|sshpass\\s{1,4}-p\\s{0,4}|redis-cli\\s[^\\n]{0,80}?-a\\s{1,4}|unzip\\s[^\\n]{0,80}?-P\\s{0,4}|mongo(?:sh|dump|restore)?\\s[^\\n]{0,120}?-p\\s{1,4}|wpa_passphrase\\s{1,4}\\S{1,40}\\s{1,4}|net user?\\s[^\\n]{1,60}?\\s(?:/user:\\S{1,60}\\s{1,4}|(?<=user \\S{1,40}\\s))|(?:smbclient|rpcclient)\\s[^\\n]{0,100}?-U\\s{0,4}[\"']?[\\w.\\\\/-]{1,60}%)[\"']?)(?:(?<=[\"'])[^\"'\\n$]{4,100}(?=[\"'])|[^\\s\"'$<{/*-][^\\s\"']{3,100})",
    { accepts: isWord },
  ),
  // the word after a user, a share or an option, where the command allows no other meaning
  rule(
    "command-password",
    [
      "net use",
      "NET USE",
      "rootpw",
      "openssl passwd",
      "passwd/",
      "psexec",
      "PsExec",
      "wmiexec",
      "smbexec",
      "atexec",
      "useradd",
      "usermod",
      "add_user",
      "change_password",
      "samba-tool",
      "mosquitto_passwd",
      "keychain",
      "security import",
      "dscl",
      "lftp",
      "<<<",
      "radtest",
      "oathtool",
      "kadmin",
      "iwconfig",
      "ncftp",
      "snmp",
    ],
    "((?:\\b(?:net use|NET USE)\\s{1,2}(?:\\S{1,3}\\s{1,2})?\\\\\\\\\\S{3,100}\\s{1,2}|^\\s{0,4}rootpw\\s{1,4}(?:--\\w{3,12}\\s{1,4}){0,2}|\\bopenssl passwd\\s{1,2}(?:-\\w{1,12}\\s{1,2}(?:(?<=-salt )\\S{1,20}\\s{1,2})?){0,3}|\\bpasswd/[\\w-]{0,20}password(?:-again)?\\s{1,4}password\\s{1,4}|\\b(?:[pP]s|wmi|smb|at)[eE]xec\\w{0,4}(?:\\.exe|\\.py)?\\s[^\\n]{0,100}?\\s-p\\s{1,2}|\\buser(?:add|mod)\\s(?:[^\\n]{0,80}?\\s)?-p\\s{1,2}|\\b(?:add_user|change_password|authenticate_user)\\s{1,2}[\\w.@-]{1,40}\\s{1,2}|\\bsamba-tool user (?:create|add)\\s{1,2}\\S{1,40}\\s{1,2}|\\bmosquitto_passwd\\s[^\\n]{0,40}?-b\\s\\S{1,60}\\s\\S{1,40}\\s|\\bsecurity\\s{1,2}(?:unlock|create|set)-keychain\\s[^\\n]{0,40}?-p\\s{1,2}|\\bsecurity\\s{1,2}(?:import\\s[^\\n]{0,80}?-P|set-key-partition-list\\s[^\\n]{0,80}?-k)\\s{1,2}|\\bdscl\\s[^\\n]{0,40}?-passwd\\s\\S{1,60}\\s|\\blftp\\s[^\\n]{0,40}?-u\\s{1,2}[\\w.@-]{1,40},|\\b(?:cryptsetup|passwd|sudo|su|gpg|kinit|smbpasswd)\\b[^\\n]{0,80}<<<\\s{0,2}|\\bradtest\\s\\S{1,40}\\s|\\boathtool\\s[^\\n]{0,60}?(?:-b|--base32)\\s{1,2}|\\bkadmin[^\\n]{0,80}?-(?:pw|w)\\s{1,2}|\\biwconfig\\s[^\\n]{0,60}?\\bkey\\s{1,2}s:|\\bncftp\\w{0,4}\\s[^\\n]{0,60}?-p\\s{1,2}|\\bsnmp\\w{3,10}\\s[^\\n]{0,100}?-[AX]\\s{1,2})[\"']?)(?:(?<=[\"'])[^\"'\\n$]{4,100}(?=[\"'])|[^\\s\"'$<{/*-][^\\s\"']{3,100})",
    { flags: "gm", accepts: isWord },
  ),
  // any command with the option for a user and, later, the one for a password
  rule(
    "command-password",
    [" -p", " -P", " -w", " -k "],
    "(\\s(?:(?:-[uUl]|--user(?:name)?|--login)[ =]?[\"']?[\\w.@\\\\/-]{1,60}[\"']?\\s(?:[^\\n]{0,80}?\\s)?-[pPw]|enc\\s[^\\n]{0,60}?-k)\\s{1,2}[\"']?)[^\\s\"'$<{/-][^\\s\"']{3,60}",
    { accepts: (value) => toStrength(value) >= POSSIBLE },
  ),
  // a subcommand that sets a password, and the word after it
  rule(
    "command-password",
    ["-password "],
    "((?:^|\\s)(?:re)?(?:set|change|initial|update|add)[a-z-]{0,20}-password\\s{1,2}[\"']?)[^\\s\"'$<{/-][^\\s\"']{3,100}",
    { flags: "gim", accepts: (value) => isWord(value) && /[\d!@#%^&*]/.test(value) },
  ),
  rule(
    "command-password",
    ["-pin", "-puk"],
    "(\\s--?(?:so-|user-|new-|old-)?(?:pin|puk)[ =][\"']?)(?![$<{-])[^\\s\"']{4,40}",
    { accepts: isWord },
  ),
  // a login with its token as the only argument
  rule(
    "command-token",
    ["login ", " auth ", "authtoken ", "set-token ", "activate ", "register "],
    "(\\b[a-z][\\w-]{1,24}\\s{1,2}(?:(?:config|account|auth|cloud)\\s{1,2})?(?:login|auth|authtoken|add-authtoken|set-token|activate|register)\\s{1,2}(?:--?[\\w-]{1,24}(?:[ =][\\w.:/-]{1,60})?\\s{1,2}){0,2}[\"']?)[A-Za-z0-9_.-]{20,200}(?![\\w/])",
    {
      accepts: (value) =>
        isHashLike(value)
          ? value.length >= 32 && /\d/.test(value) && /[a-f]/i.test(value)
          : /\d/.test(value) && isRandom(value, 20),
    },
  ),
  // a flag whose name says password, with a word that no shell interprets as anything else
  rule(
    "flag-password",
    ["--pass", "-password"],
    "((?:^|\\s)--?[a-z0-9_-]{0,40}(?:password|passwd|passphrase)[ =])(?![$<{-])[^\\s\"'=]{4,200}",
    { flags: "gim", accepts: isChosenBare },
  ),
  // answers of a script to a prompt; a private package source
  rule(
    "command-password",
    ["assword", "bundle config"],
    "((?:assword:?[\"'\\s;{}*]{1,12}send(?:line)?(?:\\s--)?\\s{1,4}[\"'])(?=[^\"'\\n]{4,80}[\"'])|bundle config\\s[^\\n]{0,60}?[\\w-]{2,60}\\.[\\w.-]{2,40}\\s)[^\\s\"'$]{4,100}",
    { accepts: (value) => isWord(value.replace(/\\[nr]$/, "")) },
  ),
  // Windows style: /p:value, /pass:value, /rp value
  rule(
    "command-password",
    ["/p", "/P", "/rp"],
    "(\\s/(?:p|pw|pwd|pass|password|rp)(?::|\\s{1,2})[\"']?)(?![$%<{/-])[^\\s\"'/][^\\s\"']{3,100}",
    { flags: "gi", accepts: isWord },
  ),
  // network devices, brokers and mail: the word after a configuration keyword
  rule(
    "config-password",
    [
      "community",
      "secret ",
      "requirepass",
      "AUTH ",
      "PASS ",
      "username ",
      "key-string",
      "authentication-key",
      "isakmp key",
      "shared-key",
      "ey 7 ",
      "ey 0 ",
    ],
    "((?:^|\\n)[ \\t]{0,12}(?:rocommunity6?|rwcommunity6?|snmp-server community|com2sec \\S{1,40} \\S{1,40}|snmp-agent community (?:read|write)(?: cipher| simple)?|enable secret(?: \\d)?|enable password(?: \\d)?|username \\S{1,40} (?:privilege \\d{1,2} )?(?:secret|password)(?: \\d)?|key-string(?: \\d)?|neighbor \\S{1,40} password(?: \\d)?|requirepass|masterauth|authentication-key|crypto isakmp key(?: \\d)?|pre-shared-key(?: \\d| local| remote)?|PASS|AUTH)[ \\t]{1,4}[\"']?)(?![$<{])[^\\s\"']{4,100}",
    { accepts: (value) => isFree(value) && /[^a-z]/.test(value) && !/^[\w.-]+(?:\/[\w.-]+)+$/.test(value) },
  ),
  rule(
    "config-password",
    [": PSK", ": XAUTH", ": EAP", ": NTLM"],
    "(: (?:PSK|XAUTH|EAP|NTLM)\\s{1,4}[\"'])[^\"'\\n]{4,120}",
    { accepts: isFree },
  ),
  rule(
    "one-time-code",
    ["code", "Code", "OTP", "otp", "验证码", "校验码", "动态码", "TAN"],
    "((?:one[- ]time|verification|security|login|access|sms|auth(?:entication)?|2fa|mfa|backup|recovery|confirmation|pairing|unlock)[- _](?:pass)?codes?[\"']?\\s{0,2}(?:is|[:=：])\\s{0,2}[\"']?|(?:验证码|校验码|动态码|动态密码)(?:是|为|[:=：])?\\s{0,2}|\\b(?:otp|one-time password)(?: for [\\w ]{2,20})?\\s{0,2}(?:is|[:=])\\s{0,2}[\"']?|\\bsms code )\\d{3,5}[- ]?\\d{1,5}(?!\\w)",
    { flags: "gi", accepts: (value) => !/^(\d)\1*$/.test(value) },
  ),
];
