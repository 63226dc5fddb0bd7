import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DRAWN_ONCE } from "../../../tests/support/drawn.ts";
import { redact } from "./redact.ts";

// No value is written out: words are joined, so that no scanner takes this file for a leak.
const WORDS = ["maple", "otter", "gravel", "lantern", "violin", "harbour", "walnut", "thunder", "saffron", "cactus"];
const word = fc.constantFrom(...WORDS);
const number = fc.integer({ min: 11, max: 9_899 });
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const leet = (text: string) => text.replace("a", "4").replace("o", "0").replace("i", "1");

/** Words whose shape is almost always that of a password. */
const likely = fc.oneof(
  fc.tuple(word, word, number).map(([a, b, n]) => `${a}-${capital(b)}${n}`),
  fc.tuple(word, word, number).map(([a, b, n]) => `${capital(a)}#${b}${n}`),
  fc.tuple(word, number).map(([a, n]) => `${capital(a)}@${n}!`),
  fc
    .tuple(fc.constantFrom("otter", "harbour", "violin", "walnut", "saffron"), word)
    .map(([a, b]) => `${leet(a)}${capital(b)}`),
);
/** Words that could also be names, but not next to a label. */
const possible = fc.oneof(
  fc.tuple(word, word, number).map(([a, b, n]) => `${a}_${b}_${n}`),
  fc.tuple(word, word, number).map(([a, b, n]) => `${a}-${b}-${n}`),
  fc.tuple(word, number).map(([a, n]) => `${a}${n}`),
);
const pin = fc
  .integer({ min: 2_101, max: 899_999 })
  .filter((n) => !/^(\d)\1*$/.test(String(n)))
  .map(String);
const phrase = fc.tuple(word, word, word, word).map((parts) => parts.join(" "));

type Line = (value: string) => string;

/** Each line with each value: nothing of the value remains, the line count is kept, a second pass changes nothing. */
function expectHidden(lines: readonly Line[], values: fc.Arbitrary<string>) {
  fc.assert(
    fc.property(fc.constantFrom(...lines), values, (toText, value) => {
      const text = toText(value);
      const hidden = redact(text);
      expect(hidden.text, text).not.toContain(value);
      expect(hidden.text.split("\n")).toHaveLength(text.split("\n").length);
      expect(redact(hidden.text), text).toEqual({ text: hidden.text, redactions: [] });
    }),
    { ...DRAWN_ONCE, numRuns: 300 },
  );
}

function expectKept(texts: readonly string[]) {
  for (const text of texts) expect(redact(text), text).toEqual({ text, redactions: [] });
}

describe("[G B.4] a chosen password in a sentence that mentions one", () => {
  it("after its label, before it, or beside a login", () =>
    expectHidden(
      [
        (v) => `The pass you want is ${v}.`,
        (v) => `Password for the shared mailbox remains ${v}.`,
        (v) => `Just type ${v} when it asks for a password.`,
        (v) => `Please rotate "${v}", it is the old root password.`,
        (v) => `ssh into the box (pw ${v}) and restart it`,
        (v) => `New hires get a badge and the password ${v} on day one.`,
        (v) => `You can sign in as root with ${v} until Friday.`,
        (v) => `SSID CafeGuest key ${v}`,
        (v) => `My mail password? ${v}`,
        (v) => `; old password ${v}`,
      ],
      likely,
    ));

  it("in Chinese", () =>
    expectHidden(
      [
        (v) => `密码没变，还是 ${v}`,
        (v) => `数据库密码「${v}」`,
        (v) => `密码(${v})别告诉别人`,
        (v) => `堡垒机密码每季度换，目前是 ${v}`,
        (v) => `账号密码分别是 admin 和 ${v}`,
        (v) => `登录时输入 ${v} 即可`,
        (v) => `办公室 WiFi：Lab_5G，${v}`,
        (v) => `暗号是 ${v}`,
      ],
      likely,
    ));

  it("other words of such sentences stay", () =>
    expectKept([
      "Passwords are hashed with PBKDF2-SHA256 and a 16-byte salt.",
      "The password policy changed in v2.4.1-beta3 of the login service.",
      "Login with OAuth2Client or SAML2Provider instead of a password.",
      "The root account is disabled in ubuntu-22.04-LTS images.",
      "CVE-2021-44228 lets an attacker read the admin password",
      "# compute nth root of xc*10**xe",
      "All tests pass on Windows11 and macOS14",
      "render pass 2D_Shadow",
      "密码采用 SHA256 加密存储",
      "密码字段 passwordV2 已废弃",
      "密码长度为8-16位，必须包含大小写字母和数字",
      "账号 admin 没有权限访问 order-service-v2",
      "// 密码校验失败返回 401001",
    ]));
});

describe("[G B.4] a chosen password beside the name of its account", () => {
  it("with any separator", () =>
    expectHidden(
      [
        (v) => `- grafana (admin : ${v})`,
        (v) => `1. Router (admin/${v})`,
        (v) => `root:${v}`,
        (v) => `* Portainer: admin – ${v}`,
        (v) => `It will ask you to log in; use scott / ${v}.`,
        (v) => `iDRAC root/${v}`,
        (v) => `堡垒机：ops_li / ${v}`,
        (v) => `远程桌面：192.168.1.5，administrator/${v}`,
        (v) => `basic_auth: "eva:${v}"`,
        (v) => `[smtp.example.org]:587 eva@example.org:${v}`,
        (v) => `chpasswd:\n  list:\n    - eva:${v}`,
      ],
      likely,
    ));

  it("other words beside accounts stay", () =>
    expectKept([
      "user:group1 owns the files",
      "admin/users2 is the new endpoint",
      "root/.ssh/id_ed25519 must be 0600",
      "Users: admin, editor2, viewer3",
      "docker run -u 1000:1000 -p 8080:80 nginx",
      "Signed in as root@web01",
    ]));
});

describe("[G B.4] a chosen password in a table", () => {
  it("below the heading of its column, or beside its label", () =>
    expectHidden(
      [
        (v) => `| user | password |\n|---|---|\n| mara | ${v} |`,
        (v) => `| Host | Login | Pass |\n| --- | --- | --- |\n| nas01 | eva | ${v} |`,
        (v) => `| 用户名 | 密码 |\n|---|---|\n| zhang | ${v} |`,
        (v) => `| Password | ${v} |`,
        (v) => `user,password\nkim,${v}`,
        (v) => `name;login;password\nKim;kim;${v}`,
        (v) => `username\tpassword\neva\t${v}`,
        (v) => `Name  Password\n----  --------\neva   ${v}`,
        (v) => `| root | ${v} | full access |`,
      ],
      likely,
    ));

  it("other columns stay", () =>
    expectKept([
      "| Option | Password | Description |\n|---|---|---|\n| -p | required | the port |",
      "| Test | Pass | Fail |\n|---|---|---|\n| login-v2 | 12 | 3 |",
      "name,pass,fail\nlogin_test_2,12,3",
      "| Password | Min. 8 characters |",
      "| PIN | 4 digits |",
    ]));
});

describe("[G B.4] a chosen password as a literal of code that deals with one", () => {
  it("as a default, in a comparison, as a return value, in a list", () =>
    expectHidden(
      [
        (v) => `let pw = env::var("PW").unwrap_or_else(|_| "${v}".into());`,
        (v) => `val password = System.getenv("P") ?: "${v}"`,
        (v) => `my $password = $ENV{P} // '${v}';`,
        (v) => `if (输入密码.equals("${v}")) {`,
        (v) => `if ("${v}".equals(password)) {`,
        (v) => `def get_password(self):\n    return "${v}"`,
        (v) => `get password() { return '${v}'; }`,
        (v) => `const [user, pass] = ["kim", "${v}"];`,
        (v) => `for pw in ["${v}", "x"]: attempt(pw)`,
        (v) => `parser.add_argument("--password", default="${v}")`,
        (v) => `keyring.set_password("svc", "kim", "${v}")`,
        (v) => `When I log in with "mailer" and "${v}"`,
        (v) => `app.use(session({ secret: '${v}' }))`,
      ],
      likely,
    ));

  it("other literals there stay", () =>
    expectKept([
      'if (password.length < 8) throw new Error("E1042");',
      "this.t('login.errors.passwordV2')",
      "hash = crypto.createHash('sha256').update(password + salt2).digest('base64');",
      'sb.append(", password=").append(password);',
      "import { PasswordField2 } from './PasswordField2';",
      "$password = $_POST['password1'];",
      "#define CKA_PASSWORD_CHECK 0xce534356UL",
    ]));
});

describe("[G B.4] a chosen password after an option or a keyword of any program", () => {
  it("without a list of programs", () =>
    expectHidden(
      [
        (v) => `anytool -u kim --host db -p ${v} run`,
        (v) => `anytool host -passwd ${v}`,
        (v) => `wpa-psk ${v}`,
        (v) => ` ppp chap password 0 ${v}`,
        (v) => `radius-server key ${v}`,
        (v) => `    Input Password    id:pwd    ${v}`,
      ],
      likely,
    ));

  it("other options stay", () =>
    expectKept([
      "--password-file /run/secrets/Db2",
      "aws secretsmanager get-secret-value --secret-id prod/Db2",
      "ssh -p 2222 deploy@web01",
      "set password policy strict",
      "PASS src/Login2.test.tsx",
    ]));
});

describe("[G B.4] codes and phrases", () => {
  it("codes that open something", () =>
    expectHidden(
      [
        (v) => `For the kiosk use PIN ${v}.`,
        (v) => `Her passcode was ${v}.`,
        (v) => `The voicemail PIN is set to ${v}.`,
        (v) => `The luggage lock is set to ${v}`,
        (v) => `Garage keypad = ${v}`,
        (v) => `大门密码${v}`,
        (v) => `PIN 码：${v}`,
      ],
      pin,
    ));

  it("phrases of words", () =>
    expectHidden(
      [
        (v) => `passphrase: ${v}`,
        (v) => `luks_passphrase = ${v}`,
        (v) => `The passphrase for the backup disk is "${v}".`,
        (v) => `Secret phrase to the vault: ${v}`,
        (v) => `密钥短语: ${v}`,
      ],
      phrase,
    ));

  it("numbers and sentences stay", () =>
    expectKept([
      "passphrase: the words that protect your key",
      "passphrase: used to encrypt the private key",
      "The passphrase is never stored on disk.",
      "GPIO pin 1234 is not valid",
      "The PIN must be 4 to 8 digits",
      "密码有效期为 180 天",
      "密码位数不少于 1024 位",
    ]));
});

describe("[G B.4] a word with a number, which could be a name, where a label or an account stands beside it", () => {
  it("in sentences, pairs, literals and addresses", () =>
    expectHidden(
      [
        (v) => `The passphrase stays ${v} for now.`,
        (v) => `the old pw ${v} still works`,
        (v) => `Just type ${v} when it asks for a password.`,
        (v) => `- grafana (admin : ${v})`,
        (v) => `if ("${v}".equals(password)) {`,
        (v) => `public String getPassword() { return "${v}"; }`,
        (v) => `keyring.set_password("svc", "kim", "${v}")`,
        (v) => `users["eva"] = "${v}"`,
        (v) => `subprocess.run(["tool", "-p", "${v}"])`,
        (v) => `eva:${v}@ftp.example.org`,
        (v) => `postgresql://eva:${v}@/shop?host=/var/run`,
        (v) => `密码还是老的 ${v}`,
        (v) => `测试账号 13800138000 / ${v}`,
        (v) => `Das Kennwort lautet ${v}.`,
        (v) => `u: mara p: ${v}`,
        (v) => `<wifi ssid="Acme" key="${v}"/>`,
        (v) => `PRAGMA key = '${v}';`,
        (v) => `tool keyvault secret set --name db-password --value ${v}`,
        (v) => `eva:${v}:1001:1001::/home/eva:/bin/sh`,
      ],
      possible,
    ));

  it("a plain word where it is compared, returned or stands in a table of users", () =>
    expectHidden(
      [
        (v) => `if (password.equals("${v}")) {`,
        (v) => `get password() { return '${v}'; }`,
        (v) => `| user | password |\n|---|---|\n| mara | ${v} |`,
      ],
      fc.tuple(word, word).map((parts) => parts.join("")),
    ));

  it("names, settings and empty fields stay", () =>
    expectKept([
      "2. Use the issue id `weak-password-hash` when passwords use SHA-1 or MD5.",
      "hasattr(pwd, 'getpwuid')",
      "defaults = dict.fromkeys(['username', 'password', 'repository'], '')",
      "if (type === 'password' && mode == \"visible\") show();",
      "| Username | Password | Result |\n|---|---|---|\n| empty | empty | rejected |",
      "Sign in with Microsoft365 or GitHub.",
      "secret: my-app-secret-v2",
    ]));
});
