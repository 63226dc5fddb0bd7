import type { Environment } from "../../base/environment.ts";
import { mapStrings } from "../../base/text.ts";
import { type Outcome, succeed } from "../../contract/faults.ts";
import type { ToolAnswer } from "../../contract/tool.ts";
import { redact } from "../../safety/redact/redact.ts";
import { makeRedactor } from "./redaction.ts";
import { parseStartOptions } from "./start-options.ts";

/** Takes the secrets out of a text. Contract: the number of lines stays the same; what it has taken out stays out. */
export type Hide = (text: string) => string;

/**
 * What `--redact` takes out of a log is taken out of everything that a client is told, whether the run was asked to or not.
 * Contract: the mark in its place is the one that the environment names.
 */
export function makeHide(env: Environment): Hide {
  const options = parseStartOptions(["--redact"], { REDACT_REPLACEMENT: env["REDACT_REPLACEMENT"]?.split("\n", 1)[0] });
  const redactor = options.ok ? makeRedactor(options.value) : options;
  const hideLine = redactor.ok ? redactor.value.text : (line: string) => redact(line).text;
  // Line by line, because some patterns would join lines; then together, because some secrets go over lines.
  return (text) => redact(text.split("\n").map(hideLine).join("\n")).text;
}

/** The same for all that a call came to, but for the names that its caller needs as they are. */
export function hideIn(outcome: Outcome<ToolAnswer>, hide: Hide): Outcome<ToolAnswer> {
  if (!outcome.ok) return { ok: false, fault: mapStrings(outcome.fault, hide) as typeof outcome.fault };
  const names = new Set(outcome.value.names);
  const data = mapStrings(outcome.value.data, (text) => (names.has(text) ? text : hide(text)));
  return succeed({ ...outcome.value, data: data as Record<string, unknown> });
}
