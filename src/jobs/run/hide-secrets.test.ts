import { describe, expect, it } from "vitest";
import { fail, succeed } from "../../contract/faults.ts";
import { hideInOutcome, makeHide } from "./redaction.ts";

const hide = makeHide({});
const MARK = "***REDACTED***";

describe("[CNI-18] hiding secrets from clients", () => {
  it.each([
    ["key is sk-abcdefghij here", `key is ${MARK} here`],
    [`ghp_${"a".repeat(20)}`, MARK],
    ["xoxb-abcdefghij", MARK],
    ["AIzaabcdefghij", MARK],
    ["AKIAABCDEFGHIJKLMNOP", MARK],
    [`secret_access_key = ${"a".repeat(20)}`, MARK],
    ["PASSWORD:x", MARK],
    ["password\n:\nabc", "password\n:\nabc"],
    ["nothing to hide", "nothing to hide"],
    ["", ""],
  ])("%j", (text, shown) => {
    expect(hide(text)).toBe(shown);
    expect(hide(shown)).toBe(shown);
  });

  it("hides secrets that span lines and keeps the number of lines", () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n".repeat(3)}-----END PRIVATE KEY-----`;
    const shown = hide(`before\n${key}\nafter`);
    expect(shown).not.toContain("MIIEv");
    expect(shown.split("\n")).toHaveLength(7);
  });

  it("uses the replacement from the environment, cut to one line", () => {
    expect(makeHide({ REDACT_REPLACEMENT: "[gone]\nx" })("PASSWORD:x")).toBe("[gone]");
  });

  it("covers texts of data and faults, but not names that we created", () => {
    const id = "cdx-20260102_030405-da39a3ee5e6b4b0d3255bfef95601890afd80709";
    const answer = {
      summary: "",
      data: { id, title: "use sk-abcdefghij", deep: [{ n: 1, t: "PASSWORD:x" }] },
      names: [id],
    };
    expect(hideInOutcome(succeed(answer), hide)).toMatchObject({
      ok: true,
      value: { data: { id, title: `use ${MARK}`, deep: [{ n: 1, t: MARK }] } },
    });
    expect(hideInOutcome(fail("E_UNKNOWN", "said sk-abcdefghij"), hide)).toMatchObject({
      fault: { message: `said ${MARK}` },
    });
  });
});
