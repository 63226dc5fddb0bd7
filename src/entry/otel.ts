import { type TraceFacts, toOtlp } from "../adapters/telemetry/spans.ts";
import { sendJson } from "../base/send-request.ts";
import { startTimer } from "../base/timers.ts";
import { readTelemetry } from "../config/telemetry.ts";
import { VERSION } from "./version.ts";

const MAX_ANSWER_BYTES = 64 * 1024;

/** Sends one trace and exits, whether or not it was accepted. */
async function main(): Promise<void> {
  const target = readTelemetry(process.env);
  const facts = process.env["GROUNDWORK_TRACE"];
  if (!target.ok || facts === undefined) return;
  const { url, headers, timeoutMs, resource } = target.value;
  // An endpoint that neither answers nor closes the connection must not keep this process alive.
  startTimer(timeoutMs + 1_000, () => process.exit(0)).unref();
  const json = toOtlp(JSON.parse(facts) as TraceFacts, { resource, version: VERSION });
  await sendJson({ url, json, headers, signal: AbortSignal.timeout(timeoutMs), maxBytes: MAX_ANSWER_BYTES });
}

// Failures are ignored: there is nobody to report them to.
main().then(
  () => process.exit(0),
  () => process.exit(0),
);
