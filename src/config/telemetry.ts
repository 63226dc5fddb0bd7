import type { Environment } from "../base/environment.ts";
import { isSafeUrl } from "../base/send-request.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";

/** Where and how traces are sent. */
interface TelemetryTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Resource attributes set by the user; always contains `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
}

const USUAL_ENDPOINT = "http://localhost:4318";
const USUAL_TIMEOUT_MS = 10_000;
const MAX_PAIRS = 64;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;

/** True if the user wants traces to be sent. Contract: only environment variables decide; files cannot. */
export function isTelemetryOn(env: Environment): boolean {
  return env["GROUNDWORK_OTEL"] === "1" && env["OTEL_SDK_DISABLED"]?.trim().toLowerCase() !== "true";
}

/**
 * Reads the standard variables of OpenTelemetry. Contract: pure; a fault says which of them cannot be used, and why.
 */
export function readTelemetry(env: Environment): Outcome<TelemetryTarget> {
  const protocol = pick(env, ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"]);
  if (protocol === "grpc")
    return fail("E_CONFIG", "traces are sent by HTTP, not by gRPC", "set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json");
  const base = pick(env, ["OTEL_EXPORTER_OTLP_ENDPOINT"]) || USUAL_ENDPOINT;
  const url = pick(env, ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]) || `${base.replace(/\/{1,20}$/, "")}/v1/traces`;
  if (!isSafeUrl(url))
    return fail("E_CONFIG", "the endpoint for traces is neither https nor on this machine", "name one that is");
  const given = readPairs(pick(env, ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"]));
  const isHeader = ([name, value]: [string, string]) => HEADER_NAME.test(name) && /^[\t\x20-\x7e]*$/.test(value);
  const timeout = Number(pick(env, ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"]) || Number.NaN);
  const resource = Object.fromEntries(readPairs(pick(env, ["OTEL_RESOURCE_ATTRIBUTES"])));
  return succeed({
    url,
    headers: Object.fromEntries(given.filter(isHeader)),
    timeoutMs: timeout > 0 ? Math.min(timeout, USUAL_TIMEOUT_MS) : USUAL_TIMEOUT_MS,
    resource: {
      ...resource,
      "service.name": pick(env, ["OTEL_SERVICE_NAME"]) || resource["service.name"] || "groundwork",
    },
  });
}

/** Returns only the variables that the process that sends a trace needs. */
export function telemetryVariables(env: Environment): Environment {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith("OTEL_")));
  const certificate = pick(env, ["OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE", "OTEL_EXPORTER_OTLP_CERTIFICATE"]);
  // Node reads additional certificates only at startup.
  return certificate === "" ? own : { ...own, NODE_EXTRA_CA_CERTS: certificate };
}

/** Returns the first of these variables that is set; empty if none is. */
function pick(env: Environment, names: readonly string[]): string {
  return names.map((name) => env[name]?.trim() ?? "").find((value) => value !== "") ?? "";
}

/** Parses `key=value,key=value` with URL-encoded values. Invalid pairs are left out. */
function readPairs(text: string): [string, string][] {
  return text
    .split(",")
    .slice(0, MAX_PAIRS)
    .flatMap((pair): [string, string][] => {
      const at = pair.indexOf("=");
      if (at <= 0) return [];
      try {
        return [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]];
      } catch {
        return [];
      }
    });
}
