import { describe, expect, it } from "vitest";
import { startEmbeddingServer } from "../../tests/support/embedding-server.ts";
import { isLoopbackUrl, isSafeUrl, sendJson, sendJsonLocally } from "./send-request.ts";

describe("addresses on this machine", () => {
  it.each([
    "http://127.0.0.1:11434",
    "http://127.0.0.1:8080/v1/embeddings",
    "http://127.3.2.1/",
    "http://localhost:1234/v1/embeddings",
    "http://LOCALHOST",
    "http://[::1]:8080",
    "http://127.1:80",
    "http://2130706433/",
  ])("%s", (url) => {
    expect(isLoopbackUrl(url)).toBe(true);
  });

  it.each([
    "",
    "127.0.0.1:11434",
    "https://127.0.0.1/",
    "http://example.org/v1/embeddings",
    "http://127.0.0.1.example.org/",
    "http://127.0.0.1@example.org/",
    "http://user:pass@127.0.0.1/",
    "http://localhost.example.org/",
    "http://0.0.0.0:11434",
    "http://192.168.0.2:11434",
    "http://[::ffff:8.8.8.8]/",
    "http://[fe80::1]/",
    "http://169.254.169.254/",
    "file:///etc/passwd",
    "unix:/var/run/docker.sock",
    "http://127.0.0.1:99999/",
    `http://127.0.0.1/${"x".repeat(2_000)}`,
    "http://loca\u200blhost.evil/",
    11434,
    null,
  ])("not %s", (url) => {
    expect(isLoopbackUrl(url)).toBe(false);
  });
});

describe("addresses where the request cannot be read in transit", () => {
  it.each(["https://example.org/v1/messages", "https://[::1]:8443", "http://127.0.0.1:8080", "http://localhost"])(
    "%s",
    (url) => {
      expect(isSafeUrl(url)).toBe(true);
    },
  );

  it.each([
    "http://example.org/",
    "https://user:pass@example.org/",
    "ws://127.0.0.1/",
    "https://",
    "example.org",
    `https://example.org/${"x".repeat(2_000)}`,
    undefined,
  ])("not %s", async (url) => {
    expect(isSafeUrl(url)).toBe(false);
    const signal = AbortSignal.timeout(60_000);
    expect(await sendJson({ url: String(url), json: "{}", signal, maxBytes: 10 })).toBeNull();
  });
});

describe("sending to this machine", () => {
  const send = (url: string, signal = AbortSignal.timeout(60_000), maxBytes = 1_000) =>
    sendJsonLocally({ url, json: JSON.stringify({ input: ["中"] }), signal, maxBytes });

  it("returns the answer, whatever its status", async () => {
    await using server = await startEmbeddingServer(({ input }, response) => {
      response.statusCode = 404;
      response.end(`got ${input}`);
    });
    expect(await send(server.url)).toEqual({ status: 404, text: "got 中" });
  });

  it("follows no redirect", async () => {
    await using server = await startEmbeddingServer((_, response) => {
      response.writeHead(302, { location: "http://example.org/" }).end();
    });
    expect(await send(server.url)).toEqual({ status: 302, text: "" });
    expect(server.requests).toHaveLength(1);
  });

  it("sends nothing to another machine", async () => {
    expect(await send("http://example.org/")).toBeNull();
    expect(await send("https://example.org/")).toBeNull();
  });

  it("returns null for no server, a long answer, a broken connection and a timeout", async () => {
    await using server = await startEmbeddingServer(({ path }, response) => {
      if (path === "/flood") response.end("x".repeat(100_000));
      if (path === "/break") response.write("half", () => response.destroy());
      if (path === "/drip") response.write("{");
    });
    expect(await send(`${server.url}/flood`)).toBeNull();
    expect(await send(`${server.url}/break`)).toBeNull();
    expect(await send(`${server.url}/drip`, AbortSignal.timeout(100))).toBeNull();
    expect(await send(`${server.url}/hang`, AbortSignal.timeout(100))).toBeNull();
    expect(await send(server.url, AbortSignal.abort())).toBeNull();
    expect(await send("http://127.0.0.1:9/")).toBeNull();
  });
});
