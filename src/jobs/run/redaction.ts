import type { Environment } from "../../base/environment.ts";
import { mapStrings } from "../../base/text.ts";
import type { StartOptions } from "../../contract/codex-jobs.ts";
import { type Outcome, succeed } from "../../contract/faults.ts";
import type { ToolAnswer } from "../../contract/tool.ts";
import { hideFields } from "../../safety/redact/data.ts";
import { redact } from "../../safety/redact/redact.ts";
import { compilePatterns } from "./patterns.ts";
import { parseStartOptions } from "./start-options.ts";

/** Removes secrets from texts that are stored or shown. */
export interface Redactor {
  readonly text: (text: string) => string;
  /** Formats an event as one line of JSON. */
  readonly event: (event: unknown) => string;
  /** Buffers a stream, so that no secret is split before it is examined. */
  readonly gather: (pass: (text: string) => void) => Gatherer;
}

interface Gatherer {
  readonly take: (text: string) => void;
  /** Flushes the buffer. */
  readonly end: () => void;
}

/** The secrets that existing callers expect to be hidden; the kernel's own rules apply in addition. */
const USUAL_PATTERNS = [
  "sk-[A-Za-z0-9]{10,}",
  "gh[pouas]_[A-Za-z0-9]{20,}",
  "xox[aboprst]-[A-Za-z0-9-]{10,}",
  "AIza[0-9A-Za-z_-]{10,}",
  "AKIA[0-9A-Z]{16}",
  "ASIA[0-9A-Z]{16}",
  "(?:secret_access_key|SECRET_ACCESS_KEY)\\s*[=:]\\s*[A-Za-z0-9/+=]{20,}",
  "(?:[Pp]assword|PASSWORD)\\s*[:=]\\s*\\S+",
];
const KERNEL_MARK = /<redacted(?: private key)?>/g;
const KEY_BEGIN = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/g;
const KEY_END = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY/g;
/** Longer lines are passed on in pieces, and an unterminated key is not held back any longer. */
const MAX_HELD = 65_536;
/** Where a long line may be cut: after whitespace that is not between a name and its value. */
const CUT = /[^\s:=]\s+(?=\S)/g;

/**
 * Creates the redactor for `--redact`. Contract: without that option, texts stay unchanged; refused if a pattern is
 * invalid.
 */
export function makeRedactor(
  options: Pick<StartOptions, "redacts" | "redactPatterns" | "replacement">,
): Outcome<Redactor> {
  const { redactPatterns } = options;
  const patterns = compilePatterns("--redact-pattern", redactPatterns.length > 0 ? redactPatterns : USUAL_PATTERNS);
  if (!patterns.ok) return patterns;
  if (!options.redacts) return succeed(OPEN);
  const { replacement } = options;
  const hide = (text: string) => {
    // Our rules last: they preserve names and delimiters, which the callers' patterns may need to match.
    const known = patterns.value.reduce((out, pattern) => pattern.replaceIn(out, replacement), text);
    return redact(known).text.replace(KERNEL_MARK, () => replacement);
  };
  return succeed({ text: hide, event: (event) => hideEvent(event, hide), gather: makeGather(hide) });
}

const OPEN: Redactor = {
  text: (text) => text,
  event: (event) => JSON.stringify(event),
  gather: (pass) => makeGather((text) => text)(pass),
};

/**
 * Redacts fields by their keys, then each string by itself, then the whole, in which names stand next to their values:
 * the last step applies only if the result is still JSON.
 */
function hideEvent(event: unknown, hide: (text: string) => string): string {
  const inside = JSON.stringify(
    mapStrings(
      hideFields(event, () => {}),
      hide,
    ),
  );
  const whole = hide(inside);
  try {
    JSON.parse(whole);
    return whole;
  } catch {
    return inside;
  }
}

/** Passes on whole lines together, in their order of arrival. */
function makeGather(change: (text: string) => string) {
  return (pass: (text: string) => void): Gatherer => {
    let held = "";
    const release = (length: number) => {
      if (length === 0) return;
      pass(change(held.slice(0, length)));
      held = held.slice(length);
    };
    return {
      take: (text) => {
        held += text;
        release(endOfWholeLines(held));
        while (held.length > MAX_HELD) release(endOfPiece(held));
      },
      end: () => release(held.length),
    };
  };
}

/**
 * Length of the text that can be passed on: whole lines, up to the beginning of a private key that has not ended yet.
 */
function endOfWholeLines(text: string): number {
  const end = text.lastIndexOf("\n") + 1;
  const begins = Array.from(text.slice(0, end).matchAll(KEY_BEGIN)).at(-1)?.index ?? -1;
  const ends = Array.from(text.slice(0, end).matchAll(KEY_END)).at(-1)?.index ?? -1;
  return begins > ends ? text.lastIndexOf("\n", begins) + 1 : end;
}

function endOfPiece(text: string): number {
  const piece = text.slice(0, MAX_HELD);
  const cut = Array.from(piece.matchAll(CUT)).at(-1);
  return cut === undefined ? MAX_HELD : cut.index + cut[0].length;
}

/** Removes the secrets from a text. Contract: keeps the number of lines; idempotent. */
export type Hide = (text: string) => string;

/**
 * Creates a function that hides what `--redact` would from everything that a client receives, whether or not the run
 * was started with `--redact`. Contract: the replacement is the one set in the environment.
 */
export function makeHide(env: Environment): Hide {
  const options = parseStartOptions(["--redact"], { REDACT_REPLACEMENT: env["REDACT_REPLACEMENT"]?.split("\n", 1)[0] });
  const redactor = options.ok ? makeRedactor(options.value) : options;
  const hideLine = redactor.ok ? redactor.value.text : (line: string) => redact(line).text;
  // First line by line, because some patterns would join lines; then as a whole, because some secrets span lines.
  return (text) => redact(text.split("\n").map(hideLine).join("\n")).text;
}

/** Hides secrets in the outcome of a call, except in names that the caller needs unchanged. */
export function hideInOutcome(outcome: Outcome<ToolAnswer>, hide: Hide): Outcome<ToolAnswer> {
  if (!outcome.ok) return { ok: false, fault: mapStrings(outcome.fault, hide) as typeof outcome.fault };
  const names = new Set(outcome.value.names);
  const data = mapStrings(outcome.value.data, (text) => (names.has(text) ? text : hide(text)));
  return succeed({ ...outcome.value, data: data as Record<string, unknown> });
}
