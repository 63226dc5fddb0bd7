import { describe, expect, it } from "vitest";
import { makeRedactor, type Redactor } from "./redaction.ts";

// Assembled here, so that nothing mistakes them for real secrets.
const OPENAI = `sk-${"A1b2C3d4E5f6G7h8".repeat(2)}`;
const GITHUB = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEowIBAAKCAQEAx7".repeat(3)}\n${"q8Zr0aKfT3n".repeat(5)}\n-----END RSA PRIVATE KEY-----\n`;

function redactor(redactPatterns: string[] = [], replacement = "***REDACTED***", redacts = true): Redactor {
  const made = makeRedactor({ redacts, redactPatterns, replacement });
  if (!made.ok) throw new Error(made.fault.message);
  return made.value;
}

function stream(one: Redactor, chunks: readonly string[]): string {
  let out = "";
  const gatherer = one.gather((text) => {
    out += text;
  });
  for (const chunk of chunks) gatherer.take(chunk);
  gatherer.end();
  return out;
}

describe("redaction of a run's files [CNI-18]", () => {
  it.each([
    [`key ${OPENAI} end`, "key ***REDACTED*** end"],
    [`token: ${GITHUB}`, "token: ***REDACTED***"],
    [`xoxb-${"1234567890abc"}`, "***REDACTED***"],
    [`AIza${"0123456789abcdef"}`, "***REDACTED***"],
    [`AKIA${"ABCDEFGH12345678"}`, "***REDACTED***"],
    [`ASIA${"ABCDEFGH12345678"}`, "***REDACTED***"],
    [`secret_access_key = ${"abcdABCD0123/+ef".repeat(2)}`, "***REDACTED***"],
    [`SECRET_ACCESS_KEY=${"abcdABCD0123/+ef".repeat(2)}`, "***REDACTED***"],
    ["password: hunter2", "***REDACTED***"],
    ["PASSWORD=hunter2 rest", "***REDACTED*** rest"],
    ["nothing to hide: src/jobs/redaction.ts", "nothing to hide: src/jobs/redaction.ts"],
  ])("%j", (text, expected) => {
    expect(redactor().text(text)).toBe(expected);
  });

  it("the kernel's rules apply too, whatever patterns replace the default ones", () => {
    const one = redactor(["PROJECT-[[:digit:]]+"], "[gone]");
    expect(one.text("see PROJECT-42")).toBe("see [gone]");
    expect(one.text(`Authorization: Bearer ${"eyJhbGciOi".repeat(4)}.x`)).not.toContain("eyJhbGci");
    expect(one.text(KEY)).toContain("[gone]");
    expect(one.text(KEY)).not.toContain("MIIE");
  });

  it("a replacement is inserted literally", () => {
    expect(redactor(["abc+"], "$1 $& \\0").text("xabccy")).toBe("x$1 $& \\0y");
  });

  it("nothing changes without --redact", () => {
    const one = redactor([], "x", false);
    expect(one.text(OPENAI)).toBe(OPENAI);
    expect(one.event({ type: "error", message: OPENAI })).toContain(OPENAI);
    expect(stream(one, ["a\nb", "c\n", KEY, "end"])).toBe(`a\nbc\n${KEY}end`);
  });

  it("an invalid pattern is refused even if it would not be used", () => {
    for (const redacts of [true, false]) {
      const made = makeRedactor({ redacts, redactPatterns: ["ok", "a("], replacement: "x" });
      expect(made).toMatchObject({ ok: false, fault: { lines: [expect.stringContaining("a("), expect.anything()] } });
    }
  });
});

describe("redaction of a stream", () => {
  it("hides a secret that arrives in pieces, wherever it is cut", () => {
    const text = `first line\nexport KEY=${OPENAI} # password: hunter2\nlast line`;
    const whole = redactor().text(text);
    for (let at = 1; at < text.length; at++) {
      const out = stream(redactor(), [text.slice(0, at), text.slice(at)]);
      expect(out, `cut at ${at}`).toBe(whole);
    }
    expect(stream(redactor(), [...text])).toBe(whole);
    expect(whole).not.toMatch(/hunter2|A1b2/);
  });

  it("examines a private key as a whole", () => {
    const lines = `before\n${KEY}after\n`.split(/(?<=\n)/);
    const out = stream(redactor(), lines);
    expect(out).toMatch(/^before\n\*\*\*REDACTED\*\*\*/);
    expect(out).toMatch(/after\n$/);
    expect(out).not.toMatch(/MIIE|q8Zr0a/);
  });

  it("does not hold back a key that never ends", () => {
    const passed: string[] = [];
    const gatherer = redactor().gather((text) => passed.push(text));
    gatherer.take(`-----BEGIN PRIVATE KEY-----\n${"no key at all, just words\n".repeat(4_000)}`);
    expect(passed.join("").length).toBeGreaterThan(40_000);
  });

  it("passes on an endless line in pieces without cutting a secret", () => {
    const line = `${"word ".repeat(13_100)}password: hunter2 ${OPENAI} ${"word ".repeat(20_000)}`;
    const out = stream(redactor(), line.match(/.{1,1000}/gs) ?? []);
    expect(out).not.toMatch(/hunter2|A1b2/);
    expect(out.length).toBeGreaterThan(160_000);
    expect(stream(redactor(), ["x".repeat(200_000)])).toHaveLength(200_000);
  });
});

describe("redaction of events", () => {
  it("[G D.3] judges values, including numbers, by their keys and the names next to them", () => {
    const event = {
      type: "item.completed",
      item: { password: "hunter2horse", pin: 482193, header: { name: "Authorization", value: "Custom letmein" } },
    };
    const line = redactor([], "***").event(event);
    expect(line).not.toMatch(/hunter2horse|482193|letmein/);
    expect(JSON.parse(line).item.password).toBe("***");
  });

  it("keeps an event an event", () => {
    const event = {
      type: "item.completed",
      item: { text: `use ${OPENAI}\npassword: hunter2 "quoted"` },
      password: "hunter2",
    };
    const line = redactor().event(event);
    expect(line).not.toMatch(/hunter2|A1b2|\n/);
    expect(JSON.parse(line)).toMatchObject({ type: "item.completed" });
  });

  it("even with lone surrogates in it, and however deep it is", () => {
    const event = { type: "error", message: `\ud800 ${OPENAI} \udc00` };
    expect(JSON.parse(redactor().event(event)).message).not.toContain("A1b2");
    const deep = JSON.parse(`${'{"a":'.repeat(500)}"${OPENAI}"${"}".repeat(500)}`);
    expect(redactor().event(deep)).not.toContain("A1b2");
  });

  it("even if the replacement would break it", () => {
    const line = redactor([], 'a"b').event({ type: "error", message: `${OPENAI}` });
    expect(JSON.parse(line)).toEqual({ type: "error", message: 'a"b' });
  });
});
