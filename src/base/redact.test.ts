import { describe, expect, it } from "vitest";
import { redact, sumRedactions } from "./redact.ts";

// Assembled, so that no scanner takes this file for a leak.
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
    for (const part of [" ", "a", "-----BEGIN ", "password=", "eyJ", "=", "\n", "sk-", "Bearer ", "://a:"]) {
      const start = performance.now();
      redact(part.repeat(200_000 / part.length));
      expect(performance.now() - start, JSON.stringify(part)).toBeLessThan(2_000);
    }
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
