import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countFloors } from "../../../tests/support/cpu-floors.ts";
import { DRAWN_ONCE } from "../../../tests/support/drawn.ts";
import { redact } from "./redact.ts";

// Assembled from parts, so that no scanner takes this file for a leak.
const secret = (...parts: string[]) => parts.join("");

/** Values that look like nothing, like words or like placeholders: their look must not matter. */
const ANYTHING = [
  "test",
  "abc",
  "secret",
  "token",
  "maple",
  "mapleotter",
  "my-token",
  "YOUR_TOKEN",
  "your-token-here",
  "changeme",
  "xxxx",
  "xxxxxxxxxxxx",
  "placeholder",
  "example",
  "0000000000",
  "a.b.c",
  "p@ss:w0rd!",
  "123",
  secret("eyJ", "hbGciOi", ".e30.x"),
];

const BEARERS: readonly ((value: string) => string)[] = [
  (v) => `Authorization: Bearer ${v}`,
  (v) => `authorization: bearer ${v}`,
  (v) => `AUTHORIZATION: BEARER ${v}`,
  (v) => `  "Authorization": "Bearer ${v}",`,
  (v) => `{"headers":{"authorization":"Bearer ${v}"}}`,
  (v) => `"{\\"Authorization\\": \\"Bearer ${v}\\"}"`,
  (v) => `authorization: "Bearer ${v}"`,
  (v) => `- Authorization: 'Bearer ${v}'`,
  (v) => `curl -H "Authorization: Bearer ${v}" https://api.example.com`,
  (v) => `curl -H 'authorization: Bearer ${v}' -d x`,
  (v) => `headers["Authorization"] = "Bearer ${v}"`,
  (v) => `req.setRequestHeader("Authorization", "Bearer ${v}");`,
  (v) => `'Authorization' => 'Bearer ${v}',`,
  (v) => `Authorization=Bearer ${v}`,
  (v) => `http GET x.example Authorization:"Bearer ${v}"`,
  (v) => `{ name: "Authorization", value: "Bearer ${v}" }`,
  (v) => `Proxy-Authorization: Bearer ${v}`,
  (v) => `authorization:\n  - Bearer ${v}`,
  (v) => `.header(AUTHORIZATION, "Bearer ${v}")`,
  (v) => `request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", "${v}");`,
  (v) => `request.setValue("Bearer ${v}", forHTTPHeaderField: "Authorization")`,
  (v) => `-H Authorization:\\ Bearer\\ ${v}`,
  (v) => `headers.append("Authorization" to "Bearer ${v}")`,
  (v) => `proxy_set_header Authorization "Bearer ${v}";`,
  (v) => `const AUTHORIZATION_HEADER = \`Bearer ${v}\`;`,
];

describe("[G B.2] [ATO-RED-1] the guaranteed minimum: hidden whatever the value looks like", () => {
  it.each(ANYTHING)("Bearer %s after Authorization, in any notation", (value) => {
    for (const toText of BEARERS) {
      const text = toText(value);
      const hidden = redact(text);
      expect(hidden.text, text).toBe(toText("<redacted>").replace(/BEARER|bearer/, "Bearer"));
      expect(hidden.redactions, text).toEqual([{ kind: "bearer-token", count: 1 }]);
      expect(redact(hidden.text), text).toEqual({ text: hidden.text, redactions: [] });
    }
  });

  it.each([
    "<token>",
    "<your token>",
    `$${"{TOKEN}"}`,
    "$TOKEN",
    "{token}",
    "{{ token }}",
    "{{token}}",
    "%s",
    "%TOKEN%",
    "#{token}",
    "$(gcloud auth print-access-token)",
    `$${"{{ secrets.TOKEN }}"}`,
    "[token]",
    "...",
    "<redacted>",
  ])("but a template stays: Bearer %s", (template) => {
    for (const text of [
      `Authorization: Bearer ${template}`,
      `-H "Authorization: Bearer ${template}"`,
      `"Authorization": \`Bearer ${template}\`,`,
    ]) {
      expect(redact(text)).toEqual({ text, redactions: [] });
    }
  });

  it.each([
    'headers: { Authorization: "Bearer " + token },',
    `headers.Authorization = \`Bearer $${"{session.token}"}\`;`,
    'Authorization: format!("Bearer {}", token)',
    "'Authorization' => 'Bearer ' . $token,",
    'if (!header.startsWith("Bearer ")) return;',
  ])("and so does code that puts one together: %s", (text) => {
    expect(redact(text)).toEqual({ text, redactions: [] });
  });

  it("ids of access keys", () => {
    for (const prefix of ["AKIA", "ASIA"]) {
      for (const rest of ["XXXXXXXXXXXXXXXX", "0000000000000000", "EXAMPLEEXAMPLEEX", "IOSFODNN7EXAMPLE"]) {
        for (const [before, after] of [
          ["", ""],
          ["key = ", ""],
          ['"', '",'],
          ["id", ""],
          ["AWS_", "_old"],
        ] as const) {
          const text = `${before}${secret(prefix, rest)}${after}`;
          const hidden = redact(text);
          expect(hidden.text).toBe(`${before}${prefix}<redacted>${after}`);
          expect(hidden.redactions).toEqual([{ kind: "aws-key", count: 1 }]);
        }
      }
    }
  });

  it("secret keys by their name", () => {
    for (const value of ["test", "secret", "minioadmin", "changeme", "xxxxxxxx", "wJalr", "maple-otter", "12345"]) {
      for (const toText of [
        (v: string) => `aws_secret_access_key = ${v}`,
        (v: string) => `AWS_SECRET_ACCESS_KEY=${v}`,
        (v: string) => `export AWS_SECRET_ACCESS_KEY="${v}"`,
        (v: string) => `"SecretAccessKey": "${v}",`,
        (v: string) => `secretAccessKey: '${v}',`,
        (v: string) => `AWS_SECRET_KEY: ${v}`,
        (v: string) => `- AWS_SECRET_ACCESS_KEY=${v}`,
        (v: string) => `<add key="AWSSecretKey" value="${v}" />`,
        (v: string) => `aws configure set aws_secret_access_key ${v}`,
        (v: string) => `- name: AWS_SECRET_ACCESS_KEY\n  value: ${v}`,
      ]) {
        const text = toText(value);
        expect(redact(text).text, text).toBe(toText("<redacted>"));
      }
    }
  });

  it.each([
    "aws_secret_access_key = os.environ['AWS_SECRET_ACCESS_KEY']",
    "secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,",
    "secretAccessKey: credentials.secretAccessKey,",
    "secretAccessKey: secretKey,",
    "aws_secret_access_key=aws_secret_access_key,",
    "aws_secret_access_key = var.secret_key",
    `AWS_SECRET_ACCESS_KEY: $${"{{ secrets.AWS_SECRET_ACCESS_KEY }}"}`,
    "AWS_SECRET_ACCESS_KEY=$SECRET",
    "AWS_SECRET_ACCESS_KEY=<your secret key>",
    "secretAccessKey: string;",
    "aws_secret_access_key: Optional[str] = None",
    "AWS_SECRET_ACCESS_KEY=",
  ])("but what only refers to one stays: %s", (text) => {
    expect(redact(text)).toEqual({ text, redactions: [] });
  });

  it.each(["test", "YOUR_PRIVATE_KEY", "secret", "xxxx", "placeholder", "changeme"])(
    "a block of a private key that holds %s",
    (body) => {
      const [begin, end] = [secret("-----BEGIN RSA ", "PRIVATE KEY-----"), secret("-----END RSA ", "PRIVATE KEY-----")];
      for (const text of [`${begin}\n${body}\n${end}`, `k = "${begin}\\n${body}\\n${end}"`, `${begin}${body}${end}`]) {
        const hidden = redact(text);
        expect(hidden.text, text).not.toContain(body);
        expect(hidden.redactions).toEqual([{ kind: "private-key", count: 1 }]);
      }
    },
  );

  it("any word after Bearer", () => {
    const value = fc
      .string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(..."abcXYZ019._~+/=-!@#") })
      .filter((text) => /[A-Za-z0-9]/.test(text) && !/^[#=]/.test(text));
    fc.assert(
      fc.property(value, fc.constantFrom(...BEARERS.slice(0, 10)), (v, toText) => {
        const once = redact(toText(v)).text;
        expect(once).toContain("Bearer <redacted>");
        expect(redact(once).text).toBe(once);
      }),
      DRAWN_ONCE,
    );
  });
});

describe("[G D.16] Authorization with any scheme", () => {
  it.each([
    "Token",
    "ApiKey",
    "Digest",
    "Basic",
    "OAuth",
    "SSWS",
    "GenieKey",
    "Bot",
    "Splunk",
    "DeepL-Auth-Key",
    "Api-Token",
  ])("%s", (scheme) => {
    for (const value of [
      "mapleotterviolin",
      "maple-otter-violin",
      "hunter2horse",
      secret("q9X", "7fK2mZ8", "pL4vT6"),
    ]) {
      for (const toText of [
        (v: string) => `Authorization: ${scheme} ${v}`,
        (v: string) => `authorization: ${scheme.toLowerCase()} ${v}`,
        (v: string) => `"Authorization": "${scheme} ${v}"`,
        (v: string) => `curl -H 'Authorization: ${scheme} ${v}' https://x.example`,
        (v: string) => `request.headers["Authorization"] = "${scheme} ${v}"`,
        (v: string) => `client.header("Authorization", "${scheme} ${v}")`,
      ]) {
        const text = toText(value);
        expect(redact(text).text, text).toBe(toText("<redacted>"));
      }
    }
  });

  it("the parts of a digest", () => {
    const text = 'Authorization: Digest username="eva", realm="x", nonce="abc", response="0123456789abcdef0123"';
    expect(redact(text).text).toBe("Authorization: Digest <redacted>");
  });

  it("no scheme at all", () => {
    for (const value of ["mapleotterviolin", "hunter2horse"]) {
      expect(redact(`Authorization: ${value}`).text).toBe("Authorization: <redacted>");
      expect(redact(`-H "Authorization: ${value}" x`).text).toBe('-H "Authorization: <redacted>" x');
      expect(redact(`"Authorization": "${value}"`).text).toBe('"Authorization": "<redacted>"');
    }
  });

  it.each([
    "Authorization: required",
    "authorization: string;",
    "Authorization: Only admins may call this.",
    "authorization: true",
    "Authorization: Basic authentication",
    "authorization: AuthorizationPolicy,",
    "Authorization: Token <token>",
    "Authorization: ApiKey $API_KEY",
    `Authorization: \`Basic $${"{btoa(pair)}"}\``,
    'app.use(authorization("admin"));',
    "import { Authorization } from '../../base/authorization.ts';",
    "const authorization = request.headers.authorization;",
    "## Authorization",
    "authorization, authentication and sessions",
  ])("what only speaks of it stays: %s", (text) => {
    expect(redact(text)).toEqual({ text, redactions: [] });
  });
});

describe("the floor and what is read", () => {
  it("are linear on hostile input", () => {
    for (const part of [
      "Authorization: ",
      "Authorization: Bearer ",
      'Authorization, "',
      '"bearer x" ',
      'Authorization: x a=b, c="d" ',
      "password%3D",
      "%2525",
      "&quot;",
      "ｐａｓｓ：",
      "p\u0430ss ",
      "password:\n",
      "src/a.b:1:token:\n",
      "2024-05-02 10:11:12 INFO token:\n",
      "token --a ",
      "// token\n",
      "SecretAccessKey ",
      "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n",
      "https://a@",
    ]) {
      const spent = countFloors();
      redact(part.repeat(100_000 / part.length));
      expect(spent(), JSON.stringify(part)).toBeLessThan(200);
    }
  });
});
