import { cutText, toOneLine } from "../../base/text.ts";
import { type Classification, ERROR_REASONS, REASONS } from "./texts.ts";

/** What was seen in the output of Codex, line by line. */
export interface OutputSigns {
  /** Kinds of failure that its words speak of. */
  readonly classes: ReadonlySet<Classification>;
  /** The last number of tokens that it told; empty where it told none. */
  readonly tokens: string;
}

/** What decides how a run is classified. */
interface ExitFacts {
  readonly exitCode: number;
  readonly lastMessage: string;
  readonly signs: OutputSigns;
  /** What Codex itself called an error; empty where it prints no events. */
  readonly errors: readonly string[];
}

/** How a run ended. */
export interface Ending {
  readonly classification: Classification;
  /** `DONE`, `CONTINUE` or empty. */
  readonly control_flag: string;
  readonly reason: string;
}

type Failure = Exclude<Classification, "error">;

/**
 * In the order of the contract: the first that matches counts. The last words of a row are ours; a number is a status only
 * where it stands alone, not in a port, a time or an id.
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

/** Contexts and tokens say something only where their limit is spoken of: both are words of much else. */
const LIMIT = "(?:limit|window|length|size|exceed|overflow|max|budget|too |full|out of|more than|truncat)";
const CONTEXT_LIMIT = new RegExp(
  `\\b(?:context|tokens?)\\b.{0,60}?${LIMIT}|${LIMIT}.{0,60}?\\b(?:context|tokens?)\\b`,
  "i",
);
/** A limit that is none of the context's, whatever else the line says: of time, of calls, of money. */
const OTHER_LIMIT =
  /rate limit|too many requests|retry limit|quota|deadline|per (?:second|min|minute|hour|day)\b|(?<![\w.-])429(?!\w|\.\d)/i;
/** A token that opens doors, and does not open this one. */
const BAD_TOKEN =
  /\b(?:expired|invalid|revoked|malformed|incorrect|missing|bad|access|refresh|bearer|auth\w{0,20}|oauth|session|security)[\s_-]{1,3}(?:[a-z]{1,20}[\s_-]{1,3})?tokens?\b|\btokens?\b.{0,40}?\b(?:expired|invalid|invalidated|revoked|rejected|missing|malformed|(?:could|can) ?not be refreshed|not (?:valid|available|found))\b|\bsession (?:has )?expired\b|\b(?:log|sign) ?in again\b/i;

/** What the words of one line speak of. */
function failuresIn(line: string): readonly Failure[] {
  // Nothing else that such a line says is what failed: not the permission that is missing, and not the length.
  if (BAD_TOKEN.test(line)) return ["auth_error"];
  const found = FAILURES.filter(([, pattern]) => pattern.test(line)).map(([name]) => name);
  if (OTHER_LIMIT.test(line)) return found.filter((name) => name !== "context_overflow");
  return CONTEXT_LIMIT.test(line) && !found.includes("context_overflow") ? ["context_overflow", ...found] : found;
}

/** A server's answer says more than the words around it: "token expired" is no overflow. */
const STATUS: readonly (readonly [Failure, RegExp])[] = [
  ["auth_error", /\b(?:status|error|code)\D{0,10}40[13]\b|\b40[13] (?:Unauthorized|Forbidden)\b/i],
  ["rate_limited", /\b(?:status|error|code)\D{0,10}429\b|\b429 Too Many Requests\b/i],
];

/** What Codex tells about every run, also one that goes well: no sign of anything. */
const BANNER =
  /^(?:approval: (?:never|on-request|on-failure|untrusted)|sandbox: (?:read-only|workspace-write|danger-full-access)\b.*|tokens used\b.*)$/i;
const TOKENS = /tokens used\D{0,40}(\d[\d,]*)?/i;
const NUMBER = /^\s*(\d[\d,]*)\s*$/;
const CONTROL = /CONTROL:\s*(DONE|CONTINUE)\b/g;
const MAX_REASON = 300;

/** Reads output line by line, so that hours of it need no memory. */
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
 * Tells how a run ended. Contract: pure; looks at what Codex said alone, never at our own lines; where Codex names its
 * errors, those decide and not what else it printed.
 */
export function classifyExit({ exitCode, lastMessage, signs, errors }: ExitFacts): Ending {
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
