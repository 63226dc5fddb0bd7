import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";
import { PLACES } from "./redact-places.ts";
import { PREFIXED, STRUCTURES } from "./redact-rules.ts";

// No value is written out: words are joined and keys are computed, so that no scanner takes this file for a leak.
const WORDS = ["maple", "otter", "gravel", "lantern", "violin", "harbour", "pepper", "walnut", "thunder", "saffron"];
const word = fc.constantFrom(...WORDS);
const number = fc.integer({ min: 10, max: 9_999 }).map(String);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What people choose: two words joined, a word with a number or a sign, a phrase. */
const chosen = fc.oneof(
  fc.tuple(word, word).map(([a, b]) => `${a}-${b}`),
  fc.tuple(word, number).map(([a, n]) => `${a}${n}`),
  fc.tuple(word, number).map(([a, n]) => `${capital(a)}-${n}!`),
  fc.tuple(word, word).map(([a, b]) => `${a}${capital(b)}`),
  fc.tuple(word, word).map(([a, b]) => `${capital(a)}#${b}`),
);
const phrase = fc.tuple(word, word, word, word).map((words) => words.join(" "));
/** The same, where a shell or a file of settings would not take it for code. */
const bare = chosen.filter((value) => /[-!#]/.test(value) || /\d/.test(value));

const hash = (seed: number) => createHash("sha512").update(String(seed)).digest();
const hex = fc.integer().map((seed) => hash(seed).toString("hex").slice(0, 40));
/** As a generator makes them: hardly one in a thousand has fewer than two digits. */
const mixed = fc
  .integer()
  .map((seed) => hash(seed).toString("base64").replace(/[+/=]/g, "").slice(0, 36))
  .filter((value) => /\d.*\d/.test(value));
const uuid = fc.uuid();

const QUOTED: readonly ((value: string) => string)[] = [
  (v) => `password = "${v}"`,
  (v) => `  rootPassword: '${v}'`,
  (v) => `val keyPassword = "${v}"`,
  (v) => `def connect(user="eva", passwd="${v}"):`,
  (v) => `.password("${v}")`,
  (v) => `if (pw === "${v}") open();`,
  (v) => `<password>${v}</password>`,
  (v) => `<entry key="db.password">${v}</entry>`,
  (v) => `<key>password</key>\n<string>${v}</string>`,
  (v) => `props.put("password", "${v}");`,
  (v) => `os.environ.get("DB_PASSWORD", "${v}")`,
  (v) => `process.env.DB_PASSWORD || '${v}'`,
  (v) => `#define WIFI_PASSWORD "${v}"`,
  (v) => `{ "name": "DB_PASSWORD",\n  "value": "${v}" }`,
  (v) => `login(page, "eva@example.com", "${v}")`,
  (v) => `new NetworkCredential("eva", "${v}")`,
  (v) => `DriverManager.getConnection(url, "eva", "${v}")`,
  (v) => `'password' => Hash::make('${v}'),`,
  (v) => `cy.get('#password').type('${v}')`,
  (v) => `page.fill("#password", "${v}")`,
  (v) => `<input type="password" name="pw" value="${v}">`,
  (v) => `CREATE ROLE eva LOGIN PASSWORD '${v}';`,
  (v) => `INSERT INTO users (login, password) VALUES ('eva', '${v}');`,
  (v) => `auth=("eva", "${v}")`,
  (v) => `gpg --batch --passphrase "${v}" -c file.tar`,
  (v) => `x = "${v}"  # password`,
  (v) => `expect(user.password).toBe("${v}")`,
];
const BARE: readonly ((value: string) => string)[] = [
  (v) => `DB_PASSWORD=${v}`,
  (v) => `RABBITMQ_DEFAULT_PASS: ${v}`,
  (v) => `db.password=${v}`,
  (v) => `echo "root:${v}" | chpasswd`,
  (v) => `ldapadd -x -D cn=admin -w ${v} -f new.ldif`,
  (v) => `xfreerdp /u:eva /p:${v} /v:host`,
  (v) => `ALTER USER eva IDENTIFIED BY ${v};`,
  (v) => `conn = "UID=sa;PWD=${v};"`,
  (v) => `eva:${v}@tcp(db:3306)/shop`,
  (v) => `jdbc:oracle:thin:eva/${v}@db`,
  (v) => `密码：${v}`,
  (v) => `// 数据库密码 ${v}`,
  (v) => `пароль: ${v}`,
];
const KEYS: readonly ((value: string) => string)[] = [
  (v) => `createHmac("sha256", "${v}")`,
  (v) => `hmac.new(b"${v}", body, sha256)`,
  (v) => `jwt.sign({ sub: user.id }, '${v}', { expiresIn: "2h" })`,
  (v) => `const client = require("acme")("id", "${v}");`,
  (v) => `[auth] issued token [${v}] to user 4412`,
  (v) => `# 签名密钥\nsign: ${v}`,
  (v) => `{ "name": "ADMIN_API_KEY",\n  "value": "${v}" }`,
  (v) => `const RPC = "https://rpc.example.com/v3/${v}";`,
  (v) => `.apiKey("${v}")`,
  (v) => `sk: ${v}`,
];

/** Each context with each value: nothing of the value may be left. */
function expectHidden(contexts: readonly ((value: string) => string)[], values: fc.Arbitrary<string>) {
  fc.assert(
    fc.property(fc.constantFrom(...contexts), values, (toText, value) => {
      const text = toText(value);
      const hidden = redact(text);
      expect(hidden.text, text).not.toContain(value);
      expect(hidden.text.split("\n")).toHaveLength(text.split("\n").length);
      expect(redact(hidden.text)).toEqual({ text: hidden.text, redactions: [] });
    }),
    { numRuns: 600 },
  );
}

describe("[ATO-RED-1] what a person chose is hidden where the place says password", () => {
  it("in quotes", () => expectHidden(QUOTED, chosen));
  it("as a phrase", () => expectHidden(QUOTED, phrase));
  it("without quotes", () => expectHidden(BARE, bare));
  it("as a number", () => {
    for (const text of ['SIM_PIN = "8093"', "door_pin: 270915", "支付密码：662917", "Your one-time code is 482913"]) {
      expect(redact(text).text, text).not.toMatch(/\d{4}/);
    }
  });
  it("as a seed phrase, by its form alone", () => {
    const words = [...WORDS, "cabin", "drift"].map((part) => part.slice(0, 8)).join(" ");
    expect(redact(`new HDWalletProvider("${words}", url)`).text).not.toContain("otter gravel");
  });
});

describe("[ATO-RED-1] generated keys are hidden where the place says key", () => {
  it("hexadecimal", () => expectHidden(KEYS, hex));
  it("letters and digits", () => expectHidden(KEYS, mixed));
});

describe("[ATO-RED-1] what is public or only speaks of secrets stays", () => {
  const name = fc.constantFrom("user", "items", "result", "total", "config", "index", "value", "state");
  const verb = fc.constantFrom("load", "render", "parse", "send", "update", "remove", "check");
  const secretName = fc.constantFrom("password", "token", "apiKey", "secret", "passphrase", "credentials");
  const lines: fc.Arbitrary<string> = fc.oneof(
    fc.tuple(name, verb, name).map(([a, b, c]) => `const ${a} = ${b}(${c}, { limit: 20 });`),
    fc.tuple(secretName, verb).map(([a, b]) => `const ${a} = await ${b}${capital(a)}(request);`),
    fc.tuple(secretName, name).map(([a, b]) => `  ${a}: ${b}.${a},`),
    secretName.map((a) => `interface Options { ${a}: string; other?: number }`),
    secretName.map((a) => `if (!${a}) throw new Error("${a} is required");`),
    secretName.map((a) => `"${a}": "${capital(a)}",`),
    secretName.map((a) => `"${a}Label": "Enter your ${a}",`),
    secretName.map((a) => `${a} = os.environ["ACME_${a.toUpperCase()}"]`),
    secretName.map((a) => `${a}: $${"{"}${a.toUpperCase()}}`),
    secretName.map((a) => `${a}: "<your ${a}>"`),
    secretName.map((a) => `<label for="${a}">${capital(a)}</label>`),
    secretName.map((a) => `it("rejects a wrong ${a}", async () => {`),
    fc.tuple(secretName, number).map(([a, n]) => `${a}MaxLength: ${n},`),
    fc.tuple(name, number).map(([a, n]) => `${a}_tokens = ${n}`),
    uuid.map((id) => `"requestId": "${id}",`),
    uuid.map((id) => `<Row key="${id}" />`),
    uuid.map((id) => `UUID=${id} /boot ext4 defaults 0 2`),
    uuid.map((id) => `arn:aws:kms:us-east-1:271480550960:key/${id}`),
    hex.map((sha) => `uses: acme/action@${sha} # v4`),
    hex.map((sha) => `commit ${sha}`),
    hex.map((sha) => `"contentHash": "${sha}",`),
    hex.map((sha) => `const CONTRACT_V1 = "0x${sha}";`),
    mixed.map((id) => `https://docs.example.com/document/d/${id}/edit`),
    mixed.map((body) => `const png = "iVBORw0KGgo${body}";`),
    mixed.map((body) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${body} deploy key`),
    fc
      .constantFrom("PUBLIC KEY", "CERTIFICATE", "CERTIFICATE REQUEST", "DH PARAMETERS", "PGP PUBLIC KEY BLOCK")
      .chain((kind) =>
        mixed.map((body) => `-----BEGIN ${kind}-----\nMIIB${body}${body}\n${body}\n-----END ${kind}-----`),
      ),
  );

  it("whatever the line", () => {
    fc.assert(
      fc.property(lines, (line) => {
        expect(redact(line)).toEqual({ text: line, redactions: [] });
      }),
      { numRuns: 1_500 },
    );
  });

  it.each([
    'password: "Contraseña",',
    'password: "at least 8 characters"',
    '"password": "비밀번호"',
    '"密码": "password",',
    "密码：请输入6-20位",
    "PASSWORD_ERROR = 40012",
    "pass: 1532, fail: 3",
    "PWD=/home/runner/work/acme",
    'compass = "north-north-east"',
    "const char *passwd = data->state.creds ? data->state.creds->passwd : NULL;",
    "the array identified by start and end",
    "msbuild app.sln /p:Configuration=Release",
    "docker run -p 127.0.0.1:8080:80 nginx",
    'passport.authenticate("jwt", { session: false })',
    'hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 600_000)',
    "'password' => env('MAIL_PASSWORD'),\n            'timeout' => null,",
    'const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";',
    "static const uint64_t k = 0xcbf29ce484222325ULL;",
  ])("%s", (text) => {
    expect(redact(text)).toEqual({ text, redactions: [] });
  });

  it("but not the private part of the same things", () => {
    const key = hash(1).toString("base64url").slice(0, 43);
    const jwk = (extra: string) => `{"kty":"EC","crv":"P-256","x":"${key}"${extra}}`;
    expect(redact(jwk("")).text).toBe(jwk(""));
    const secret = hash(2).toString("base64url").slice(0, 43);
    expect(redact(jwk(`,"d":"${secret}"`)).text).not.toContain(secret);
  });
});

describe("the rule tables", () => {
  it("hold patterns that compile, each with group 1 before what is hidden", () => {
    for (const rule of [...STRUCTURES, ...PREFIXED, ...PLACES]) {
      expect(() => rule.pattern(), rule.kind).not.toThrow();
      expect(rule.pattern().source, rule.kind).toMatch(/\((?!\?)/);
    }
  });

  it("are linear on hostile input", { timeout: 60_000 }, () => {
    for (const part of [
      "login('a', ",
      "connect(a,",
      "password').type('",
      "type(password,",
      '<input type="password" ',
      "echo a:b|",
      "ldapsearch -w ",
      "mysql -p",
      "https://a/b/v1/",
      "alter password ",
      "abc def ",
      "INSERT INTO a(password) values ('a','b'),(",
      '"n":"AAAAAAAAAAAAAAAAAAAAAAA" ',
      "-----BEGIN CERTIFICATE-----",
      "-----END CERTIFICATE-----\n",
      "密码 ",
      "keyPassword",
      "rootPass",
      "login a/",
      "a/b/",
    ]) {
      const start = performance.now();
      redact(part.repeat(100_000 / part.length));
      expect(performance.now() - start, JSON.stringify(part)).toBeLessThan(2_000);
    }
  });
});
