import type { Redaction } from "../../contract/run-document.ts";
import { hideAuthorization } from "./authorization.ts";
import { hideBelow } from "./below.ts";
import { hideBytes } from "./bytes.ts";
import { hideColumns } from "./columns.ts";
import { hideOutsideFrames } from "./frames.ts";
import { hideNamed } from "./named.ts";
import { hidePrivateKeys } from "./pem.ts";
import { PLACES } from "./places.ts";
import { hideRandom } from "./random.ts";
import { hideAsRead } from "./reading.ts";
import { MARK, PREFIXED, type RedactionRule, STRUCTURES } from "./rules.ts";
import { hideSpoken } from "./spoken.ts";
import { hideTables } from "./tables.ts";

/** One pass can expose what the next one detects; two are usual, more occur only on hostile text. */
const MAX_PASSES = 4;

const RULES: readonly RedactionRule[] = [...STRUCTURES, ...PREFIXED, ...PLACES];

/**
 * Quick test: every rule needs a long token, a separator between a name and a value, an option, or a word that
 * announces a secret. Most strings of a document have none of these, and compiling the rules costs more than running
 * them.
 */
const SUSPECT =
  /[A-Za-z0-9+/_=~.-]{13}|[=:：＝'"`“$@%{}<>|]|\d, ?\d|--|-[A-Za-z]\s|\s-[pPaw]\S{4}|[\uff10-\uff5a]|[a-z][\u0400-\u052f]|[\u0400-\u052f][a-z]|\/[pu]:|\/r?p\s|pass|pwd|pw\b|admin|root|psk|shared|secret|token|key|cred|auth|log.?in|sign.?in|user|pin\b|puk\b|lock|door|gate|garage|safe|code|otp|cookie|session|seed|mnemonic|phrase|recovery|contrase|enha|ennwort|wifi|alarm|keypad|CPIN|comb|bearer|basic|identified|community|密|口令|令牌|凭|憑|码|碼|暗号|登|助记|助記|账|帳|пароль|contrase|mot de|senha|パス/i;

/** Text with its secrets hidden, and the number of redactions of each kind. */
interface RedactedText {
  readonly text: string;
  readonly redactions: readonly Redaction[];
}

/** Hides secrets. Contract: linear in the text; keeps the number of lines; idempotent. */
export function redact(text: string): RedactedText {
  if (!SUSPECT.test(text)) return { text, redactions: [] };
  const counts = new Map<string, number>();
  const hit = (kind: string) => void counts.set(kind, (counts.get(kind) ?? 0) + 1);
  let out = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = out;
    out = hideAsRead(runPass(out, hit), (lines) => hidePart(lines, hit));
    if (out === before) break;
  }
  return { text: out, redactions: [...counts].map(([kind, count]) => ({ kind, count })) };
}

/** Private keys first, since they are framed; then everything outside public blocks. */
function runPass(text: string, hit: (kind: string) => void): string {
  if (text.length < 6) return text;
  return hideOutsideFrames(hidePrivateKeys(text, hit), (part) => hidePart(part, hit));
}

/** Structures first, so that parts of them are not taken for something else; then names; random-looking values last. */
function hidePart(text: string, hit: (kind: string) => void): string {
  let out = hideAuthorization(text, hit);
  for (const rule of RULES) out = applyRule(out, rule, hit);
  const named = hideBelow(hideNamed(hideBytes(hideColumns(out, hit), hit), hit), hit);
  return hideRandom(hideSpoken(hideTables(named, hit), hit), hit);
}

/** Applies one rule to a text. Contract: `hit` is called once for each value that it hides. */
export function applyRule(text: string, rule: RedactionRule, hit: (kind: string) => void): string {
  if (!hasHint(text, rule.hints)) return text;
  if (rule.needs !== undefined && !rule.needs.test(text)) return text;
  return text.replace(rule.pattern(), (whole: string, kept: string) => {
    const value = whole.slice(kept.length);
    if (value.startsWith(MARK) || (rule.accepts !== undefined && !rule.accepts(value))) return whole;
    hit(rule.kind);
    return `${rule.shown?.(kept) ?? kept}${MARK}`;
  });
}

function hasHint(text: string, hints: readonly string[]): boolean {
  // A loop by index, because this runs thousands of times before any code is optimised.
  for (let at = 0; at < hints.length; at++) if (text.includes(hints[at] as string)) return true;
  return hints.length === 0;
}

/** Adds up the redaction counts of several texts, sorted by kind. */
export function sumRedactions(lists: readonly (readonly Redaction[])[]): Redaction[] {
  const counts = new Map<string, number>();
  for (const { kind, count } of lists.flat()) counts.set(kind, (counts.get(kind) ?? 0) + count);
  return [...counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
}
