import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { makeHide } from "../run/redaction.ts";
import { cutClean, readCleanBytes } from "./clean-log.ts";

const hide = makeHide({});

const KEY = `sk-${"a1B2c3D4".repeat(5)}`;
const PEM = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ\n".repeat(3)}-----END PRIVATE KEY-----`;
const LOG = `first line\nOPENAI_API_KEY=${KEY} and more\n\nüñ 密 line\n${PEM}\nlast`;

const cut = (from: number, to: number) =>
  cutClean({ before: LOG.slice(0, from), part: LOG.slice(from, to), after: LOG.slice(to) }, hide);

describe("[CNI-18] cleaning a part of a log", () => {
  it("hides a secret wherever the part is cut", () => {
    for (let from = 0; from < LOG.length; from++)
      for (const size of [1, 7, 40]) {
        const part = cut(from, from + size);
        expect(KEY.includes(part) && part.length > 3, part).toBe(false);
        expect(part).not.toMatch(/a1B2c3D4|MIIEv|BAQEFAASC/);
      }
  });

  it("returns a part without secrets unchanged", () => {
    expect(cut(0, 10)).toBe("first line");
    expect(cut(3, 11)).toBe("st line\n");
    expect(cut(LOG.length, LOG.length + 10)).toBe("");
    expect(cutClean({ before: "", part: "", after: "" }, hide)).toBe("");
  });

  it("consecutive parts concatenate to the whole", () => {
    const whole = cut(0, LOG.length);
    expect(whole).toContain("first line\nOPENAI_API_KEY=");
    expect(whole).toContain("\nüñ 密 line\n");
    for (const size of [1, 10, 64, 500]) {
      const parts = Array.from({ length: Math.ceil(LOG.length / size) }, (_, at) => cut(at * size, (at + 1) * size));
      expect(parts.join("")).toBe(whole);
    }
  });

  it("hides a secret at every offset into the log", () => {
    const id = "cdx-20260102_030405";
    const secret = "Password: a1B2c3D4";
    const cwd = makeFolder({ [`.codex-father/sessions/${id}/job.log`]: `${secret}\nlast` });
    for (let offset = 1; offset < secret.length; offset++)
      expect(readCleanBytes({ cwd, id, offset }, hide), `${offset}`).toMatchObject({ value: { chunk: "\nlast" } });
  });
});
