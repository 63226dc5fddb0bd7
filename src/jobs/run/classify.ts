import { cutText, toOneLine } from "../../base/text.ts";
import type { CodexEnd } from "./codex.ts";
import { type Classification, ERROR_REASONS, REASONS } from "./texts.ts";

/** Findings in Codex's output, collected line by line. */
export interface OutputSigns {
  /** Kinds of failure that its text indicates. */
  readonly classes: ReadonlySet<Classification>;
  /** The last token count in the output; empty if there is none. */
  readonly tokens: string;
}

/** How a run ended. */
export interface Ending {
  readonly classification: Classification;
  /** `DONE`, `CONTINUE` or empty. */
  readonly control_flag: string;
  readonly reason: string;
}

type Failure = keyof typeof REASONS;

/**
 * In the order of the contract: the first match counts. The last alternatives of a row are our additions; a number is a
 * status only if it stands alone, not in a port, a time or an id.
 */
const FAILURES: readonly (readonly [Failure, RegExp])[] = [
  ["context_overflow", /length|too long|exceed|truncat/i],
  ["approval_required", /approval|require.{0,200}?confirm/i],
  ["sandbox_denied", /sandbox|permission|not allowed/i],
  [
    "network_error",
    /network|ENOTFOUND|ECONN|timeout|fetch failed|getaddrinfo|connection (?:failed|refused|reset)|error sending request|deadline/i,
  ],
  ["auth_error", /unauthorized|forbidden|invalid api key|(?<![\w.-])40[13](?!\w|\.\d)/i],
  ["rate_limited", /too many requests|rate limit|(?<![\w.-])429(?!\w|\.\d)|quota/i],
  ["tool_error", /Command failed|non-zero exit|failed to execute/i],
];

/** The words "context" and "token" count only near a word for a limit: both are common in other text. */
const LIMIT = "(?:limit|window|length|size|exceed|overflow|max|budget|too |full|out of|more than|truncat)";
const CONTEXT_LIMIT = new RegExp(
  `\\b(?:context|tokens?)\\b.{0,60}?${LIMIT}|${LIMIT}.{0,60}?\\b(?:context|tokens?)\\b`,
  "i",
);
/** A limit other than the context's, whatever else the line says: on time, calls or money. */
const OTHER_LIMIT =
  /rate limit|too many requests|retry limit|quota|deadline|per (?:second|min|minute|hour|day)\b|(?<![\w.-])429(?!\w|\.\d)/i;
/** An authentication token that is not accepted. */
const BAD_TOKEN =
  /\b(?:expired|invalid|revoked|malformed|incorrect|missing|bad|access|refresh|bearer|auth\w{0,20}|oauth|session|security)[\s_-]{1,3}(?:[a-z]{1,20}[\s_-]{1,3})?tokens?\b|\btokens?\b.{0,40}?\b(?:expired|invalid|invalidated|revoked|rejected|missing|malformed|(?:could|can) ?not be refreshed|not (?:valid|available|found))\b|\bsession (?:has )?expired\b|\b(?:log|sign) ?in again\b/i;

function failuresIn(line: string): readonly Failure[] {
  // Other matches in such a line are not the cause: neither the missing permission nor a length.
  if (BAD_TOKEN.test(line)) return ["auth_error"];
  const found = FAILURES.filter(([, pattern]) => pattern.test(line)).map(([name]) => name);
  if (OTHER_LIMIT.test(line)) return found.filter((name) => name !== "context_overflow");
  return CONTEXT_LIMIT.test(line) && !found.includes("context_overflow") ? ["context_overflow", ...found] : found;
}

/** A server's status takes precedence over the surrounding text: "token expired" is not an overflow. */
const STATUS: readonly (readonly [Failure, RegExp])[] = [
  ["auth_error", /\b(?:status|error|code)\D{0,10}40[13]\b|\b40[13] (?:Unauthorized|Forbidden)\b/i],
  ["rate_limited", /\b(?:status|error|code)\D{0,10}429\b|\b429 Too Many Requests\b/i],
];

/** Lines that Codex prints in every run, even a successful one: they indicate nothing. */
const BANNER =
  /^(?:approval: (?:never|on-request|on-failure|untrusted)|sandbox: (?:read-only|workspace-write|danger-full-access)\b.*|tokens used\b.*)$/i;
const TOKENS = /tokens used\D{0,40}(\d[\d,]*)?/i;
const NUMBER = /^\s*(\d[\d,]*)\s*$/;
const CONTROL = /CONTROL:\s*(DONE|CONTINUE)\b/g;
const MAX_REASON = 300;

/** Creates a reader that takes output line by line, so that hours of output need no memory. */
export function makeSignReader(): { readonly take: (line: string) => void; readonly signs: () => OutputSigns } {
  const classes = new Set<Classification>();
  let tokens = "";
  let isTokensNext = false;
  return {
    take: (line) => {
      const told = isTokensNext ? NUMBER.exec(line)?.[1] : undefined;
      const match = TOKENS.exec(line);
      isTokensNext = match !== null && match[1] === undefined;
      tokens = (told ?? match?.[1])?.replaceAll(",", "") ?? tokens;
      if (BANNER.test(line.trim())) return;
      for (const name of failuresIn(line)) classes.add(name);
    },
    signs: () => ({ classes, tokens }),
  };
}

/**
 * Classifies the end of a run. Contract: pure; considers only what Codex said, never our own lines; if Codex names its
 * errors, those decide and not its other output.
 */
export function classifyExit({
  exitCode,
  lastMessage,
  signs,
  errors,
}: Pick<CodexEnd, "exitCode" | "lastMessage" | "signs" | "errors">): Ending {
  const controlFlag = Array.from(lastMessage.matchAll(CONTROL)).at(-1)?.[1] ?? "";
  const end = (classification: Failure): Ending => ({
    classification,
    control_flag: controlFlag,
    reason: REASONS[classification],
  });
  if (exitCode === 0) return end(controlFlag === "DONE" ? "done" : controlFlag === "CONTINUE" ? "continue" : "normal");
  const named = errors.join("\n");
  const status = STATUS.find(([, pattern]) => pattern.test(named));
  if (status !== undefined) return end(status[0]);
  const said = new Set((named === "" ? lastMessage : named).split("\n").flatMap(failuresIn));
  const found = FAILURES.find(([name]) => said.has(name) || (named === "" && signs.classes.has(name)));
  if (found !== undefined) return end(found[0]);
  const message = cutText(toOneLine(errors.at(-1) ?? ""), MAX_REASON).text;
  return {
    classification: "error",
    control_flag: controlFlag,
    reason: message === "" ? ERROR_REASONS.exitCode(exitCode) : ERROR_REASONS.message(message),
  };
}
