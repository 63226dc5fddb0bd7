import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countFloors } from "../../../tests/support/cpu-floors.ts";
import { DRAWN_ONCE } from "../../../tests/support/drawn.ts";
import { redact, sumRedactions } from "./redact.ts";

// Assembled from parts, so that no scanner takes this file for a leak.
const secret = (...parts: string[]) => parts.join("");
const aws = secret("AKIA", "IOSFODNN7", "EXAMPLE");
const bearer = secret("abcdef0123", "456789.xyz");
const pem = (kind: string) => [
  secret("-----BEGIN ", kind, "-----"),
  "MIIEabc",
  "Zm9vYmFy",
  secret("-----END ", kind, "-----"),
];

describe("[ATO-RED-1] secrets are hidden", () => {
  it.each([
    [`Authorization: Bearer ${bearer}`, "Authorization: Bearer <redacted>", "bearer-token"],
    [`key = ${aws}`, "key = AKIA<redacted>", "aws-key"],
    [`token: ${secret("ghp_", "a1b2c3d4e5f6g7h8i9j0")}`, "token: ghp_<redacted>", "github-token"],
    [
      `const key = "${secret("sk-", "proj-", "a1b2c3d4e5f6g7h8i9j0k1l2")}"`,
      'const key = "sk-proj-<redacted>"',
      "api-key",
    ],
    ["postgres://app:s3cr3t!pw@db.internal/app", "postgres://app:<redacted>@db.internal/app", "url-credentials"],
    ['password = "hunter2-hunter2"', 'password = "<redacted>"', "assignment"],
    ["数据库密码：Passw0rd!2024", "数据库密码：<redacted>", "assignment"],
  ])("%s", (text, shown, kind) => {
    expect(redact(text)).toEqual({ text: shown, redactions: [{ kind, count: 1 }] });
  });

  it.each(["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "EC PRIVATE KEY"])("a whole %s", (kind) => {
    const hidden = redact(["before", ...pem(kind), "after"].join("\n"));
    expect(hidden.text).toBe("before\n<redacted private key>\n\n\n\nafter");
    expect(hidden.text).not.toMatch(/MIIE|Zm9v/);
    expect(hidden.redactions).toEqual([{ kind: "private-key", count: 1 }]);
  });

  it("a key that is cut before its end", () => {
    const hidden = redact(pem("PRIVATE KEY").slice(0, 3).join("\n"));
    expect(hidden.text).not.toMatch(/MIIE|Zm9v/);
  });

  it("keeps the number of lines, and a second pass changes nothing", () => {
    const text = ["a", ...pem("RSA PRIVATE KEY"), `Bearer ${bearer}`, aws, "b"].join("\n");
    const once = redact(text);
    expect(once.text.split("\n")).toHaveLength(text.split("\n").length);
    expect(redact(once.text)).toEqual({ text: once.text, redactions: [] });
  });

  it.each([
    "const password = getPassword();",
    "if (token === undefined) return;",
    "export interface Secret { key: string }",
    "password: string;",
    "# set the API_KEY variable first",
    "sha256: 9f86d081884c7d659a2feaa0c55ad015",
  ])("leaves ordinary code as it is: %s", (text) => {
    expect(redact(text)).toEqual({ text, redactions: [] });
  });

  it("is linear on hostile input", () => {
    for (const part of [
      " ",
      "a",
      "-----BEGIN ",
      "password=",
      "eyJ",
      "=",
      "\n",
      "sk-",
      "Bearer ",
      "://a:",
      "key=",
      "?key=",
    ]) {
      const spent = countFloors();
      redact(part.repeat(200_000 / part.length));
      expect(spent(), JSON.stringify(part)).toBeLessThan(200);
    }
  });
});

/** A deterministic value of letters and digits that no word contains. */
const made = (length: number, seed: number, alphabet: string) => {
  let state = seed * 2_654_435_761 + 12_345;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return alphabet.charAt((state >> 8) % alphabet.length);
  }).join("");
};
const BASE62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const mixed = made(40, 7, BASE62);
const small = made(32, 11, "abcdefghijklmnopqrstuvwxyz0123456789");
const hex = made(32, 5, "0123456789abcdef");
const password = secret("Tr0ub", "4dor&", "3x");

describe("[ATO-RED-1] values are hidden where a name or a place announces them", () => {
  it.each<[string, string]>([
    [`ACME_API_KEY=${hex}`, hex],
    [`export ACME_TOKEN='${small}'`, small],
    [`const acmeSecret = process.env.ACME_SECRET ?? '${small}';`, small],
    [`private readonly acmeKey: string = "${hex}";`, hex],
    [`{"name": "ACME_APIKEY", "value": "${hex}"},`, hex],
    [`- name: ACME_TOKEN\n  value: "${small}"`, small],
    [`"body": "{\\"acmeSecret\\":\\"${small}\\"}"`, small],
    [`acme_secret: |\n  ${mixed}`, mixed],
    [`API_SECRET = (\n    "${mixed}"\n)`, mixed],
    [`<add key="ACME_SECRET" value="${mixed}" />`, mixed],
    [`<acmeToken>${small}</acmeToken>`, small],
    [`INSERT INTO settings VALUES ('acme_api_key', '${small}');`, small],
    [`acme,acme_secret_key,${small},active`, small],
    [`DEBUG acme: using acme_access_token ${small}`, small],
    [`acme token = '${small}' | '${hex}'`, hex],
    [`curl -H 'X-Api-Key: ${small}' https://api.acme.example/v1`, small],
    [`https://example.com/reset?token=${mixed}`, mixed],
    [`// acme 密钥：${small}`, small],
    [`访问密钥 = ${hex}`, hex],
    [`口令是：${password}`, password],
    [`db.password=${password}`, password],
    [`'password' => '${password}',`, password],
    [`<password>${password}</password>`, password],
    [`Server=db;User Id=sa;Password=${password};Encrypt=true`, password],
    [`mysql -h db -u app -p${password} shop`, password],
    [`curl -u admin:${password} https://h.example/api`, password],
    [`sshpass -p '${password}' ssh admin@h`, password],
    [`machine h login bob password ${password}`, password],
    [`CREATE USER bob IDENTIFIED BY '${password}'`, password],
    [`requests.get(u, auth=("bob", "${password}"))`, password],
    [`git clone https://bob:${password}@git.example.com/a.git`, password],
    [`Authorization: Basic ${Buffer.from(`bob:${password}`).toString("base64")}`, password],
    [`bob:$6$${mixed.slice(0, 16)}$${mixed}:19000:0:99999:7:::`, mixed],
    [`Cookie: sessionid=${small}; theme=dark`, small],
    [`connect('${secret("acme", "_", mixed)}')`, mixed],
    [`# see ${secret("zz", "-", mixed)} in the vault`, mixed],
    [`login(${mixed})`, mixed],
    [`API_KEY="${mixed.slice(0, 22)}`, mixed.slice(0, 22)],
  ])("%s", (text, value) => {
    const hidden = redact(text);
    expect(hidden.text).not.toContain(value);
    expect(hidden.text).toContain("<redacted>");
    expect(hidden.text.split("\n")).toHaveLength(text.split("\n").length);
    expect(redact(hidden.text)).toEqual({ text: hidden.text, redactions: [] });
  });

  it.each([
    "const slackToken = System.getenv('SLACK_TOKEN');",
    "export AWS_APIKEY=import.meta.env.VITE_AWS_APIKEY",
    `  api_key: $${"{OPENAI_API_KEY}"}  # or set directly`,
    '-H "Authorization: Bearer $API_KEY"',
    'API_KEY="<your-key>"',
    "password: changeme",
    "token_budget=8000",
    "key_length = XSalsa20.key_length",
    "access_token_url='https://github.com/login/oauth/access_token',",
    `checksum = "${made(64, 3, "0123456789abcdef")}"`,
    `        uses: actions/setup-node@${made(40, 3, "0123456789abcdef")} # v6`,
    `"integrity": "sha512-${made(86, 3, BASE62)}==",`,
    `github.com/a/b v1.2.0 h1:${made(43, 9, BASE62)}=`,
    '"requestId": "7fd61ddb-2098-4fed-b246-04fae439213d"',
    "def test_no_password_change_doesnt_invalidate_session(self):",
    `"acme_secret_key": re.compile(r"R_([0-9a-f]{32})"),`,
    'test("basic transformations", () => {',
    'const BEGIN = "-----BEGIN PRIVATE KEY-----";\nconst other = 1;',
    "from cryptography import ed25519.Ed25519PrivateKey",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
  ])("leaves as it is: %s", (text) => {
    expect(redact(text)).toEqual({ text, redactions: [] });
  });
});

describe("[ATO-RED-1] private keys in any layout", () => {
  const key = generateKeyPairSync("rsa", {
    modulusLength: 1024,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  }).privateKey.trim();
  const lines = key.split("\n");
  const each = (change: (line: string, at: number) => string) => lines.map(change).join("\n");
  const layouts: Record<string, string> = {
    plain: key,
    CRLF: lines.join("\r\n"),
    "JSON-escaped": JSON.stringify({ private_key: key }),
    "one line": lines.join(" "),
    glued: lines.join(""),
    indented: each((line) => `      ${line}`),
    "quoted per line": each((line) => `  "${line}\\n" +`),
    array: each((line) => `  '${line}',`),
    comment: each((line) => ` * ${line}`),
    diff: each((line) => `+${line}`),
    log: each((line) => `2024-05-02 10:11:12 [debug] ${line}`),
    "search result": each((line, at) => `src/key.ts:${at + 10}:${line}`),
  };
  const body = lines.slice(1, -1).join("");

  it.each(Object.entries(layouts))("%s, whole and cut", (_name, text) => {
    for (const [from, to] of [
      [0, 1],
      [0, 0.6],
      [0.4, 1],
      [0.3, 0.8],
    ] as const) {
      const cut = text.slice(text.length * from, text.length * to);
      const hidden = redact(cut).text;
      // At a cut, at most a quarter of a line remains.
      const left = (hidden.match(/[A-Za-z0-9+/]{20,}/g) ?? []).filter((piece) => body.includes(piece));
      expect(left, `${from}-${to}`).toEqual([]);
      expect(hidden.split("\n")).toHaveLength(cut.split("\n").length);
    }
  });
});

describe("[ATO-RED-1] random mixtures", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "password=",
      "token: ",
      "api_key = '",
      '"',
      "'",
      "\n",
      " ",
      "://",
      "@",
      "-----BEGIN PRIVATE KEY-----\n",
    ),
    fc.constantFrom(
      "-----END PRIVATE KEY-----",
      "Bearer ",
      "<redacted>",
      "AKIA",
      "eyJ",
      "sk-",
      "| ",
      "=",
      mixed,
      small,
      hex,
    ),
    fc.string({ maxLength: 20 }),
    fc.constantFrom(
      "const value = load();",
      "密码：",
      "value: ",
      "https://a:",
      "curl -u a:",
      "$6$",
      "\\n",
      "{",
      "}",
      "(",
      ")",
    ),
  );
  const text = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(""));

  it("keep their lines, and a second pass changes nothing", () => {
    fc.assert(
      fc.property(text, (mixture) => {
        const once = redact(mixture);
        expect(once.text.split("\n")).toHaveLength(mixture.split("\n").length);
        expect(redact(once.text)).toEqual({ text: once.text, redactions: [] });
      }),
      { ...DRAWN_ONCE, numRuns: 500 },
    );
  });

  it("never leave a named key, whatever lines stand around it", () => {
    const around = fc.string({ maxLength: 40 }).map((line) => line.replace(/[\r\n]/g, " "));
    fc.assert(
      fc.property(around, around, fc.integer({ min: 1, max: 1_000_000 }), (before, after, seed) => {
        const value = made(40, seed, BASE62);
        expect(redact(`${before}\nACME_API_KEY="${value}"\n${after}`).text).not.toContain(value);
      }),
      { ...DRAWN_ONCE, numRuns: 300 },
    );
  });
});

describe("sumRedactions", () => {
  it("adds up by kind, in a stable order", () => {
    const lists = [
      [{ kind: "jwt", count: 1 }],
      [],
      [
        { kind: "aws-key", count: 2 },
        { kind: "jwt", count: 3 },
      ],
    ];
    expect(sumRedactions(lists)).toEqual([
      { kind: "aws-key", count: 2 },
      { kind: "jwt", count: 4 },
    ]);
  });
});
