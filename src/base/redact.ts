import type { Redaction } from "../contract/run-document.ts";

/**
 * One shape of secret. Contract: linear on every input: bounded repetitions only, no nested ones, and the value in the
 * named group `value` is what gets hidden; what stands around it stays readable.
 */
interface RedactionRule {
  readonly kind: string;
  readonly pattern: RegExp;
  readonly replace: string;
}

/** Names that say that the value after them is a secret. */
const SECRET_NAME =
  "(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|client[_-]?secret|auth[_-]?key|credentials?|密码|口令|密钥|令牌)";

/** Rules in the order in which they apply: structures first, so that parts of them are not taken for something else. */
const RULES: readonly RedactionRule[] = [
  {
    kind: "bearer-token",
    pattern: /\b(bearer)(\s{1,4})[A-Za-z0-9._~+/=-]{8,2000}/gi,
    replace: "Bearer <redacted>",
  },
  { kind: "basic-auth", pattern: /\b(basic)\s{1,4}[A-Za-z0-9+/]{12,2000}={0,2}/gi, replace: "$1 <redacted>" },
  { kind: "aws-key", pattern: /\b(AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,20}\b/g, replace: "$1<redacted>" },
  { kind: "github-token", pattern: /\b(gh[pousr]_|github_pat_)[A-Za-z0-9_]{16,255}/g, replace: "$1<redacted>" },
  { kind: "gitlab-token", pattern: /\b(gl[a-z]{2,6}-)[A-Za-z0-9_-]{16,255}/g, replace: "$1<redacted>" },
  { kind: "slack-token", pattern: /\b(xox[a-z]-|xapp-)[A-Za-z0-9-]{10,255}/g, replace: "$1<redacted>" },
  {
    kind: "api-key",
    pattern: /\b(sk|pk|rk|whsec)([-_](?:[a-z0-9]{1,12}[-_]){0,3})[A-Za-z0-9_-]{16,255}/g,
    replace: "$1$2<redacted>",
  },
  { kind: "google-key", pattern: /\b(AIza)[A-Za-z0-9_-]{30,45}/g, replace: "$1<redacted>" },
  { kind: "npm-token", pattern: /\b(npm_|pypi-)[A-Za-z0-9_-]{30,255}/g, replace: "$1<redacted>" },
  {
    kind: "jwt",
    pattern: /\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{4,4000}(\.[A-Za-z0-9_-]{0,2000})?/g,
    replace: "<redacted>",
  },
  {
    kind: "url-credentials",
    pattern: /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@'"<>]{0,100}:)[^\s@/'"<>]{1,200}@/gi,
    replace: "$1<redacted>@",
  },
  {
    kind: "assignment",
    // name = "value", name: value, "name": "value"; the value must look like one: no blanks, at least 6 characters.
    pattern: new RegExp(
      `((?:[A-Za-z0-9_.-]{0,40}[_.-])?${SECRET_NAME}[A-Za-z0-9_]{0,20}["'\\\`]?\\s{0,4}(?::=|=>|[:=：])\\s{0,4}["'\\\`]?)` +
        `(?![^\\s"'\\\`]{0,200}<redacted>)(?=[^\\s"'\\\`]{0,200}[0-9!@#$%^&*+/~-])([^\\s"'\\\`,;(){}<>\\[\\]]{6,400})`,
      "gi",
    ),
    replace: "$1<redacted>",
  },
  {
    kind: "encoded-line",
    pattern: /^([ \t>#*/"'-]{0,12})[A-Za-z0-9+/]{56,120}={0,2}(["',\\]{0,6})$/gm,
    replace: "$1<redacted>$2",
  },
];

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|KEY BLOCK|PRIVATE KEY BLOCK)[A-Z ]{0,10}-----/;
const KEY_END = /-----END [A-Z0-9 ]{0,40}(?:KEY|KEY BLOCK)[A-Z ]{0,10}-----/;

/** Text with its secrets hidden, and how many of each kind there were. */
export interface RedactedText {
  readonly text: string;
  readonly redactions: readonly Redaction[];
}

/** Hides secrets. Contract: linear in the text; the number of lines stays the same; applying it twice changes nothing. */
export function redact(text: string): RedactedText {
  const counts = new Map<string, number>();
  const hit = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1);
  let out = hidePrivateKeys(text, hit);
  for (const rule of RULES) {
    out = out.replace(rule.pattern, (whole, ...groups) => {
      const shown = rule.replace.replace(/\$(\d)/g, (_all, digit: string) => String(groups[Number(digit) - 1] ?? ""));
      if (shown !== whole) hit(rule.kind);
      return shown;
    });
  }
  return { text: out, redactions: [...counts].map(([kind, count]) => ({ kind, count })) };
}

/** Hides everything from a key's BEGIN line to its END line, or to the end of the text where it was cut. */
function hidePrivateKeys(text: string, hit: (kind: string) => void): string {
  if (!text.includes("-----BEGIN ")) return text;
  let out = "";
  let rest = text;
  for (let begin = KEY_BEGIN.exec(rest); begin !== null; begin = KEY_BEGIN.exec(rest)) {
    hit("private-key");
    const bodyAt = begin.index + begin[0].length;
    const end = KEY_END.exec(rest.slice(bodyAt));
    const body = end === null ? rest.slice(bodyAt) : rest.slice(bodyAt, bodyAt + end.index);
    out += `${rest.slice(0, begin.index)}<redacted private key>${body.replace(/[^\n]+/g, "")}`;
    rest = end === null ? "" : rest.slice(bodyAt + end.index + end[0].length);
  }
  return out + rest;
}

/** Adds redaction counts of several texts, sorted by kind. */
export function sumRedactions(lists: readonly (readonly Redaction[])[]): Redaction[] {
  const counts = new Map<string, number>();
  for (const { kind, count } of lists.flat()) counts.set(kind, (counts.get(kind) ?? 0) + count);
  return [...counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
}
