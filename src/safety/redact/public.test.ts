import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DRAWN_ONCE } from "../../../tests/support/drawn.ts";
import { redact } from "./redact.ts";

/** Ids, hashes and tables as they look in files that mention secrets all around them. */

const hash = (seed: number) => createHash("sha512").update(String(seed)).digest();
const hex = (length: number) => fc.integer().map((seed) => hash(seed).toString("hex").slice(0, length));
const sha = hex(40);
const bytes = fc.integer().map((seed) => [...hash(seed).subarray(0, 16)]);
const toHexBytes = (values: readonly number[]) => values.map((n) => `0x${n.toString(16).padStart(2, "0")}`).join(", ");
/** Words that would mark a value after them as a key. */
const topic = fc.constantFrom("token", "secret", "auth", "password", "api-key", "credentials");

type Line = (value: string, topic: string) => string;

function expectKept(lines: readonly Line[], values: fc.Arbitrary<string>) {
  fc.assert(
    fc.property(fc.constantFrom(...lines), values, topic, (toText, value, about) => {
      const text = toText(value, about);
      expect(redact(text)).toEqual({ text, redactions: [] });
    }),
    { ...DRAWN_ONCE, numRuns: 400 },
  );
}

describe("[G B.4] public values stay, whatever else is on their line", () => {
  it("ids of objects", () =>
    expectKept(
      [
        (v) => `_id: ObjectId("${v}")`,
        (v, t) => `{"user":"${v}","${t}_type":"refresh"}`,
        (v, t) => `User ${v} changed ${t}`,
        (v, t) => `fixture("${v}", "${t} flow")`,
        (v, t) => `expect(${t.replace("-", "")}.userId).toBe("${v}");`,
        (v, t) => `GET /api/users/${v}/${t} 200`,
        (v, t) => `[${t}] user=${v} ok`,
        (v, t) => `${t}: user ${v} signed in`,
      ],
      hex(24),
    ));

  it("hashes inside names", () =>
    expectKept(
      [
        (v) => `https://models.example/collections/zero-classifiers-${v}`,
        (v) => `load("acme/tiny-model-${v}-uint8")`,
        (v) => `const VOLUME = 'builder-session-${v}-generation';`,
        (v) => `mutex('schedule-${v}')`,
        (v) => `https://git.example/a/b/pull/7/files#diff-${v}`,
        (v) => `// @license magnet:?xt=urn:btih:${v}&dn=apache.txt`,
        (v) => `/// <example>cmpl-${v}</example>`,
      ],
      sha,
    ));

  it("ids in addresses and definitions", () =>
    expectKept(
      [
        (v) => `curl -X DELETE "http://localhost:4000/policies/attachments/${v}" \\`,
        (v) => `"url": "https://ci.example/pipelines/github/acme/webhook-test/20/workflows/${v}",`,
        (v) => `DEFINE_GUID(LowPassFilter, "${v}", 0x01)`,
        (v) => `DEFINE_API_GUID(KeyFrameDistance, "${v}");`,
      ],
      hex(32).map((v) => `${v.slice(0, 8)}-${v.slice(8, 12)}-4${v.slice(13, 16)}-a${v.slice(17, 20)}-${v.slice(20)}`),
    ));

  it.each([
    '"output_cost_per_token": 4.5003000000000007e-07,',
    "r->tokens = INT64_MAX;",
    "check(!!exp_password == !!passwdstr);",
    'ShowPassword: "ShowPassword",',
    'TEST_TOKEN = "00000000-0000-4000-8000-000000000001"',
    '"form_password_weak": "Mật khẩu của bạn không đủ mạnh.",',
    '"New password": "പുതിയ രഹസ്യവാക്ക്",',
    'model = "perplexity/pplx-70b-chat-alpha"',
  ])("%s", (text) => expect(redact(text)).toEqual({ text, redactions: [] }));

  it("objects of a repository", () =>
    expectKept(
      [
        (v, t) => `100644 blob ${v}\tsrc/${t}.ts`,
        (v, t) => `git checkout ${v} -- ${t}/`,
        (v, t) => `git show ${v}:src/${t}.ts`,
        (v, t) => `git reset --hard ${v} # before the ${t} change`,
        (v, t) => `${v}\trefs/heads/${t}-fix`,
        (v, t) => `${t}: pin to ${v}`,
        (v, t) => `fix(${t}): revert ${v}`,
        (v, t) => `pinned to ${v} because of the ${t} bug`,
      ],
      sha,
    ));

  it("commits in addresses", () =>
    expectKept(
      [
        (v, t) => `https://github.com/acme/${t}/blob/${v}/src/a.ts#L12`,
        (v, t) => `https://github.com/acme/${t}-hooks/commit/${v}`,
        (v, t) => `https://raw.githubusercontent.com/acme/${t}/${v}/README.md`,
        (v, t) => `"dep": "github:acme/${t}#${v}",`,
        (v, t) => `- uses: acme/get-${t}@${v} # v2`,
        (v, t) => `image: ghcr.io/acme/${t}-proxy:${v}`,
      ],
      sha,
    ));

  it("files of checksums", () =>
    expectKept(
      [
        (v, t) => `${v}  dist/${t}-1.2.tar.gz`,
        (v, t) => ` ${v} 1086 ${t}_5.dsc`,
        (v, t) => `${v} *src/${t}.zip`,
        (v, t) => `"dist": {"shasum": "${v}", "tarball": "https://registry.example.com/${t}-1.0.0.tgz"}`,
        (v, t) => `SHA256 (${t}.tar.gz) = ${v}`,
        (v, t) => `| ${t}.zip | ${v} |`,
        (v, t) => `+${v}  ${t}-1.1.whl`,
        (v, t) => `download "https://x.example/${t}.tgz" ${v}`,
      ],
      hex(64),
    ));

  it("hashes of contents in paths", () =>
    expectKept(
      [
        (v, t) => `cache/${t}/${v.slice(0, 2)}/${v}.json`,
        (v, t) => `/static/media/${t}.${v.slice(0, 20)}.svg`,
        (v, t) => `tmp/cache/${t}/v4.0/${v}.cache`,
        (v) => `.git/objects/${v.slice(0, 2)}/${v.slice(2, 40)}`,
      ],
      hex(64),
    ));

  it("values that hashes are compared with", () =>
    expectKept(
      [
        (v, t) => `expect(hashToken("${t}")).toEqual("${v}")`,
        (v, t) => `assert sha256(b"${t}") == bytes.fromhex("${v}")`,
        (v, t) => `blake3::hash(b"${t}") -> ${v}`,
        (v, t) => `// sha256("${t}") = ${v}`,
        (v) => `hash: Vec::from_hex("${v}").unwrap(),`,
        (v) => `      "hashed_secret": "${v}",`,
      ],
      hex(64),
    ));

  it("numbers of sessions", () =>
    expectKept(
      [
        (v) => `session: ${v}`,
        (v) => `"session":"${v}"`,
        (v, t) => `${t} session ${v} expired`,
        (v, t) => `login ok with ${t}, session=${v}`,
        (v) => `new Session("${v}", user)`,
        (v) => `rollout-2025-01-02T10-11-12-${v}.jsonl`,
        (v, t) => `job ${v} failed: ${t} expired`,
        (v, t) => `${t} scan ${v} finished`,
        (v, t) => `${t} request id ${v}`,
      ],
      fc.uuid(),
    ));

  it("tables of bytes", () => {
    for (const name of ["token_types", "key_table", "aes_sbox", "keymap", "token_mask", "pianoKeys", "password_hash"]) {
      fc.assert(
        fc.property(bytes, (values) => {
          const text = `static const uint8_t ${name}[16] = { ${toHexBytes(values)} };`;
          expect(redact(text)).toEqual({ text, redactions: [] });
        }),
        { ...DRAWN_ONCE, numRuns: 40 },
      );
    }
  });

  it("examples from the documentation of scanners", () => {
    for (const text of [
      'notes = "Maven - io.jsonwebtoken:jjwt-jackson-0.11.2"',
      "token_type=Bearer expires_in=3600",
      '"credentialId": "cK52UubfLWi4TzKTI8XCk7",',
      'TOKEN_AUDIENCE = "342980a7-489b-442d-85de-49dd04abbdc4"',
      "github.com/acme/token v0.0.0-20230102101112-22718c9fd074",
      "image: ghcr.io/acme/auth-proxy:sha-d91949d",
      'tokens: ["0x1cf81633a9c2cf6aba23ff25bdf2964f361a57bb"]',
      "auth0|e6e364c1ecfb448410b581d8 logged in",
      "pip/version.py,sha256=qaN-fw_htIgKUVXoAuAEVgKxQu3tZ9qE2eiKkWIS7LA,160",
      "--token-color: #8f767659;",
      "existingSecret: saffron-postgres",
      "snowflake.password=\njdbc.snowflake.url=",
      'token: "0xab46913811ab550f5c7165da4a128cc87a9bb2ff"',
      "ARG AUTH_SHA=760a6c2397c25f9fbad4ab1cfd9765293f5ad618",
    ]) {
      expect(redact(text)).toEqual({ text, redactions: [] });
    }
  });
});

describe("[G B.4] lines are not affected by their neighbours", () => {
  const comment = fc.constantFrom(
    "// handle the token",
    "# see the old token: abc",
    "// reads the API key of the user",
  );

  it("a comment that only mentions a secret announces nothing on the next line", () => {
    fc.assert(
      fc.property(comment, sha, hex(64), (above, commit, sum) => {
        for (const line of [
          `index ${commit.slice(0, 10)}..${commit.slice(10, 20)} 100644`,
          `${sum}  dist/app-4.tar.gz`,
          `      "integrity": "sha512-${sum}",`,
          `checksum = "${sum}"`,
          `  ([${commit.slice(0, 7)}](https://github.com/a/b/commit/${commit}))`,
        ]) {
          const text = `${above}\n${line}`;
          expect(redact(text)).toEqual({ text, redactions: [] });
        }
      }),
      DRAWN_ONCE,
    );
  });

  it("but a comment that names a secret does", () => {
    fc.assert(
      fc.property(sha, (value) => {
        for (const text of [`# signing secret\nsign: ${value}`, `// API token:\nconst value = "${value}";`]) {
          expect(redact(text).text).not.toContain(value);
        }
      }),
      DRAWN_ONCE,
    );
  });

  it("a truncated key hides only its own lines", () => {
    const body = "MIIEpAIBAAKCAQEA7Qz3x0p4kV9sT2uY8wRb1cFgHj5lNm6oPqXeZ+3d/aBvCdE4";
    const [begin, end] = ["-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"];
    const ordinary = [
      "cache/e0/149dc8940beb4ca02bd20765a8a7f853564275.json",
      'assert sha256(b"abc") == bytes.fromhex("119fd8ff2157229f7dce91c20b06e8467367ababe6b161ad")',
      "const total = add(1, 2);",
      "src/lifecycle/adapters/orchestrator/run.ts",
    ];
    const text = [begin, body, body, ...ordinary, body, end, ...ordinary].join("\n");
    const lines = redact(text).text.split("\n");
    expect(lines.slice(3, 7)).toEqual(ordinary);
    expect(lines.slice(9)).toEqual(ordinary);
    expect(lines.join("\n")).not.toContain(body.slice(0, 20));
  });
});

describe("[G B.4] values that only stand where a secret could", () => {
  const sha = "7f048b838c6ab70fed1699b87350dcb7830050c0";
  it.each([
    'r.Header.Set("Authorization", "Bearer "+tok.AccessToken)',
    `* auth: drop legacy tokens ([${sha.slice(0, 7)}](https://github.com/acme/api/commit/${sha}))`,
    'printf("%-20s password: %s\\n", user, mask(pw));',
    'pass = keyring.get_password("acme-cli", username)',
    "const secret = await vault.loadSecret('billing/stripe');",
  ])("%s", (line) => {
    expect(redact(line)).toEqual({ text: line, redactions: [] });
  });

  it("but the static key of a tunnel is hidden", () => {
    const body = ["4a8a2c12229c14c330fefef047a7d4d3", "2bb2e26faa6f1d60a4a7d4dc1dd6fdc8"].join("\n");
    const block = `-----BEGIN OpenVPN Static key V1-----\n${body}\n-----END OpenVPN Static key V1-----`;
    expect(redact(block).text).not.toContain("4a8a2c12");
  });
});
