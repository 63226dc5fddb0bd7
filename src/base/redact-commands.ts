import { isChosenBare, isFree, isWord } from "./redact-chosen.ts";
import { type RedactionRule, rule } from "./redact-rules.ts";

/** Options of commands and keywords of configurations that hold a secret. Contract: every pattern is linear. */
export const COMMANDS: readonly RedactionRule[] = [
  {
    ...rule(
      "command-password",
      ["chpasswd", "passwd", "-stdin"],
      "((?:echo|printf|<<<)\\s{1,4}(?:-\\w{1,3}\\s{1,4})?[\"']?(?:[\\w.$@{}-]{1,60}:)?)[^\\s\"'|$]{4,100}(?=[\"']?(?:\\\\n)?[\"']?\\s{0,4}\\|\\s{0,4}(?:sudo\\s{1,4})?(?:chpasswd|passwd\\b(?!-)|docker login|podman login|\\S{1,40}[^\\n]{0,60}-stdin))",
    ),
    accepts: isFree,
  },
  {
    ...rule("command-password", ["chpasswd"], "(chpasswd\\s{0,4}<<<?\\s{0,4}[\"']?[\\w.-]{1,40}:)[^\\s\"'|$]{4,100}"),
    accepts: isFree,
  },
  {
    ...rule(
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
      "gm",
    ),
    accepts: isWord,
  },
  // tools whose option is a password whatever it holds: glued to it, or after a blank
  {
    ...rule(
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
      "(\\b(?:(?:mysql|mysqldump|mysqladmin|mariadb|7z[ar]?)\\s[^\\n]{0,120}?\\s?-p|sshpass\\s{1,4}-p\\s{0,4}|redis-cli\\s[^\\n]{0,80}?-a\\s{1,4}|unzip\\s[^\\n]{0,80}?-P\\s{0,4}|mongo(?:sh|dump|restore)?\\s[^\\n]{0,120}?-p\\s{1,4}|wpa_passphrase\\s{1,4}\\S{1,40}\\s{1,4}|net user?\\s[^\\n]{1,60}?\\s(?:/user:\\S{1,60}\\s{1,4}|(?<=user \\S{1,40}\\s))|(?:smbclient|rpcclient)\\s[^\\n]{0,100}?-U\\s{0,4}[\"']?[\\w.\\\\/-]{1,60}%)[\"']?)(?:(?<=[\"'])[^\"'\\n$]{4,100}(?=[\"'])|[^\\s\"'$<{/*-][^\\s\"']{3,100})",
    ),
    accepts: isWord,
  },
  // a flag whose name says password, with a word that no shell takes for anything else
  {
    ...rule(
      "flag-password",
      ["--pass", "-password"],
      "((?:^|\\s)--?[a-z0-9_-]{0,40}(?:password|passwd|passphrase)[ =])(?![$<{-])[^\\s\"'=]{4,200}",
      "gim",
    ),
    accepts: isChosenBare,
  },
  // answers of a script to a prompt; a private source of packages
  {
    ...rule(
      "command-password",
      ["assword", "bundle config"],
      "((?:assword:?[\"'\\s;{}*]{1,12}send(?:line)?(?:\\s--)?\\s{1,4}[\"'])(?=[^\"'\\n]{4,80}[\"'])|bundle config\\s[^\\n]{0,60}?[\\w-]{2,60}\\.[\\w.-]{2,40}\\s)[^\\s\"'$]{4,100}",
      "g",
    ),
    accepts: (value) => isWord(value.replace(/\\[nr]$/, "")),
  },
  // Windows style: /p:value, /pass:value, /rp value
  {
    ...rule(
      "command-password",
      ["/p", "/P", "/rp"],
      "(\\s/(?:p|pw|pwd|pass|password|rp)(?::|\\s{1,2})[\"']?)(?![$%<{/-])[^\\s\"'/][^\\s\"']{3,100}",
      "gi",
    ),
    accepts: isWord,
  },
  // network devices, brokers and mail: the word after a keyword of their configuration
  {
    ...rule(
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
        "ey 7 ",
        "ey 0 ",
      ],
      "((?:^|\\n)[ \\t]{0,12}(?:rocommunity6?|rwcommunity6?|snmp-server community|com2sec \\S{1,40} \\S{1,40}|snmp-agent community (?:read|write)(?: cipher| simple)?|enable secret(?: \\d)?|enable password(?: \\d)?|username \\S{1,40} (?:privilege \\d{1,2} )?(?:secret|password)(?: \\d)?|key-string(?: \\d)?|neighbor \\S{1,40} password(?: \\d)?|requirepass|masterauth|authentication-key|PASS|AUTH)[ \\t]{1,4}[\"']?)(?![$<{])[^\\s\"']{4,100}",
    ),
    accepts: (value) => isFree(value) && /[^a-z]/.test(value),
  },
  {
    ...rule(
      "one-time-code",
      ["code", "Code", "OTP", "otp", "验证码", "校验码", "动态码", "TAN"],
      "((?:one[- ]time|verification|security|login|access|sms|auth(?:entication)?|2fa|mfa|backup|recovery|confirmation|pairing|unlock)[- _](?:pass)?code[\"']?\\s{0,2}(?:is|[:=：])\\s{0,2}[\"']?|(?:验证码|校验码|动态码|动态密码)(?:是|为|[:=：])?\\s{0,2}|\\botp\\s{0,2}(?:is|[:=])\\s{0,2}[\"']?)\\d{3,4}[- ]?\\d{1,4}(?!\\w)",
      "gi",
    ),
    accepts: (value) => !/^(\d)\1*$/.test(value),
  },
];
