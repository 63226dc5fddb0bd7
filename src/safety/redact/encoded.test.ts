import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";

function expectKept(texts: readonly string[]) {
  for (const text of texts) expect(redact(text), text).toEqual({ text, redactions: [] });
}

describe("[G B.4] base64 is judged by what it encodes", () => {
  const lines = (text: string) => Buffer.from(text).toString("base64").slice(0, 60);

  it("text and pictures stay", () =>
    expectKept([
      `        ${lines("<plist><dict><key>aDate</key><date>2004-10-26T10:33:33Z</date></dict>")}`,
      ` =?utf-8?b?${lines("Nunstuck git und Slotermeyer? Ja! Beiherhund das Oder die Flipperwaldt")}?=`,
      "zAAAAN0R3QDu7iIA////AAAAAAAAAAAAAAAAAAAAAAAAAAi3AAAAAAAAADeAAAAAAAAA",
      "passwordReset: 'Passwort zurücksetzen',",
    ]));

  it("text with a secret is hidden", () => {
    const secret = lines("password=otter-Gravel77; user=eva; host=db.example.org; port=5432");
    expect(redact(secret).text).not.toContain(secret);
  });
});
