import { describe, expect, it } from "vitest";
import { isTelemetryOn, readTelemetry, telemetryVariables } from "./telemetry.ts";

const read = (env: Record<string, string>) => {
  const target = readTelemetry(env);
  return target.ok ? target.value : target.fault.message;
};
const USUAL = { headers: {}, timeoutMs: 10_000, resource: { "service.name": "groundwork" } };

describe("[K 6] where traces go", () => {
  it.each([
    [{}, false],
    [{ GROUNDWORK_OTEL: "0" }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" }, false],
    [{ GROUNDWORK_OTEL: "1" }, true],
    [{ GROUNDWORK_OTEL: "1", OTEL_SDK_DISABLED: "True" }, false],
    [{ GROUNDWORK_OTEL: "1", OTEL_SDK_DISABLED: "false" }, true],
  ])("%j: %j", (env, isOn) => {
    expect(isTelemetryOn(env)).toBe(isOn);
  });

  it.each([
    [{}, "http://localhost:4318/v1/traces"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "https://otel.example/base/" }, "https://otel.example/base/v1/traces"],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "https://a.example", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://b.example/x" },
      "https://b.example/x",
    ],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" }, "http://localhost:4318/v1/traces"],
  ])("%j goes to %s", (env, url) => {
    expect(read(env)).toEqual({ ...USUAL, url });
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "traces are sent by HTTP, not by gRPC"],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel.example:4318" },
      "the endpoint for traces is neither https nor on this machine",
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "nonsense" }, "the endpoint for traces is neither https nor on this machine"],
  ])("%j is refused", (env, why) => {
    expect(read(env)).toBe(why);
  });

  it("headers, time limit, names and certificates come from the variables", () => {
    const env = {
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x, bad name=1,x-bad=a%0Ab,broken=%E0%A4%A,=,y=2",
      OTEL_EXPORTER_OTLP_TIMEOUT: "500",
      OTEL_SERVICE_NAME: "mine",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=other,team=a%20b",
    };
    expect(read(env)).toEqual({
      url: "http://localhost:4318/v1/traces",
      headers: { authorization: "Bearer x", y: "2" },
      timeoutMs: 500,
      resource: { "service.name": "mine", team: "a b" },
    });
    expect(read({ OTEL_EXPORTER_OTLP_TIMEOUT: "-1" })).toMatchObject({ timeoutMs: 10_000 });
    expect(read({ OTEL_EXPORTER_OTLP_HEADERS: "a=1", OTEL_EXPORTER_OTLP_TRACES_HEADERS: "b=2" })).toMatchObject({
      headers: { b: "2" },
    });
    expect(
      telemetryVariables({ HOME: "/x", OTEL_SERVICE_NAME: "mine", OTEL_EXPORTER_OTLP_CERTIFICATE: "/ca.pem" }),
    ).toEqual({
      OTEL_SERVICE_NAME: "mine",
      OTEL_EXPORTER_OTLP_CERTIFICATE: "/ca.pem",
      NODE_EXTRA_CA_CERTS: "/ca.pem",
    });
  });
});
