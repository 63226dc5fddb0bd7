import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DRAWN_ONCE } from "../../../tests/support/drawn.ts";
import { hideFields } from "./data.ts";

const hide = (value: unknown) => {
  const kinds: string[] = [];
  return { value: hideFields(value, (kind) => kinds.push(kind)), kinds };
};
const MARK = "<redacted>";

describe("[G D.3] values of data are judged by their key and by the name beside them", () => {
  it.each<[unknown, unknown]>([
    [{ password: "hunter2horse" }, { password: MARK }],
    [{ a: { b: [{ db_password: "maple-otter" }] } }, { a: { b: [{ db_password: MARK }] } }],
    [{ pin: 482193 }, { pin: MARK }],
    [{ PASSWORD: 12345678 }, { PASSWORD: MARK }],
    [{ otp: "482193" }, { otp: MARK }],
    [
      { name: "Authorization", value: "Bearer test" },
      { name: "Authorization", value: `Bearer ${MARK}` },
    ],
    [
      { name: "authorization", value: "mapleotter" },
      { name: "authorization", value: MARK },
    ],
    [
      { key: "DB_PASSWORD", value: "hunter2horse" },
      { key: "DB_PASSWORD", value: MARK },
    ],
    [
      { header: "X-Api-Key", value: "mapleotterviolin" },
      { header: "X-Api-Key", value: MARK },
    ],
    [
      { Name: "CLIENT_SECRET", Value: "mapleotterviolin" },
      { Name: "CLIENT_SECRET", Value: MARK },
    ],
    [
      { name: "pin", value: 482193 },
      { name: "pin", value: MARK },
    ],
    [{ headers: { Authorization: ["Token mapleotter"] } }, { headers: { Authorization: [`Token ${MARK}`] } }],
    [{ Authorization: "test" }, { Authorization: MARK }],
    [{ db_password: { sensitive: true, value: "hunter2horse" } }, { db_password: { sensitive: true, value: MARK } }],
    [{ passwords: ["hunter2horse", "maple-otter"] }, { passwords: [MARK, MARK] }],
    [
      [
        ["Host", "a.example"],
        ["Authorization", "Basic mapleotter"],
      ],
      [
        ["Host", "a.example"],
        ["Authorization", `Basic ${MARK}`],
      ],
    ],
    [{ "pass\u200bword": "hunter2horse" }, { "pass\u200bword": MARK }],
    [{ ｐａｓｓｗｏｒｄ: "hunter2horse" }, { ｐａｓｓｗｏｒｄ: MARK }],
    [{ password: 'hunter"2\nhorse' }, { password: MARK }],
  ])("%j", (data, shown) => {
    const once = hide(data);
    expect(once.value).toEqual(shown);
    expect(once.kinds.length).toBeGreaterThan(0);
    expect(hide(once.value)).toEqual({ value: once.value, kinds: [] });
  });

  it.each([
    { symbol: "getToken", line: 42, end_line: 57, score: 0.93, reason: "text: password" },
    { tokens: 812, token_count: 4_096, token_budget: 8_000, tokens_used: 12_345, max_tokens: 20_000 },
    { token: "src/auth/token.ts", password: "src/auth/password.ts" },
    { name: "password", kind: "variable", file: "src/a.ts", line: 1_234 },
    { name: "token", value: "identifier" },
    { names: ["password", "resetPassword2", "getToken"], symbols: ["token", "apiKey"] },
    { password: "string", token: "Token", secret: null, apiKey: true },
    { password: "The password is required", passwordLabel: "Enter your password" },
    { key: "password", polarity: "support" },
    { pin: 17, gpio_pin: 4_021, pass: 1_532, fail: 3 },
    { session_id: "0b0d4c4e-8a51-4b6f-9a3e-2f1d5c6b7a80", id: 482_193, code: 482_193 },
    { path: "src/secrets/token.ts", text: "const token = read();", commit: "0f1e2d3c4b5a69788796a5b4c3d2e1f001122334" },
    { password: "", token: [], secret: {} },
    { Authorization: "required", authorization: "none" },
    { Authorization: `Bearer $${"{TOKEN}"}`, password: "<password>" },
  ])("leaves ordinary data as it is: %j", (data) => {
    expect(hide(data)).toEqual({ value: data, kinds: [] });
  });

  it("handles hostile data", () => {
    let deep: unknown = "hunter2horse";
    for (let at = 0; at < 20_000; at++) deep = { password: deep };
    expect(() => hide(deep)).not.toThrow();
    expect(Object.keys(hide(JSON.parse('{"__proto__":{"password":"hunter2horse"}}')).value as object)).toEqual([
      "__proto__",
    ]);
  });

  it("any data: idempotent, and the structure stays", () => {
    const key = fc.constantFrom("password", "token", "name", "value", "pin", "Authorization", "a", "symbol");
    const leaf = fc.oneof(fc.string({ maxLength: 12 }), fc.integer(), fc.constant("hunter2horse"), fc.constant(null));
    const { data } = fc.letrec((tie) => ({
      data: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.array(tie("data"), { maxLength: 4 }),
        fc.dictionary(key, tie("data"), { maxKeys: 4 }),
      ),
    }));
    const toShape = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(toShape);
      if (typeof value !== "object" || value === null) return 0;
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toShape(item)]));
    };
    fc.assert(
      fc.property(data, (value) => {
        const once = hide(value).value;
        expect(hide(once)).toEqual({ value: once, kinds: [] });
        expect(toShape(once)).toEqual(toShape(value));
      }),
      DRAWN_ONCE,
    );
  });
});
