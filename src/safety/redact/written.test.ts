import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DRAWN_ONCE } from "../../../tests/support/drawn.ts";
import { redact } from "./redact.ts";

// No value is written out: words are joined and keys are computed, so that no scanner takes this file for a leak.
const WORDS = ["maple", "otter", "gravel", "lantern", "violin", "harbour", "walnut", "thunder", "saffron", "cactus"];
const word = fc.constantFrom(...WORDS);
const words = fc.tuple(word, word, word).map((parts) => parts.join(""));
const marked = fc.tuple(word, word, fc.integer({ min: 100, max: 9_999 })).map(([a, b, n]) => `${a}-${b}${n}`);
const hash = (seed: number) => createHash("sha512").update(String(seed)).digest("hex");
const key = fc.integer().map((seed) => hash(seed).slice(0, 32));

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
    { ...DRAWN_ONCE, numRuns: 400 },
  );
}

describe("[G B.4] secrets in commands, links and settings are hidden", () => {
  it("keys", () =>
    expectHidden(
      [
        (v) => `sonar.login=${v}`,
        (v) => `relayToken: my-relay-token-${v}`,
        (v) => `mailed https://app.example.org/password/reset/${v}?email=kim`,
        (v) => `https://app.example.org/invitations/accept/${v}`,
        (v) => `signtool sign /f cert.pfx /p ${v} app.exe`,
      ],
      key,
    ));

  it("passwords", () =>
    expectHidden(
      [
        (v) => `      NEO4J_AUTH: neo4j/${v}`,
        (v) => `signtool sign /f cert.pfx /p ${v} app.exe`,
        (v) => `mysql -h db -p${v} shop`,
      ],
      marked,
    ));

  it("four groups of random letters", () =>
    expectHidden(
      [(v) => `xcrun altool --upload-app -f app.ipa -u dev@example.org -p ${v}`],
      fc.constantFrom("hm,uu-oz,id-sg,tf-gi,sr", "qx,wv-kj,zz-pf,hq-bd,tk").map((parts) => parts.replaceAll(",", "")),
    ));
});

describe("[G D.16] a value made of words is hidden if its name says whose secret it is", () => {
  const NAMED: readonly Line[] = [
    (v) => `CLIENT_SECRET=${v}`,
    (v) => `client_secret: ${v}`,
    (v) => `"client_secret": "${v}",`,
    (v) => `export DEPLOY_TOKEN=${v}`,
    (v) => `auth_token: "${v}"`,
    (v) => `x-api-key: ${v}`,
    (v) => `curl -H "x-api-key: ${v}" https://a.example`,
    (v) => `wpa_passphrase=${v}`,
    (v) => `DB_PASSWORD=${v}`,
    (v) => `db_password: "${v}"`,
    (v) => `psk=${v}`,
    (v) => `const JWT_SECRET = "${v}";`,
    (v) => `- name: API_SECRET\n  value: ${v}`,
    (v) => `ENV API_TOKEN ${v}`,
    (v) => `//registry.npmjs.org/:_authToken=${v}`,
    (v) => `mysql -uroot -p${v} app`,
  ];
  it("in lower case", () => expectHidden(NAMED, words));
  it("with a word for a secret in it", () =>
    expectHidden(
      NAMED,
      fc.tuple(fc.constantFrom("secret", "token", "password"), word).map(([a, b]) => `my${a}${b}`),
    ));

  it.each(['password: "mysecretpassword"', "CLIENT_SECRET=supersecrettoken", 'api_token = "tokenfordeploy"'])(
    "only a whole value is a placeholder: %s",
    (text) => {
      expect(redact(text).text).toContain("<redacted>");
    },
  );

  it.each([
    'password: "password"',
    '"token": "accessToken",',
    'client_secret: "client_secret"',
    '"passwordReset": "Reset your password"',
    "API_TOKEN=your-token-here",
    "EOS_TOKEN = 'endoftext'",
    'token: "identifier"',
    "next_token: continuation",
    "auth_token: authToken,",
    'secretName: "database-credentials"',
  ])("and what is one as a whole stays: %s", (text) => {
    expect(redact(text)).toEqual({ text, redactions: [] });
  });
});

describe("[G D.16] a name is recognised in any notation", () => {
  const WRITTEN: readonly Line[] = [
    (v) => `password%3D${v}`,
    (v) => `user%3Deva%26password%3D${v}`,
    (v) => `?next=%2Fa%3Fapi_key%3D${v}%26x%3D1`,
    (v) => `%22password%22%3A%22${v}%22`,
    (v) => `pass%77ord=${v}`,
    (v) => `password%253D${v}`,
    (v) => `password&#61;${v}`,
    (v) => `"pass\\u0077ord": "${v}"`,
    (v) => `ｐａｓｓｗｏｒｄ=${v}`,
    (v) => `ｐａｓｓｗｏｒｄ：${v}`,
    (v) => `p\u0430ssw\u043erd=${v}`,
    (v) => `\u0440\u0430ssword: ${v}`,
    (v) => `s\u0435cr\u0435t_key = "${v}"`,
    (v) => `Auth\u043erization: Bearer ${v}`,
  ];
  it("encoded, full width or with look-alikes", () => expectHidden(WRITTEN, marked));

  it("a frame of a key on lines that are read otherwise takes no line away", () => {
    const [begin, end] = ["-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"];
    const text = [`a &quot;${begin}`, `b p\u0430ssword ${end}`, "c &#61;"].join("\n");
    const once = redact(text).text;
    expect(once.split("\n")).toHaveLength(3);
    expect(redact(once).text).toBe(once);
  });

  it.each([
    "https://example.com/a%20b?title=%E5%AF%86&x=1%2C2",
    "const сумма = цена * количество;",
    "全角ＡＢＣ　と半角",
    'href="/a?x=1&amp;y=2"',
  ])("other encoded text stays as it is: %s", (text) => {
    expect(redact(text)).toEqual({ text, redactions: [] });
  });
});

describe("[G D.16] keys in addresses", () => {
  it("of a service that reports errors", () =>
    expectHidden(
      [
        (v) => `SENTRY_DSN=https://${v}@o123456.ingest.sentry.io/4501`,
        (v) => `dsn: "https://${v}@o4504.ingest.us.sentry.io/123"`,
        (v) => `Sentry.init({ dsn: "https://${v}@sentry.example.com/5" })`,
        (v) => `git clone https://${v}@git.example.com/a/b.git`,
      ],
      key,
    ));
});

describe("[G D.16] a value whose name is on the line before", () => {
  const BELOW: readonly Line[] = [
    (v) => `password:\n${v}`,
    (v) => `API key:\n\n    ${v}`,
    (v) => `token=\n${v}`,
    (v) => `Here is your API key:\n${v}`,
    (v) => `src/a.log:10:password:\nsrc/a.log:11:${v}`,
    (v) => `src/a.log:9:API_TOKEN\nsrc/a.log:10:${v}`,
    (v) => `logs/x.txt-12-Password:\nlogs/x.txt-13-${v}`,
    (v) => `12: secret_key:\n13:   ${v}`,
    (v) => `2024-05-02 10:11:12 INFO password:\n2024-05-02 10:11:12 INFO ${v}`,
    (v) => `<th>Password</th>\n<td>${v}</td>`,
    (v) => `password = \\\n    "${v}"`,
    (v) => `# token\n${v}`,
    (v) => `密码：\n${v}`,
  ];
  it("chosen", () => expectHidden(BELOW, marked));
  it("generated", () => expectHidden(BELOW, key));

  it.each([
    "password:\n  type: string\n  required: true",
    'case "password":\n  break;',
    "token\nsymbol\nline",
    "// the token\nconst next = read();",
    "## Password\n\nThe password is hashed.",
    "  secret:\n    enabled: false",
    "def check(password):\n    return compare(password)",
    "# handle the token\nparser.advance()",
  ])("what follows a name otherwise stays: %s", (text) => {
    expect(redact(text)).toEqual({ text, redactions: [] });
  });
});
